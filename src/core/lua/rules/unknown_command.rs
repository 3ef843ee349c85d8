//! `unknown-command`: a command that is not known.
//!
//! Example: `redis.call('JSON.SET', KEYS[1], '$', '1')`. Instead: `redis.call('HSET', KEYS[1], 'a', '1')`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::facts::Gap;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "unknown-command",
    title: "a command that is not known",
    mend: "check its name; a module's command is not analysed",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The command is in no engine that this build knows; a module may bring it.",
    why: "Which of its arguments are keys cannot be told.",
    good: "redis.call('HSET', KEYS[1], 'a', '1')",
    bad: "redis.call('JSON.SET', KEYS[1], '$', '1')",
};

/// A command that is not known.
#[derive(Debug)]
pub(super) struct UnknownCommand;

impl Rule for UnknownCommand {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.gaps(|gap| gap == Gap::UnknownCommand)
            .map(|(span, _, command)| {
                let message = format!("{command} is no command that is known here; its keys cannot be told");
                Finding { command: command.to_owned(), ..case.at(&ABOUT, Severity::Warning, span, message) }
            })
            .collect()
    }
}
