//! What mends a finding in this very script: which key to pass, as which element of KEYS, and where in the call.

use super::case::Case;
use super::declaration::Declaration;
use super::ordered::{Ordered, OrderedSet};
use super::provenance::facts::{Operand, OperandKind};
use super::provenance::{Form, Root, Walked};
use super::rules::About;
use super::source::Source;
use super::verdict::{Verdict, of_operand};

/// What is said of a script in which nothing is wrong, by how many calls of commands it has.
pub fn clean(calls: usize) -> &'static str {
    if calls == 0 {
        "it calls no command, and so touches no key."
    } else {
        "every key that a call gets is an element of KEYS."
    }
}

/// Where keys that are not declared would go.
pub(super) struct Advice {
    /// The place in KEYS for each key, by whose keys they are and what stands in the call.
    places: Ordered<(u32, String), u32>,
    /// Those who take any number of keys: no place is the next one.
    open: OrderedSet<u32>,
    keys: &'static str,
    named: bool,
}

impl Advice {
    pub(super) fn new(source: &Source, walked: &Walked, declaration: &Declaration, library: bool) -> Self {
        let facts = &walked.facts;
        let mut operands: Vec<&Operand> = facts.operands.iter().filter(|operand| wants_a_place(operand)).collect();
        operands.sort_by_key(|operand| operand.span);
        let (mut places, mut open) = (Ordered::default(), OrderedSet::default());
        let mut taken: Ordered<u32, u32> = Ordered::default();
        for operand in operands {
            let taken = taken.entry(operand.entry, || {
                let read = facts.keys_read(operand.entry);
                if read.all && declaration.count().is_none() {
                    open.add(operand.entry, ());
                }
                let highest = read.by_number.keys().next_back().copied().unwrap_or(0);
                declaration.count().unwrap_or(0).max(highest)
            });
            if let Some(taken) = taken
                && places.add((operand.entry, source.excerpt_of(operand.span)), *taken + 1)
            {
                *taken += 1;
            }
        }
        Self { places, open, keys: if library { "keys" } else { "KEYS" }, named: declaration.name.is_some() }
    }

    /// What to change for an operand.
    pub(super) fn on(&self, case: &Case<'_>, about: &About, operand: &Operand) -> String {
        let written = case.source.excerpt_of(operand.span);
        if operand.kind != OperandKind::Key || !wants_a_place(operand) {
            return about.mend.to_owned();
        }
        let is_open = self.open.contains(&operand.entry);
        let (keys, place) = (self.keys, self.places.get(&(operand.entry, written.clone())).filter(|_| !is_open));
        let (element, that) = match place {
            Some(place) => (format!("{keys}[{place}]"), format!("{keys}[{place}]")),
            None => (format!("one more element of {keys}"), "that element".to_owned()),
        };
        let key = key(case, operand, &written);
        let renamed = match self.places.values().max() {
            Some(most) if self.named && !is_open => format!("; with all that is missing, the file is …-{most}.lua"),
            _ => String::new(),
        };
        let asked = |command: String| {
            format!(
                "{key} is known only after {command}: read that first, and pass the key as {element} of a second script"
            )
        };
        match (operand.root, operand.index_is_open()) {
            (Root::Reply(command), _) => asked(case.command(command)) + &renamed,
            // One of many: they have no places of their own.
            (_, true) => format!("pass such keys in {keys}, as many as there are, and take them from there"),
            _ if operand.stands_alone => {
                let argument = ordinal(operand.index);
                format!(
                    "pass {key} as {element}{WRITE}{that} as the {argument} argument of {}{renamed}",
                    operand.command
                )
            }
            _ => format!("pass {key} as {element}, and give {} {that}{renamed}", operand.command),
        }
    }
}

/// What comes before what is to be written in place of an argument.
const WRITE: &str = ", and write ";

/// What a finding's help says to write in place of what stands in the call, where it names one thing: `KEYS[3]`.
///
/// ```
/// use echomq_conformance::core::lua::{analyze, replacement};
/// use echomq_conformance::core::policy::Policy;
///
/// let report = analyze("a.lua", b"return redis.call('DEL', KEYS[1] .. ':lock')", Policy::Strict);
/// assert_eq!(replacement(&report.findings[0].help), Some("KEYS[2]"));
/// ```
pub fn replacement(help: &str) -> Option<&str> {
    // The key before it is the script's own text, and may say anything.
    let (_, after) = help.rsplit_once(WRITE)?;
    let (element, _) = after.split_once(" as the ")?;
    (!element.contains(' ')).then_some(element)
}

/// The key that the caller has to name: what stands in the call, or what makes it where that is a name only.
fn key(case: &Case<'_>, operand: &Operand, written: &str) -> String {
    let is_name = written.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let chain = case.walked.chain(operand.step);
    let source = match (operand.root, operand.form) {
        (Root::Literal | Root::Argv(_), Form::Whole) => chain.first(),
        _ => chain.last(),
    };
    match source.map(|span| (case.source.excerpt_of(*span), case.source.told(*span).place.line)) {
        Some((source, line)) if is_name && source != written => {
            format!("the key in `{written}` (line {line}: `{source}`)")
        }
        _ => format!("the key `{written}`"),
    }
}

/// Says whether the operand is a key that could be passed instead.
fn wants_a_place(operand: &Operand) -> bool {
    operand.kind == OperandKind::Key && matches!(of_operand(operand), Verdict::Derived | Verdict::Undeclared)
}

fn ordinal(index: usize) -> String {
    let teen = (11..=13).contains(&(index % 100));
    let ending = match index % 10 {
        1 if !teen => "st",
        2 if !teen => "nd",
        3 if !teen => "rd",
        _ => "th",
    };
    format!("{index}{ending}")
}
