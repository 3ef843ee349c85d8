//! The commands that are kept for drawing: the first ones, within so many bytes.

use crate::core::capture::Event;

/// What is kept, and how many commands are not.
pub(super) struct Kept {
    left: usize,
    events: Vec<Event>,
    beyond: u64,
}

impl Kept {
    /// Room for so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { left: most, events: Vec::new(), beyond: 0 }
    }

    /// Keeps a command, unless one before it had no room.
    pub(super) fn keep(&mut self, event: &Event) {
        match self.left.checked_sub(size(event)) {
            Some(left) if self.beyond == 0 => {
                self.left = left;
                self.events.push(event.clone());
            }
            _ => self.beyond += 1,
        }
    }

    /// The commands, and how many there are besides.
    pub(super) fn all(self) -> (Vec<Event>, u64) {
        (self.events, self.beyond)
    }
}

/// Leaves of commands those that have room in so many bytes, and says how many there were besides.
pub(super) fn cut(events: &mut Vec<Event>, most: usize) -> u64 {
    let mut left = most;
    let room = events.iter().take_while(|event| left.checked_sub(size(event)).inspect(|less| left = *less).is_some());
    let kept = room.count();
    let beyond = (events.len() - kept) as u64;
    events.truncate(kept);
    events.shrink_to_fit();
    beyond
}

/// How much memory a command takes, its arguments and what stands around each.
fn size(event: &Event) -> usize {
    let args = event.argv.iter().map(|arg| size_of_val(arg) + arg.known().map_or(0, <[u8]>::len));
    size_of_val(event) + event.client.as_ref().map_or(0, String::len) + args.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::{Kept, cut, size};
    use crate::core::bytes::Arg;
    use crate::core::capture::{Event, Origin};

    fn event(seq: u64, long: usize) -> Event {
        Event {
            seq,
            line: None,
            time: 0,
            client: None,
            db: 0,
            origin: Origin::Client,
            call: None,
            argv: vec![Arg::from("SET"), Arg::from("x".repeat(long).as_str())],
        }
    }

    #[test]
    fn bytes_are_counted_and_what_comes_after_one_without_room_is_not_kept() {
        let mut all: Vec<Event> = [10, 100_000, 10].into_iter().zip(1..).map(|(long, seq)| event(seq, long)).collect();
        for (most, kept) in [(0, 0), (size(&all[0]) - 1, 0), (size(&all[0]), 1), (100_000, 1), (1 << 20, 3)] {
            let mut keeping = Kept::new(most);
            for event in &all {
                keeping.keep(event);
            }
            let (events, beyond) = keeping.all();
            assert_eq!((events.len(), beyond), (kept, 3 - kept as u64), "{most}");
            let mut whole = all.clone();
            assert_eq!((cut(&mut whole, most), whole.len()), (beyond, kept), "{most}");
        }
        assert!(size(&all.remove(1)) > 100_000);
    }

    #[test]
    fn many_small_arguments_are_not_free() {
        let many = Event { argv: vec![Arg::from(""); 1000], ..event(1, 0) };
        assert!(size(&many) > 10_000);
    }
}
