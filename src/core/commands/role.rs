//! What kind of operand a command has: keys, a script, channels, the whole keyspace, or none of these.

use super::command::{Command, CommandFlags};

/// What the judge needs to know of a command before it looks at its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Names keys.
    Keys,
    /// Calls a script or a function; [`script_call`](super::script_call) tells which, and what it was given.
    Script,
    /// Names channels or patterns of channels, which are no keys though they may look alike.
    Channels,
    /// Reaches keys that it does not name: all of them, those of a pattern, those of a slot.
    Keyspace,
    /// Touches no key.
    Keyless,
}

/// Keyless commands that reach into the keyspace although the engine does not put them in `@keyspace`.
const KEYSPACE_TOO: [&str; 7] = [
    // The names, or the number, of a slot's keys.
    "CLUSTER|COUNTKEYSINSLOT",
    "CLUSTER|GETKEYSINSLOT",
    // Its subcommands have no rows of their own; OBJECT reads a key, FLUSHALL and RELOAD replace them all.
    "DEBUG",
    // Another server's data takes the place of this one's.
    "REPLICAOF",
    "SLAVEOF",
    // The whole keyspace goes to a replica.
    "PSYNC",
    "SYNC",
];

impl Command {
    /// Tells the command's role, from the engine's own flags and categories as far as they say it.
    pub fn role(&self) -> Role {
        let reads_or_writes = self.has(CommandFlags::READONLY) || self.has(CommandFlags::WRITE);
        if self.takes_keys() {
            if self.has(CommandFlags::SCRIPTING) { Role::Script } else { Role::Keys }
        } else if self.has(CommandFlags::PUBSUB) {
            Role::Channels
        } else if (self.has(CommandFlags::KEYSPACE) && reads_or_writes) || KEYSPACE_TOO.contains(&self.name()) {
            Role::Keyspace
        } else {
            Role::Keyless
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{COMMANDS, calls_a_script, command};
    use super::*;

    fn with_role(role: Role) -> Vec<&'static str> {
        COMMANDS.iter().filter(|row| row.role() == role).map(Command::name).collect()
    }

    #[test]
    fn scripts_are_the_six_calls() {
        assert_eq!(with_role(Role::Script), ["EVAL", "EVALSHA", "EVALSHA_RO", "EVAL_RO", "FCALL", "FCALL_RO"]);
        let named = COMMANDS.iter().filter(|command| calls_a_script(command.name()));
        assert!(named.map(Command::role).eq([Role::Script; 6]));
    }

    #[test]
    fn the_keyspace_is_reached_without_names() {
        let expected = [
            "CLUSTERSCAN",
            "CLUSTER|COUNTKEYSINSLOT",
            "CLUSTER|FLUSHSLOT",
            "CLUSTER|GETKEYSINSLOT",
            "DBSIZE",
            "DEBUG",
            "FLUSHALL",
            "FLUSHDB",
            "KEYS",
            "PSYNC",
            "RANDOMKEY",
            "REPLICAOF",
            "SCAN",
            "SLAVEOF",
            "SWAPDB",
            "SYNC",
        ];
        assert_eq!(with_role(Role::Keyspace), expected);
    }

    #[test]
    fn every_exception_is_a_command() {
        for name in KEYSPACE_TOO {
            assert!(COMMANDS.iter().any(|row| row.name() == name), "{name}");
        }
    }

    #[test]
    fn a_channel_is_no_key() {
        for name in ["PUBLISH", "SPUBLISH", "SUBSCRIBE", "SSUBSCRIBE", "PSUBSCRIBE"] {
            assert_eq!(command(&[name.as_bytes()]).map(Command::role), Some(Role::Channels), "{name}");
        }
        assert_eq!(command(&[b"PING"]).map(Command::role), Some(Role::Keyless));
        assert_eq!(command(&[b"GET"]).map(Command::role), Some(Role::Keys));
    }
}
