//! The report of a fleet; its JSON form is `emq-fleet/1`.

use serde::Serialize;

use super::adapter::Introduction;
use super::checks::PayloadReport;
use super::roster::{Claim, Entry, Evidence, EvidenceResult};
use super::status::Status;
use super::verdict::FleetVerdict;
use crate::core::capture::Engine;
use crate::core::report::Report;
use crate::core::report::model::Tool;

/// The name and version of the format.
pub const FORMAT: &str = "emq-fleet/1";

/// The name of the built-in runtime, which every other one is held against.
pub const REFERENCE: &str = "reference";

/// What came of a run of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fleet {
    /// [`FORMAT`].
    pub format: &'static str,
    /// Who judged.
    pub tool: Tool,
    /// The day.
    pub date: String,
    /// Under which profile.
    pub profile: &'static str,
    /// Under which policy.
    pub policy: &'static str,
    /// The server.
    pub engine: Option<Engine>,
    /// The payloads that were sent, by their names. Where they are not all, no run is evidence.
    pub battery: Vec<&'static str>,
    /// Whether that is the whole battery.
    pub whole: bool,
    /// What the run comes to, see [`Fleet::overall`].
    pub verdict: FleetVerdict,
    /// Who there is.
    pub runtimes: Vec<Member>,
    /// Every ordered pair.
    pub cells: Vec<Cell>,
}

/// One runtime of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    /// What a user types.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// It is the probe's own.
    pub fixture: bool,
    /// What is claimed; `null` where nobody claims anything.
    pub claim: Option<Claim>,
    /// The claim in a sentence, and where it is said.
    pub says: Option<String>,
    /// Where the claim is made.
    pub source: Option<String>,
    /// What its adapter says of itself, where it ran.
    pub introduction: Option<Introduction>,
    /// Why it could not take part, of one that was to.
    pub absent: Option<String>,
    /// The run that showed something, this one or an earlier one.
    pub evidence: Option<Evidence>,
    /// Both together.
    pub status: Status,
}

/// One ordered pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Who adds.
    pub producer: String,
    /// Who takes and completes.
    pub consumer: String,
    /// The queue, where it ran.
    pub queue: Option<String>,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// Keys outside the queue's keyspace that were really used, the first of them.
    pub keys: Vec<String>,
    /// The payloads, in their order.
    pub payloads: Vec<PayloadReport>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// The capture of its traffic, where one is kept.
    pub capture: Option<String>,
    /// The five assertions over its traffic; nothing where it did not run, or where nobody touched the queue.
    pub report: Option<Report>,
}

impl Member {
    /// A runtime of the roster, of which nothing ran.
    pub fn of_roster(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            label: entry.label.clone(),
            fixture: entry.fixture,
            claim: Some(entry.claim),
            says: Some(entry.says.clone()),
            source: Some(entry.source.clone()),
            introduction: None,
            absent: None,
            status: Status::of(Some(entry.claim), entry.evidence.as_ref()),
            evidence: entry.evidence.clone(),
        }
    }

    /// A runtime that no roster knows: nobody claims anything of it.
    pub fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: name.to_owned(),
            fixture: false,
            claim: None,
            says: None,
            source: None,
            introduction: None,
            absent: None,
            evidence: None,
            status: Status::of(None, None),
        }
    }

    /// Whether there was something of it to run, whatever came of that.
    pub fn was_to_run(&self) -> bool {
        self.introduction.is_some() || self.absent.is_some()
    }

    /// The label, and whose it is.
    pub fn title(&self) -> String {
        if self.fixture { format!("{} (the probe's own fixture)", self.label) } else { self.label.clone() }
    }

    /// What a run showed of it. Without a cell in which it ran there is nothing, whatever it claims.
    pub fn learn(&mut self, cells: &[Cell], date: &str, engine: &Engine, profile: &str) {
        let own: Vec<&Cell> = cells.iter().filter(|cell| cell.ran() && cell.is_of(&self.name)).collect();
        if own.is_empty() {
            return;
        }
        let passed = |cell: &&&Cell| cell.verdict == FleetVerdict::Pass;
        let unknown = || "unknown".to_owned();
        let introduced = self.introduction.as_ref();
        let evidence = Evidence {
            date: date.to_owned(),
            engine: engine.clone(),
            profile: profile.to_owned(),
            runtime: introduced.map_or_else(unknown, |one| one.runtime.clone()),
            version: introduced.map_or_else(unknown, |one| one.version.clone()),
            result: result(&self.name, &own),
            passed: own.iter().filter(passed).count() as u64,
            of: own.len() as u64,
        };
        self.status = Status::of(self.claim, Some(&evidence));
        self.evidence = Some(evidence);
    }
}

