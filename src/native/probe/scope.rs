//! Which lines of a recording belong to the probe.

use crate::core::capture::{Event, Origin};
use crate::core::commands::script_call;
use crate::native::runtime::link::Sent;

/// Whose commands are kept.
pub(in crate::native) enum Scope {
    /// Everybody's on a server of our own, but the tool's own connection's.
    AllBut(String),
    /// The runtime's, by its connections' addresses; `own` is the tool's.
    Only { runtime: Vec<String>, own: String },
    /// The runtime's, by what it sent: on a unix socket all clients have one address. `own` is what the tool sent.
    Sent { runtime: Sent, own: Sent },
}

/// Sorts a recording's events one by one.
pub(in crate::native) struct Sorter {
    scope: Scope,
    /// What became of the last script call: its script's commands share its fate. Before any, a script was running when the
    /// recording began, and it is somebody else's.
    call: Fate,
}

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Fate {
    /// It is part of the capture.
    Kept,
    /// It is somebody else's: counted.
    LeftOut,
    /// It is the tool's own: neither.
    Own,
}

impl Sorter {
    pub(in crate::native) fn new(scope: Scope) -> Self {
        Self { scope, call: Fate::LeftOut }
    }

    pub(in crate::native) fn sort(&mut self, event: &Event) -> Fate {
        if event.origin == Origin::Script {
            return self.call;
        }
        let fate = self.of_client(event);
        if script_call(&event.args()).is_some() {
            self.call = fate;
        }
        fate
    }

    fn of_client(&self, event: &Event) -> Fate {
        let is = |address: &String| event.client.as_ref() == Some(address);
        let kept = |kept| if kept { Fate::Kept } else { Fate::LeftOut };
        match &self.scope {
            Scope::AllBut(own) => {
                if is(own) {
                    Fate::Own
                } else {
                    Fate::Kept
                }
            }
            Scope::Only { own, .. } if is(own) => Fate::Own,
            Scope::Only { runtime, .. } => kept(runtime.iter().any(is)),
            Scope::Sent { runtime, own } => {
                let command = packed(event);
                // The tool's own last command is also the runtime's first: that one comes before.
                if runtime.take(&command) {
                    Fate::Kept
                } else if own.take(&command) {
                    Fate::Own
                } else {
                    Fate::LeftOut
                }
            }
        }
    }
}

/// An event's command as it went over the wire.
fn packed(event: &Event) -> Vec<u8> {
    let arguments: Vec<Vec<u8>> = event.args().into_iter().map(<[u8]>::to_vec).collect();
    redis::pack_command(&arguments)
}
