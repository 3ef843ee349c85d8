//! A recorded round trip, in its phases: which commands added the job, took it and completed it, and the keys that they touched.
//!
//! A capture has no marks between the phases. They are told by whose connection a command came on, and by what completes a
//! job in the profile's own terms; where a runtime uses other keys, by keys of the same kind. What came of each phase is not
//! decided here: that are the checks of a run, [`Act::checks`].

use std::cmp::Ordering;

use super::places::{Done, Places};
use crate::core::bytes::Bytes;
use crate::core::capture::Capture;
use crate::core::commands::Access;
use crate::core::profile::{self, EMQ_1};
use crate::core::report::steps::{KeyUse, Step, steps};

/// One of the two runtimes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Who adds.
    Producer,
    /// Who takes and completes.
    Consumer,
}

/// What is done in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The producer puts the job in the queue.
    Add,
    /// The consumer takes it.
    Take,
    /// The consumer completes it.
    Complete,
    /// The consumer asks once more, and should find nothing.
    Again,
}

impl Act {
    /// In the order in which they are done.
    pub const ALL: [Self; 4] = [Self::Add, Self::Take, Self::Complete, Self::Again];

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Take => "take",
            Self::Complete => "complete",
            Self::Again => "take again",
        }
    }

    /// Who does it.
    pub fn side(self) -> Side {
        if self == Self::Add { Side::Producer } else { Side::Consumer }
    }

    /// The checks, of [`ALL`](super::checks::ALL), that say what came of it.
    pub fn checks(self) -> &'static [&'static str] {
        match self {
            Self::Add => &["added"],
            Self::Take => &["fetched", "payload", "held"],
            Self::Complete => &["completed"],
            Self::Again => &["empty"],
        }
    }
}

/// A key that the commands of a phase touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The key.
    pub key: Bytes,
    /// Whether any of them may write it.
    pub access: Access,
    /// Their names, each once.
    pub commands: Vec<String>,
}

/// One phase. One that was not come to has no commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// What is done.
    pub act: Act,
    /// The commands that name a key, in order.
    pub steps: Vec<Step>,
    /// What they touched, in the order in which they first did.
    pub keys: Vec<Touched>,
}

/// The four phases of a pair's capture; `producer` and `consumer` are the names of the two in the run.
///
/// ```
/// use echomq_conformance::core::{capture::Capture, fleet::phases::phases};
/// assert!(phases(&Capture::default(), "a", "b").iter().all(|phase| phase.steps.is_empty()));
/// ```
pub fn phases(capture: &Capture, producer: &str, consumer: &str) -> [Phase; 4] {
    let profile = capture.profile.as_deref().and_then(profile::by_id).unwrap_or(&EMQ_1);
    let done = Places::of(profile).map(|places| places.done);
    let all = steps(capture);
    let connections = Connections::of(&all, producer, consumer);
    let mut parts = Act::ALL.map(|_| Vec::new());
    for step in all {
        if touches(&step).next().is_none() {
            continue;
        }
        match connections.side(&step) {
            Some(Side::Producer) => parts[0].push(step),
            Some(Side::Consumer) => parts[1].push(step),
            None => {}
        }
    }
    let taken = std::mem::take(&mut parts[1]);
    let end = completion(&taken, &parts[0], done).unwrap_or(taken.len());
    for (at, step) in taken.into_iter().enumerate() {
        let part = match at.cmp(&end) {
            Ordering::Less => 1,
            Ordering::Equal => 2,
            Ordering::Greater => 3,
        };
        parts[part].push(step);
    }
    let mut parts = parts.into_iter();
    Act::ALL.map(|act| phase(act, parts.next().unwrap_or_default()))
}

fn phase(act: Act, steps: Vec<Step>) -> Phase {
    let mut keys: Vec<Touched> = Vec::new();
    for (command, used) in steps.iter().flat_map(touches) {
        match keys.iter_mut().find(|known| known.key == used.key) {
            Some(known) => {
                if used.access == Access::Write {
                    known.access = Access::Write;
                }
                if !known.commands.iter().any(|one| one == command) {
                    known.commands.push(command.to_owned());
                }
            }
            None => {
                keys.push(Touched { key: used.key.clone(), access: used.access, commands: vec![command.to_owned()] });
            }
        }
    }
    Phase { act, steps, keys }
}

