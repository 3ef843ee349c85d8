//! Who there is: what is claimed of each, and what was seen of it, in two columns.

use yew::prelude::*;

use super::Part;
use super::run::Runtime;
use crate::web::components::{element, text, text_in};

/// The table.
pub(super) fn roster(part: &Part<'_>) -> Html {
    let rows = part.state.run.runtimes.iter().enumerate().map(|(index, runtime)| row(part, index, runtime));
    html! {
        <table class="emq-roster">
            <caption>{ "Who there is. A claim is not evidence: only a run here is." }</caption>
            <thead><tr><th scope="col">{ "runtime" }</th><th scope="col">{ "claim" }</th><th scope="col">{ "evidence" }</th></tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn row(part: &Part<'_>, index: usize, runtime: &Runtime) -> Html {
    let name = vec![
        text_in("span", "emq-index", &format!("{} ", index + 1)),
        text_in("b", "", &runtime.name),
        text_in("span", "emq-label", &runtime.title()),
    ];
    let mut claim = vec![text(runtime.claims())];
    claim.extend(runtime.source.as_ref().map(|source| text_in("span", "emq-label", source)));
    let status = vec![
        html! { <span class="emq-sign" aria-hidden="true">{ runtime.status.mark() }</span> },
        text(&format!(" {}", runtime.status.words())),
    ];
    let mut evidence = vec![element("b", "", status)];
    evidence.extend(runtime.evidence.as_ref().map(|run| text_in("span", "emq-label", run)));
    let keys = part.state.run.own_keys(index);
    if !keys.is_empty() {
        let mut words = vec![text("its keys, as recorded:")];
        for key in keys {
            words.extend([text(" "), text_in("code", "", key)]);
        }
        evidence.push(element("span", "emq-label", words));
    }
    html! { <tr><th scope="row">{ for name }</th>{ element("td", "", claim) }{ element("td", "", evidence) }</tr> }
}
