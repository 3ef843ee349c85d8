//! The whole analysis of one script.

use super::advice::Advice;
use super::case::{Case, finding};
use super::declaration::Declaration;
use super::ir::Span;
use super::limits::MAX_SOURCE;
use super::lines::Lines;
use super::parse::{ParseError, parse};
use super::provenance::{Setting, budget, walk, walk_what_no_run_reaches};
use super::report::{Effort, FileReport, Finding, Severity};
use super::rules::{self, ALL};
use super::shebang::{self, Kind};
use super::text::Texts;
use super::verdict::{Verdict, counts, verdict};
use crate::core::policy::Policy;

/// Analyses a script, and gives what it comes to.
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
    let lines = Lines::new(source);
    if source.len() > MAX_SOURCE {
        let message = format!("the script has {} bytes; at most {MAX_SOURCE} are analysed", source.len());
        let found = finding(&lines, rules::not_followed::about(), Severity::Warning, Span::default(), message);
        return FileReport::new(path, Verdict::Unknown, 0, vec![found]);
    }
    let refused = |about, span, message| {
        let found = finding(&lines, about, Severity::Error, span, message);
        FileReport::new(path, Verdict::Invalid, 0, vec![found])
    };
    let kind = match shebang::kind(source) {
        Ok(kind) => kind,
        Err((span, message)) => return refused(rules::does_not_compile::about(), span, message),
    };
    let mut texts = Texts::default();
    let script = match parse(source, &mut texts) {
        Ok(script) => script,
        Err(error) => {
            let about = match error {
                ParseError::TooDeep { .. } => rules::too_deep::about(),
                ParseError::Syntax { .. } => rules::does_not_compile::about(),
            };
            return refused(about, error.span(), error.to_string());
        }
    };
    // The functions of a library are called with keys of their own each; nothing says how many.
    let library = kind == Kind::Library;
    let declaration = if library { Declaration::default() } else { Declaration::of(path, source) };
    let setting = Setting { library, keys: declaration.count().unwrap_or(0) };
    let walked = walk(&script, &mut texts, setting);
    // What was not come to for want of steps may well be reached.
    let more = (walked.has_more && !walked.exhausted).then(|| walk_what_no_run_reaches(&script, &mut texts, setting));
    let advice = Advice::new(&lines, &walked, &declaration, library);
    let case =
        Case { lines: &lines, walked: &walked, texts: &texts, policy, declaration: &declaration, advice: &advice };
    let mut findings: Vec<Finding> = ALL.iter().flat_map(|rule| rule.check(&case)).collect();
    let mut steps = walked.steps;
    if let Some(more) = &more {
        steps += more.steps;
        findings.extend(super::unreached::findings(&case, more));
    }
    let mut report = FileReport::new(path, verdict(&walked), walked.facts.calls.len(), findings);
    report.operands = counts(&walked);
    report.effort = Effort { steps, budget: budget(&script) };
    report
}