/// What a step touched, and by which command: a script's call names keys, but what it does to them are commands of their own.
fn touches(step: &Step) -> impl Iterator<Item = (&str, &KeyUse)> {
    let own = step.call.is_none().then(|| step.keys.iter().map(|key| (step.command.as_str(), key)));
    let ran = step.call.iter().flat_map(|call| &call.ran);
    own.into_iter().flatten().chain(ran.flat_map(|ran| ran.keys.iter().map(|key| (ran.command.as_str(), key))))
}

/// The consumer's step that completes the job: what writes a key of that kind, else what removes a key that adding wrote.
fn completion(taken: &[Step], added: &[Step], done: Option<Done>) -> Option<usize> {
    let lists = |step: &Step, kind: &str| {
        let is_of = |key: &Bytes| key.as_slice().rsplit(|byte| *byte == b':').next() == Some(kind.as_bytes());
        touches(step).any(|(_, used)| used.access == Access::Write && is_of(&used.key))
    };
    let listed = match done {
        Some(Done::In(kind)) => taken.iter().position(|step| lists(step, kind)),
        Some(Done::RowGone) | None => None,
    };
    let written =
        |key: &Bytes| added.iter().flat_map(touches).any(|(_, used)| used.access == Access::Write && used.key == *key);
    let removes = |step: &Step| touches(step).any(|(by, used)| matches!(by, "DEL" | "UNLINK") && written(&used.key));
    listed.or_else(|| taken.iter().position(removes))
}

/// Whose each connection is.
struct Connections {
    /// Those whose side is known, by address.
    known: Vec<(String, Side)>,
    /// The side of all others.
    others: Option<Side>,
}

impl Connections {
    /// A runtime that names its connections as it was asked to is known by that. Of others, those belong to who named none;
    /// where neither did, and where one runtime is both, whoever wrote first is the producer.
    fn of(steps: &[Step], producer: &str, consumer: &str) -> Self {
        let mut known: Vec<(String, Side)> = Vec::new();
        for (client, name) in steps.iter().filter_map(named) {
            match runtime(&name) {
                Some(runtime) if producer == consumer || (runtime != producer && runtime != consumer) => {}
                Some(runtime) => {
                    known.push((client, if runtime == producer { Side::Producer } else { Side::Consumer }));
                }
                None => {}
            }
        }
        let has = |side| known.iter().any(|(_, known)| *known == side);
        let others = match (has(Side::Producer), has(Side::Consumer)) {
            (true, true) => None,
            (true, false) => Some(Side::Consumer),
            (false, true) => Some(Side::Producer),
            (false, false) => {
                let writes = |step: &&Step| touches(step).any(|(_, used)| used.access == Access::Write);
                known.extend(steps.iter().find(writes).and_then(|step| Some((step.client.clone()?, Side::Producer))));
                Some(Side::Consumer)
            }
        };
        Self { known, others }
    }

    fn side(&self, step: &Step) -> Option<Side> {
        let client = step.client.as_ref()?;
        self.known.iter().find(|(known, _)| known == client).map(|(_, side)| *side).or(self.others)
    }
}

/// The connection that a step names, and the name.
fn named(step: &Step) -> Option<(String, String)> {
    let last = match step.command.as_str() {
        "CLIENT SETNAME" => step.args.last()?,
        "HELLO" => {
            let at = step.args.iter().position(|arg| arg.as_slice().eq_ignore_ascii_case(b"SETNAME"))?;
            step.args.get(at + 1)?
        }
        _ => return None,
    };
    Some((step.client.clone()?, last.to_string()))
}

