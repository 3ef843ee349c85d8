//! A pair's traffic: everything but what we looked at ourselves, within a limit.

use std::io;

use crate::core::bytes::Arg;
use crate::core::capture::{Capture, Event};
use crate::core::commands::operand_keys;
use crate::native::record::{Sink, State};

/// How much of it is kept, in bytes of arguments and in commands: far more than the battery needs.
pub(super) const MOST_BYTES: usize = 128 * 1024 * 1024;
/// See there.
pub(super) const MOST_EVENTS: usize = 200_000;

/// How long a value may be that a kept capture has.
pub(super) const MOST_VALUE: usize = 64 * 1024;

/// What was heard.
pub(super) struct Traffic {
    /// The address of whoever looks.
    own: String,
    /// What is kept.
    pub(super) events: Vec<Event>,
    bytes: usize,
    most: (usize, usize),
    /// How many commands are beyond the limit.
    pub(super) beyond: u64,
}

impl Traffic {
    /// Everybody's but that client's.
    pub(super) fn but(own: &str) -> Self {
        Self { own: own.to_owned(), events: Vec::new(), bytes: 0, most: (MOST_BYTES, MOST_EVENTS), beyond: 0 }
    }

    fn keep(&mut self, event: &Event) {
        if event.client.as_deref() == Some(self.own.as_str()) {
            return;
        }
        self.bytes += event.argv.iter().map(|arg| arg.as_slice().len()).sum::<usize>();
        if self.bytes > self.most.0 || self.events.len() >= self.most.1 {
            self.beyond += 1;
        } else {
            self.events.push(event.clone());
        }
    }
}

impl Sink for Traffic {
    fn event(&mut self, event: &Event, _state: &State<'_>) -> io::Result<()> {
        self.keep(event);
        Ok(())
    }

    fn beat(&mut self, _state: &State<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Leaves long values out of a capture, and says how long they were. What it is judged by stays: keys, and the texts of scripts.
pub(super) fn shorten(capture: &mut Capture) {
    for event in &mut capture.events {
        let kept = judged(&event.args());
        for (at, arg) in event.argv.iter_mut().enumerate() {
            if arg.as_slice().len() > MOST_VALUE && !kept.contains(&at) {
                *arg = Arg::Redacted(arg.as_slice().len() as u64);
            }
        }
    }
}

/// The places of a command's keys and of a script's text.
fn judged(args: &[&[u8]]) -> Vec<usize> {
    let name = args.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    let text = match name.as_slice() {
        b"EVAL" | b"EVAL_RO" => Some(1),
        // SCRIPT LOAD, FUNCTION LOAD: the text comes last.
        b"SCRIPT" | b"FUNCTION" => args.len().checked_sub(1),
        _ => None,
    };
    let keys = operand_keys(args).map(|found| found.keys.iter().map(|key| key.index).collect::<Vec<_>>());
    keys.unwrap_or_default().into_iter().chain(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    fn event(client: &str, value: &str) -> Event {
        let line = format!("1.000001 [0 {client}] \"ECHO\" \"{value}\"");
        Reader::new().line(line.as_bytes()).expect("a line").expect("an event")
    }

    #[test]
    fn what_we_look_at_ourselves_is_no_traffic() {
        let mut traffic = Traffic::but("a:1");
        traffic.keep(&event("a:1", "x"));
        traffic.keep(&event("a:2", "x"));
        assert_eq!((traffic.events.len(), traffic.beyond), (1, 0));
    }

    #[test]
    fn beyond_its_limits_it_is_counted() {
        // Each of these has ten bytes.
        for most in [(20, 100), (1000, 2)] {
            let mut traffic = Traffic { most, ..Traffic::but("a:1") };
            for _ in 0..2 {
                traffic.keep(&event("a:2", "123456"));
            }
            assert_eq!((traffic.events.len(), traffic.beyond), (2, 0), "{most:?}");
            traffic.keep(&event("a:2", "123456"));
            assert_eq!((traffic.events.len(), traffic.beyond), (2, 1), "{most:?}");
        }
    }

    #[test]
    fn long_values_are_left_out_with_their_length() {
        let (at, past) = ("x".repeat(MOST_VALUE), "x".repeat(MOST_VALUE + 1));
        let mut capture = Capture { events: vec![event("a:2", &at), event("a:2", &past)], ..Capture::default() };
        shorten(&mut capture);
        assert_eq!(capture.events[0].argv[1].known().map(<[u8]>::len), Some(MOST_VALUE));
        assert_eq!(capture.events[1].argv[1], Arg::Redacted(MOST_VALUE as u64 + 1));
    }

    #[test]
    fn the_texts_of_scripts_and_keys_are_kept() {
        let long = "x".repeat(MOST_VALUE + 1);
        let line = |command: &str| {
            let line = format!("1.000001 [0 a:1] {command}");
            Reader::new().line(line.as_bytes()).expect("a line").expect("an event")
        };
        let events = vec![
            line(&format!("\"eval\" \"{long}\" \"1\" \"{long}\" \"{long}\"")),
            line(&format!("\"SCRIPT\" \"LOAD\" \"{long}\"")),
            line(&format!("\"SET\" \"{long}\" \"{long}\"")),
        ];
        let mut capture = Capture { events, ..Capture::default() };
        shorten(&mut capture);
        let redacted = |event: &Event| {
            let args = event.argv.iter().enumerate();
            args.filter(|(_, arg)| arg.known().is_none()).map(|(at, _)| at).collect::<Vec<_>>()
        };
        assert_eq!(capture.events.iter().map(redacted).collect::<Vec<_>>(), [vec![4], vec![], vec![2]]);
    }
}
