//! What the analysis said of a script, read from the reports of `emq-conform lint`: one for each policy.

use serde::Deserialize;

/// A report, as far as it is shown.
#[derive(Debug, Deserialize)]
struct Report {
    files: Vec<File>,
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
    /// What was found.
    pub findings: Vec<Finding>,
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
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub help: String,
    /// The way of the key, step by step.
    pub origin: Vec<Step>,
}

/// One step of the way that a key came.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// The line.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

/// Reads a list of reports, one for each policy in their order; `None` where it is none.
pub fn read(json: &[u8]) -> Option<Vec<File>> {
    let reports: Vec<Report> = serde_json::from_slice(json).ok()?;
    let files: Option<Vec<File>> = reports.into_iter().map(|report| report.files.into_iter().next()).collect();
    files.filter(|files| files.len() == crate::core::policy::Policy::ALL.len())
}