/// What the cells of one runtime show of it: what fails with another may be the other's fault, and what passes with another may
/// be the other's too. So the reference probe runtime is what counts, and of that one itself any other.
fn result(name: &str, own: &[&Cell]) -> EvidenceResult {
    let verdict = |producer: &str, consumer: &str| {
        let cell = own.iter().find(|cell| cell.producer == producer && cell.consumer == consumer);
        cell.map(|cell| cell.verdict)
    };
    let crosses = |other: &str| {
        other != name
            && (other == REFERENCE || name == REFERENCE)
            && verdict(name, other) == Some(FleetVerdict::Pass)
            && verdict(other, name) == Some(FleetVerdict::Pass)
    };
    match verdict(name, name) {
        Some(FleetVerdict::Fail) => EvidenceResult::Fail,
        Some(FleetVerdict::Pass) if own.iter().any(|cell| crosses(&cell.consumer)) => EvidenceResult::Pass,
        _ => EvidenceResult::Indeterminate,
    }
}

impl Cell {
    /// Whether the two met and something was sent.
    pub fn ran(&self) -> bool {
        !self.payloads.is_empty()
    }

    /// Whether a runtime is one of the two.
    pub fn is_of(&self, name: &str) -> bool {
        self.producer == name || self.consumer == name
    }
}

impl Fleet {
    /// What the run comes to. Of what had nothing to run nothing is said; of everybody else each must have passed with another
    /// where there is one, and whoever did not start leaves the run undecided.
    pub fn overall(runtimes: &[Member], cells: &[Cell]) -> FleetVerdict {
        let any = |verdict| cells.iter().any(|cell| cell.verdict == verdict);
        let took_part: Vec<&Member> = runtimes.iter().filter(|member| member.was_to_run()).collect();
        let is_alone = took_part.len() == 1;
        let passed = |member: &&Member| {
            let own = cells.iter().filter(|cell| cell.is_of(&member.name) && cell.verdict == FleetVerdict::Pass);
            own.filter(|cell| is_alone || cell.producer != cell.consumer).count() > 0
        };
        match () {
            () if any(FleetVerdict::Fail) => FleetVerdict::Fail,
            () if any(FleetVerdict::Indeterminate) => FleetVerdict::Indeterminate,
            () if took_part.is_empty() => FleetVerdict::NotRun,
            () if cells.iter().any(|cell| Self::is_missing(runtimes, cell)) => FleetVerdict::Indeterminate,
            () if took_part.iter().all(passed) => FleetVerdict::Pass,
            () => FleetVerdict::NotSupported,
        }
    }

    /// Whether a pair did not run that was to: one of the two did not start.
    pub fn is_missing(runtimes: &[Member], cell: &Cell) -> bool {
        let was_to_run = |name: &str| runtimes.iter().any(|member| member.name == name && member.was_to_run());
        cell.verdict == FleetVerdict::NotRun && was_to_run(&cell.producer) && was_to_run(&cell.consumer)
    }

    /// Those whose programs did not start: nothing ran of them, though it was to.
    pub fn not_started(&self) -> impl Iterator<Item = &Member> {
        let is_missing = |name: &str| self.cell(name, name).is_some_and(|cell| cell.verdict == FleetVerdict::NotRun);
        self.runtimes.iter().filter(move |member| member.absent.is_some() && is_missing(&member.name))
    }

