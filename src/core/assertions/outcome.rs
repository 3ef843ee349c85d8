//! What a check returns, and how evidence is kept within bounds.

use super::Case;
use crate::core::bytes::Bytes;
use crate::core::facts::Touch;
use crate::core::report::model::{Evidence, Verdict};
use crate::core::report::words::times;

/// What a check returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What it comes to.
    pub verdict: Verdict,
    /// How many things were looked at.
    pub checked: u64,
    /// One sentence with its count.
    pub summary: String,
    /// What breaks it, or what it rests on: as many places as are kept.
    pub evidence: Vec<Evidence>,
    /// How much more there is.
    pub more_evidence: u64,
    /// For a failure, what to change.
    pub help: Option<String>,
    /// What the verdict leaves open.
    pub notes: Vec<String>,
}

impl Outcome {
    /// How many places are listed, unless a judge is asked for more of what fails.
    pub const KEPT: usize = 100;

    /// An outcome with no evidence yet.
    pub fn new(verdict: Verdict, checked: u64, summary: String) -> Self {
        Self { verdict, checked, summary, evidence: Vec::new(), more_evidence: 0, help: None, notes: Vec::new() }
    }

    /// What was seen does not tell, and why.
    pub fn indeterminate(why: impl Into<String>) -> Self {
        Self::new(Verdict::Indeterminate, 0, why.into())
    }

    /// "Every …" held for all that was seen: a pass, unless something could not be seen.
    pub fn every(case: &Case<'_>, checked: u64, summary: String) -> Self {
        match case.blind_spot() {
            None => Self::new(Verdict::Pass, checked, summary),
            Some(blind) => Self::new(Verdict::Indeterminate, checked, format!("{summary}, but {blind}")),
        }
    }

    /// Adds evidence, as much as is kept; the rest is counted, and not put into words.
    #[must_use]
    pub fn with_evidence<T>(mut self, case: &Case<'_>, places: &[T], shows: impl Fn(&T) -> Evidence) -> Self {
        self.keep(case, places.len(), &|at| shows(&places[at]));
        self
    }

    /// One copy for every kind of place: the page has a budget.
    fn keep(&mut self, case: &Case<'_>, places: usize, shows: &dyn Fn(usize) -> Evidence) {
        let kept = if self.verdict == Verdict::Fail { case.rules.failures_kept } else { Self::KEPT };
        let kept = places.min(kept);
        self.evidence.extend((0..kept).map(shows));
        self.more_evidence = (places - kept) as u64;
    }

    /// Adds what to change.
    #[must_use]
    pub fn with_help(mut self, help: String) -> Self {
        self.help = Some(help);
        self
    }

    /// Adds what the verdict leaves open.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// What to change where the key is another queue's.
pub(super) fn other_queue(case: &Case<'_>, other: &str) -> String {
    format!(
        "serve queue {other} over a connection of its own, and never in one script or transaction with {}: a cluster may \
         place them on different nodes",
        case.queue
    )
}

/// The evidence that the first touch of a key gives, which counts all of them.
pub fn first_of(case: &Case<'_>, touch: &Touch, why: String) -> Evidence {
    let why = if touch.count > 1 { format!("{why} (first of {} accesses)", touch.count) } else { why };
    shown_by(case, &Touch { count: 1, ..*touch }, why)
}

/// The evidence that one touch of a key gives.
pub fn shown_by(case: &Case<'_>, touch: &Touch, why: String) -> Evidence {
    Evidence {
        seq: Some(touch.first.seq),
        line: touch.first.line,
        command: touch.kind.command.replace('|', " "),
        key: Some(Bytes::from(case.key(touch))),
        access: Some(touch.kind.access),
        why: if touch.count > 1 { format!("{why} ({})", times(touch.count)) } else { why },
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::core::assertions::case::Rules;
    use crate::core::capture::Capture;
    use crate::core::facts::Collector;
    use crate::core::judge::Options;
    use crate::core::policy::Policy;
    use crate::core::profile::EMQ_1;
    use crate::core::scope::Scopes;

    #[test]
    fn what_is_not_kept_is_counted_and_not_put_into_words() {
        let (facts, options) = (Collector::capture(&EMQ_1, &Capture::default()), Options::default());
        let scopes = Scopes::new(&facts, &options);
        let rules =
            Rules { profile: &EMQ_1, policy: Policy::default(), expected_version: "echomq:2.0.0", failures_kept: 3 };
        let case = Case::new(rules, "q", 0, &facts, &[], &scopes);
        let worded = Cell::new(0);
        let words = |seq: &u64| {
            worded.set(worded.get() + 1);
            let (line, command, key, access) = (None, "GET".to_owned(), None, None);
            Evidence { seq: Some(*seq), line, command, key, access, why: String::new() }
        };
        for (verdict, places, kept) in [(Verdict::Fail, 5, 3), (Verdict::Fail, 2, 2), (Verdict::Pass, 150, 100)] {
            worded.set(0);
            let places: Vec<u64> = (0..places).collect();
            let outcome = Outcome::new(verdict, 0, String::new()).with_evidence(&case, &places, words);
            let shown: Vec<u64> = outcome.evidence.iter().filter_map(|evidence| evidence.seq).collect();
            assert_eq!(shown, places[..kept]);
            assert_eq!((worded.get(), outcome.more_evidence), (kept, (places.len() - kept) as u64));
        }
    }
}
