//! Reads the recording and the counts from their files, and refuses what is not as a figure needs it.

use serde::Deserialize;
use serde_json::Value;

use super::{Call, Flaw, NAMES, PASSES, Package, SERVERS, Said};
use crate::core::commands::operand_keys;

#[derive(Deserialize)]
struct Recording {
    date: String,
    repeat: String,
    calls: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    passes: String,
    names: String,
    raced: bool,
    command: Vec<String>,
    said: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    server: String,
    engine: String,
    version: String,
    reply: Value,
    error: Option<String>,
    #[serde(default)]
    ran: Vec<Vec<String>>,
    #[serde(default)]
    acl_log: Vec<Logged>,
    left: Left,
}

#[derive(Deserialize)]
struct Logged {
    object: String,
}

#[derive(Deserialize)]
struct Left {
    active: Vec<String>,
    locks: std::collections::BTreeMap<String, Option<String>>,
}

#[derive(Deserialize)]
struct Measured {
    package: String,
    version: String,
    date: String,
    repeat: String,
    counts: std::collections::BTreeMap<String, u64>,
}

impl Flaw {
    /// Reads both files. What the analysis says is not in them: `texts` are those of [`PASSES`].
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(recorded: &[u8], counts: &[u8], texts: Vec<String>) -> Result<Self, String> {
        let recording: Recording =
            serde_json::from_slice(recorded).map_err(|error| format!("recorded.json: {error}"))?;
        let counts: Measured = serde_json::from_slice(counts).map_err(|error| format!("bullmq.json: {error}"))?;
        let mut versions: Vec<&str> = Vec::new();
        for answer in recording.calls.iter().flat_map(|call| &call.said) {
            if !versions.contains(&answer.version.as_str()) {
                versions.push(&answer.version);
            }
        }
        let engine = recording.calls.iter().flat_map(|call| &call.said).next().map_or("", |answer| &answer.engine);
        let mut calls = Vec::new();
        for (passes, _) in PASSES {
            for (names, _) in NAMES {
                for raced in [false, true] {
                    let passes = passes.trim_end_matches(".lua");
                    let is = |call: &&Recorded| call.passes == passes && call.names == names && call.raced == raced;
                    let call = recording.calls.iter().find(is);
                    calls.push(
                        call.and_then(self::call)
                            .ok_or_else(|| format!("recorded.json: no whole {passes}, {names}"))?,
                    );
                }
            }
        }
        let count = |name: &str| counts.counts.get(name).copied().ok_or_else(|| format!("bullmq.json: no {name}"));
        Ok(Self {
            date: recording.date,
            repeat: recording.repeat,
            engines: format!("{engine} {}", versions.join(" and ")),
            texts,
            calls,
            package: Package {
                name: format!("{} {}", counts.package, counts.version),
                counts: [count("undeclared")?, count("derived")?, count("declared")?, count("unknown")?],
                date: counts.date,
                repeat: counts.repeat,
            },
            ..Self::default()
        })
    }
}

fn call(recorded: &Recorded) -> Option<Call> {
    let count: usize = recorded.command.get(2)?.parse().ok()?;
    let (keys, args) = recorded.command.get(3..)?.split_at_checked(count)?;
    let base = keys.first()?.strip_suffix("wait")?;
    let mut touched: Vec<String> = Vec::new();
    for argv in recorded.said.iter().flat_map(|answer| &answer.ran) {
        let words: Vec<&[u8]> = argv.iter().map(String::as_bytes).collect();
        for key in operand_keys(&words).ok()?.keys {
            let key = &argv[key.index];
            if !touched.contains(key) {
                touched.push(key.clone());
            }
        }
    }
    let of = |server: &str| -> Option<Vec<Said>> {
        let answers = recorded.said.iter().filter(|answer| answer.server == server);
        let digest = &recorded.command[1];
        let mut all: Vec<Said> = Vec::new();
        for answer in answers {
            let mut said = said(answer, base, recorded.raced);
            // The name by which the call stands there already.
            said.words = said.words.replace(digest.as_str(), "…");
            let same = |known: &&mut Said| Said { versions: said.versions.clone(), ..(**known).clone() } == said;
            match all.iter_mut().find(same) {
                Some(known) => known.versions = format!("{} and {}", known.versions, said.versions),
                None => all.push(said),
            }
        }
        (!all.is_empty()).then_some(all)
    };
    let said: Option<Vec<Vec<Said>>> = SERVERS.into_iter().map(of).collect();
    Some(Call { keys: keys.to_vec(), args: args.to_vec(), touched, said: said? })
}

