//! Where a runtime stands: a claim and the evidence for it, told apart.

use serde::Serialize;

use super::roster::{Claim, Evidence, EvidenceResult};

/// What there is to say of a runtime. Only a run makes one of the last five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It claims v2, and nothing here shows it.
    ClaimsNotVerified,
    /// It does not speak v2 yet.
    NotYet,
    /// It does not exist.
    Proposed,
    /// It never will, by design.
    NeverByDesign,
    /// Nobody claims anything.
    NoClaim,
    /// A run passed.
    Passed,
    /// A run failed.
    Failed,
    /// A run failed, as it must.
    FailedByDesign,
    /// A run passed that was not meant to.
    PassedUnclaimed,
    /// A run decided nothing.
    Undecided,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 10] = [
        Self::ClaimsNotVerified,
        Self::NotYet,
        Self::Proposed,
        Self::NeverByDesign,
        Self::NoClaim,
        Self::Passed,
        Self::Failed,
        Self::FailedByDesign,
        Self::PassedUnclaimed,
        Self::Undecided,
    ];

    /// The status of a runtime.
    ///
    /// ```
    /// use echomq_conformance::core::fleet::{roster::Claim, status::Status};
    /// assert_eq!(Status::of(Some(Claim::SpeaksV2), None), Status::ClaimsNotVerified);
    /// ```
    pub fn of(claim: Option<Claim>, evidence: Option<&Evidence>) -> Self {
        match (claim, evidence.map(|run| run.result)) {
            (Some(Claim::SpeaksV2), None) => Self::ClaimsNotVerified,
            (Some(Claim::NotYet), None) => Self::NotYet,
            (Some(Claim::Proposed), None) => Self::Proposed,
            (Some(Claim::NeverByDesign), None) => Self::NeverByDesign,
            (None, None) => Self::NoClaim,
            (Some(Claim::SpeaksV2), Some(EvidenceResult::Pass)) => Self::Passed,
            (_, Some(EvidenceResult::Pass)) => Self::PassedUnclaimed,
            (Some(Claim::NeverByDesign), Some(EvidenceResult::Fail)) => Self::FailedByDesign,
            (_, Some(EvidenceResult::Fail)) => Self::Failed,
            (_, Some(EvidenceResult::Indeterminate)) => Self::Undecided,
        }
    }

    /// The words that people read.
    pub fn words(self) -> &'static str {
        match self {
            Self::ClaimsNotVerified => "claims v2, not verified here",
            Self::NotYet => "not yet, no evidence here",
            Self::Proposed => "proposed, does not exist, no evidence here",
            Self::NeverByDesign => "never, by design, no evidence here",
            Self::NoClaim => "no claim, no evidence here",
            Self::Passed => "claims v2, passed here",
            Self::Failed => "failed here",
            Self::FailedByDesign => "never, by design, failed here as it must",
            Self::PassedUnclaimed => "passed here without claiming v2",
            Self::Undecided => "undecided here",
        }
    }

    /// The mark that stands beside the words. A tick and a cross need a run.
    pub fn mark(self) -> char {
        match self {
            Self::Passed => '✓',
            Self::PassedUnclaimed => '!',
            Self::Failed => '✕',
            Self::FailedByDesign => '⊘',
            Self::Undecided => '?',
            Self::ClaimsNotVerified => '◇',
            Self::NotYet => '…',
            Self::Proposed => '□',
            Self::NeverByDesign => '∅',
            Self::NoClaim => '·',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::Engine;

    fn evidence(result: EvidenceResult) -> Evidence {
        let engine = Engine { name: "valkey".into(), version: "8.0.1".into() };
        let (date, profile, runtime, version) = ("2026-11-30".into(), "emq.1".into(), "one".into(), "2".into());
        Evidence { date, engine, profile, runtime, version, result, passed: 4, of: 4 }
    }

    #[test]
    fn no_claim_becomes_a_tick_without_a_run() {
        let claims = Claim::ALL.map(Some).into_iter().chain([None]);
        for claim in claims {
            let without = Status::of(claim, None);
            assert!(!['✓', '✕', '⊘', '!', '?'].contains(&without.mark()), "{claim:?}: {without:?}");
            assert!(without.words().contains("here"), "{without:?}");
            let pass = evidence(EvidenceResult::Pass);
            assert_eq!(Status::of(claim, Some(&pass)) == Status::Passed, claim == Some(Claim::SpeaksV2));
        }
        let fail = evidence(EvidenceResult::Fail);
        assert_eq!(Status::of(Some(Claim::NeverByDesign), Some(&fail)), Status::FailedByDesign);
        assert_eq!(Status::of(Some(Claim::SpeaksV2), Some(&fail)), Status::Failed);
    }

    #[test]
    fn every_status_has_words_and_a_shape_of_its_own() {
        let words: std::collections::BTreeSet<_> = Status::ALL.iter().map(|one| one.words()).collect();
        let marks: std::collections::BTreeSet<_> = Status::ALL.iter().map(|one| one.mark()).collect();
        assert_eq!((words.len(), marks.len()), (Status::ALL.len(), Status::ALL.len()));
    }
}
