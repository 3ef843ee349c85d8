//! What a baseline knows and what was not seen any more.

use serde::Serialize;

/// A finding that a baseline knows and that was not seen any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stale {
    /// The script.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// The command; empty where it is about none.
    pub command: String,
    /// The text of the argument.
    pub expression: String,
    /// How often it was known and not seen.
    pub count: usize,
}

impl Stale {
    /// What is wrong, in a sentence.
    pub fn message(&self) -> String {
        let times = if self.count == 1 { String::new() } else { format!(" ({} times)", self.count) };
        let command = if self.command.is_empty() { String::new() } else { format!("{} ", self.command) };
        format!("the baseline knows of {}: {command}{}{times}, and it is not seen any more", self.rule, self.expression)
    }
}
