//! The round trip, drawn: the producer, the keys it touched, the consumer, and what each phase did to them.

use yew::prelude::*;

use super::Part;
use super::shown::{Row, Shown};
use super::state::Action;
use crate::core::commands::Access;
use crate::core::fleet::phases::{Act, Side};
use crate::web::components::{element, fleet_mark, key_chip, text, text_in};

/// The picture. Its room is kept, whichever pair is drawn.
pub(super) fn picture(part: &Part<'_>) -> Html {
    let (producer, consumer) = part.state.pair;
    html! {
        <div class="emq-trip">
            { party(part, "producer", producer) }
            { acts(part, Side::Producer) }
            { keyspace(part) }
            { acts(part, Side::Consumer) }
            { party(part, "consumer", consumer) }
        </div>
    }
}

fn party(part: &Part<'_>, role: &'static str, runtime: usize) -> Html {
    let title = part.state.run.runtimes.get(runtime).map(super::run::Runtime::title).unwrap_or_default();
    let name = text_in("b", "", part.state.run.name(runtime));
    element(
        "div",
        "emq-party",
        vec![text_in("span", "emq-role", role), text(" "), name, text_in("span", "emq-label", &title)],
    )
}

/// The phases of one side, each a button.
fn acts(part: &Part<'_>, side: Side) -> Html {
    let acts = Act::ALL.into_iter().enumerate().filter(|(_, act)| act.side() == side);
    element("ol", "emq-acts", acts.map(|(index, act)| element("li", "", vec![self::act(part, index, act)])).collect())
}

fn act(part: &Part<'_>, index: usize, act: Act) -> Html {
    let verdict = part.state.phase(index).map(|walked| walked.verdict);
    let selected = part.state.selection == Some(index);
    let mut class = classes!("emq-act", if act == Act::Complete { "emq-back" } else { "emq-forth" });
    class.extend(selected.then_some("emq-selected emq-lit"));
    // An arrow that did not arrive is drawn so.
    class.extend(verdict.map(|verdict| format!("emq-went-{}", verdict.word())));
    let word = match verdict {
        Some(verdict) => verdict.word(),
        None if part.state.shown.is_none() => "nothing ran",
        None => "not stepped",
    };
    let words = [
        text_in("b", "", &format!("{} {}", index + 1, act.word())),
        text(" "),
        fleet_mark(verdict),
        text_in("span", "emq-said", word),
        element("span", "emq-arrow", Vec::new()),
    ];
    html! {
        <button type="button" {class} aria-pressed={if selected { "true" } else { "false" }} disabled={!part.alive}
            onclick={part.on(Action::Look(index))}>{ for words }</button>
    }
}

fn keyspace(part: &Part<'_>) -> Html {
    let head = match &part.state.shown {
        Some(shown) => format!("keys on {} · {{{}}} in slot {}", part.state.run.engine, shown.queue, shown.slot),
        None => "keys".to_owned(),
    };
    let body = match &part.state.shown {
        None => text_in("p", "emq-empty", "Nothing ran, so no key was touched. A claim is not evidence."),
        Some(_) if part.state.come_to() == 0 => text_in("p", "emq-empty", "Step to see which keys each phase touches."),
        Some(shown) => rows(part, shown),
    };
    let legend = part.state.shown.as_ref().map(|shown| {
        let words = vec![text_in("code", "", "…:"), text(" stands for "), text_in("code", "", &shown.base)];
        element("span", "emq-legend", words)
    });
    html! {
        <section class="emq-pane emq-keyspace" aria-labelledby="emq-fleet-keyspace">
            <div class="emq-pane-head"><h4 id="emq-fleet-keyspace">{ head }</h4>{ legend }</div>
            <div class="emq-scroll" ref={part.pane.clone()} tabindex="0" role="group" aria-labelledby="emq-fleet-keyspace">{ body }</div>
        </section>
    }
}

fn rows(part: &Part<'_>, shown: &Shown) -> Html {
    let come_to = part.state.come_to();
    let rows = shown.keys.iter().enumerate().filter(|(_, row)| row.touched.iter().any(|at| *at < come_to));
    element("ul", "emq-touched", rows.map(|(index, row)| self::row(part, shown, index, row)).collect())
}

fn row(part: &Part<'_>, shown: &Shown, index: usize, row: &Row) -> Html {
    let come_to = part.state.come_to();
    let lit = part.state.selection.is_some_and(|at| row.touched.contains(&at));
    // Of the phase that is looked at, else of all that were come to.
    let looked_at = |at: &&usize| part.state.selection.map_or(**at < come_to, |selected| selected == **at);
    let phases: Vec<String> = row.touched.iter().filter(|at| **at < come_to).map(|at| (at + 1).to_string()).collect();
    let mut words = vec![key_chip(&shown.short(&row.key), &row.key.to_string(), row.own), text(" ")];
    if !row.own {
        words.push(text_in("span", "emq-bad", &format!("✕ not in {} ", shown.base)));
    }
    let did = row.touched.iter().filter(looked_at).filter_map(|at| did(shown, *at, row));
    words.push(text_in("span", "emq-value", &did.collect::<Vec<_>>().join("; ")));
    if lit {
        words.push(text_in("span", "emq-hidden", ", in this phase"));
    }
    let parts = [
        text_in("span", "emq-pointer", if lit { "▸" } else { "" }),
        text_in("span", "emq-hidden", "phase "),
        text_in("span", "emq-number", &phases.join(" ")),
        element("span", "", words),
    ];
    let class = if lit { "emq-lit" } else { "" };
    html! { <li {class} data-place={format!("key-{index}")}>{ for parts }</li> }
}

/// `HSET, HGET (write)`.
fn did(shown: &Shown, phase: usize, row: &Row) -> Option<String> {
    let touched = shown.phases.get(phase)?.phase.keys.iter().find(|touched| touched.key == row.key)?;
    let access = if touched.access == Access::Write { "write" } else { "read" };
    Some(format!("{} ({access})", touched.commands.join(", ")))
}
