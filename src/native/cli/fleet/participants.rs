//! Who takes part: the reference probe runtime, those of a file, those of the command line.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, anyhow};
use serde::Deserialize;

use crate::core::fleet::roster::{Claim, is_name};
use crate::native::cli::failure::Failure;
use crate::native::fleet::{Participant, REFERENCE};
use crate::native::shown;

/// `fleet.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    runtime: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    command: String,
    label: Option<String>,
    claim: Option<Claim>,
}

/// Reads `NAME=CMD`.
pub(super) fn runtime(text: &str) -> Result<Participant, String> {
    let (name, command) = text.split_once('=').ok_or("write NAME=CMD, for example mine='node adapter.mjs'")?;
    let participant = Participant { name: name.to_owned(), command: command.to_owned(), label: None, claim: None };
    check(&participant).map(|()| participant)
}

/// Everybody, the reference probe runtime first.
pub(super) fn all(config: Option<&Path>, more: &[Participant]) -> Result<Vec<Participant>, Failure> {
    let mut all = vec![reference()?];
    if let Some(file) = config {
        all.extend(read(file)?);
    }
    all.extend(more.iter().cloned());
    for (at, one) in all.iter().enumerate() {
        if all[..at].iter().any(|other| other.name == one.name) {
            let why = if one.name == REFERENCE {
                format!("{REFERENCE} is the reference probe runtime, which always takes part: name yours otherwise")
            } else {
                format!("{} takes part twice: name them apart", one.name)
            };
            return Err(Failure::Input(anyhow!(why)));
        }
    }
    Ok(all)
}

fn read(file: &Path) -> Result<Vec<Participant>, Failure> {
    let name = shown::path(file);
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}")).map_err(Failure::Input)?;
    let config: Config =
        toml::from_str(&text).with_context(|| format!("{name} is no list of runtimes")).map_err(Failure::Input)?;
    let entries = config.runtime.into_iter();
    let participants = entries.map(|Entry { name, command, label, claim }| Participant { name, command, label, claim });
    let participants: Vec<Participant> = participants.collect();
    for participant in &participants {
        check(participant).map_err(|why| Failure::Input(anyhow!("{name}: {why}")))?;
    }
    Ok(participants)
}

fn check(participant: &Participant) -> Result<(), String> {
    if !is_name(&participant.name) {
        return Err(format!(
            "{:?} cannot be a runtime's name: 1 to 64 of the characters a-z A-Z 0-9 . _ -",
            participant.name
        ));
    }
    if participant.command.trim().is_empty() {
        return Err(format!("{} has no command", participant.name));
    }
    Ok(())
}

/// This program, as an adapter.
fn reference() -> Result<Participant, Failure> {
    let program = env::current_exe().context("cannot find this program").map_err(Failure::CannotRun)?;
    let program =
        program.to_str().ok_or_else(|| Failure::CannotRun(anyhow!("the path of this program is not UTF-8")))?;
    let command = format!("exec '{}' reference-adapter", program.replace('\'', "'\\''"));
    Ok(Participant { name: REFERENCE.to_owned(), command, label: None, claim: None })
}
