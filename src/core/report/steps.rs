//! A capture as steps: what a figure walks, one command or script call at a time.

use crate::core::bytes::{Arg, Bytes};
use crate::core::capture::{Capture, Event, Origin};
use crate::core::commands::{Access, ScriptCall, ScriptKind, command, operand_keys, script_call};
use crate::core::keyspace::slot;

/// One command of a client: a plain one, or a script call with what its script ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The event.
    pub seq: u64,
    /// When, in microseconds since 1970.
    pub time: u64,
    /// The client's address.
    pub client: Option<String>,
    /// The command's name as written.
    pub command: String,
    /// For a script call: which script, what it was given, what it ran.
    pub call: Option<CallStep>,
    /// The keys it touches; those of a script call are its KEYS.
    pub keys: Vec<KeyUse>,
    /// The arguments after the command's name, those that are keys included.
    pub args: Vec<Arg>,
}

/// A script call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallStep {
    /// The script's name, where the capture has one, else the start of its SHA-1, or the function's name.
    pub script: String,
    /// Its text, where the capture has it.
    pub source: Option<String>,
    /// ARGV.
    pub argv: Vec<Arg>,
    /// What the script ran, in order.
    pub ran: Vec<Ran>,
}

/// One command that a script ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The event.
    pub seq: u64,
    /// The command's name as written.
    pub command: String,
    /// The keys it touches.
    pub keys: Vec<KeyUse>,
    /// The arguments after the command's name.
    pub args: Vec<Arg>,
}

/// One key of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: Bytes,
    /// Whether the command may write it.
    pub access: Access,
    /// Its cluster slot.
    pub slot: u16,
    /// For a script's command, whether the key is an element of the call's KEYS.
    pub declared: Option<bool>,
}

/// The steps of a capture.
pub fn steps(capture: &Capture) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for event in &capture.events {
        match event.origin {
            Origin::Client => steps.push(step(capture, event)),
            Origin::Script => {
                // A script's event without its call stands alone: there is nothing to hang it on.
                match steps.iter_mut().rfind(|step| Some(step.seq) == event.call) {
                    Some(step) => ran(step, event),
                    None => steps.push(step(capture, event)),
                }
            }
        }
    }
    steps
}

fn step(capture: &Capture, event: &Event) -> Step {
    let args = event.args();
    Step {
        seq: event.seq,
        time: event.time,
        client: event.client.clone(),
        command: name(event),
        call: script_call(&args).map(|call| call_step(capture, event, &call)),
        keys: key_uses(event, |_| None),
        args: event.argv[1..].to_vec(),
    }
}

fn call_step(capture: &Capture, event: &Event, call: &ScriptCall) -> CallStep {
    let text = event.argv[call.index].as_slice();
    let id = match call.kind {
        ScriptKind::Source => sha1_smol::Sha1::from(text).digest().to_string(),
        ScriptKind::Sha1 | ScriptKind::Function => event.argv[call.index].to_string(),
    };
    let known = capture.scripts.get(&id);
    let named = known.and_then(|script| script.name.clone());
    let short = if call.kind == ScriptKind::Function { id.clone() } else { id.chars().take(8).collect() };
    CallStep {
        script: named.unwrap_or(short),
        source: known
            .and_then(|script| script.source.as_ref())
            .map(|source| String::from_utf8_lossy(&source.0).into_owned()),
        argv: event.argv[call.args.clone()].to_vec(),
        ran: Vec::new(),
    }
}

fn ran(step: &mut Step, event: &Event) {
    let declared: Vec<Bytes> = step.keys.iter().map(|key| key.key.clone()).collect();
    let keys = key_uses(event, |key| Some(declared.iter().any(|declared| declared.0 == key)));
    if let Some(call) = &mut step.call {
        call.ran.push(Ran { seq: event.seq, command: name(event), keys, args: event.argv[1..].to_vec() });
    }
}

fn name(event: &Event) -> String {
    command(&event.args()).map_or_else(|| event.argv[0].to_string(), |command| command.name().replace('|', " "))
}

fn key_uses(event: &Event, declared: impl Fn(&[u8]) -> Option<bool>) -> Vec<KeyUse> {
    let args = event.args();
    let Ok(found) = operand_keys(&args) else { return Vec::new() };
    let uses = found.keys.iter().map(|key| {
        let name = args[key.index];
        KeyUse { key: name.into(), access: key.flags.access(), slot: slot(name), declared: declared(name) }
    });
    uses.collect()
}
