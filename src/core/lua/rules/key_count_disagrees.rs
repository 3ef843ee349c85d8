//! `key-count-disagrees`: the file's name, the opening comment and the script do not agree on the number of keys.
//!
//! Example: `add-2.lua` whose opening comment lists `KEYS[3]`. Instead: `add-3.lua`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::ir::Span;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "key-count-disagrees",
    title: "the number of keys is told in two ways",
    mend: "make the name, the comment and the script say the same number",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The file's name (`<name>-<n>.lua`) says another number of keys than the opening comment lists, or the script reads \
           an element of KEYS beyond that number.",
    why: "Loaders take the number from the name, people from the comment; one of the two calls the script wrongly.",
    good: "-- KEYS[1] wait, KEYS[2] active   in add-2.lua",
    bad: "-- KEYS[1] wait, KEYS[2] active   in add-3.lua",
};

/// The number of keys is told in two ways.
#[derive(Debug)]
pub(super) struct KeyCountDisagrees;

impl Rule for KeyCountDisagrees {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let Some(count) = case.declaration.name else { return Vec::new() };
        let mut findings = Vec::new();
        let mut add = |span: Span, message: String, help: String| {
            findings.push(Finding { help, ..case.at(&ABOUT, Severity::Warning, span, message) });
        };
        if let Some((listed, span)) = case.declaration.header.filter(|(listed, _)| *listed != count) {
            add(
                span,
                format!("the file's name says {count}, the opening comment lists KEYS up to KEYS[{listed}]"),
                format!("name the file …-{listed}.lua, or list KEYS[1] to KEYS[{count}]"),
            );
        }
        let as_keys = |index: u32| {
            let roots = case.walked.facts.operands.iter().map(|operand| operand.root);
            roots.into_iter().any(|root| root == crate::core::lua::provenance::Root::Keys(Some(index)))
        };
        // As a key it is a finding of its own.
        let read = case.walked.facts.keys_read(0);
        for (index, span) in read.by_number.iter().filter(|(index, _)| **index > count && !as_keys(**index)) {
            add(
                *span,
                format!("the script reads KEYS[{index}]; the file's name says {count}"),
                format!("name the file …-{index}.lua and pass that key, or do without it"),
            );
        }
        findings
    }
}
