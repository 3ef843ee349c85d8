//! The whole analysis of one script.

use super::advice::Advice;
use super::allow;
use super::case::{Case, finding};
use super::declaration::Declaration;
use super::limits::MAX_SOURCE;
use super::parse::{ParseError, parse};
use super::provenance::{Setting, budget, texts_of_the_engine, walk, walk_what_no_run_reaches};
use super::report::{Effort, FileReport, Finding, Severity};
use super::rules::{self, ALL};
use super::shebang::{self, Kind};
use super::source::{Assembly, File, InFile, Includes, NoIncludes, Source, Why, assemble};
use super::verdict::{Verdict, counts, verdict};
use crate::core::policy::Policy;

/// Analyses a script that includes no other file, and gives what it comes to.
///
/// It needs as much stack as [`STACK`](super::limits::STACK) says, whatever the script. The path says how many keys the
/// caller passes where it ends in `-<n>.lua`. A script that begins with `#!lua name=…` is a library of functions: each function
/// that it registers is analysed with the keys and arguments of its call.
///
/// ```
/// use echomq_conformance::core::lua::{Verdict, analyze};
/// use echomq_conformance::core::policy::Policy;
///
/// let report = analyze("pop.lua", b"return redis.call('LPOP', KEYS[1])", Policy::Strict);
/// assert_eq!(report.verdict, Verdict::Declared);
/// let report = analyze("pop.lua", b"return redis.call('LPOP', ARGV[1] .. ':wait')", Policy::Strict);
/// assert_eq!(report.verdict, Verdict::Undeclared);
/// ```
pub fn analyze(path: &str, source: &[u8], policy: Policy) -> FileReport {
    analyze_with(File { id: 0, path: path.to_owned(), text: source.into() }, &NoIncludes, policy)
}

/// Analyses a script that includes no other file once, and gives what it comes to under each policy.
///
/// Each report is that of [`analyze`]. A policy changes what rules make of a walk, not the walk, which takes almost all of the time.
pub fn analyze_under(path: &str, source: &[u8], policies: &[Policy]) -> Vec<FileReport> {
    assembled(File { id: 0, path: path.to_owned(), text: source.into() }, &NoIncludes, policies, false)
}

/// Analyses a script with what it includes, and gives what it comes to.
///
/// The engine is taken to get one text, put together as BullMQ's script loader does it; findings name the file and the line
/// in which their text really is. For the stack, see [`analyze`].
pub fn analyze_with(script: File, includes: &dyn Includes, policy: Policy) -> FileReport {
    one(script, includes, policy, false)
}

/// Analyses a script with what it includes once, and gives what it comes to under each policy.
///
/// Each report is that of [`analyze_with`]. For the stack, see [`analyze`].
pub fn analyze_with_each(script: File, includes: &dyn Includes, policies: &[Policy]) -> Vec<FileReport> {
    assembled(script, includes, policies, false)
}

/// Analyses a script like [`analyze`], but walks each call of a function anew, also where one was walked before that is like it.
///
/// It comes to the same in more steps: what a call is known to come to is there to save steps, and for nothing else. This is for
/// who wants to see that it does.
pub fn analyze_each_call(path: &str, source: &[u8], policy: Policy) -> FileReport {
    one(File { id: 0, path: path.to_owned(), text: source.into() }, &NoIncludes, policy, true)
}

fn one(script: File, includes: &dyn Includes, policy: Policy, forgetful: bool) -> FileReport {
    let path = script.path.clone();
    let reports = assembled(script, includes, &[policy], forgetful);
    // There is one for each policy.
    reports.into_iter().next().unwrap_or_else(|| FileReport::new(&path, Verdict::Unknown, 0, Vec::new()))
}