    /// The cell of a pair.
    pub fn cell(&self, producer: &str, consumer: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.producer == producer && cell.consumer == consumer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fleet::adapter::Role;
    use crate::core::fleet::cell::without;
    use FleetVerdict::{Fail, Indeterminate, NotRun, NotSupported, Pass};

    fn member(name: &str) -> Member {
        let introduction = Introduction {
            runtime: format!("{name}, really"),
            version: "1".into(),
            wire: "w".into(),
            roles: vec![Role::Producer, Role::Consumer],
        };
        Member { introduction: Some(introduction), ..Member::unknown(name) }
    }

    fn absent(name: &str) -> Member {
        Member { absent: Some("why".into()), ..Member::unknown(name) }
    }

    fn cell(producer: &str, consumer: &str, verdict: FleetVerdict) -> Cell {
        without(producer, consumer, verdict, "why".into())
    }

    /// What the cells show of a runtime.
    #[track_caller]
    fn shows(name: &str, cells: &[(&str, &str, FleetVerdict)], result: EvidenceResult) {
        let cells: Vec<Cell> = cells.iter().map(|(from, to, verdict)| cell(from, to, *verdict)).collect();
        let own: Vec<&Cell> = cells.iter().filter(|cell| cell.is_of(name)).collect();
        assert_eq!(super::result(name, &own), result);
    }

    #[test]
    fn two_of_a_kind_are_no_evidence_for_each_other() {
        let kind = [("a", "a", Pass), ("a", "b", Pass), ("b", "a", Pass), ("b", "b", Pass)];
        let with = |verdict| [&kind[..], &[(REFERENCE, "a", verdict), ("a", REFERENCE, verdict)]].concat();
        shows("a", &with(Fail), EvidenceResult::Indeterminate);
        shows("a", &with(Indeterminate), EvidenceResult::Indeterminate);
        shows("a", &kind, EvidenceResult::Indeterminate);
        shows("a", &with(Pass), EvidenceResult::Pass);
        shows("a", &[("a", "a", Pass), (REFERENCE, "a", Pass), ("a", REFERENCE, Fail)], EvidenceResult::Indeterminate);
        shows("a", &[("a", "a", Fail), (REFERENCE, "a", Pass), ("a", REFERENCE, Pass)], EvidenceResult::Fail);
        let own = [(REFERENCE, REFERENCE, Pass), (REFERENCE, "a", Pass), ("a", REFERENCE, Pass)];
        shows(REFERENCE, &own, EvidenceResult::Pass);
        shows(REFERENCE, &own[..2], EvidenceResult::Indeterminate);
    }

    /// What a run comes to.
    #[track_caller]
    fn overall(runtimes: &[Member], cells: &[(&str, &str, FleetVerdict)], verdict: FleetVerdict) {
        let cells: Vec<Cell> = cells.iter().map(|(from, to, verdict)| cell(from, to, *verdict)).collect();
        assert_eq!(Fleet::overall(runtimes, &cells), verdict);
    }

    #[test]
    fn a_run_passes_where_everybody_passed_with_another() {
        let both = [member(REFERENCE), member("a")];
        let known = Member::unknown("b");
        let own = (REFERENCE, REFERENCE, Pass);
        overall(&both[..1], &[own], Pass);
        overall(&[both[0].clone(), known.clone()], &[own, (REFERENCE, "b", NotRun), ("b", "b", NotRun)], Pass);
        overall(&[known], &[("b", "b", NotRun)], NotRun);
        overall(&both, &[own, ("a", REFERENCE, Pass), (REFERENCE, "a", NotSupported)], Pass);
        overall(&both, &[own, ("a", REFERENCE, NotSupported), ("a", "a", Pass)], NotSupported);
        overall(&both, &[own, ("a", REFERENCE, NotSupported), ("a", "a", NotSupported)], NotSupported);
        overall(&both, &[own, ("a", REFERENCE, Indeterminate), (REFERENCE, "a", Pass)], Indeterminate);
        overall(&both, &[own, ("a", REFERENCE, Indeterminate), (REFERENCE, "a", Fail)], Fail);
    }

    #[test]
    fn a_run_in_which_one_did_not_start_is_undecided() {
        let own = (REFERENCE, REFERENCE, Pass);
        let runtimes = [member(REFERENCE), absent("a"), Member::unknown("b")];
        overall(&runtimes, &[own, ("a", REFERENCE, NotRun), ("b", "a", NotRun)], Indeterminate);
        overall(&runtimes, &[own, ("a", REFERENCE, NotSupported)], NotSupported);
        overall(&runtimes, &[(REFERENCE, REFERENCE, Fail), ("a", REFERENCE, NotRun)], Fail);
    }
}
