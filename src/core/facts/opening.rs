//! The opening of a connection: how a client of some wires settles the version before it works.
//!
//! It asks; where nothing stands it offers a value, to be written only there; it asks again, and works no further on another
//! value than its own. So a client that did all that, in that order, and then touched a queue, found the value that it had
//! offered. No reply shows it: this is an inference from what the wire demands of its clients, and the report says so.

use super::{VersionFact, VersionWhat};

/// How far a connection has come.
#[derive(Debug, Default)]
pub(super) enum Opening {
    /// Nothing that counts.
    #[default]
    Nothing,
    /// It asked.
    Asked,
    /// It offered a value after that.
    Offered(VersionFact),
    /// It asked again after that.
    AskedAgain(VersionFact),
}

impl Opening {
    /// Takes in what the connection did to the version.
    pub(super) fn saw(&mut self, fact: &VersionFact) {
        *self = match (std::mem::take(self), &fact.what) {
            (Self::Nothing | Self::Asked, VersionWhat::Asked) => Self::Asked,
            (Self::Asked, VersionWhat::Offered(_)) => Self::Offered(fact.clone()),
            (Self::Offered(offer) | Self::AskedAgain(offer), VersionWhat::Asked) => Self::AskedAgain(offer),
            _ => Self::Nothing,
        };
    }

    /// Whether only the work is missing.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self, Self::AskedAgain(_))
    }

    /// The connection touched a queue: the version that it settled, once.
    pub(super) fn went_on(&mut self) -> Option<VersionFact> {
        let Self::AskedAgain(offer) = std::mem::take(self) else { return None };
        match &offer.what {
            VersionWhat::Offered(value) => Some(VersionFact { what: VersionWhat::Settled(value.clone()), ..offer }),
            _ => None,
        }
    }
}