/// What a script comes to under each of the policies.
fn assembled(script: File, includes: &dyn Includes, policies: &[Policy], forgetful: bool) -> Vec<FileReport> {
    let path = script.path.clone();
    let Assembly { source, refusals, too_large } = assemble(script, includes);
    let same = |report: FileReport| vec![report; policies.len()];
    let mut reports = if !refusals.is_empty() {
        let findings = refusals.into_iter().map(|refusal| refused(&source, &refusal.at, refusal.why));
        same(FileReport::new(&path, Verdict::Invalid, 0, findings.collect()))
    } else if let Some(at) = too_large {
        same(FileReport::new(&path, Verdict::Unknown, 0, vec![not_walked(&source, &at)]))
    } else {
        judge(&path, &source, policies, forgetful)
            .unwrap_or_else(|found| same(FileReport::new(&path, Verdict::Invalid, 0, vec![*found])))
    };
    for report in &mut reports {
        report.includes = source.includes().map(str::to_owned).collect();
    }
    reports
}

/// What the loader would not put together.
fn refused(source: &Source, at: &InFile, why: Why) -> Finding {
    let (about, message) = match why {
        Why::NotFound { reference, why } => {
            (rules::include_not_found::about(), format!("{reference} cannot be included: {why}"))
        }
        Why::Cycle(way) => {
            (rules::include_cycle::about(), format!("the file comes to include itself: {}", way.join(" → ")))
        }
        Why::Twice(path) => (rules::include_twice::about(), format!("{path} is included here already")),
    };
    finding(source, about, Severity::Error, at, message)
}

/// A script that is too large, from a place on.
fn not_walked(source: &Source, at: &InFile) -> Finding {
    let whole = if source.includes().next().is_some() { " with what it includes" } else { "" };
    let message = format!("the script has more than {MAX_SOURCE} bytes{whole}; no more are analysed");
    Finding {
        help: "make several scripts of it".to_owned(),
        ..finding(source, rules::not_followed::about(), Severity::Warning, at, message)
    }
}

/// What a script comes to under each of the policies, or why it does not compile.
fn judge(path: &str, source: &Source, policies: &[Policy], forgetful: bool) -> Result<Vec<FileReport>, Box<Finding>> {
    let refused =
        |about, span, message| Box::new(finding(source, about, Severity::Error, &source.locate(span), message));
    let kind = shebang::kind(source.text())
        .map_err(|(span, message)| refused(rules::does_not_compile::about(), span, message))?;
    let mut texts = texts_of_the_engine();
    let script = parse(source.text(), &mut texts).map_err(|error| {
        let about = match error {
            ParseError::TooDeep { .. } => rules::too_deep::about(),
            ParseError::Syntax { .. } => rules::does_not_compile::about(),
        };
        refused(about, error.span(), error.to_string())
    })?;
    // The functions of a library are called with keys of their own each; nothing says how many.
    let library = kind == Kind::Library;
    let declaration = if library { Declaration::default() } else { Declaration::of(path, source.text()) };
    let setting = Setting { library, keys: declaration.name.unwrap_or(0), forgetful };
    let walked = walk(&script, &mut texts, setting);
    // What was not come to for want of steps may well be reached.
    let more = (walked.has_more && !walked.exhausted).then(|| walk_what_no_run_reaches(&script, &mut texts, setting));
    let advice = Advice::new(source, &walked, &declaration, library);
    let comments = allow::comments(source);
    let steps = walked.steps + more.as_ref().map_or(0, |more| more.steps);
    let effort = Effort { steps, budget: budget(&script) };
    let reports = policies.iter().map(|&policy| {
        let case = Case {
            source,
            comments: &comments,
            walked: &walked,
            texts: &texts,
            policy,
            declaration: &declaration,
            advice: &advice,
        };
        let mut findings: Vec<Finding> = ALL.iter().flat_map(|rule| rule.check(&case)).collect();
        if let Some(more) = &more {
            findings.extend(super::unreached::findings(&case, more));
        }
        let allowances = allow::apply(source, &comments, &mut findings);
        FileReport {
            allowances,
            operands: counts(&walked),
            effort,
            ..FileReport::new(path, verdict(&walked), walked.facts.calls.len(), findings)
        }
    });
    Ok(reports.collect())
}
