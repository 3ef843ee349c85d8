//! What the details say while nothing is selected: the outcome, what to do next, and what the marks mean.

use yew::prelude::*;

use super::state::State;
use crate::core::report::Verdict;
use crate::web::components::{element, key_chip, text_in, verdict_mark};

/// The text.
pub(super) fn overview(state: &State) -> Html {
    let next = if state.asserted() == 0 {
        "Nothing is asserted yet. Step asserts the first; each verdict lights up what it rests on."
    } else {
        "Choose an assertion to see what its verdict rests on, or a line of the capture to see which assertions rest on it. \
         Then break a rule to see which one catches it."
    };
    let marks = [
        (verdict_mark(Some(Verdict::Pass)), "pass: holds for all that was seen"),
        (verdict_mark(Some(Verdict::Fail)), "fail: does not hold"),
        (verdict_mark(Some(Verdict::Indeterminate)), "indeterminate: what was seen does not tell"),
        (verdict_mark(None), "not asserted yet"),
        (key_chip("key", "a key", true), "touched, or declared by a call"),
        (key_chip("key", "an undeclared key", false), "touched by a script, not in KEYS of its call"),
    ];
    let rows = marks.into_iter().map(|(mark, meaning)| element("li", "", vec![mark, text_in("span", "", meaning)]));
    element("div", "emq-overview", vec![text_in("p", "", next), element("ul", "emq-marks", rows.collect())])
}
