//! `emq-conform list`: everything that has a name.

use clap::Args;
use serde_json::json;

use super::failure::{Failure, Outcome};
use super::screen::{self, Form};
use crate::core::assertions;
use crate::core::fleet::battery::battery;
use crate::core::lua::rules;
use crate::core::policy::Policy;
use crate::core::profile;

/// Lists the assertions, rules, profiles, policies, and the payloads of fleet
#[derive(Args)]
pub(super) struct List {
    /// The form of the list
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Form,
}

impl List {
    /// Prints the list.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let data = match self.format {
            Form::Text => text(),
            Form::Json => format!("{:#}\n", document()),
        };
        screen::print(&data).map_err(Failure::cannot_run)?;
        Ok(Outcome::Done)
    }
}

fn text() -> String {
    let mut lines = vec!["Assertions (emq-conform explain ID tells more)".to_owned()];
    lines.extend(assertions::ALL.iter().map(|assertion| {
        let about = assertion.about();
        let invariant = about.invariant.map(|invariant| format!(" ({invariant})")).unwrap_or_default();
        format!("  {:<12} {}{invariant}", about.id, about.title)
    }));
    lines.push("\nRules of lint (emq-conform explain ID tells more)".to_owned());
    lines.extend(rules::abouts().map(|about| format!("  {:<20} {}", about.id, about.title)));
    lines.push("\nProfiles (--profile)".to_owned());
    lines.extend(profile::ALL.iter().map(|profile| format!("  {:<12} {}", profile.id, profile.title)));
    lines.push("\nPolicies (--policy): a key that a script touches is declared when".to_owned());
    lines.extend(Policy::ALL.iter().map(|policy| format!("  {:<12} {}", policy.id(), policy.rule())));
    lines.push("\nPayloads of fleet (--payload; emq-conform explain ID shows each)".to_owned());
    lines.extend(battery().iter().map(|payload| format!("  {:<14} {}", payload.id, payload.about)));
    lines.join("\n") + "\n"
}

fn document() -> serde_json::Value {
    let assertions: Vec<_> = assertions::ALL
        .iter()
        .map(|assertion| assertion.about())
        .map(|about| json!({ "id": about.id, "invariant": about.invariant, "title": about.title }))
        .collect();
    let rules: Vec<_> = rules::abouts().map(|about| json!({ "id": about.id, "title": about.title })).collect();
    let profiles: Vec<_> =
        profile::ALL.iter().map(|profile| json!({ "id": profile.id, "title": profile.title })).collect();
    let policies: Vec<_> =
        Policy::ALL.iter().map(|policy| json!({ "id": policy.id(), "rule": policy.rule() })).collect();
    let payloads: Vec<_> =
        battery().iter().map(|payload| json!({ "id": payload.id, "about": payload.about })).collect();
    json!({
        "assertions": assertions, "rules": rules, "profiles": profiles, "policies": policies, "payloads": payloads,
    })
}
