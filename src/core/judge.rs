//! The judge: facts in, one report for each queue out.

use std::collections::BTreeSet;

use crate::core::assertions::case::Rules;
use crate::core::assertions::{self, Assertion, Case, Outcome};
use crate::core::capture::Capture;
use crate::core::facts::{
    Classes, Collector, Connection, Counted, Facts, Touch, VersionFact, VersionWhat, in_order, summed,
};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::notes::{Noted, Notes, notes};
use crate::core::policy::Policy;
use crate::core::profile::{EMQ_1, Profile};
use crate::core::report::model::{
    AssertionReport, FORMAT, Keyless, LineProblem, Report, Reports, Subject, Tool, Verdict,
};
use crate::core::scope::Scopes;

/// What the judge is asked to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// The grammar and where the version stands.
    pub profile: &'static Profile,
    /// When a key counts as declared.
    pub policy: Policy,
    /// What the version must read; the profile's own where `None`.
    pub expected_version: Option<String>,
    /// More prefixes of the old keyspace.
    pub legacy_prefixes: Vec<Vec<u8>>,
    /// The queue; else the one the capture names, else each one seen.
    pub queue: Option<String>,
    /// The database; else each one in which the queue's keys lie.
    pub db: Option<u32>,
    /// Whose traffic.
    pub scope: Scope,
    /// What else a report says; `None` where nobody reads it, as on the page, which then does not carry the words.
    pub notes: Option<Notes>,
    /// How many places are listed for a failure; a baseline wants all.
    pub failures_kept: usize,
    /// What to call the input in the report.
    pub source: Option<String>,
    /// The file that holds it, for formats that name places.
    pub file: Option<String>,
}

/// Whose traffic is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All of it where the server was private, else the connections that touched the queue.
    #[default]
    Auto,
    /// All of it.
    All,
    /// The connections with one of these addresses or names.
    Clients(Vec<String>),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: &EMQ_1,
            policy: Policy::default(),
            expected_version: None,
            legacy_prefixes: Vec::new(),
            queue: None,
            db: None,
            scope: Scope::default(),
            notes: Some(notes),
            failures_kept: Outcome::KEPT,
            source: None,
            file: None,
        }
    }
}

/// Judges a capture.
///
/// ```
/// use echomq_conformance::core::{capture::Capture, judge::{judge_capture, Options}, report::Verdict};
/// let reports = judge_capture(&Capture::default(), &Options::default());
/// assert_eq!(reports.verdict(), Verdict::Indeterminate);
/// ```
pub fn judge_capture(capture: &Capture, options: &Options) -> Reports {
    judge(&Collector::capture(options.profile, capture), options)
}

/// How many queues of one input are judged when none is named: beyond that the input is no longer about a queue.
pub const MOST_QUEUES: usize = 1000;

/// Judges what was learnt of a capture or a log: one report for the queue that was named, else for each one seen.
pub fn judge(facts: &Facts, options: &Options) -> Reports {
    let scopes = Scopes::new(facts, options);
    let seen = queues(facts, scopes.classes());
    let named = options.queue.as_deref().or(facts.queue.as_deref());
    let mut subjects: Vec<(Option<&str>, u32)> = seen
        .iter()
        .filter(|(queue, db)| named.is_none_or(|named| named == queue) && options.db.is_none_or(|wanted| wanted == *db))
        .map(|(queue, db)| (Some(queue.as_str()), *db))
        .collect();
    let beyond = subjects.len() > MOST_QUEUES;
    subjects.truncate(MOST_QUEUES);
    if subjects.is_empty() {
        subjects.push((named, options.db.unwrap_or_default()));
    }
    // What is not judged is no pass: a report of its own says so.
    if beyond {
        subjects.push((None, 0));
    }
    let notes = options.notes.map(|notes| notes(facts, options, &seen, scopes.classes()));
    let of = |(queue, db)| report(facts, options, (queue, db), &scopes, &seen, notes.as_deref());
    Reports(subjects.into_iter().map(of).collect())
}

/// Queues, each with the database it lies in.
pub type Seen = BTreeSet<(String, u32)>;

fn report(
    facts: &Facts,
    options: &Options,
    (queue, db): (Option<&str>, u32),
    scopes: &Scopes<'_>,
    seen: &Seen,
    notes: Option<&Noted<'_>>,
) -> Report {
    let (scope, out_of_scope) = scopes.of(queue, db);
    let expected_version = options.expected_version.as_deref().unwrap_or(options.profile.expected_version);
    let rules = Rules {
        profile: options.profile,
        policy: options.policy,
        expected_version,
        failures_kept: options.failures_kept,
    };
    let nothing = match queue {
        None if seen.len() > MOST_QUEUES => {
            Some(format!("the queues beyond the first {MOST_QUEUES} were not looked at: name one to judge it"))
        }
        None => Some("no key of any queue was touched".to_owned()),
        Some(queue) if scope.is_empty() => Some(format!("no key of queue {queue} was touched")),
        Some(_) => None,
    };
    let case = Case::new(rules, queue.unwrap_or_default(), db, facts, &scope, scopes);
    // A value that was read aside tells also where nothing was seen; but it does not say in which database. That none is there
    // tells nothing on a shared server: perhaps there is no such queue.
    let known = |fact: &&VersionFact| facts.source.private || fact.what != VersionWhat::Replied(None);
    let read_aside = case.reads.iter().any(known) && options.db.is_none();
    let judged = |assertion: &dyn Assertion| match &nothing {
        Some(why) if !read_aside || assertion.about().id != "version" => {
            Outcome::indeterminate(why.as_str()).with_help(assertions::TO_SETTLE.to_owned())
        }
        _ => assertion.check(&case),
    };
    let assertions: Vec<AssertionReport> =
        assertions::ALL.iter().map(|assertion| entry(*assertion, options.profile, judged(*assertion))).collect();
    Report {
        format: FORMAT,
        tool: Tool::THIS,
        subject: Subject {
            queue: queue.map(str::to_owned),
            db,
            source: options.source.clone(),
            kind: facts.source.kind,
            file: options.file.clone(),
        },
        profile: options.profile.id,
        policy: options.policy.id(),
        expected_version: expected_version.to_owned(),
        engine: facts.engine.clone(),
        verdict: Verdict::of_all(assertions.iter().map(|assertion| assertion.verdict)),
        out_of_scope,
        keyless: keyless(&scope),
        problems: facts.unseen.problems.iter().chain(&facts.unseen.cut_end).map(problem).collect(),
        notes: notes.map_or_else(Vec::new, |notes| notes(queue, &scope, &assertions)),
        stale: Vec::new(),
        assertions,
    }
}

