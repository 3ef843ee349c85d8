//! The analysis of scripts for JavaScript: a script in, reports out, exactly as `emq-conform lint` prints them.
//!
//! The binary `emq-analyzer` exports it, a wasm module of its own, for a worker: a script that needs more stack than the
//! browser has ends the worker, and not the page.

use super::asked;
use super::figures::script::report::MANY;
use super::paint::Paint;
use crate::core::lua::limits::ENOUGH;
use crate::core::lua::report::{FileReport, LintReport, json, markdown};
use crate::core::lua::{analyze, analyze_under};
use crate::core::policy::Policy;

/// What a script comes to under each policy, in their order.
#[derive(Debug, PartialEq, Eq)]
pub struct Judged {
    /// For the page: a JSON list of reports, each with its first [`MANY`] findings alone. Its `summary` counts all.
    pub reports: String,
    /// The text of `emq-conform lint --format markdown`.
    pub markdown: Vec<String>,
    /// The text of `emq-conform lint --format json`.
    pub json: Vec<String>,
    /// The script's tokens.
    pub paint: Paint,
}

/// Analyses one script and returns the text of `emq-conform lint --format json`.
///
/// `path` is what the report calls the script; it may say how many keys the caller passes, as `claim-4.lua` does. What a
/// script includes is not there.
///
/// # Errors
/// The command line's own words, when there is no such policy.
pub fn lint(source: &[u8], path: &str, policy: &str) -> Result<String, String> {
    let policy = asked::policy(Some(policy))?;
    Ok(json::render(&report(policy, analyze(path, enough(source), policy))))
}

/// Analyses one script once, and returns what it comes to under each policy.
pub fn judge(source: &[u8], path: &str) -> Judged {
    let mut judged =
        Judged { reports: "[".to_owned(), markdown: Vec::new(), json: Vec::new(), paint: Paint::of(source) };
    for (policy, file) in Policy::ALL.into_iter().zip(analyze_under(path, enough(source), &Policy::ALL)) {
        let mut report = report(policy, file);
        judged.markdown.push(markdown::render(&report));
        judged.json.push(json::render(&report));
        for file in &mut report.files {
            file.findings.truncate(MANY);
        }
        if judged.reports.len() > 1 {
            judged.reports.push(',');
        }
        judged.reports += &json::render(&report);
    }
    judged.reports.push(']');
    judged
}

fn enough(source: &[u8]) -> &[u8] {
    &source[..source.len().min(ENOUGH)]
}

fn report(policy: Policy, file: FileReport) -> LintReport {
    LintReport::new(policy, vec![file])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::figures::script::report::read;

    #[test]
    fn a_policy_is_one_of_three() {
        let error = lint(b"", "a.lua", "lax").expect_err("no policy");
        assert!(error.contains("no policy \"lax\""), "{error}");
    }

    #[test]
    fn the_name_says_how_many_keys_there_are() {
        let source = b"return redis.call('GET', KEYS[2])";
        let rules = |path: &str| lint(source, path, "strict").expect("a report");
        assert!(rules("get-1.lua").contains("key-beyond-declared"));
        assert!(!rules("get-2.lua").contains("key-beyond-declared"));
    }

    #[test]
    fn each_report_is_that_of_its_policy_alone() {
        let source = "local key = KEYS[1] .. ':a'\nredis.call('DEL', key) redis.call('DEL', ARGV[1])\n".repeat(50);
        let judged = judge(source.as_bytes(), "a.lua");
        for (policy, json) in Policy::ALL.into_iter().zip(&judged.json) {
            assert_eq!(Ok(json), lint(source.as_bytes(), "a.lua", policy.id()).as_ref(), "{}", policy.id());
        }
        assert_eq!((judged.json.len(), judged.markdown.len()), (3, 3));
        assert!(judged.markdown[0].starts_with("### ✕ lint: fail\n\n1 script: 1 undeclared"), "{}", judged.markdown[0]);
        let files = read(judged.reports.as_bytes()).expect("what the page reads");
        assert_eq!(files.iter().map(|file| file.findings.len()).collect::<Vec<_>>(), [MANY; 3]);
        assert_eq!(files[0].found, 100);
    }
}
