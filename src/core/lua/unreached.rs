//! What is told of code that no run reaches: functions that nothing calls, ways that a constant decides against.

use super::case::Case;
use super::ir::ExprId;
use super::provenance::facts::{Facts, Gap};
use super::provenance::{Form, Root, Walked};
use super::report::{Finding, Severity};
use super::rules::ALL;

/// So many keys that are no elements of KEYS are told of one call, which may be walked once for each place that it is called from:
/// without an end, findings would grow with the square of a script.
const TOLD_OF_A_CALL: u8 = 64;

/// The findings at calls that the walk did not come to, but a walk over everything did.
pub(super) fn findings(case: &Case<'_>, everything: &Walked) -> Vec<Finding> {
    let reached = &case.walked.facts;
    let facts = &everything.facts;
    let is_new = |call: ExprId| !reached.calls.contains(&call);
    // What such code is given is most often not known; to say so of each key would say nothing.
    let operands = facts.operands.iter().filter(|operand| is_new(operand.call) && operand.root != Root::Unknown);
    let calls = facts.operands.iter().map(|operand| operand.call.0 as usize + 1).max().unwrap_or(0);
    let mut told = vec![0_u8; calls];
    let operands = operands.filter(|operand| {
        if operand.form == Form::Whole && matches!(operand.root, Root::Keys(_)) {
            return true;
        }
        let told = &mut told[operand.call.0 as usize];
        *told = told.saturating_add(1);
        *told <= TOLD_OF_A_CALL
    });
    let gaps =
        facts.gaps.iter().filter(|((_, gap), (_, call))| *gap == Gap::UnknownCommand && call.is_some_and(is_new));
    let mut unreached = Facts::default();
    unreached.reads_any_key();
    unreached.operands = operands.cloned().collect();
    for (place, detail) in gaps {
        unreached.gaps.add(*place, detail.clone());
    }
    let walked = everything.with(unreached);
    // What comments say of themselves was told already.
    let case = Case { walked: &walked, comments: &[], ..*case };
    let mut findings: Vec<Finding> = ALL.iter().flat_map(|rule| rule.check(&case)).collect();
    // Where the walk does not follow, it may be that which calls them.
    let may_run = reached.gaps.keys().any(|(_, gap)| matches!(gap, Gap::NotFollowed(_)));
    for finding in &mut findings {
        finding.reachable = may_run;
        finding.severity = finding.severity.min(if may_run { Severity::Warning } else { Severity::Note });
        finding.message.push_str(if may_run { "; what leads here is not followed" } else { "; no run comes here" });
    }
    findings
}
