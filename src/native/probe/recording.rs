//! The lines of a recording made into a capture's events.

use super::scope::{Fate, Scope, Sorter};
use crate::core::capture::monitor::Reader;
use crate::core::capture::{Event, Origin};
use crate::core::commands::script_call;

/// Events in scope, numbered without gaps, and counts of the rest.
pub(in crate::native) struct Recording {
    reader: Reader,
    sorter: Sorter,
    /// The number of the call whose script runs.
    call: u64,
    pub(in crate::native) events: Vec<Event>,
    /// Commands of other connections.
    pub(in crate::native) left_out: u64,
    /// Lines that could not be read.
    pub(in crate::native) lost: u64,
}

impl Recording {
    pub(in crate::native) fn new(scope: Scope) -> Self {
        Self { reader: Reader::new(), sorter: Sorter::new(scope), call: 0, events: Vec::new(), left_out: 0, lost: 0 }
    }

    pub(in crate::native) fn line(&mut self, line: &str) {
        match self.reader.line(line.as_bytes()) {
            Ok(Some(event)) => self.event(event),
            Ok(None) => {}
            Err(_) => self.lost += 1,
        }
    }

    fn event(&mut self, mut event: Event) {
        match self.sorter.sort(&event) {
            Fate::Kept => {
                event.line = None;
                event.seq = self.events.len() as u64 + 1;
                match event.origin {
                    Origin::Client if script_call(&event.args()).is_some() => self.call = event.seq,
                    Origin::Client => {}
                    Origin::Script => event.call = Some(self.call),
                }
                self.events.push(event);
            }
            Fate::LeftOut => self.left_out += 1,
            Fate::Own => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: [&str; 6] = [
        "1.000000 [0 lua] \"GET\" \"k\"",
        "1.000001 [0 a:1] \"PING\"",
        "1.000002 [0 b:2] \"EVAL\" \"x\" \"0\"",
        "1.000003 [0 lua] \"GET\" \"k\"",
        "1.000004 [0 c:3] \"EVAL\" \"x\" \"0\"",
        "1.000005 [0 lua] \"GET\" \"k\"",
    ];

    #[test]
    fn scripts_share_the_fate_of_their_callers() {
        let mut recording = Recording::new(Scope::Only { runtime: vec!["c:3".into()], own: "a:1".into() });
        for line in LOG {
            recording.line(line);
        }
        let numbers: Vec<_> = recording.events.iter().map(|event| (event.seq, event.call)).collect();
        assert_eq!(numbers, [(1, None), (2, Some(1))]);
        assert_eq!((recording.left_out, recording.lost), (3, 0));
    }

    #[test]
    fn a_private_server_has_everything_but_the_tool() {
        let mut recording = Recording::new(Scope::AllBut("a:1".into()));
        for line in LOG {
            recording.line(line);
        }
        assert_eq!((recording.events.len(), recording.left_out), (4, 1));
        recording.line("damaged");
        assert_eq!(recording.lost, 1);
    }
}
