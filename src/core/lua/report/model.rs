//! The model: files, their findings, and the way that each key came.

use serde::Serialize;

use crate::core::lua::verdict::Verdict;
use crate::core::policy::Policy;

/// The name of the format.
pub const FORMAT: &str = "emq-lint/1";

/// The outcome for every file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LintReport {
    /// Always [`FORMAT`].
    pub format: &'static str,
    /// The policy in force.
    pub policy: &'static str,
    /// The files, in the order in which they were given.
    pub files: Vec<FileReport>,
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
    /// What was found, by its place.
    pub findings: Vec<Finding>,
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
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What stands there.
    pub text: String,
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

impl FileReport {
    /// A report from its findings.
    ///
    /// What no run reaches is told, and does not count.
    pub fn new(path: &str, verdict: Verdict, calls: usize, mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|a, b| (a.place, a.rule, &a.message).cmp(&(b.place, b.rule, &b.message)));
        let worst = findings.iter().filter(|finding| finding.reachable).map(|finding| finding.severity).max();
        let conforms = match worst {
            Some(Severity::Error) => Some(false),
            Some(Severity::Warning) => None,
            Some(Severity::Note) | None => Some(true),
        };
        let (operands, effort) = (OperandCounts::default(), Effort::default());
        Self { path: path.to_owned(), verdict, conforms, calls, findings, operands, effort }
    }
}

impl LintReport {
    /// A report on files.
    pub fn new(policy: Policy, files: Vec<FileReport>) -> Self {
        let mut summary = Counts { files: files.len(), ..Counts::default() };
        for file in &files {
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
        }
        Self { format: FORMAT, policy: policy.id(), files, summary }
    }

    /// Whether every file conforms; nothing when none fails and something remains open.
    pub fn conforms(&self) -> Option<bool> {
        if self.files.iter().any(|file| file.conforms == Some(false)) {
            return Some(false);
        }
        self.files.iter().all(|file| file.conforms == Some(true)).then_some(true)
    }
}
