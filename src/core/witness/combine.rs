//! Several witnesses of one assertion: what they come to together, and why they may disagree.

use super::{Heard, PLACES};
use crate::core::assertions::declared::TRACE_ONLY;
use crate::core::report::model::{AssertionReport, Verdict, Witness};

/// Adds what others say to what the trace says.
///
/// One that fails makes the assertion fail. None makes it pass: what the trace leaves open stays open. Where the trace does
/// not fail by itself, the evidence becomes that of those who do.
pub(super) fn combine(assertion: &mut AssertionReport, heard: Vec<Heard>, kept: usize) {
    if heard.is_empty() {
        return;
    }
    let trace = trace(assertion);
    assertion.notes.retain(|note| note != TRACE_ONLY);
    let failing = || heard.iter().filter(|other| other.witness.verdict == Verdict::Fail);
    assertion.notes.extend(heard.iter().filter_map(|other| disagreement(&trace, &other.witness)).map(str::to_owned));
    if trace.verdict != Verdict::Fail && failing().next().is_some() {
        let said = failing().map(|other| format!("; {}: {}", other.witness.id, other.witness.summary));
        assertion.summary = said.fold(format!("trace: {}", trace.summary), |summary, said| summary + &said);
        assertion.verdict = Verdict::Fail;
        assertion.evidence = failing().flat_map(|other| other.witness.evidence.clone()).collect();
        assertion.more_evidence = 0;
        assertion.keep(kept);
        assertion.help = failing().find_map(|other| other.help.clone());
    }
    assertion.witnesses = vec![trace];
    assertion.witnesses.extend(heard.into_iter().map(|other| listed(other.witness)));
}

/// What the trace says, by itself.
fn trace(assertion: &AssertionReport) -> Witness {
    let evidence = if assertion.verdict == Verdict::Fail { assertion.evidence.clone() } else { Vec::new() };
    let more_evidence = if assertion.verdict == Verdict::Fail { assertion.more_evidence } else { 0 };
    let (verdict, summary) = (assertion.verdict, assertion.summary.clone());
    listed(Witness { id: "trace", verdict, summary, evidence, more_evidence, notes: Vec::new() })
}

/// A witness with no more places than are listed.
fn listed(mut witness: Witness) -> Witness {
    witness.more_evidence += witness.evidence.len().saturating_sub(PLACES) as u64;
    witness.evidence.truncate(PLACES);
    witness
}

/// Why the trace and another witness can say different things.
fn disagreement(trace: &Witness, other: &Witness) -> Option<&'static str> {
    use Verdict::{Fail, Indeterminate, Pass};
    match (other.id, trace.verdict, other.verdict) {
        ("source", Pass | Indeterminate, Fail) => Some(
            "trace and source disagree: the text has a path that this run did not take, or one on which a value happened to be \
             an element of KEYS",
        ),
        ("source", Fail, Pass) => Some(
            "trace and source disagree: the text does not account for a key that the trace shows, so another text may have run; \
             if it did not, please report this",
        ),
        ("engine", Pass | Indeterminate, Fail) => Some(
            "trace and engine disagree: refused or run anew, a script may take a path that the recording does not have, and a \
             server can count as a key what no line of MONITOR names",
        ),
        ("engine", Fail, Pass) => Some(
            "trace and engine disagree: run anew, the script did not come to the key that the trace shows, or its name cannot be \
             told from that of a declared one in the server's rules",
        ),
        ("cluster", Pass | Indeterminate, Fail) => Some(
            "trace and cluster disagree: run anew, the script came to a key of another slot, or the node refuses a command whose keys \
             nobody can name beforehand",
        ),
        ("cluster", Fail, Pass) => Some(
            "trace and cluster agree as far as scripts go: the key with another tag is a client's own, or was touched in a call \
             whose failure stayed in the script",
        ),
        _ => None,
    }
}
