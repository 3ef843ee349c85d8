//! Whose commands are recorded, and what a command tells of its connection.

use crate::core::capture::{Event, Origin};
use crate::core::commands::{Access, OperandKey, Role, command, operand_keys};
use crate::core::facts::connections::given_name;
use crate::core::facts::version;
use crate::core::keyspace::is_of_queue;
use crate::core::profile::{Profile, VersionAt};

/// Whose.
#[derive(Clone, Debug)]
pub enum Whose {
    /// Everybody's.
    All,
    /// Those with one of these addresses or names, or of one of these users.
    Picked {
        /// Addresses, or names set by CLIENT SETNAME.
        clients: Vec<String>,
        /// Users of the server.
        users: Vec<String>,
    },
    /// Those that touch a queue, in the new keyspace or in the one that was left.
    Queue {
        /// The grammar of keys.
        profile: &'static Profile,
        /// More prefixes of the old keyspace.
        legacy_prefixes: Vec<Vec<u8>>,
        /// The queue.
        queue: String,
    },
}

impl Whose {
    /// Whether it is to be known of each connection who it is.
    pub(super) fn asks_clients(&self) -> bool {
        matches!(self, Self::Picked { .. })
    }
}

/// What a connection is called: an address, and the server where there are several, since each has addresses of its own.
pub(super) fn connection(address: &str, server: Option<&str>) -> String {
    server.map_or_else(|| address.to_owned(), |server| format!("{address}@{server}"))
}

/// Whether a connection has this address, at whatever server.
pub(super) fn is_at(connection: &str, address: &str) -> bool {
    connection.strip_prefix(address).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

/// Whether a connection is one to this server, where there are several.
pub(super) fn is_of(connection: &str, server: Option<&str>) -> bool {
    server.is_none_or(|server| connection.strip_suffix(server).is_some_and(|address| address.ends_with('@')))
}

/// The name that a connection gives itself.
pub(super) fn name(event: &Event) -> Option<&[u8]> {
    given_name(&event.args())
}

/// Whether another user may act from here on.
pub(super) fn changes_user(event: &Event) -> bool {
    command(&event.args()).is_some_and(|command| matches!(command.name(), "AUTH" | "HELLO" | "RESET"))
}

/// Whether it is what most clients say at first, and few later: a new connection may have come to the address.
pub(super) fn greets(event: &Event) -> bool {
    changes_user(event) || command(&event.args()).is_some_and(|command| command.name() == "CLIENT|SETINFO")
}

/// Whether nothing more comes of this connection; those of a unix socket share one name.
pub(super) fn quits(event: &Event) -> bool {
    let is_quit = event.argv.first().is_some_and(|name| name.as_slice().eq_ignore_ascii_case(b"QUIT"));
    is_quit
        && event.origin == Origin::Client
        && event.client.as_ref().is_some_and(|client| !client.starts_with("unix:"))
}

/// Whether a command takes every key of a database, or writes a version that is the whole deployment's: `check` heeds these whoever
/// did them.
pub(super) fn concerns_all(profile: &Profile, event: &Event) -> bool {
    let args = event.args();
    let Some(known) = command(&args) else { return false };
    if matches!(known.name(), "FLUSHALL" | "FLUSHDB" | "SWAPDB") {
        return true;
    }
    if known.role() != Role::Keys || !matches!(profile.version, VersionAt::String { .. }) {
        return false;
    }
    let Ok(found) = operand_keys(&args) else { return false };
    let is_write = |key: &&OperandKey| key.flags.access() == Access::Write;
    found.keys.iter().filter(is_write).any(|key| version::is_at(profile, args[key.index]))
}

/// Whether a command asks what a version reads, in the words in which this tool does.
pub(super) fn is_version_question(profile: &Profile, event: &Event) -> bool {
    let is_at = |key: &[u8]| version::is_at(profile, key);
    match (profile.version, event.args().as_slice()) {
        (VersionAt::HashField { field, .. }, [b"HGET", key, named]) => is_at(key) && *named == field.as_bytes(),
        (VersionAt::String { .. }, [b"GET", key]) => is_at(key),
        _ => false,
    }
}

/// Whether a command touches a queue, in either keyspace.
pub(super) fn touches(profile: &Profile, legacy_prefixes: &[Vec<u8>], queue: &str, event: &Event) -> bool {
    let args = event.args();
    let Ok(found) = operand_keys(&args) else { return false };
    found.keys.iter().any(|key| is_of_queue(profile, legacy_prefixes, args[key.index], queue))
}
