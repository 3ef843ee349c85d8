//! `emq-conform explain`: what an assertion or a rule means, with an example of each outcome, and what a payload of fleet is.

use anyhow::anyhow;
use clap::Args;
use serde_json::json;

use super::arguments::unknown;
use super::failure::{Failure, Outcome};
use super::screen::{self, Form};
use crate::core::assertions::{self, About};
use crate::core::fleet::battery::{Payload, battery};
use crate::core::lua::rules;

/// Explains an assertion or a rule: what it is about, why, and an example of each outcome; or a payload of fleet
#[derive(Args)]
pub(super) struct Explain {
    /// The assertion, rule or payload, as `emq-conform list` names it, or the course page's name for it
    #[arg(value_name = "ID")]
    id: String,
    /// The form of the explanation
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Form,
}

impl Explain {
    /// Prints the explanation.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let assertion = assertions::ALL.into_iter().find(|assertion| is_called(assertion.about(), &self.id));
        let lower = self.id.to_lowercase();
        let payloads = battery();
        let payload = payloads.iter().find(|payload| payload.id == lower);
        let (text, document) = match (assertion, rules::pages().find(|page| page.about.id == lower), payload) {
            (Some(assertion), ..) => (text(assertion.about()), document(assertion.about())),
            (None, Some(rule), _) => (rule_text(rule), rule_document(rule)),
            (None, None, Some(payload)) => (payload_text(payload), payload_document(payload)),
            (None, None, None) => {
                let assertions = assertions::ALL.iter().map(|assertion| assertion.about().id);
                let names = assertions.chain(rules::abouts().map(|about| about.id));
                let names = names.chain(payloads.iter().map(|payload| payload.id));
                return Err(Failure::Input(anyhow!("nothing is called {:?}; {}", self.id, unknown(&lower, names))));
            }
        };
        let data = match self.format {
            Form::Text => text,
            Form::Json => format!("{document:#}\n"),
        };
        screen::print(&data).map_err(Failure::cannot_run)?;
        Ok(Outcome::Done)
    }
}

fn is_called(about: &About, name: &str) -> bool {
    about.id.eq_ignore_ascii_case(name) || about.invariant.is_some_and(|invariant| invariant.eq_ignore_ascii_case(name))
}

/// How options change what an assertion holds to. Not part of [`About`], whose texts the page shows too.
fn options(id: &str) -> Option<&'static str> {
    match id {
        "legacy" => Some("--legacy-prefix adds a prefix to the old keyspace."),
        "declared" => Some("Policy strict; --policy takes one of two wider readings."),
        "version" => Some(
            "--expect-version expects another. In profile echomq-2.x the string {emq}:version reads echomq:2.x, for the whole \
             deployment.",
        ),
        _ => None,
    }
}

fn text(about: &About) -> String {
    let invariant = about.invariant.map(|invariant| format!(" ({invariant})")).unwrap_or_default();
    let About { id, title, holds, why, indeterminate, settle, good, bad, mend, source, .. } = about;
    let options = options(id).map(|options| format!(" {options}")).unwrap_or_default();
    format!(
        "{id}{invariant}: {title}\n\n{holds}{options}\n\nWhy: {why}\n\nHolds:  {good}\nBreaks: {bad}\n\nTo mend it: {mend}\nIndeterminate: {indeterminate}\nTo settle it: {settle}\nSource: {source}\n"
    )
}

fn document(about: &About) -> serde_json::Value {
    let About { id, title, invariant, holds, why, indeterminate, settle, good, bad, mend, source, .. } = about;
    json!({
        "id": id, "invariant": invariant, "title": title, "holds": holds, "options": options(id), "why": why, "indeterminate": indeterminate,
        "settle": settle,
        "example": { "holds": good, "breaks": bad }, "mend": mend, "source": source,
    })
}

fn rule_text(page: &rules::Page) -> String {
    let rules::Page { about: rules::About { id, title, mend }, what, why, good, bad } = page;
    format!("{id}: {title}\n\n{what}\n\nWhy: {why}\n\nFound in: {bad}\nInstead:  {good}\n\nTo mend it: {mend}\n")
}

fn rule_document(page: &rules::Page) -> serde_json::Value {
    let rules::Page { about: rules::About { id, title, mend }, what, why, good, bad } = page;
    json!({ "id": id, "title": title, "what": what, "why": why, "example": { "wrong": bad, "right": good }, "mend": mend })
}

/// What a payload is held to, where that is not plain.
fn held_to(payload: &Payload) -> &'static str {
    if payload.optional {
        "JSON leaves open what a reader makes of it: a runtime that keeps less is not-supported here, and does not fail by it."
    } else {
        "It must come out as the same JSON value; whether it is the same bytes is told."
    }
}

fn payload_text(payload: &Payload) -> String {
    /// How much of a long one is shown.
    const MOST: usize = 300;
    let shown: String = payload.text.chars().take(MOST).collect();
    let more =
        if shown.len() < payload.text.len() { format!("… ({} bytes)", payload.text.len()) } else { String::new() };
    format!("{}: {}\n\n{}\n\nSent: {shown}{more}\n", payload.id, payload.about, held_to(payload))
}

fn payload_document(payload: &Payload) -> serde_json::Value {
    let Payload { id, about, text, .. } = payload;
    json!({ "id": id, "about": about, "held_to": held_to(payload), "text": text })
}
