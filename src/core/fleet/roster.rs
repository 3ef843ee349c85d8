//! The roster: who there is, what each claims, where that is said, and what was seen. `emq-roster/1`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::core::capture::Engine;

/// The name and version of the format.
pub const FORMAT: &str = "emq-roster/1";

/// The roster that this build carries, as JSON: the facts of the course page, and the probe's own fixtures.
pub const BUILT_IN: &str = include_str!("../../../fixtures/fleet/roster.json");

/// What a runtime claims of itself, or others of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// It speaks v2.
    SpeaksV2,
    /// It must, and does not yet.
    NotYet,
    /// It does not exist.
    Proposed,
    /// It never will, and is not meant to.
    NeverByDesign,
}

impl Claim {
    /// Every claim.
    pub const ALL: [Self; 4] = [Self::SpeaksV2, Self::NotYet, Self::Proposed, Self::NeverByDesign];

    /// The word that files have.
    pub fn id(self) -> &'static str {
        match self {
            Self::SpeaksV2 => "speaks-v2",
            Self::NotYet => "not-yet",
            Self::Proposed => "proposed",
            Self::NeverByDesign => "never-by-design",
        }
    }

    /// The words that people read.
    pub fn words(self) -> &'static str {
        match self {
            Self::SpeaksV2 => "claims v2",
            Self::NotYet => "not yet",
            Self::Proposed => "proposed, does not exist",
            Self::NeverByDesign => "never, by design",
        }
    }
}

/// One runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What a user types.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// It is the probe's own, so that there is something to drive.
    pub fixture: bool,
    /// What is claimed.
    pub claim: Claim,
    /// The claim in a sentence.
    pub says: String,
    /// Where it is said.
    pub source: String,
    /// A run that showed something, if there was one.
    pub evidence: Option<Evidence>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The day, `2026-11-30`.
    pub date: String,
    /// The server.
    pub engine: Engine,
    /// The profile it was held to.
    pub profile: String,
    /// What ran, as it says itself: the name that it had in the run is whoever's who ran it.
    pub runtime: String,
    /// The runtime's own version, as it says.
    pub version: String,
    /// What the run came to for it.
    pub result: EvidenceResult,
    /// How many of the cells that it ran in passed.
    pub passed: u64,
    /// How many it ran in.
    pub of: u64,
}

/// What a run came to for one runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceResult {
    /// It passed with itself, and in both directions with the reference probe runtime; that one with any other.
    Pass,
    /// It failed with itself.
    Fail,
    /// Neither.
    Indeterminate,
}

/// Who there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster(pub Vec<Entry>);

/// Why a text is no roster.
#[derive(Debug, thiserror::Error)]
pub enum RosterError {
    /// It is not of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is of another format, or of another version of this one.
    #[error("its format is {0:?}, {FORMAT:?} is read here")]
    Format(String),
    /// A name that cannot be typed.
    #[error("{0:?} cannot be a runtime's name: 1 to 64 of the characters a-z A-Z 0-9 . _ -")]
    Name(String),
    /// A name that stands twice.
    #[error("{0} stands in it twice")]
    Twice(String),
    /// A run that is none: it would make a tick out of a claim.
    #[error(
        "the evidence for {0} is no run: it must say its day, its engine, what ran in which version, and at least one cell"
    )]
    NoRun(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    runtimes: Vec<Entry>,
}

impl Roster {
    /// Reads a roster.
    ///
    /// # Errors
    /// A text that is none, a name that stands twice or cannot be typed, evidence that is no run.
    ///
    /// ```
    /// use echomq_conformance::core::fleet::roster::{Claim, Roster, BUILT_IN};
    /// let roster = Roster::parse(BUILT_IN)?;
    /// assert_eq!(roster.get("bullmq").map(|entry| entry.claim), Some(Claim::NeverByDesign));
    /// # Ok::<(), echomq_conformance::core::fleet::roster::RosterError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, RosterError> {
        let document: Document = serde_json::from_str(text)?;
        if document.format != FORMAT {
            return Err(RosterError::Format(document.format));
        }
        let mut names = BTreeSet::new();
        for entry in &document.runtimes {
            if !is_name(&entry.name) {
                return Err(RosterError::Name(entry.name.clone()));
            }
            if !names.insert(entry.name.as_str()) {
                return Err(RosterError::Twice(entry.name.clone()));
            }
            if entry.evidence.as_ref().is_some_and(|run| !run.is_a_run()) {
                return Err(RosterError::NoRun(entry.name.clone()));
            }
        }
        Ok(Self(document.runtimes))
    }

    /// The runtime of that name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }
}

