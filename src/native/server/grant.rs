//! What a user of a shared server must be allowed, and no more.

/// The commands that a probe sends or its scripts call.
pub const COMMANDS: [&str; 22] = [
    "ping",
    "client|info",
    "info",
    "monitor",
    "scan",
    "echo",
    "eval",
    "hget",
    "hsetnx",
    "hset",
    "hincrby",
    "hdel",
    "exists",
    "del",
    "get",
    "set",
    "time",
    "lindex",
    "lpush",
    "lmove",
    "lrem",
    "zadd",
];

/// What finds the queue's node in a cluster, and what the probe made if its slot moves, beside what the probe itself needs.
pub const CLUSTER: [&str; 2] = ["cluster|slots", "asking"];

/// What removes the probe's job again where it did not end as it should, beside what the probe itself needs.
pub const CLEAN_UP: [&str; 1] = ["zrem"];

/// What a probe with `--profile echomq-2.x` needs besides: the deployment's version, and what its own claim calls.
pub const ECHOMQ_2X: [&str; 2] = ["~{emq}:version", "+zrange"];

/// The rules of an ACL user who may probe `queue`.
///
/// ```
/// use echomq_conformance::native::server::grant;
/// assert!(grant::rules("payments").starts_with("~emq:{payments}:* +ping +client|info "));
/// ```
pub fn rules(queue: &str) -> String {
    let commands = COMMANDS.iter().chain(&CLUSTER).chain(&CLEAN_UP).map(|command| format!(" +{command}"));
    format!("~emq:{{{queue}}}:*{}", commands.collect::<String>())
}
