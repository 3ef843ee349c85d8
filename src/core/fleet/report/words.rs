//! What the forms of a fleet's report say in the same words.

use crate::core::bytes::drawable;
use crate::core::fleet::model::{Cell, Fleet, Member};
use crate::core::fleet::roster::{Claim, Evidence};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::words::engine;

/// `profile emq.1 · policy strict · valkey 8.0.1 · 2026-11-30`.
pub(super) fn about(fleet: &Fleet) -> String {
    let engine = fleet.engine.as_ref().map_or_else(|| "no server".to_owned(), engine);
    format!("profile {} · policy {} · {} · {}", fleet.profile, fleet.policy, drawable(&engine), fleet.date)
}

/// `claims v2`.
pub(super) fn claim(member: &Member) -> &'static str {
    member.claim.map_or("no claim", Claim::words)
}

/// `2 of 4 cells pass, ran "a runtime" 1.0, profile emq.1, valkey 8.0.1, 2026-11-30`.
pub fn evidence(run: &Evidence) -> String {
    let Evidence { date, profile, passed, of, .. } = run;
    let (runtime, version, engine) = (drawable(&run.runtime), drawable(&run.version), engine(&run.engine));
    format!(
        "{passed} of {of} cells pass, ran \"{runtime}\" {version}, profile {profile}, {}, {date}",
        drawable(&engine)
    )
}

/// The evidence for a runtime, or that there is none.
pub(super) fn evidence_of(member: &Member) -> String {
    member.evidence.as_ref().map_or_else(|| "no evidence here".to_owned(), evidence)
}

/// The verdict of a pair; one that is not there did not run.
pub(super) fn verdict(fleet: &Fleet, from: &Member, to: &Member) -> FleetVerdict {
    fleet.cell(&from.name, &to.name).map_or(FleetVerdict::NotRun, |cell| cell.verdict)
}

/// Whether a pair needs a word beside its place in the matrix: not where it passed, and not where there is nothing to run.
pub(super) fn needs_a_word(fleet: &Fleet, cell: &Cell) -> bool {
    match cell.verdict {
        FleetVerdict::Pass => false,
        FleetVerdict::NotRun => Fleet::is_missing(&fleet.runtimes, cell),
        _ => true,
    }
}