impl Evidence {
    /// Whether it says what a run has, and no more than it can.
    fn is_a_run(&self) -> bool {
        let said = [&self.date, &self.engine.name, &self.engine.version, &self.profile, &self.runtime, &self.version];
        let counts = match self.result {
            EvidenceResult::Pass => self.passed >= 3,
            EvidenceResult::Fail | EvidenceResult::Indeterminate => true,
        };
        said.iter().all(|text| !text.trim().is_empty()) && self.of > 0 && self.passed <= self.of && counts
    }
}

/// Whether a user can type it: it also names files.
pub fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        && !name.starts_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn document() -> Value {
        serde_json::from_str(BUILT_IN).expect("JSON")
    }

    fn parse(document: &Value) -> Result<Roster, RosterError> {
        Roster::parse(&document.to_string())
    }

    fn evidence() -> Value {
        json!({"date": "2026-11-30", "engine": {"name": "valkey", "version": "8.0.1"}, "profile": "emq.1",
            "runtime": "EchoMQ", "version": "2.0.0", "result": "pass", "passed": 4, "of": 4})
    }

    #[test]
    fn what_is_built_in_claims_and_shows_nothing() {
        let roster = parse(&document()).expect("a roster");
        assert!(roster.0.len() > 4 && roster.0.iter().all(|entry| entry.evidence.is_none()));
    }

    #[test]
    fn evidence_is_a_run_or_refused() {
        let mut good = document();
        good["runtimes"][0]["evidence"] = evidence();
        assert!(parse(&good).is_ok());
        for (field, value) in [
            ("date", json!(" ")),
            ("version", json!("")),
            ("runtime", json!("")),
            ("engine", json!({"name": "valkey", "version": ""})),
            ("of", json!(0)),
            ("passed", json!(5)),
            ("passed", json!(2)),
        ] {
            let mut bad = good.clone();
            bad["runtimes"][0]["evidence"][field] = value;
            assert!(matches!(parse(&bad), Err(RosterError::NoRun(name)) if name == "echomq-elixir"), "{field}");
        }
        let mut bad = good.clone();
        bad["runtimes"][0]["evidence"] = json!({"result": "pass"});
        assert!(matches!(parse(&bad), Err(RosterError::Json(_))));
    }

    #[test]
    fn a_name_can_be_typed_and_be_a_file_s() {
        for (name, is_one) in
            [("a", true), ("A.b_c-9", true), ("", false), (".a", false), ("-a", false), ("a/b", false)]
        {
            assert_eq!(is_name(name), is_one, "{name}");
        }
        assert!(is_name(&"a".repeat(64)) && !is_name(&"a".repeat(65)));
    }

    #[test]
    fn other_things_are_refused() {
        let with = |place: &str, value: Value| {
            let mut bad = document();
            *bad.pointer_mut(place).expect(place) = value;
            parse(&bad)
        };
        assert!(matches!(with("/format", json!("emq-roster/2")), Err(RosterError::Format(_))));
        assert!(matches!(with("/runtimes/0/name", json!("a b")), Err(RosterError::Name(_))));
        assert!(matches!(with("/runtimes/0/name", json!("bullmq")), Err(RosterError::Twice(_))));
        assert!(matches!(with("/runtimes/0/claim", json!("verified")), Err(RosterError::Json(_))));
        assert!(matches!(Roster::parse("[]"), Err(RosterError::Json(_))));
    }
}
