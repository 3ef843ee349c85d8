//! The model: files, their findings, and the way that each key came.

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::stale::Stale;
use crate::core::lua::allow::Allowance;
use crate::core::lua::rules::allow_unused;
use crate::core::lua::verdict::Verdict;
use crate::core::policy::Policy;
use crate::core::report::Verdict as Judged;
use crate::core::report::model::Tool;

/// The name of the format.
pub const FORMAT: &str = "emq-lint/1";

/// The outcome for every file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintReport {
    /// Always [`FORMAT`].
    pub format: &'static str,
    /// Who analysed.
    pub tool: Tool,
    /// The policy in force.
    pub policy: &'static str,
    /// Whether every file conforms, none is unread and nothing is stale; nothing when none fails and something remains open.
    pub conforms: Option<bool>,
    /// The files, in the order in which they were given.
    pub files: Vec<FileReport>,
    /// Findings that a baseline knows and that were not seen any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Stale>,
    /// What could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// How many files came to what.
    pub summary: Counts,
}

/// How many files came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All files.
    pub files: usize,
    /// Files of each verdict.
    pub declared: usize,
    /// Some key is made of an element of KEYS.
    pub derived: usize,
    /// Some key has another origin.
    pub undeclared: usize,
    /// The origin of some key is not known.
    pub unknown: usize,
    /// Does not compile.
    pub invalid: usize,
    /// Files that the policy accepts.
    pub conform: usize,
    /// All findings.
    pub findings: usize,
    /// Those that a comment allows or a baseline knows.
    pub suppressed: usize,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Its name.
    pub path: String,
    /// Why.
    pub why: String,
}

/// The outcome for one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Its name.
    pub path: String,
    /// What it comes to, whatever the policy.
    pub verdict: Verdict,
    /// Whether the policy in force accepts it; nothing when an obligation or an unknown remains.
    pub conforms: Option<bool>,
    /// How many calls of commands can be reached.
    pub calls: usize,
    /// The files that it includes, in the order of their texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// What was found, by its place.
    pub findings: Vec<Finding>,
    /// What its comments allow.
    #[serde(skip)]
    pub(in crate::core::lua) allowances: Vec<Allowance>,
    /// How many operand keys came to what; no part of the format.
    #[serde(skip)]
    pub operands: OperandCounts,
    /// What the analysis took; no part of the format.
    #[serde(skip)]
    pub effort: Effort,
}

/// How many operand keys of a script came to what: each argument of each call that a run can come to, by the worst of its
/// origins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperandCounts {
    /// Elements of KEYS.
    pub declared: usize,
    /// Made of elements of KEYS.
    pub derived: usize,
    /// Of another origin.
    pub undeclared: usize,
    /// Of unknown origin, and calls of which nobody can say which arguments are keys.
    pub unknown: usize,
}

/// What an analysis took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The steps that it took.
    pub steps: u64,
    /// The steps that one walk over the script may take; there are at most two walks, and a short one over what no run
    /// reaches.
    pub budget: u64,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule, by the word a user types.
    pub rule: &'static str,
    /// How bad it is under the policy in force.
    pub severity: Severity,
    /// The included file that it is in; nothing where it is in the script itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where it starts and ends; the first line and column are 1, the end is exclusive.
    #[serde(flatten)]
    pub place: Place,
    /// The command, in capitals; empty where it is about none.
    pub command: String,
    /// The text of the argument.
    pub expression: String,
    /// Where the key comes from.
    pub root: RootWord,
    /// The way from its source, step by step.
    pub origin: Vec<Origin>,
    /// Whether a run can come to it.
    pub reachable: bool,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub help: String,
    /// Why it does not count, where somebody said that it should not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression>,
    /// The lines of its call, or of itself where it is about none.
    #[serde(skip)]
    pub(in crate::core::lua) lines: (usize, usize),
}

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Suppression {
    /// Where it was said.
    pub kind: SuppressionKind,
    /// Why.
    pub reason: String,
    /// The line of the comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl Suppression {
    /// What is said of it: `allowed in line 7: why`, `known: why`.
    pub fn words(&self) -> String {
        let Self { kind, reason, line } = self;
        match (kind, line) {
            (SuppressionKind::InSource, Some(line)) => format!("allowed in line {line}: {reason}"),
            (SuppressionKind::InSource, None) => format!("allowed: {reason}"),
            (SuppressionKind::External, _) => format!("known: {reason}"),
        }
    }
}

/// Where somebody said that a finding should not count; the words are SARIF's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SuppressionKind {
    /// In a comment.
    InSource,
    /// In a baseline.
    External,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// The line of its end.
    pub end_line: usize,
    /// The column after its end.
    pub end_column: usize,
}

