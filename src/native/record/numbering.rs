//! The numbers of a recording's events: rising by one, and a number left out where something was lost.

use super::scope::is_call;
use crate::core::capture::{Event, Origin};

/// Gives events their numbers, and script commands the number of their call.
#[derive(Debug, Default)]
pub(in crate::native) struct Numbering {
    last: u64,
    /// The last script call that was kept: its number among the lines that were read, and the one it was given.
    call: Option<(u64, u64)>,
}

impl Numbering {
    /// Numbers the next event, which has the numbers that the reader of MONITOR's lines gave it.
    pub(in crate::native) fn number(&mut self, event: &mut Event) {
        let read = event.seq;
        self.last += 1;
        event.line = None;
        event.seq = self.last;
        match event.origin {
            Origin::Client if is_call(event) => self.call = Some((read, event.seq)),
            Origin::Client => {}
            Origin::Script => {
                event.call = self.call.filter(|(read, _)| event.call == Some(*read)).map(|(_, call)| call);
            }
        }
    }

    /// Leaves a number out: something is missing here, and a new reader begins.
    pub(in crate::native) fn skip(&mut self) {
        self.last += 1;
        self.call = None;
    }

    /// The last number that was given.
    pub(in crate::native) fn last(&self) -> u64 {
        self.last
    }
}
