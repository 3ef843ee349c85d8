//! What a user of a shared server must be allowed, and no more.

/// What is done there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// The reference probe runtime is driven.
    #[default]
    Probe,
    /// Live traffic is recorded.
    Record,
    /// Somebody's runtime is recorded.
    Attach,
}

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

/// The commands that a recording sends.
pub const RECORD: [&str; 4] = ["ping", "client|info", "info", "monitor"];

/// What follows the nodes of a cluster, beside what a recording itself needs.
pub const RECORD_CLUSTER: [&str; 2] = ["cluster|slots", "cluster|nodes"];

/// What reads versions and scripts aside; a recording goes on without.
pub const RECORD_ASIDE: [&str; 6] = ["hget", "get", "select", "script|exists", "script|show", "function|list"];

/// What tells whose a connection is, for `--client` and `--user`; a recording goes on without.
pub const RECORD_CLIENTS: [&str; 1] = ["client|list"];

/// What looks whether the queue of a runtime under the probe is unused, beside what its recording needs.
pub const ATTACH: [&str; 1] = ["scan"];

/// The rules of an ACL user who may probe `queue`.
///
/// ```
/// use echomq_conformance::native::server::grant;
/// assert!(grant::rules("payments").starts_with("~emq:{payments}:* +ping +client|info "));
/// ```
pub fn rules(queue: &str) -> String {
    format!("~emq:{{{queue}}}:* {}", allowed(&[&COMMANDS, &CLUSTER, &CLEAN_UP]))
}

/// The rules that allow commands.
///
/// ```
/// use echomq_conformance::native::server::grant;
/// assert_eq!(grant::allowed(&[&grant::RECORD]), "+ping +client|info +info +monitor");
/// ```
pub fn allowed(commands: &[&[&str]]) -> String {
    commands.concat().iter().map(|command| format!("+{command}")).collect::<Vec<_>>().join(" ")
}

impl Task {
    /// All that it needs, in a sentence.
    pub(super) fn needs(self) -> String {
        let cluster = allowed(&[&RECORD_CLUSTER]);
        let aside = format!("~emq:{{QUEUE}}:* {}", allowed(&[&RECORD_ASIDE]));
        match self {
            Self::Probe => {
                let (all, besides) = (rules("QUEUE"), ECHOMQ_2X.join(" "));
                format!("a probe needs in all {all}, and with --profile echomq-2.x {besides} besides")
            }
            Self::Record => {
                let (all, clients) = (allowed(&[&RECORD]), allowed(&[&RECORD_CLIENTS]));
                format!(
                    "a recording needs in all {all}, of a cluster {cluster} besides; {aside} read versions and scripts aside, {clients} is for --client and --user"
                )
            }
            Self::Attach => {
                let (all, clients) = (allowed(&[&RECORD, &ATTACH]), allowed(&[&RECORD_CLIENTS]));
                format!(
                    "a probe with --runtime needs in all {all}, of a cluster {cluster} besides; {aside} read versions and scripts aside, {clients} tells who was there before"
                )
            }
        }
    }

    /// What may be done instead of using that server.
    pub(super) fn or_else(self) -> &'static str {
        match self {
            Self::Record => "",
            Self::Probe | Self::Attach => ", or leave out --url to probe a private server",
        }
    }
}
