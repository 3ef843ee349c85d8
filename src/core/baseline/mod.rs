//! A baseline: failures that are known, each with a reason, so that only new ones count.
//!
//! A known failure is named by what broke it: the command and the shape of the key, where an id stands for every id. One that
//! is not in the list makes its assertion count; an entry of the list that was not seen any more is stale, and counts too,
//! or the list would only ever grow.

pub mod document;
pub mod shape;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::report::{AssertionReport, Report, Reports, Verdict};
use crate::core::{assertions, profile};
use document::Entry;
pub use shape::{Shape, shapes};

/// Failures that are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline(pub Vec<Known>);

/// What is known of one assertion of one queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The queue.
    pub queue: String,
    /// The profile it was judged under.
    pub profile: String,
    /// The assertion.
    pub assertion: String,
    /// Why these failures may stay.
    pub reason: String,
    /// What breaks it.
    pub failures: BTreeSet<Shape>,
}

impl Entry for Known {
    const FORMAT: &'static str = "emq-baseline/1";

    fn about(&self) -> String {
        format!("{} of queue {}", self.assertion, self.queue)
    }

    fn subject(&self) -> [&str; 3] {
        [&self.queue, &self.profile, &self.assertion]
    }

    fn reason(&self) -> &str {
        &self.reason
    }

    fn unknown(&self) -> Option<(&'static str, &str)> {
        if assertions::by_id(&self.assertion).is_none() {
            return Some(("assertion", &self.assertion));
        }
        profile::by_id(&self.profile).is_none().then_some(("profile", &*self.profile))
    }
}

impl Baseline {
    /// Everything that fails in some reports, with the reasons that an older baseline gives.
    pub fn of(reports: &Reports, older: &Self) -> Self {
        let mut known: Vec<Known> = Vec::new();
        for report in &reports.0 {
            let Some(queue) = &report.subject.queue else { continue };
            for assertion in report.assertions.iter().filter(|assertion| assertion.verdict == Verdict::Fail) {
                let failures = shapes(report.profile, assertion);
                let same = |known: &&mut Known| is_about(known, report, assertion.id);
                if let Some(known) = known.iter_mut().find(same) {
                    known.failures.extend(failures);
                    continue;
                }
                let reason = older.about(report, assertion.id).map(|known| known.reason.clone()).unwrap_or_default();
                let (queue, profile) = (queue.clone(), report.profile.to_owned());
                known.push(Known { queue, profile, assertion: assertion.id.to_owned(), reason, failures });
            }
        }
        Self(known)
    }

    /// Accepts what is known, and says what is new or stale. Entries of queues and profiles that the reports do not have are
    /// left alone: nothing was seen of them. The reports must list all that fails ([`Options::failures_kept`]); what is not
    /// listed counts as new.
    ///
    /// [`Options::failures_kept`]: crate::core::judge::Options::failures_kept
    pub fn apply(&self, reports: &mut Reports) {
        let mut seen: Vec<Vec<Shape>> = vec![Vec::new(); self.0.len()];
        let mut open = vec![false; self.0.len()];
        for report in &mut reports.0 {
            for index in 0..report.assertions.len() {
                let id = report.assertions[index].id;
                let Some(at) = self.0.iter().position(|known| is_about(known, report, id)) else { continue };
                let assertion = &mut report.assertions[index];
                open[at] |= assertion.verdict == Verdict::Indeterminate || assertion.more_evidence > 0;
                // What a pass rests on is no failure.
                if assertion.verdict == Verdict::Fail {
                    let found = shapes(report.profile, assertion);
                    accept(&self.0[at], assertion, &found);
                    seen[at].extend(found);
                }
            }
        }
        for (at, known) in self.0.iter().enumerate().filter(|(at, _)| !open[*at]) {
            let stale = known.failures.iter().filter(|failure| !seen[at].contains(failure));
            let stale: Vec<String> = stale.map(|failure| format!("{}: {failure}", known.assertion)).collect();
            // The last report of the queue: what one file does not show, another may.
            if let Some(report) = reports.0.iter_mut().rfind(|report| is_about(known, report, &known.assertion)) {
                report.stale.extend(stale);
            }
        }
    }

    fn about(&self, report: &Report, id: &str) -> Option<&Known> {
        self.0.iter().find(|known| is_about(known, report, id))
    }
}

fn is_about(known: &Known, report: &Report, id: &str) -> bool {
    report.subject.queue.as_ref() == Some(&known.queue) && report.profile == known.profile && known.assertion == id
}

fn accept(known: &Known, assertion: &mut AssertionReport, found: &BTreeSet<Shape>) {
    let new: Vec<String> = found.difference(&known.failures).map(Shape::to_string).collect();
    if !new.is_empty() {
        assertion.notes.push(format!("not in the baseline: {}", new.join(", ")));
    } else if assertion.more_evidence > 0 {
        assertion.notes.push("not all that fails is listed, so some of it may be new".to_owned());
    } else {
        assertion.accepted = Some(format!("known: {}", known.reason));
    }
}