/// The runtime in a name such as `emq-fleet-echomq-go-7ae8fc576f8c62bb-9`, which a run made up.
fn runtime(name: &str) -> Option<&str> {
    name.strip_prefix("emq-fleet-")?.rsplitn(3, '-').nth(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    const ADD: &str = r#"[0 a:1] "LPUSH" "emq:{q}:wait" "7""#;
    const META: &str = r#"[0 b:2] "HGET" "emq:{q}:meta" "version""#;
    const TAKE: &str = r#"[0 b:2] "LMOVE" "emq:{q}:wait" "emq:{q}:active" "RIGHT" "LEFT""#;
    const DONE: &str = r#"[0 b:2] "ZADD" "emq:{q}:completed" "1" "7""#;
    const AGAIN: &str = r#"[0 b:2] "LINDEX" "emq:{q}:wait" "-1""#;

    /// The commands of each phase.
    #[track_caller]
    fn check(lines: &[&str], producer: &str, consumer: &str, expected: [&[&str]; 4]) {
        let mut reader = Reader::new();
        let mut read = |line: &&str| reader.line(format!("1.000001 {line}").as_bytes()).expect("a line").expect("one");
        let capture = Capture { events: lines.iter().map(&mut read).collect(), ..Capture::default() };
        let found = phases(&capture, producer, consumer);
        let names: [Vec<&str>; 4] =
            found.each_ref().map(|phase| phase.steps.iter().map(|step| step.command.as_str()).collect());
        assert_eq!(names, expected);
    }

    #[test]
    fn without_names_who_writes_first_is_the_producer() {
        let expected: [&[&str]; 4] = [&["LPUSH"], &["LMOVE"], &["ZADD"], &["LINDEX"]];
        check(&[ADD, TAKE, DONE, AGAIN], "x", "x", expected);
        // Whoever only reads before is not.
        check(&[META, ADD, TAKE, DONE, AGAIN], "x", "y", [&["LPUSH"], &["HGET", "LMOVE"], &["ZADD"], &["LINDEX"]]);
    }

    #[test]
    fn a_name_tells_whose_a_connection_is_and_by_that_the_others() {
        let early = r#"[0 b:2] "HSETNX" "emq:{q}:meta" "version" "echomq:2.0.0""#;
        let name = r#"[0 b:2] "client" "setname" "emq-fleet-y-z-7ae8fc576f8c62bb-9""#;
        let hello = r#"[0 a:1] "hello" "3" "setname" "emq-fleet-y-7ae8fc576f8c62bb-8""#;
        let expected: [&[&str]; 4] = [&["LPUSH"], &["HSETNX", "LMOVE"], &[], &[]];
        check(&[name, early, ADD, TAKE], "x", "y-z", expected);
        check(&[hello, early, ADD, TAKE], "y", "y-z", expected);
        // The name of somebody else's tells nothing.
        check(&[name, early, ADD, TAKE], "x", "y", [&["HSETNX", "LMOVE"], &["LPUSH"], &[], &[]]);
    }

    #[test]
    fn a_job_is_complete_when_it_is_listed_or_its_row_goes() {
        let row = r#"[0 a:1] "HSET" "emq:{q}:7" "payload" "1""#;
        let gone = r#"[0 b:2] "DEL" "emq:{q}:7""#;
        let lock = r#"[0 b:2] "DEL" "emq:{q}:7:lock""#;
        check(&[row, ADD, TAKE, lock, gone], "x", "x", [&["HSET", "LPUSH"], &["LMOVE", "DEL"], &["DEL"], &[]]);
        // Its row may go after it is listed, and other keys may be of that kind.
        let theirs = r#"[0 b:2] "ZADD" "bull:q:completed" "1" "7""#;
        check(&[row, TAKE, theirs, gone], "x", "x", [&["HSET"], &["LMOVE"], &["ZADD"], &["DEL"]]);
    }

    #[test]
    fn a_key_is_listed_once_with_all_that_touched_it() {
        let read = r#"[0 a:1] "LLEN" "emq:{q}:wait""#;
        let mut reader = Reader::new();
        let mut event = |line: &str| reader.line(format!("1.000001 {line}").as_bytes()).expect("a line").expect("one");
        let capture = Capture { events: vec![event(ADD), event(read), event(ADD)], ..Capture::default() };
        let [add, ..] = phases(&capture, "x", "x");
        let commands = vec!["LPUSH".to_owned(), "LLEN".to_owned()];
        assert_eq!(add.keys, [Touched { key: "emq:{q}:wait".into(), access: Access::Write, commands }]);
    }
}
