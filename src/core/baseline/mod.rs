//! A baseline: failures that are known, each with a reason, so that only new ones count.
//!
//! A known failure is named by what broke it: the command and the shape of the key, where an id stands for every id. One that
//! is not in the list makes its assertion count; an entry of the list that was not seen any more is stale, and counts too,
//! or the list would only ever grow.

pub mod json;
pub mod shape;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::report::{AssertionReport, Report, Reports, Verdict};
pub use shape::{Breaks, Shape};

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

impl Baseline {
    /// Everything that fails in some reports, with the reasons that an older baseline gives.
    pub fn of(reports: &Reports, older: &Self) -> Self {
        let mut known: Vec<Known> = Vec::new();
        for report in &reports.0 {
            let Some(queue) = &report.subject.queue else { continue };
            for assertion in report.assertions.iter().filter(|assertion| assertion.verdict == Verdict::Fail) {
                let failures = assertion.breaks.shapes.clone();
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
    /// left alone: nothing was seen of them.
    pub fn apply(&self, reports: &mut Reports) {
        let mut seen: Vec<Vec<Shape>> = vec![Vec::new(); self.0.len()];
        let mut open = vec![false; self.0.len()];
        for report in &mut reports.0 {
            for index in 0..report.assertions.len() {
                let id = report.assertions[index].id;
                let Some(at) = self.0.iter().position(|known| is_about(known, report, id)) else { continue };
                let assertion = &mut report.assertions[index];
                seen[at].extend(assertion.breaks.shapes.iter().cloned());
                open[at] |= assertion.verdict == Verdict::Indeterminate || assertion.breaks.cut;
                accept(&self.0[at], assertion);
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

fn accept(known: &Known, assertion: &mut AssertionReport) {
    if assertion.verdict != Verdict::Fail {
        return;
    }
    let new: Vec<String> = assertion.breaks.shapes.difference(&known.failures).map(Shape::to_string).collect();
    if !new.is_empty() {
        assertion.notes.push(format!("not in the baseline: {}", new.join(", ")));
    } else if assertion.breaks.cut {
        assertion.notes.push("more kinds of failures than a baseline can hold".to_owned());
    } else {
        assertion.accepted = Some(format!("known: {}", known.reason));
    }
}
