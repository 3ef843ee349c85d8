//! The report model; its JSON form is `emq-report/1`, of several `emq-reports/1`.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::core::bytes::Bytes;
use crate::core::capture::{Engine, SourceKind};
use crate::core::commands::Access;

/// The name and version of the format of one report.
pub const FORMAT: &str = "emq-report/1";

/// The name and version of the format of several.
pub const FORMAT_MANY: &str = "emq-reports/1";

/// What an assertion, a report, or several of them come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds for everything that was seen, and something was.
    Pass,
    /// It does not hold.
    Fail,
    /// What was seen does not tell.
    Indeterminate,
}

impl Verdict {
    /// The word a user reads and a program compares.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Indeterminate => "indeterminate",
        }
    }

    /// The mark that stands beside the word.
    pub fn mark(self) -> char {
        match self {
            Self::Pass => '✓',
            Self::Fail => '✕',
            Self::Indeterminate => '?',
        }
    }

    /// What several come to: a failure outweighs a doubt, a doubt outweighs a pass; of none, a doubt.
    pub fn of_all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let worse = |a, b| match (a, b) {
            (Self::Fail, _) | (_, Self::Fail) => Self::Fail,
            (Self::Indeterminate, _) | (_, Self::Indeterminate) => Self::Indeterminate,
            _ => Self::Pass,
        };
        verdicts.into_iter().reduce(worse).unwrap_or(Self::Indeterminate)
    }
}

/// The judgement of one queue in one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: &'static str,
    /// Who judged.
    pub tool: Tool,
    /// What was judged.
    pub subject: Subject,
    /// Under which profile.
    pub profile: &'static str,
    /// Under which policy.
    pub policy: &'static str,
    /// Which version was expected.
    pub expected_version: String,
    /// The server, where the input says.
    pub engine: Option<Engine>,
    /// What it comes to.
    pub verdict: Verdict,
    /// The five assertions, in their order.
    pub assertions: Vec<AssertionReport>,
    /// Traffic that was seen and not judged.
    pub out_of_scope: OutOfScope,
    /// Commands in scope that name a pattern or a channel, or reach the whole keyspace, and have no operand key.
    pub keyless: Vec<Keyless>,
    /// Lines that could not be read.
    pub problems: Vec<LineProblem>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// Failures that a baseline knows and that were not seen any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
}

impl Report {
    /// The assertions, and what else counts: a baseline with stale entries.
    pub fn entries(&self) -> impl Iterator<Item = Cow<'_, AssertionReport>> {
        self.assertions.iter().map(Cow::Borrowed).chain(self.stale_entry().map(Cow::Owned))
    }

    /// The stale entries of the baseline, as one thing that fails.
    fn stale_entry(&self) -> Option<AssertionReport> {
        let (first, count) = (self.stale.first()?, self.stale.len() as u64);
        let rest = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        Some(AssertionReport {
            id: "baseline",
            title: "every known failure is still seen",
            invariant: None,
            verdict: Verdict::Fail,
            checked: count,
            summary: format!("known and not seen any more: {first}{rest}"),
            evidence: Vec::new(),
            more_evidence: 0,
            help: Some("take what is mended out of the baseline; --write-baseline writes it again".to_owned()),
            notes: self.stale.iter().skip(1).cloned().collect(),
            accepted: None,
            witnesses: Vec::new(),
        })
    }
}

/// Who judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// `emq-conform`, in a page too: it is the same core.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Tool {
    /// This build.
    pub const THIS: Self = Self { name: "emq-conform", version: env!("CARGO_PKG_VERSION") };
}

/// What was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The queue; `null` where the input shows none.
    pub queue: Option<String>,
    /// The database in which the queue's keys lie; where nothing of the queue was seen, the one that was asked for, or 0.
    pub db: u32,
    /// The input's name: a file, `-`, or what the caller called it.
    pub source: Option<String>,
    /// How the input came to be.
    pub kind: SourceKind,
    /// The file that holds the input, from the folder that a reader starts in; no part of the JSON form.
    #[serde(skip)]
    pub file: Option<String>,
}

/// One assertion's outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssertionReport {
    /// `keyspace`, `hashtag`, `legacy`, `declared`, `version`.
    pub id: &'static str,
    /// What holds, in a few words, on the wire that was judged; reports for programs go by `id`.
    #[serde(skip)]
    pub title: &'static str,
    /// The course page's name for it, where it has one.
    pub invariant: Option<&'static str>,
    /// What it comes to.
    pub verdict: Verdict,
    /// How many things were looked at.
    pub checked: u64,
    /// One sentence with its count.
    pub summary: String,
    /// Where it shows: for a failure what breaks it, for a pass what it rests on.
    pub evidence: Vec<Evidence>,
    /// How much more evidence there is than is listed.
    pub more_evidence: u64,
    /// For a failure, what to change; for a doubt, what settles it.
    pub help: Option<String>,
    /// What the verdict leaves open.
    pub notes: Vec<String>,
    /// Why a verdict other than pass counts for nothing here, where somebody said that it should not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// What each witness says, where more than the trace was heard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
}

/// What one witness of an assertion says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// `trace`, `source`, `engine`, `cluster`.
    pub id: &'static str,
    /// What it comes to; `indeterminate` also where it could not be heard.
    pub verdict: Verdict,
    /// One sentence with its count, or why it was not heard.
    pub summary: String,
    /// For a failure, what breaks the assertion.
    pub evidence: Vec<Evidence>,
    /// How much more there is than is listed.
    pub more_evidence: u64,
    /// What its verdict leaves open.
    pub notes: Vec<String>,
}

impl AssertionReport {
    /// Lists no more evidence than this, and counts the rest.
    pub fn keep(&mut self, places: usize) {
        self.more_evidence += self.evidence.len().saturating_sub(places) as u64;
        self.evidence.truncate(places);
    }

    /// What it counts as: its verdict, or a pass where that was accepted.
    pub fn counts_as(&self) -> Verdict {
        if self.accepted.is_some() { Verdict::Pass } else { self.verdict }
    }
}

/// One place in the input that shows something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The event; `null` for what was read aside.
    pub seq: Option<u64>,
    /// Its line, where the input is a log.
    pub line: Option<u64>,
    /// The command.
    pub command: String,
    /// The key, or a pattern of keys.
    pub key: Option<Bytes>,
    /// Whether the command may write it, by the engine's flags.
    pub access: Option<Access>,
    /// What this place shows.
    pub why: String,
}

impl Serialize for Access {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Traffic that was seen and not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct OutOfScope {
    /// Connections that did not touch the queue.
    pub connections: u64,
    /// Their commands, and those that the recorder left out.
    pub commands: u64,
}

/// A command that has no operand key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Keyless {
    /// The command and what it names.
    pub command: String,
    /// Where first.
    pub seq: u64,
    /// How often.
    pub count: u64,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineProblem {
    /// The line, from 1.
    pub line: u64,
    /// The byte in it, from 1.
    pub byte: u64,
    /// What is wrong there.
    pub why: String,
}

/// One report or several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reports(pub Vec<Report>);

impl Reports {
    /// What they come to.
    pub fn verdict(&self) -> Verdict {
        Verdict::of_all(self.0.iter().map(|report| report.verdict))
    }

    /// What they come to where accepted verdicts count as passes: what an exit code goes by.
    pub fn counts_as(&self) -> Verdict {
        Verdict::of_all(self.0.iter().flat_map(Report::entries).map(|entry| entry.counts_as()))
    }
}