fn said(answer: &Answer, base: &str, raced: bool) -> Said {
    let lock = |id: &str| answer.left.locks.get(id).cloned().flatten();
    // Whoever was faster had taken job 01, under a lock of its own.
    let moved = answer.left.active.iter().find(|id| !raced || *id != "01");
    let unlocked = moved.filter(|id| lock(id).is_none());
    Said {
        versions: answer.version.clone(),
        refused: answer.error.is_some(),
        words: answer.error.clone().unwrap_or_else(|| plain(&answer.reply)),
        logged: answer.acl_log.first().map(|logged| logged.object.clone()),
        moved: moved.cloned(),
        unlocked: unlocked.map(|id| format!("{base}{id}:lock")),
        stolen: raced && lock("01").as_deref() != Some("token-b"),
    }
}

/// A reply in words.
fn plain(reply: &Value) -> String {
    match reply {
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        Value::Null => "nil".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Flaw, Outcome};

    const RECORDED: &str = include_str!("../../../fixtures/flaw/recorded.json");
    const COUNTS: &str = include_str!("../../../fixtures/flaw/bullmq.json");

    fn flaw() -> Flaw {
        Flaw::read(RECORDED.as_bytes(), COUNTS.as_bytes(), Vec::new()).expect("a recording")
    }

    #[test]
    fn what_is_recorded_is_read_with_what_came_of_it() {
        let flaw = flaw();
        let v1 = Choice::default();
        assert_eq!(
            [0, 1, 2].map(|server| flaw.outcome(v1, server)),
            [Outcome::Taken, Outcome::Halfway, Outcome::Refused].map(Some)
        );
        let half = Choice { names: 2, ..v1 };
        assert_eq!(flaw.outcome(half, 2), Some(Outcome::Halfway));
        let call = flaw.call(v1).expect("it was called");
        assert_eq!((call.keys.len(), call.touched.len(), call.declared()), (2, 4, 2));
        let raced = Choice { raced: true, passes: 2, ..Choice::MENDED };
        let said = &flaw.said(raced, 0)[0];
        assert!(said.stolen && said.unlocked.as_deref() == Some("emq:{payments}:02:lock"), "{said:?}");
        assert!(flaw.said(Choice::MENDED, 0)[0].is_well());
        assert!(flaw.said(Choice { raced: true, ..Choice::MENDED }, 1)[0].is_well());
        assert_eq!(flaw.package.counts.iter().sum::<u64>(), 50);
    }

    #[test]
    fn damage_is_refused() {
        let (recorded, counts) = (RECORDED, COUNTS.as_bytes());
        let why =
            |recorded: &str, counts: &[u8]| Flaw::read(recorded.as_bytes(), counts, Vec::new()).expect_err("damaged");
        assert!(why("{", counts).starts_with("recorded.json: EOF"));
        assert!(why(recorded, b"{}").starts_with("bullmq.json: missing field"));
        for (from, to) in [("\"half-tag\"", "\"other\""), ("\"cluster\"", "\"other\""), ("\"4\"", "\"40\"")] {
            assert!(why(&recorded.replace(from, to), counts).starts_with("recorded.json: no whole "), "{from}");
        }
    }
}
