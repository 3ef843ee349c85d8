//! What the analysis said of a script, read from the reports of `emq-conform lint`: one for each policy.

use serde::Deserialize;

use crate::core::lua::report::Suppression;
use crate::core::report::Verdict;

/// So many findings are drawn, and so many the worker hands on.
pub const MANY: usize = 40;

/// A report, as far as it is shown.
#[derive(Debug, Deserialize)]
struct Report {
    files: Vec<File>,
    summary: Summary,
}

#[derive(Debug, Deserialize)]
struct Summary {
    findings: usize,
}

/// What a script came to under one policy.
#[derive(Debug, Deserialize)]
pub struct File {
    /// The word, whatever the policy.
    pub verdict: String,
    /// Whether the policy accepts it.
    pub conforms: Option<bool>,
    /// How many calls a run can come to.
    pub calls: usize,
    /// What was found, the first [`MANY`] at least.
    pub findings: Vec<Finding>,
    /// How much was found.
    #[serde(default)]
    pub found: usize,
}

/// One thing that was found.
#[derive(Debug, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// How bad it is under the policy.
    pub severity: String,
    /// The line.
    pub line: usize,
    /// The column, in letters.
    pub column: usize,
    /// The line of its end.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
    /// The command; empty where it is about none.
    pub command: String,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub help: String,
    /// The way of the key, step by step.
    pub origin: Vec<Step>,
    /// Why it does not count, where a comment says so.
    #[serde(default)]
    pub suppressions: Vec<Suppression>,
}

/// One step of the way that a key came.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// The line.
    pub line: usize,
    /// The column, in letters.
    pub column: usize,
    /// What stands there.
    pub text: String,
}

impl File {
    /// What the policy makes of it.
    pub fn judged(&self) -> Verdict {
        match self.conforms {
            Some(true) => Verdict::Pass,
            Some(false) => Verdict::Fail,
            None => Verdict::Indeterminate,
        }
    }
}

impl Finding {
    /// How bad it is, as a verdict on this alone.
    pub fn judged(&self) -> Verdict {
        match self.severity.as_str() {
            _ if !self.suppressions.is_empty() => Verdict::Pass,
            "error" => Verdict::Fail,
            "warning" => Verdict::Indeterminate,
            _ => Verdict::Pass,
        }
    }

    /// Where it is, to be told from others.
    pub fn place(&self) -> (usize, usize, usize, usize) {
        (self.line, self.column, self.end_line, self.end_column)
    }
}

/// Reads a list of reports, one for each policy in their order; `None` where it is none.
pub fn read(json: &[u8]) -> Option<Vec<File>> {
    let reports: Vec<Report> = serde_json::from_slice(json).ok()?;
    let file = |Report { files, summary }: Report| {
        let file = files.into_iter().next()?;
        Some(File { found: summary.findings.max(file.findings.len()), ..file })
    };
    let files: Option<Vec<File>> = reports.into_iter().map(file).collect();
    files.filter(|files| files.len() == crate::core::policy::Policy::ALL.len())
}
