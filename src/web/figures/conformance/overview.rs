//! What the details say while nothing is selected: the outcome, what to do next, and what the marks mean.

use yew::prelude::*;

use super::state::State;
use crate::core::report::Verdict;
use crate::web::components::{KeyChip, VerdictMark};

/// The text.
pub(super) fn overview(state: &State) -> Html {
    let next = if state.asserted() == 0 {
        "Nothing is asserted yet. Step asserts the first; each verdict lights up what it rests on."
    } else {
        "Choose an assertion to see what its verdict rests on, or a line of the capture to see which assertions rest on it. \
         Then break a rule: the capture changes, and the same five are asserted again."
    };
    let marks = [
        (Some(Verdict::Pass), "pass: it holds for all that was seen, and something was"),
        (Some(Verdict::Fail), "fail: it does not hold"),
        (Some(Verdict::Indeterminate), "indeterminate: what was seen does not tell"),
        (None, "not asserted yet"),
    ];
    html! {
        <div class="emq-overview">
            <p>{ next }</p>
            <ul class="emq-marks" aria-label="marks">
                { for marks.into_iter().map(|(verdict, text)| html! { <li><VerdictMark {verdict} /><span>{ text }</span></li> }) }
                <li><KeyChip text="key" full="a key" /><span>{ "a key that a command touches or a call declares" }</span></li>
                <li><KeyChip text="key" full="an undeclared key" declared={false} /><span>{ "touched by a script, not in KEYS of its call" }</span></li>
            </ul>
        </div>
    }
}
