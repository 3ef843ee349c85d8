//! Where a job is while it waits, is held and is done, by profile: data, as the profiles are.

use crate::core::capture::Event;
use crate::core::commands::{Access, OperandKey, operand_keys, script_call};
use crate::core::profile::{ECHOMQ_2X, EMQ_1, Profile};

/// Where a profile has its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// The profile's id.
    pub profile: &'static str,
    /// The key of jobs that wait.
    pub waiting: &'static str,
    /// The key of jobs that are held.
    pub active: &'static str,
    /// How a job is locked while it is held.
    pub lock: Lock,
    /// What shows that a job is done.
    pub done: Done,
    /// The field of the job's row that has its payload.
    pub payload: &'static str,
}

/// How a job is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// A key of the job's own, which runs out.
    Key(&'static str),
    /// Its score among the active: the moment at which its lease ends.
    Score,
}

/// What shows that a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Its id is put into that key; of a runtime that keeps no such list, its row goes.
    In(&'static str),
    /// Its row goes.
    RowGone,
}

/// Of every profile.
pub const ALL: [Places; 2] = [
    Places {
        profile: EMQ_1.id,
        waiting: "wait",
        active: "active",
        lock: Lock::Key("lock"),
        done: Done::In("completed"),
        payload: "payload",
    },
    Places {
        profile: ECHOMQ_2X.id,
        waiting: "pending",
        active: "active",
        lock: Lock::Score,
        done: Done::RowGone,
        payload: "payload",
    },
];

impl Places {
    /// Those of a profile.
    pub fn of(profile: &Profile) -> Option<Self> {
        ALL.into_iter().find(|places| places.profile == profile.id)
    }

    /// The key of jobs that are completed, where there is one.
    pub fn completed(&self) -> Option<&'static str> {
        match self.done {
            Done::In(kind) => Some(kind),
            Done::RowGone => None,
        }
    }

    /// The events that complete a job: what puts it among the completed, or removes its row.
    pub fn completions(&self, profile: &Profile, queue: &str, job: &str, events: &[Event]) -> Vec<u64> {
        let row = profile.job_key(queue, job, None);
        let gone = || numbers(events, |event| removes(event, &row));
        match self.done {
            Done::RowGone => gone(),
            Done::In(kind) => {
                let list = profile.queue_key(queue, kind);
                let put = numbers(events, |event| puts(event, &list) && names(event, job));
                if put.is_empty() { gone() } else { put }
            }
        }
    }
}

fn numbers(events: &[Event], which: impl Fn(&Event) -> bool) -> Vec<u64> {
    events.iter().filter(|event| which(event)).map(|event| event.seq).collect()
}

/// Whether a command puts something into that key.
fn puts(event: &Event, key: &str) -> bool {
    touches(event, key, |operand| operand.flags.access() == Access::Write && !operand.flags.only_removes())
}

/// Whether a command removes that whole key.
fn removes(event: &Event, key: &str) -> bool {
    let name = event.argv.first().map(|name| name.as_slice().to_ascii_uppercase());
    name.is_some_and(|name| name == b"DEL" || name == b"UNLINK") && touches(event, key, |_| true)
}

/// A script's call names keys too, but what it does to them are events of their own.
fn touches(event: &Event, key: &str, how: impl Fn(&OperandKey) -> bool) -> bool {
    let args = event.args();
    if script_call(&args).is_some() {
        return false;
    }
    let Ok(found) = operand_keys(&args) else { return false };
    found.keys.iter().any(|operand| how(operand) && args.get(operand.index) == Some(&key.as_bytes()))
}

/// Whether an argument is the job's id.
fn names(event: &Event, job: &str) -> bool {
    event.argv.iter().skip(2).any(|arg| arg.as_slice() == job.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    /// How often job `7` of queue `q` is completed by a command.
    #[track_caller]
    fn check(profile: &'static Profile, command: &str, times: usize) {
        let line = format!("1.000001 [0 lua] {command}");
        let event = Reader::new().line(line.as_bytes()).expect(command).expect(command);
        let places = Places::of(profile).expect("places");
        assert_eq!(places.completions(profile, "q", "7", &[event]).len(), times, "{command}");
    }

    #[test]
    fn a_row_that_goes_after_its_job_was_listed_is_no_second_completion() {
        let mut reader = Reader::new();
        let lines = [r#""ZADD" "emq:{q}:completed" "1" "7""#, r#""DEL" "emq:{q}:7""#, r#""DEL" "emq:{q}:8""#];
        let read = |line: &str| reader.line(format!("1.000001 [0 a:1] {line}").as_bytes());
        let events: Vec<Event> =
            lines.map(read).into_iter().map(|event| event.expect("a line").expect("an event")).collect();
        let places = Places::of(&EMQ_1).expect("places");
        assert_eq!(places.completions(&EMQ_1, "q", "7", &events).len(), 1);
        assert_eq!(places.completions(&EMQ_1, "q", "8", &events).len(), 1);
    }

    #[test]
    fn what_completes_a_job_is_known_by_profile() {
        check(&EMQ_1, r#""ZADD" "emq:{q}:completed" "1" "7""#, 1);
        check(&EMQ_1, r#""LPUSH" "emq:{q}:completed" "7""#, 1);
        check(&EMQ_1, r#""DEL" "emq:{q}:7""#, 1);
        for other in [
            r#""ZADD" "emq:{q}:completed" "1" "8""#,
            r#""ZREM" "emq:{q}:completed" "7""#,
            r#""ZSCORE" "emq:{q}:completed" "7""#,
            r#""ZADD" "emq:{q}:failed" "1" "7""#,
            r#""EVAL" "return 1" "1" "emq:{q}:completed" "7""#,
        ] {
            check(&EMQ_1, other, 0);
        }
        check(&ECHOMQ_2X, r#""DEL" "emq:{q}:job:7""#, 1);
        check(&ECHOMQ_2X, r#""unlink" "a" "emq:{q}:job:7""#, 1);
        check(&ECHOMQ_2X, r#""HDEL" "emq:{q}:job:7" "payload""#, 0);
    }
}