fn entry(assertion: &dyn Assertion, profile: &Profile, outcome: Outcome) -> AssertionReport {
    let Outcome { verdict, checked, summary, evidence, more_evidence, help, notes } = outcome;
    let about = assertion.about();
    let (id, invariant) = (about.id, about.invariant);
    let help = help.or_else(|| (verdict == Verdict::Indeterminate).then(|| about.settle.to_owned()));
    AssertionReport {
        id,
        title: profile.title(about.id).unwrap_or(about.title),
        invariant,
        verdict,
        checked,
        summary,
        evidence,
        more_evidence,
        help,
        notes,
        accepted: None,
        witnesses: Vec::new(),
    }
}

/// Every queue that a key of the new shape belongs to.
fn queues(facts: &Facts, classes: &Classes<'_>) -> Seen {
    let touches = facts.connections.iter().flat_map(|connection| &connection.touches);
    let of = |touch: &Touch| Some((classes.of(touch.kind.key).queue()?.to_owned(), facts.keys.db(touch.kind.key)));
    set(&mut touches.filter_map(of))
}

/// The connections whose traffic a report on a queue judges; none where nothing was seen of it.
pub(crate) fn judged_connections<'f>(
    facts: &'f Facts,
    options: &'f Options,
    queue: Option<&str>,
    db: u32,
) -> Vec<&'f Connection> {
    Scopes::new(facts, options).of(queue, db).0
}

fn keyless(scope: &[&Connection]) -> Vec<Keyless> {
    let all = summed(scope, |connection| &connection.keyless);
    let all: Vec<(&str, Counted)> = all.iter().map(|(label, counted)| (label.as_str(), *counted)).collect();
    let all = in_order(&all, |(_, counted)| counted.first).into_iter();
    all.map(|(label, Counted { first, count })| Keyless { command: label.to_owned(), seq: first.seq, count }).collect()
}

fn problem(problem: &crate::core::facts::Problem) -> LineProblem {
    LineProblem { line: problem.line, byte: problem.byte, why: problem.why.clone() }
}

/// Every queue that a key of the old keyspace names, whatever its database.
pub(crate) fn old_queues(facts: &Facts, options: &Options) -> Seen {
    let touches = facts.connections.iter().flat_map(|connection| &connection.touches);
    let names = touches.filter_map(|touch| {
        match classify(options.profile, &options.legacy_prefixes, facts.keys.name(touch.kind.key)) {
            KeyClass::Legacy { queue, .. } if options.profile.allows_queue(queue) => std::str::from_utf8(queue).ok(),
            _ => None,
        }
    });
    set(&mut names.map(|name| (name.to_owned(), 0)))
}

/// Whether any key belongs to a queue or names it, in the new keyspace or in the old.
pub fn holds(facts: &Facts, options: &Options, queue: &str) -> bool {
    let is_it = |(name, _): &(String, u32)| name == queue;
    let classes = Classes::new(options.profile, &options.legacy_prefixes, &facts.keys);
    queues(facts, &classes).iter().any(is_it) || old_queues(facts, options).iter().any(is_it)
}

/// Inserts one by one: collecting would sort first, and each kind of element brings its own sort into the page.
fn set(items: &mut dyn Iterator<Item = (String, u32)>) -> Seen {
    let mut set = BTreeSet::new();
    set.extend(items);
    set
}

#[cfg(test)]
mod tests {
    use super::{Options, judge};
    use crate::core::facts::Facts;
    use crate::core::profile::{self, VersionAt};

    #[test]
    fn what_an_assertion_is_called_is_true_on_each_wire() {
        for profile in profile::ALL {
            let options = Options { profile, ..Options::default() };
            let report = judge(&Facts::default(), &options).0.into_iter().next().expect("a report");
            let version = report.assertions.last().expect("an assertion");
            let place = match profile.version {
                VersionAt::HashField { kind, field } => format!("{kind}.{field}"),
                VersionAt::String { key } => key.to_owned(),
            };
            assert!(version.title.starts_with(&place), "{}: {}", profile.id, version.title);
            assert!(version.title.ends_with(profile.expected_version), "{}: {}", profile.id, version.title);
        }
    }
}
