//! A pair's traffic: everything but what we looked at ourselves, within a limit.

use std::io;

use crate::core::bytes::Arg;
use crate::core::capture::{Capture, Event};
use crate::native::record::{Sink, State};

/// How much of it is kept, in bytes of arguments and in commands: far more than the battery needs.
const MOST_BYTES: usize = 128 * 1024 * 1024;
const MOST_EVENTS: usize = 200_000;

/// What was heard.
#[derive(Default)]
pub(super) struct Traffic {
    /// The address of whoever looks.
    own: String,
    /// What is kept.
    pub(super) events: Vec<Event>,
    bytes: usize,
    /// How many commands are beyond the limit.
    pub(super) beyond: u64,
}

impl Traffic {
    /// Everybody's but that client's.
    pub(super) fn but(own: &str) -> Self {
        Self { own: own.to_owned(), ..Self::default() }
    }
}

impl Sink for Traffic {
    fn event(&mut self, event: &Event, _state: &State<'_>) -> io::Result<()> {
        if event.client.as_deref() == Some(self.own.as_str()) {
            return Ok(());
        }
        self.bytes += event.argv.iter().map(|arg| arg.as_slice().len()).sum::<usize>();
        if self.bytes > MOST_BYTES || self.events.len() >= MOST_EVENTS {
            self.beyond += 1;
        } else {
            self.events.push(event.clone());
        }
        Ok(())
    }

    fn beat(&mut self, _state: &State<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Leaves long values out of a capture, and says how long they were. Keys and the texts of scripts are shorter than that.
pub(super) fn shorten(capture: &mut Capture) {
    const MOST: usize = 64 * 1024;
    for arg in capture.events.iter_mut().flat_map(|event| &mut event.argv) {
        if arg.as_slice().len() > MOST {
            *arg = Arg::Redacted(arg.as_slice().len() as u64);
        }
    }
}
