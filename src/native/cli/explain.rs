//! `emq-conform explain`: what an assertion means, with an example of each outcome.

use anyhow::anyhow;
use clap::Args;
use serde_json::json;

use super::arguments::unknown;
use super::failure::{Failure, Outcome};
use super::screen::{self, Form};
use crate::core::assertions::{self, About};

/// Explains an assertion: what holds, why, and an example of each outcome
#[derive(Args)]
pub(super) struct Explain {
    /// The assertion, as `emq-conform list` names it, or the course page's name for it
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
        let assertion = assertion.ok_or_else(|| {
            let names = assertions::ALL.iter().map(|assertion| assertion.about().id);
            Failure::Input(anyhow!("nothing is called {:?}; {}", self.id, unknown(&self.id.to_lowercase(), names)))
        })?;
        let data = match self.format {
            Form::Text => text(assertion.about()),
            Form::Json => format!("{:#}\n", document(assertion.about())),
        };
        screen::print(&data).map_err(Failure::cannot_run)?;
        Ok(Outcome::Done)
    }
}

fn is_called(about: &About, name: &str) -> bool {
    about.id.eq_ignore_ascii_case(name) || about.invariant.is_some_and(|invariant| invariant.eq_ignore_ascii_case(name))
}

fn text(about: &About) -> String {
    let invariant = about.invariant.map(|invariant| format!(" ({invariant})")).unwrap_or_default();
    let About { id, title, holds, why, indeterminate, good, bad, mend, source, .. } = about;
    format!(
        "{id}{invariant}: {title}\n\n{holds}\n\nWhy: {why}\n\nHolds:  {good}\nBreaks: {bad}\n\nTo mend it: {mend}\nIndeterminate: {indeterminate}\nSource: {source}\n"
    )
}

fn document(about: &About) -> serde_json::Value {
    let About { id, title, invariant, holds, why, indeterminate, good, bad, mend, source } = about;
    json!({
        "id": id, "invariant": invariant, "title": title, "holds": holds, "why": why, "indeterminate": indeterminate,
        "example": { "holds": good, "breaks": bad }, "mend": mend, "source": source,
    })
}
