//! The opening of a connection: how a client of some wires settles the version before it works.
//!
//! It asks; where nothing stands it offers a value, to be written only there; it asks again, and works no further on another
//! value than its own. So a client that did all that, in that order, and then touched a queue, found the value that it had
//! offered. No reply shows it: this is an inference from what the wire demands of its clients, and the report says so.

use super::VersionWhat;

/// How far a connection has come; what it offered is a fact of the connection's, by its index.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Opening {
    /// Nothing that counts.
    #[default]
    Nothing,
    /// It asked.
    Asked,
    /// It offered a value after that.
    Offered(usize),
    /// It asked again after that: only the work is missing.
    AskedAgain(usize),
}

impl Opening {
    /// Takes in what the connection did to the version, which is the fact at that index.
    pub(super) fn saw(&mut self, what: &VersionWhat, at: usize) {
        *self = match (*self, what) {
            (Self::Nothing | Self::Asked, VersionWhat::Asked) => Self::Asked,
            (Self::Asked, VersionWhat::Offered(_)) => Self::Offered(at),
            (Self::Offered(offer) | Self::AskedAgain(offer), VersionWhat::Asked) => Self::AskedAgain(offer),
            _ => Self::Nothing,
        };
    }
}
