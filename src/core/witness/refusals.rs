//! The witness of the engine: what a server refused that allowed each script call its own KEYS and nothing else.
//!
//! Who replays is no matter of the core's; this is what a replay must say, and what its word comes to.

use std::collections::BTreeSet;

use super::{Called, Heard, some};
use crate::core::bytes::Bytes;
use crate::core::commands::Access;
use crate::core::report::model::{Evidence, Verdict, Witness};
use crate::core::report::words::counted;

/// The script calls of a capture, replayed on a private server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replay {
    /// The server, `valkey 8.0.1`.
    pub engine: String,
    /// Why nothing was replayed.
    pub silent: Option<String>,
    /// Every call, in order.
    pub calls: Vec<Replayed>,
    /// What was left out of the replay, in words.
    pub left_out: Vec<String>,
}

/// A script call that was replayed, or was to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Its event.
    pub seq: u64,
    /// Its line, where the capture was a log.
    pub line: Option<u64>,
    /// Who called.
    pub client: Option<String>,
    /// The script's id.
    pub script: String,
    /// How it went.
    pub outcome: Outcome,
    /// What the server refused, in order.
    pub refusals: Vec<Refusal>,
}

/// How a replay of one call went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The script ran the commands that the capture has, on the same keys.
    Same,
    /// It ran others.
    Other,
    /// It could not run, and why.
    NotRun(String),
}

/// One refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The command, where the capture shows which.
    pub command: Option<String>,
    /// The key, or the pattern of keys.
    pub key: Option<Bytes>,
    /// Whether the command may write it, where the capture shows.
    pub access: Option<Access>,
    /// The server's own words.
    pub said: String,
}

/// The calls of a queue's slot on a node that owns that slot alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnNode {
    /// The server, `valkey 8.0.1`.
    pub engine: String,
    /// The queue.
    pub queue: String,
    /// Its slot.
    pub slot: u16,
    /// Every call.
    pub calls: Vec<Replayed>,
}

/// What the server says of the calls of some connections.
pub(super) fn hear(replay: &Replay, called: &[Called], scope: &[Option<&str>]) -> Heard {
    let calls = inside(&replay.calls, scope);
    let refused: Vec<&Replayed> = calls.iter().copied().filter(|call| !call.refusals.is_empty()).collect();
    let name = |call: &Replayed| {
        let known = called.iter().find(|called| called.id == call.script);
        known.map_or("its script", |called| called.name.as_str()).to_owned()
    };
    let evidence: Vec<Evidence> = refused
        .iter()
        .flat_map(|call| call.refusals.iter().map(|refusal| evidence(call, refusal, &name(call))))
        .collect();
    let evidence = once_each(evidence);
    let all = counted(calls.len() as u64, "script call");
    let engine = &replay.engine;
    let same = calls.iter().filter(|call| call.outcome == Outcome::Same).count();
    let (verdict, summary) = match (&replay.silent, refused.len()) {
        (Some(why), _) => (Verdict::Indeterminate, format!("not heard: {why}")),
        (None, 0) if calls.is_empty() => (Verdict::Indeterminate, "not heard: no call was replayed".to_owned()),
        (None, 0) if same == calls.len() => {
            (Verdict::Pass, format!("{engine} ran {all}, each as a user of its KEYS alone, and refused nothing"))
        }
        (None, 0) => (Verdict::Indeterminate, format!("{engine} refused nothing in {all}; {}", doubts(&calls))),
        (None, count) => {
            let key = refused.iter().flat_map(|call| &call.refusals).find_map(|refusal| refusal.key.as_ref());
            let key = key.map_or("a key".to_owned(), ToString::to_string);
            (Verdict::Fail, format!("{engine} refused {key} in {count} of {all}"))
        }
    };
    let notes = if verdict == Verdict::Pass { Vec::new() } else { replay.left_out.clone() };
    let help = refused.first().map(|call| {
        let key = call.refusals.iter().find_map(|refusal| refusal.key.as_ref());
        let key = key.map_or("each key".to_owned(), |key| format!("`{key}`"));
        format!(
            "pass {key} in KEYS when calling {}; if only its data names the key, read it first and call again",
            name(call)
        )
    });
    Heard { witness: Witness { id: "engine", verdict, summary, evidence, more_evidence: 0, notes }, help }
}

/// What a cluster node says that owns the queue's slot alone; nothing where no call was replayed on it.
pub(super) fn hear_slots(node: &OnNode, scope: &[Option<&str>]) -> Option<Heard> {
    let calls = inside(&node.calls, scope);
    let refused: Vec<&Replayed> = calls.iter().copied().filter(|call| !call.refusals.is_empty()).collect();
    let evidence = refused.iter().flat_map(|call| call.refusals.iter().map(|one| evidence(call, one, "a script")));
    let evidence = once_each(evidence.collect());
    let OnNode { engine, queue, slot, .. } = node;
    let all = counted(calls.len() as u64, "script call");
    let open = calls.iter().any(|call| matches!(call.outcome, Outcome::NotRun(_)));
    let node = format!("a cluster node of {engine} that owns slot {slot} alone");
    let (verdict, summary) = match refused.len() {
        _ if calls.is_empty() => return None,
        0 if open => (Verdict::Indeterminate, format!("{node} refused nothing in {all}; {}", doubts(&calls))),
        0 => (Verdict::Pass, format!("{node} refused nothing in {all}")),
        count => (Verdict::Fail, format!("{node} refused {count} of {all}")),
    };
    let help = (verdict == Verdict::Fail).then(|| format!("give every key of a script call the tag {{{queue}}}"));
    let witness = Witness { id: "cluster", verdict, summary, evidence, more_evidence: 0, notes: Vec::new() };
    Some(Heard { witness, help })
}

fn inside<'r>(calls: &'r [Replayed], scope: &[Option<&str>]) -> Vec<&'r Replayed> {
    calls.iter().filter(|call| scope.contains(&call.client.as_deref())).collect()
}

/// Why a replay without a refusal is no pass.
fn doubts(calls: &[&Replayed]) -> String {
    let other = calls.iter().filter(|call| call.outcome == Outcome::Other).count();
    let mut reasons: Vec<String> = Vec::new();
    for call in calls {
        if let Outcome::NotRun(why) = &call.outcome
            && !reasons.contains(why)
        {
            reasons.push(why.clone());
        }
    }
    let not_run = calls.iter().filter(|call| matches!(call.outcome, Outcome::NotRun(_))).count();
    let mut words = Vec::new();
    if other > 0 {
        words.push(format!("{other} took another path than in the recording, whose start is not known"));
    }
    if not_run > 0 {
        words.push(format!("{not_run} could not be run: {}", some(&reasons)));
    }
    words.join("; ")
}

fn evidence(call: &Replayed, refusal: &Refusal, script: &str) -> Evidence {
    Evidence {
        seq: Some(call.seq),
        line: call.line,
        command: refusal.command.clone().unwrap_or_else(|| "a command".to_owned()),
        key: refusal.key.clone(),
        access: refusal.access,
        why: format!("refused in {script}: {}", refusal.said),
    }
}

/// The same refusal in another call says nothing new.
fn once_each(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let mut seen = BTreeSet::new();
    let mut is_new = |one: &Evidence| seen.insert((one.command.clone(), one.key.clone(), one.why.clone()));
    evidence.into_iter().filter(|one| is_new(one)).collect()
}
