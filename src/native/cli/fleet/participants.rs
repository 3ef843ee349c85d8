//! Who takes part: the reference probe runtime, those of a file, those of the command line.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, anyhow};
use serde::Deserialize;

use crate::core::fleet::roster::{Claim, Roster, RosterError, is_name};
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
pub(super) fn all(config: Option<&Path>, more: &[Participant], roster: &Roster) -> Result<Vec<Participant>, Failure> {
    let of_ours = Participant { name: REFERENCE.to_owned(), command: reference()?, label: None, claim: None };
    let mut all = vec![of_ours];
    if let Some(file) = config {
        all.extend(read(file, roster)?);
    }
    all.extend(more.iter().cloned());
    for (at, one) in all.iter().enumerate() {
        // Captures are files, and not everybody's file system tells letters by their case.
        if all[..at].iter().any(|other| other.name.eq_ignore_ascii_case(&one.name)) {
            let why = if one.name.eq_ignore_ascii_case(REFERENCE) {
                format!("{REFERENCE} is the reference probe runtime, which always takes part: name yours otherwise")
            } else {
                format!("{} takes part twice: name them apart, and not by capitals alone", one.name)
            };
            return Err(Failure::Input(anyhow!(why)));
        }
    }
    Ok(all)
}

fn read(file: &Path, roster: &Roster) -> Result<Vec<Participant>, Failure> {
    let name = shown::path(file);
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}")).map_err(Failure::Input)?;
    let config: Config =
        toml::from_str(&text).with_context(|| format!("{name} is no list of runtimes")).map_err(Failure::Input)?;
    let entries = config.runtime.into_iter();
    let participants = entries.map(|Entry { name, command, label, claim }| Participant { name, command, label, claim });
    let mut participants: Vec<Participant> = participants.collect();
    for participant in &mut participants {
        let known = check(participant).and_then(|()| leave_to(roster, participant));
        known.map_err(|why| Failure::Input(anyhow!("{name}: {why}")))?;
    }
    Ok(participants)
}

/// What the roster knows of a name stands; whoever says it again may, and whoever says otherwise means somebody else.
fn leave_to(roster: &Roster, participant: &mut Participant) -> Result<(), String> {
    let Some(entry) = roster.get(&participant.name) else { return Ok(()) };
    let differs = |what: &str, known: &str, said: &str| {
        let name = &entry.name;
        Err(format!(
            "{name} has the {what} {known:?} in the roster, and not {said:?}: leave out {what}, or give yours another name"
        ))
    };
    match (participant.claim.take(), participant.label.take()) {
        (Some(claim), _) if claim != entry.claim => differs("claim", entry.claim.id(), claim.id()),
        (_, Some(label)) if label != entry.label => differs("label", &entry.label, &label),
        _ => Ok(()),
    }
}

fn check(participant: &Participant) -> Result<(), String> {
    if !is_name(&participant.name) {
        return Err(RosterError::Name(participant.name.clone()).to_string());
    }
    if participant.command.trim().is_empty() {
        return Err(format!("{} has no command", participant.name));
    }
    Ok(())
}

/// The command of this program as an adapter.
pub(in crate::native::cli) fn reference() -> Result<String, Failure> {
    let program = env::current_exe().context("cannot find this program").map_err(Failure::CannotRun)?;
    let program =
        program.to_str().ok_or_else(|| Failure::CannotRun(anyhow!("the path of this program is not UTF-8")))?;
    Ok(format!("exec '{}' reference-adapter", program.replace('\'', "'\\''")))
}
