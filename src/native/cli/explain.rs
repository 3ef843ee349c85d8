//! `emq-conform explain`: what an assertion or a rule means, with an example of each outcome.

use anyhow::anyhow;
use clap::Args;
use serde_json::json;

use super::arguments::unknown;
use super::failure::{Failure, Outcome};
use super::screen::{self, Form};
use crate::core::assertions::{self, About};
use crate::core::lua::rules;

/// Explains an assertion or a rule: what it is about, why, and an example of each outcome
#[derive(Args)]
pub(super) struct Explain {
    /// The assertion or rule, as `emq-conform list` names it, or the course page's name for it
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
        let (text, document) = match (assertion, rules::by_id(&lower)) {
            (Some(assertion), _) => (text(assertion.about()), document(assertion.about())),
            (None, Some(rule)) => (rule_text(rule), rule_document(rule)),
            (None, None) => {
                let assertions = assertions::ALL.iter().map(|assertion| assertion.about().id);
                let names = assertions.chain(rules::abouts().map(|about| about.id));
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
    let About { id, title, holds, why, indeterminate, good, bad, mend, source, .. } = about;
    let options = options(id).map(|options| format!(" {options}")).unwrap_or_default();
    format!(
        "{id}{invariant}: {title}\n\n{holds}{options}\n\nWhy: {why}\n\nHolds:  {good}\nBreaks: {bad}\n\nTo mend it: {mend}\nIndeterminate: {indeterminate}\nSource: {source}\n"
    )
}

fn document(about: &About) -> serde_json::Value {
    let About { id, title, invariant, holds, why, indeterminate, good, bad, mend, source } = about;
    json!({
        "id": id, "invariant": invariant, "title": title, "holds": holds, "options": options(id), "why": why, "indeterminate": indeterminate,
        "example": { "holds": good, "breaks": bad }, "mend": mend, "source": source,
    })
}

fn rule_text(about: &rules::About) -> String {
    let rules::About { id, title, what, why, good, bad, mend } = about;
    format!("{id}: {title}\n\n{what}\n\nWhy: {why}\n\nFound in: {bad}\nInstead:  {good}\n\nTo mend it: {mend}\n")
}

fn rule_document(about: &rules::About) -> serde_json::Value {
    let rules::About { id, title, what, why, good, bad, mend } = about;
    json!({ "id": id, "title": title, "what": what, "why": why, "example": { "wrong": bad, "right": good }, "mend": mend })
}
