//! What becomes of a client's command in a replay.

use crate::core::commands::{Command, CommandFlags, Role};

/// What becomes of it.
pub(super) enum Fate {
    /// It changes what scripts find.
    Run,
    /// It does not.
    Skip,
    /// It may, and cannot be run here.
    LeaveOut,
}

/// Commands without keys that change what scripts find all the same.
const RUN_TOO: [&str; 7] =
    ["FLUSHALL", "FLUSHDB", "SWAPDB", "FUNCTION|LOAD", "FUNCTION|DELETE", "FUNCTION|FLUSH", "FUNCTION|RESTORE"];

/// Commands that take other data from elsewhere.
const FROM_ELSEWHERE: [&str; 4] = ["DEBUG", "MIGRATE", "REPLICAOF", "SLAVEOF"];

/// Tells from the command's role and flags.
pub(super) fn what_of(known: &Command, args: &[&[u8]]) -> Fate {
    let name = known.name();
    let blocks = || name != "XREADGROUP" || args.iter().any(|arg| arg.eq_ignore_ascii_case(b"BLOCK"));
    match known.role() {
        _ if RUN_TOO.contains(&name) => Fate::Run,
        _ if FROM_ELSEWHERE.contains(&name) => Fate::LeaveOut,
        Role::Keys if known.has(CommandFlags::READONLY) => Fate::Skip,
        // What it took and when is not in the recording.
        Role::Keys if known.has(CommandFlags::BLOCKING) && blocks() => Fate::LeaveOut,
        Role::Keys if known.has(CommandFlags::ADMIN) => Fate::LeaveOut,
        Role::Keys => Fate::Run,
        _ => Fate::Skip,
    }
}
