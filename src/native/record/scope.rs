//! Whose commands are whose: the tool's own, those of the recording's subject, and other people's.

use crate::core::capture::{Event, Origin};
use crate::core::commands::script_call;
use crate::native::runtime::link::Sent;

/// Some connections, as far as MONITOR lets one know them.
pub(in crate::native) enum Senders {
    /// By their addresses.
    Addresses(Vec<String>),
    /// By what they sent: on a unix socket all clients have one address.
    Sent(Sent),
    /// The same, where somebody may pause clients: what runs then is not shown.
    SentOrPaused(Sent),
}

impl Senders {
    fn sent(&self, event: &Event) -> bool {
        match self {
            Self::Addresses(addresses) => addresses.iter().any(|address| event.client.as_ref() == Some(address)),
            Self::Sent(sent) => !sent.is_empty() && sent.take(&packed(event)),
            Self::SentOrPaused(sent) => !sent.is_empty() && sent.take_shown(&packed(event)),
        }
    }
}

/// Whose commands are kept.
pub(in crate::native) enum Scope {
    /// Everybody's but the tool's own.
    AllBut(Senders),
    /// The runtime's; `own` is the tool's.
    Only { runtime: Senders, own: Senders },
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

    /// Of the addresses that were the tool's own, only this one still is.
    pub(in crate::native) fn only_own(&mut self, address: &str) {
        if let Scope::AllBut(Senders::Addresses(own)) | Scope::Only { own: Senders::Addresses(own), .. } =
            &mut self.scope
        {
            own.retain(|one| one == address);
        }
    }

    pub(in crate::native) fn sort(&mut self, event: &Event) -> Fate {
        if event.origin == Origin::Script {
            return self.call;
        }
        let fate = self.of_client(event);
        if is_call(event) {
            self.call = fate;
        }
        fate
    }

    fn of_client(&self, event: &Event) -> Fate {
        match &self.scope {
            Scope::AllBut(own) if own.sent(event) => Fate::Own,
            Scope::AllBut(_) => Fate::Kept,
            // The tool's own last command may also be the runtime's first: that one comes before.
            Scope::Only { runtime, .. } if runtime.sent(event) => Fate::Kept,
            Scope::Only { own, .. } if own.sent(event) => Fate::Own,
            Scope::Only { .. } => Fate::LeftOut,
        }
    }
}

/// Whether an event calls a script or a function.
pub(in crate::native) fn is_call(event: &Event) -> bool {
    may_call(event) && script_call(&event.args()).is_some()
}

/// What tells most commands apart from script calls at a glance: EVAL, EVALSHA, FCALL.
pub(in crate::native) fn may_call(event: &Event) -> bool {
    event.argv.first().is_some_and(|name| matches!(name.as_slice().first(), Some(b'E' | b'e' | b'F' | b'f')))
}

/// An event's command as it went over the wire.
pub(in crate::native) fn packed(event: &Event) -> Vec<u8> {
    let arguments: Vec<Vec<u8>> = event.args().into_iter().map(<[u8]>::to_vec).collect();
    redis::pack_command(&arguments)
}
