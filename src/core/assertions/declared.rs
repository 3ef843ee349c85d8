//! `declared`: every operand key of every script call is in that call's KEYS.
//!
//! Holds: `EVALSHA … 1 emq:{q}:wait` whose script runs `LLEN` on that key. Fails: the same call, and its script runs
//! `HGET emq:{q}:01 …`. Source: the course page, INV2; Valkey documentation, "Scripting with Lua", on input keys.

use super::outcome::{Outcome, shown_by};
use super::{About, Assertion, Case};
use crate::core::bytes::shown;
use crate::core::facts::Touch;
use crate::core::keyspace::KeyClass;
use crate::core::policy::Declaration;
use crate::core::report::model::Verdict;
use crate::core::report::words::{counted, share};

const ABOUT: About = About {
    id: "declared",
    title: "every operand key declared",
    invariant: Some("INV2"),
    holds: "Every key that a script's commands touch is an element of KEYS in the call that ran it.",
    why: "The engine places and authorises a script by the keys its call declares. A key it is not shown before the script runs \
          it can neither place nor check. One that lies on another node, or that the user may not touch, stops the script \
          halfway, with what it wrote so far kept; any other passes unseen.",
    indeterminate: "No script touched a key, or something could not be read.",
    settle: "capture the queue's script calls, each with all that it ran, while a job is added and processed",
    good: "EVALSHA … 2 emq:{payments}:wait emq:{payments}:01   its script: LREM KEYS[1] …, HSET KEYS[2] …",
    bad: "EVALSHA … 1 emq:{payments}:wait emq:{payments}:   its script: HSET ARGV[1] .. id …",
    mend: "Pass each key in KEYS. Where the key depends on data, read the data first and pass the key in a second call.",
    source: "stated by the course page (rung emq.1, drafted); Valkey's scripting documentation",
};

/// Every operand key of every script call is in that call's KEYS.
#[derive(Debug)]
pub struct Declared;

impl Assertion for Declared {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Outcome {
        let inside: Vec<(&Touch, Declaration)> =
            case.touches.iter().filter_map(|touch| Some((touch, touch.kind.declaration?))).collect();
        let checked = inside.iter().map(|(touch, _)| touch.count).sum();
        if checked == 0 {
            return Outcome::indeterminate(nothing(case));
        }
        let policy = case.rules.policy;
        let (good, bad): (Vec<_>, Vec<_>) = inside.into_iter().partition(|(_, how)| policy.accepts(*how));
        let declared: u64 = good.iter().map(|(touch, _)| touch.count).sum();
        let summary = format!(
            "{} declared, in {}",
            share(declared, checked, "operand key", "are"),
            counted(case.calls, "script call")
        );
        let shows = |(touch, how): &(&Touch, Declaration)| shown_by(case, touch, why(case, touch, *how));
        let Some((first, _)) = bad.first() else {
            return Outcome::every(case, checked, summary).with_evidence(case, &good, shows).with_note(TRACE_ONLY);
        };
        let help = help(case, first);
        Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, &bad, shows).with_help(help)
    }
}

/// What a pass says where no other witness was heard.
pub(crate) const TRACE_ONLY: &str =
    "witness: this run's trace; what a script does on paths this run did not take was not looked at";

fn nothing(case: &Case<'_>) -> String {
    let nothing = match case.calls {
        0 => "no script was called".to_owned(),
        calls => format!("{} and none touched a key", counted(calls, "script call")),
    };
    match case.blind_spot() {
        Some(blind) => format!("{nothing}, but {blind}"),
        None => nothing,
    }
}

fn why(case: &Case<'_>, touch: &Touch, how: Declaration) -> String {
    let script = case.script(touch).unwrap_or("its script");
    let root = shown(case.root(touch).unwrap_or_default());
    match how {
        _ if touch.kind.pattern => format!("a pattern in {script}: no element of KEYS can declare what it matches"),
        Declaration::Element => format!("in KEYS of {script}"),
        Declaration::Rooted => {
            format!("not in KEYS of {script}: starts with {root}, which is in KEYS")
        }
        Declaration::SlotRooted if case.root(touch) == Some(case.key(touch)) => {
            format!("not in KEYS of {script}: is an ARGV value with the tag of a declared key")
        }
        Declaration::SlotRooted => {
            format!("not in KEYS of {script}: starts with {root}, an ARGV value with the tag of a declared key")
        }
        Declaration::Undeclared => format!("not in KEYS of {script}"),
    }
}

fn help(case: &Case<'_>, touch: &Touch) -> String {
    let (key, script) = (shown(case.key(touch)), case.script(touch).unwrap_or("the script"));
    if touch.kind.pattern {
        return format!(
            "take BY and GET out of {} in {script}: fetch the keys in a call that declares them",
            touch.kind.command
        );
    }
    if let KeyClass::Legacy { .. } = case.class(touch) {
        return format!(
            "take `{key}` out of {script}: it lies in the old keyspace, and to declare it would not mend that"
        );
    }
    format!("pass `{key}` in KEYS when calling {script}; if only its data names the key, read it first and call again")
}