/// One step of the way that a key came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The included file that it is in; nothing where it is in the script itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What stands there.
    pub text: String,
    /// The line that it is in.
    #[serde(skip)]
    pub frame: Frame,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The policy allows it.
    Note,
    /// Whether the policy allows it cannot be told from the source.
    Warning,
    /// The policy does not allow it.
    Error,
}

impl Severity {
    /// The word of reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Where a key comes from, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RootWord {
    /// KEYS.
    Keys,
    /// ARGV.
    Argv,
    /// The script's own text.
    Literal,
    /// The reply of a command.
    Reply,
    /// The engine's state, or the whole keyspace.
    Global,
    /// Not known.
    Unknown,
}

impl Finding {
    /// Whether it counts: nobody said that it should not, and the policy does not allow it.
    pub fn counts(&self) -> bool {
        self.suppressions.is_empty() && self.severity != Severity::Note
    }
}

impl FileReport {
    /// A report from its findings.
    pub(in crate::core::lua) fn new(path: &str, verdict: Verdict, calls: usize, findings: Vec<Finding>) -> Self {
        let mut report = Self {
            path: path.to_owned(),
            verdict,
            conforms: None,
            calls,
            includes: Vec::new(),
            findings,
            allowances: Vec::new(),
            operands: OperandCounts::default(),
            effort: Effort::default(),
        };
        report.settle();
        report
    }

    /// Puts the findings in order, and says what they come to.
    pub(in crate::core::lua) fn settle(&mut self) {
        let order = |finding: &Finding| (finding.path.clone(), finding.place, finding.rule, finding.message.clone());
        self.findings.sort_by_cached_key(order);
        let counting = self.findings.iter().filter(|finding| finding.counts());
        self.conforms = match counting.map(|finding| finding.severity).max() {
            Some(Severity::Error) => Some(false),
            Some(Severity::Warning) => None,
            Some(Severity::Note) | None => Some(true),
        };
    }

    /// The findings that count.
    pub fn counting(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.counts())
    }

    /// The findings that somebody said should not count.
    pub fn suppressed(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.suppressions.is_empty())
    }

    /// The file in which a finding or a step is.
    pub fn file_of<'f>(&'f self, included: Option<&'f str>) -> &'f str {
        included.unwrap_or(&self.path)
    }

    /// What it comes to, in the words of an exit code.
    pub fn judged(&self) -> Judged {
        judged(self.conforms)
    }
}

impl LintReport {
    /// A report on files, all those of a run: a comment that allows nothing in any of them is found here.
    pub fn new(policy: Policy, mut files: Vec<FileReport>) -> Self {
        allow_unused::find(policy, &mut files);
        let mut report = Self {
            format: FORMAT,
            tool: Tool::THIS,
            policy: policy.id(),
            conforms: None,
            files,
            stale: Vec::new(),
            unread: Vec::new(),
            summary: Counts::default(),
        };
        report.settle();
        report
    }

    /// The same report, with what could not be read: then it cannot be said that all conforms.
    #[must_use]
    pub fn with_unread(mut self, unread: Vec<Unread>) -> Self {
        self.unread = unread;
        self.settle();
        self
    }

    /// Counts, and says what all comes to.
    pub(in crate::core::lua) fn settle(&mut self) {
        let mut summary = Counts { files: self.files.len(), ..Counts::default() };
        for file in &mut self.files {
            file.settle();
            let count = match file.verdict {
                Verdict::Declared => &mut summary.declared,
                Verdict::Derived => &mut summary.derived,
                Verdict::Unknown => &mut summary.unknown,
                Verdict::Undeclared => &mut summary.undeclared,
                Verdict::Invalid => &mut summary.invalid,
            };
            *count += 1;
            summary.conform += usize::from(file.conforms == Some(true));
            summary.findings += file.findings.len();
            summary.suppressed += file.suppressed().count();
        }
        let fails = !self.stale.is_empty() || self.files.iter().any(|file| file.conforms == Some(false));
        let all = summary.conform == summary.files && self.unread.is_empty();
        self.conforms = if fails { Some(false) } else { all.then_some(true) };
        self.summary = summary;
    }

    /// What it comes to, in the words of an exit code.
    pub fn judged(&self) -> Judged {
        judged(self.conforms)
    }
}

fn judged(conforms: Option<bool>) -> Judged {
    match conforms {
        Some(true) => Judged::Pass,
        Some(false) => Judged::Fail,
        None => Judged::Indeterminate,
    }
}
