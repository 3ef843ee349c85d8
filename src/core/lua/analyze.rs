//! The whole analysis of one script.

use super::case::{Case, finding};
use super::ir::Span;
use super::limits::MAX_SOURCE;
use super::lines::Lines;
use super::parse::{ParseError, parse};
use super::provenance::walk;
use super::report::{FileReport, Severity};
use super::rules::{self, ALL};
use super::text::Texts;
use super::verdict::{Verdict, verdict};
use crate::core::policy::Policy;

/// Analyses a script, and gives what it comes to.
///
/// It needs as much stack as [`STACK`](super::limits::STACK) says, whatever the script. A script that begins with `#!lua` is
/// a library of functions: each function that it registers is analysed with the keys and arguments of its call.
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
    if source.len() > MAX_SOURCE {
        let lines = Lines::new(b"");
        let message = format!("the script has {} bytes; at most {MAX_SOURCE} are analysed", source.len());
        let found = finding(&lines, rules::not_followed::about(), Severity::Warning, Span::default(), message);
        return FileReport::new(path, Verdict::Unknown, 0, vec![found]);
    }
    let lines = Lines::new(source);
    let mut texts = Texts::default();
    let script = match parse(source, &mut texts) {
        Ok(script) => script,
        Err(error) => {
            let about = match error {
                ParseError::TooDeep { .. } => rules::too_deep::about(),
                ParseError::Syntax { .. } => rules::does_not_compile::about(),
            };
            let found = finding(&lines, about, Severity::Error, error.span(), error.to_string());
            return FileReport::new(path, Verdict::Invalid, 0, vec![found]);
        }
    };
    let walked = walk(&script, &mut texts, source.starts_with(b"#!"));
    let case = Case { lines: &lines, walked: &walked, texts: &texts, policy };
    let findings = ALL.iter().flat_map(|rule| rule.check(&case)).collect();
    FileReport::new(path, verdict(&walked), walked.facts.calls.len(), findings)
}
