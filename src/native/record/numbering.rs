//! The numbers of a recording's events: rising by one, and a number left out where something was lost.

use super::scope::is_call;
use crate::core::capture::{Event, Origin};

/// Gives events their numbers, and script commands the number of their call.
#[derive(Debug, Default)]
pub(in crate::native) struct Numbering {
    last: u64,
    /// How many numbers after the last are left out.
    left_out: u64,
    /// For each server the last script call that was kept: its number among the lines that were read, and the one it was given.
    calls: Vec<Option<(u64, u64)>>,
}

impl Numbering {
    /// Numbers the next event, which a server ran and which has the numbers that the reader of its lines gave it.
    pub(in crate::native) fn number(&mut self, server: usize, event: &mut Event) {
        let read = event.seq;
        self.last += 1 + std::mem::take(&mut self.left_out);
        event.line = None;
        event.seq = self.last;
        let seq = event.seq;
        let call = self.call(server);
        match event.origin {
            Origin::Client if is_call(event) => *call = Some((read, seq)),
            Origin::Client => {}
            Origin::Script => {
                event.call = call.filter(|(read, _)| event.call == Some(*read)).map(|(_, call)| call);
            }
        }
    }

    /// Leaves a number out: something of a server is missing here, and a new reader of its lines begins.
    pub(in crate::native) fn skip(&mut self, server: usize) {
        self.left_out += 1;
        *self.call(server) = None;
    }

    /// The last number that an event has.
    pub(in crate::native) fn last(&self) -> u64 {
        self.last
    }

    fn call(&mut self, server: usize) -> &mut Option<(u64, u64)> {
        if self.calls.len() <= server {
            self.calls.resize(server + 1, None);
        }
        &mut self.calls[server]
    }
}
