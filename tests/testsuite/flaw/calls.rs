//! The calls that are recorded: four ways to take a job, three ways to name its keys, and whether somebody else was faster.

/// A call of a script.
pub(super) struct Call {
    /// What is passed: the call's name in the recording, which is its script's but for one.
    pub(super) passes: &'static str,
    /// The file of its script.
    pub(super) script: &'static str,
    /// How its keys are named.
    pub(super) names: &'static str,
    /// Another worker took job 01 after the caller had read its id.
    pub(super) raced: bool,
}

/// The tokens of this worker and of the other one.
pub(super) const TOKENS: [&str; 2] = ["token-a", "token-b"];

const TTL: &str = "600000";

/// Each call, with the file of its script. What v1's script gets beyond its two lists it does not look at.
const PASSES: [(&str, &str); 4] = [
    ("take-2", "fixtures/flaw/take-2.lua"),
    ("take-4", "fixtures/flaw/take-2.lua"),
    ("passed-4", "fixtures/flaw/passed-4.lua"),
    ("claim-4", "fixtures/scripts/claim-4.lua"),
];

const NAMES: [&str; 3] = ["no-tag", "one-tag", "half-tag"];

pub(super) fn all() -> impl Iterator<Item = Call> {
    PASSES.into_iter().flat_map(|(passes, script)| {
        let named = NAMES.into_iter().flat_map(|names| [(names, false), (names, true)]);
        named.map(move |(names, raced)| Call { passes, script, names, raced })
    })
}

impl Call {
    /// What the queue's keys start with.
    pub(super) fn base(&self) -> &'static str {
        if self.names == "no-tag" { "emq:payments:" } else { "emq:{payments}:" }
    }

    /// The prefix that v1's script is given.
    fn prefix(&self) -> &'static str {
        if self.names == "one-tag" { "emq:{payments}:" } else { "emq:payments:" }
    }

    /// What is declared. The caller has read at the tail of wait that job 01 is the next.
    pub(super) fn keys(&self) -> Vec<String> {
        let mut ends = vec!["wait", "active"];
        if self.passes != "take-2" {
            ends.extend(["01", "01:lock"]);
        }
        ends.into_iter().map(|end| format!("{}{end}", self.base())).collect()
    }

    pub(super) fn args(&self) -> Vec<&'static str> {
        match self.passes {
            "claim-4" => vec!["01", TOKENS[0], TTL],
            "passed-4" => vec![TOKENS[0], TTL],
            _ => vec![self.prefix(), TOKENS[0], TTL],
        }
    }
}
