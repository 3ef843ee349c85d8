//! The matrix: what each ordered pair comes to. Tab reaches one cell, the arrow keys the others.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::Part;
use super::state::Action;
use crate::web::components::{element, fleet_mark, text, text_in};
use crate::web::keys::modified;

/// The table.
pub(super) fn matrix(part: &Part<'_>) -> Html {
    let runtimes = part.state.run.runtimes.iter().enumerate();
    let heads = runtimes.clone().map(|(index, runtime)| {
        html! { <th scope="col">{ index + 1 }{ text_in("span", "emq-hidden", &format!(" {}", runtime.name)) }</th> }
    });
    let rows = runtimes.map(|(index, runtime)| {
        let name = vec![text_in("span", "emq-index", &format!("{} ", index + 1)), text_in("span", "emq-name", &runtime.name)];
        html! { <tr><th scope="row">{ for name }</th>{ for (0..part.state.run.runtimes.len()).map(|to| cell(part, index, to)) }</tr> }
    });
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if move_focus(&event).is_some() {
            event.prevent_default();
            // The arrows are the figure's too.
            event.stop_propagation();
        }
    });
    html! {
        <table class="emq-matrix" {onkeydown}>
            <caption>{ "Who handed a job to whom: producers in rows, consumers in columns" }</caption>
            <thead><tr><th scope="col"><span aria-hidden="true">{ "↓→" }</span>{ text_in("span", "emq-hidden", "producer") }</th>{ for heads }</tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

fn cell(part: &Part<'_>, from: usize, to: usize) -> Html {
    let verdict = part.state.run.verdict(from, to);
    let words = vec![fleet_mark(Some(verdict)), text(verdict.word())];
    let selected = part.state.pair == (from, to);
    let class = if selected { "emq-cell emq-selected emq-lit" } else { "emq-cell" };
    if !part.alive {
        return element("td", "", vec![element("span", class, words)]);
    }
    let tabindex = if part.state.reached == (from, to) { "0" } else { "-1" };
    let said = format!("{} to {}: {}", part.state.run.name(from), part.state.run.name(to), verdict.word());
    html! {
        <td><button type="button" {class} {tabindex} aria-label={said} aria-pressed={if selected { "true" } else { "false" }}
            data-cell={format!("{from}-{to}")} onclick={part.on(Action::Pick(from, to))}
            onfocus={part.on(Action::Reach(from, to))}>{ for words }</button></td>
    }
}

/// Moves the focus from the cell that has it to the one that the key asks for.
fn move_focus(event: &KeyboardEvent) -> Option<()> {
    if modified(event) {
        return None;
    }
    let cell = event.target_dyn_into::<Element>()?.closest("[data-cell]").ok()??;
    let place = cell.get_attribute("data-cell")?;
    let (row, column) = place.split_once('-')?;
    let (row, column): (usize, usize) = (row.parse().ok()?, column.parse().ok()?);
    let (row, column) = match event.key().as_str() {
        "ArrowDown" => (row + 1, column),
        "ArrowUp" => (row.wrapping_sub(1), column),
        "ArrowRight" => (row, column + 1),
        "ArrowLeft" => (row, column.wrapping_sub(1)),
        _ => return None,
    };
    let table = cell.closest("table").ok()??;
    // At the edge there is none, and the arrow is the matrix's all the same.
    match table.query_selector(&format!("[data-cell='{row}-{column}']")).ok()? {
        Some(next) => next.dyn_into::<HtmlElement>().ok()?.focus().ok(),
        None => Some(()),
    }
}
