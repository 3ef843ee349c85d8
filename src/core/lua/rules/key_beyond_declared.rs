//! `key-beyond-declared`: an element of KEYS beyond those that the script says it takes.
//!
//! Example: in `add-2.lua`, `redis.call('DEL', KEYS[3])`. Instead: name the file `add-3.lua` and pass three keys.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "key-beyond-declared",
    title: "an element of KEYS beyond the declared ones",
    mend: "declare one more key, or use one that is declared",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets an element of KEYS whose number is higher than the number of keys that the file's name \
           (`<name>-<n>.lua`) or else the opening comment says.",
    why: "The caller passes as many keys as are declared; the element is then missing, and the engine refuses the command.",
    good: "redis.call('DEL', KEYS[2])   in remove-2.lua",
    bad: "redis.call('DEL', KEYS[3])   in remove-2.lua",
};

/// An element of KEYS beyond the declared ones.
#[derive(Debug)]
pub(super) struct KeyBeyondDeclared;

impl Rule for KeyBeyondDeclared {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let Some(count) = case.declaration.count() else { return Vec::new() };
        // Callers go by the name; the comment may be the one that was not kept up.
        let severity = if case.declaration.name.is_some() { Severity::Error } else { Severity::Warning };
        let place = if case.declaration.name.is_some() { "file's name" } else { "opening comment" };
        case.operands(OperandKind::Key, |root| matches!(root, Root::Keys(Some(index)) if index > count))
            .map(|operand| {
                let message = format!("{} gets {}; the {place} says {count}", operand.command, case.root(operand.root));
                let or_use = match count {
                    0 => String::new(),
                    1 => ", or use KEYS[1]".to_owned(),
                    _ => format!(", or use one of KEYS[1] to KEYS[{count}]"),
                };
                Finding {
                    help: format!("pass that key too and count it in the {place}{or_use}"),
                    ..case.operand(&ABOUT, severity, operand, message)
                }
            })
            .collect()
    }
}
