//! A verdict of the fleet as a shape; its word always stands beside it.

use yew::prelude::*;

use super::{element, verdict_mark};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::Verdict;

/// Draws the verdicts of a report as they are drawn elsewhere, what is not supported as a bar in a box, and an empty ring
/// where nothing ran or nothing is shown yet.
pub fn fleet_mark(verdict: Option<FleetVerdict>) -> Html {
    match verdict {
        Some(FleetVerdict::Pass) => verdict_mark(Some(Verdict::Pass)),
        Some(FleetVerdict::Fail) => verdict_mark(Some(Verdict::Fail)),
        Some(FleetVerdict::Indeterminate) => verdict_mark(Some(Verdict::Indeterminate)),
        Some(FleetVerdict::NotSupported) => element("span", "emq-mark emq-is-lacking", Vec::new()),
        Some(FleetVerdict::NotRun) | None => verdict_mark(None),
    }
}
