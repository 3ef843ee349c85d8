//! What a cell, a payload or one check of it comes to.

use serde::Serialize;

use crate::core::report::Verdict;

/// The verdicts of the fleet: those of a report, and two for what was not decided by what a runtime did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FleetVerdict {
    /// It crossed, and every rule held.
    Pass,
    /// It did not, or a rule broke.
    Fail,
    /// A runtime said that it cannot do this.
    NotSupported,
    /// Nobody knows: an indefinite error, a time-out, an adapter that broke off.
    Indeterminate,
    /// There was nothing to run, or no reason to go on.
    NotRun,
}

impl FleetVerdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [Self::Pass, Self::Fail, Self::NotSupported, Self::Indeterminate, Self::NotRun];

    /// The word a user reads and a program compares.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => Verdict::Pass.word(),
            Self::Fail => Verdict::Fail.word(),
            Self::NotSupported => "not-supported",
            Self::Indeterminate => Verdict::Indeterminate.word(),
            Self::NotRun => "not-run",
        }
    }

    /// The mark that stands beside the word; no two have one shape.
    pub fn mark(self) -> char {
        match self {
            Self::Pass => Verdict::Pass.mark(),
            Self::Fail => Verdict::Fail.mark(),
            Self::NotSupported => '–',
            Self::Indeterminate => Verdict::Indeterminate.mark(),
            Self::NotRun => '○',
        }
    }

    /// What several come to: a failure outweighs a doubt, a doubt what is not supported. What passed in part and was not
    /// run in part is a doubt, and so is nothing at all.
    ///
    /// ```
    /// use echomq_conformance::core::fleet::verdict::FleetVerdict::{self, *};
    /// assert_eq!(FleetVerdict::of_all([Pass, NotSupported, Indeterminate]), Indeterminate);
    /// assert_eq!(FleetVerdict::of_all([Pass, NotRun]), Indeterminate);
    /// ```
    pub fn of_all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<Self> = verdicts.into_iter().collect();
        let any = |verdict| all.contains(&verdict);
        match () {
            () if any(Self::Fail) => Self::Fail,
            () if any(Self::Indeterminate) => Self::Indeterminate,
            () if any(Self::NotSupported) => Self::NotSupported,
            () if any(Self::Pass) && any(Self::NotRun) => Self::Indeterminate,
            () if any(Self::Pass) => Self::Pass,
            () if any(Self::NotRun) => Self::NotRun,
            () => Self::Indeterminate,
        }
    }
}

impl From<Verdict> for FleetVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::Indeterminate => Self::Indeterminate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FleetVerdict::{self, Fail, Indeterminate, NotRun, NotSupported, Pass};

    #[test]
    fn nothing_is_smoothed() {
        for (verdicts, all) in [
            (&[Pass, Pass][..], Pass),
            (&[Pass, Fail, Indeterminate], Fail),
            (&[NotRun, Indeterminate], Indeterminate),
            (&[Pass, NotSupported, NotRun], NotSupported),
            (&[NotRun, NotRun], NotRun),
            (&[], Indeterminate),
        ] {
            assert_eq!(FleetVerdict::of_all(verdicts.iter().copied()), all, "{verdicts:?}");
        }
    }

    #[test]
    fn words_and_marks_are_all_different() {
        let count = |texts: Vec<String>| texts.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!(count(FleetVerdict::ALL.map(|one| one.word().to_owned()).into()), 5);
        assert_eq!(count(FleetVerdict::ALL.map(|one| one.mark().to_string()).into()), 5);
    }
}
