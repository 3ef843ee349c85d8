//! `dynamic-command`: a command that depends on data.
//!
//! Example: `redis.call(ARGV[1], KEYS[1], ARGV[2])`. Instead: `redis.call(ARGV[1] == 'left' and 'LPUSH' or 'RPUSH', KEYS[1], ARGV[2])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::facts::Gap;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "dynamic-command",
    title: "a command that depends on data",
    mend: "choose among commands that the script names",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "Which command is called depends on data that the script does not fix.",
    why: "Which arguments are keys depends on the command.",
    good: "redis.call(ARGV[1] == 'left' and 'LPUSH' or 'RPUSH', KEYS[1], ARGV[2])",
    bad: "redis.call(ARGV[1], KEYS[1], ARGV[2])",
};

/// A command that depends on data.
#[derive(Debug)]
pub(super) struct DynamicCommand;

impl Rule for DynamicCommand {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.gaps(|gap| gap == Gap::DynamicCommand)
            .map(|(span, _, _)| {
                let written = case.source.excerpt_of(span);
                let message = "which command is called depends on data".to_owned();
                let help = format!("compare `{written}` with the commands that are meant, and write each one's name in a call of its own");
                Finding { help, ..case.at(&ABOUT, Severity::Warning, span, message) }
            })
            .collect()
    }
}
