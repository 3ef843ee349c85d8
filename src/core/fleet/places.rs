//! Where a job is while it waits, is held and is done, by profile: data, as the profiles are.

use super::naming::named;
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

    /// The events that complete a job: what puts it among the completed, or removes its row. `jobs` are all that there are, one
    /// after the other: what moves from active to completed without its name is the one that was named last.
    pub fn completions(&self, profile: &Profile, queue: &str, job: &str, jobs: &[&str], events: &[Event]) -> Vec<u64> {
        let row = profile.job_key(queue, job, None);
        let gone = || numbers(events, |event| removes(event, &row));
        let Done::In(kind) = self.done else { return gone() };
        let (active, list) = (profile.queue_key(queue, self.active), profile.queue_key(queue, kind));
        let start = profile.job_key_start(queue);
        let (mut latest, mut put) = (None, Vec::new());
        for event in events {
            let named = named(&event.args(), jobs, &start);
            latest = named.last().copied().or(latest);
            let is_it = match named.as_slice() {
                [] => latest == Some(job) && touches(event, &active, |_| true),
                named => named.contains(&job),
            };
            if is_it && puts(event, &list) {
                put.push(event.seq);
            }
        }
        if put.is_empty() { gone() } else { put }
    }
}

fn numbers(events: &[Event], which: impl Fn(&Event) -> bool) -> Vec<u64> {
    events.iter().filter(|event| which(event)).map(|event| event.seq).collect()
}

/// Whether a command puts something into that key.
fn puts(event: &Event, key: &str) -> bool {
    touches(event, key, |operand| operand.flags.access() == Access::Write && !operand.flags.only_removes())
}

/// Whether a command removes that whole key, or gives it another name.
fn removes(event: &Event, key: &str) -> bool {
    let name = event.argv.first().map(|name| name.as_slice().to_ascii_uppercase()).unwrap_or_default();
    match name.as_slice() {
        b"DEL" | b"UNLINK" => touches(event, key, |_| true),
        b"RENAME" | b"RENAMENX" => touches(event, key, |operand| operand.index == 1),
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    fn events(lines: &[&str]) -> Vec<Event> {
        let mut reader = Reader::new();
        let mut read = |line: &&str| reader.line(format!("1.000001 [0 lua] {line}").as_bytes());
        lines.iter().map(|line| read(line).expect("a line").expect("an event")).collect()
    }

    /// How often job `7` of queue `q` is completed by commands, where there is a job `8`, too.
    #[track_caller]
    fn check(profile: &'static Profile, commands: &[&str], times: usize) {
        let places = Places::of(profile).expect("places");
        let found = places.completions(profile, "q", "7", &["7", "8"], &events(commands));
        assert_eq!(found.len(), times, "{commands:?}");
    }

    #[test]
    fn a_row_that_goes_after_its_job_was_listed_is_no_second_completion() {
        let lines = [r#""ZADD" "emq:{q}:completed" "1" "7""#, r#""DEL" "emq:{q}:7""#, r#""DEL" "emq:{q}:8""#];
        let places = Places::of(&EMQ_1).expect("places");
        for job in ["7", "8"] {
            assert_eq!(places.completions(&EMQ_1, "q", job, &["7", "8"], &events(&lines)).len(), 1, "{job}");
        }
    }

    #[test]
    fn what_moves_without_its_name_is_the_job_that_was_named_last() {
        let taken = |job| format!("\"SET\" \"emq:{{q}}:{job}:lock\" \"token\"");
        let (seven, eight) = (taken("7"), taken("8"));
        for moved in [
            r#""LMOVE" "emq:{q}:active" "emq:{q}:completed" "RIGHT" "LEFT""#,
            r#""RPOPLPUSH" "emq:{q}:active" "emq:{q}:completed""#,
        ] {
            check(&EMQ_1, &[&seven, moved, &eight], 1);
            check(&EMQ_1, &[&seven, moved, moved, &eight], 2);
            check(&EMQ_1, &[&seven, &eight, moved], 0);
            check(&EMQ_1, &[moved, &seven], 0);
        }
    }

    #[test]
    fn a_number_that_equals_an_id_names_no_job() {
        let moved = r#""LMOVE" "emq:{q}:active" "emq:{q}:completed" "RIGHT" "LEFT""#;
        for other in [
            r#""HINCRBY" "emq:{q}:7" "attempts" "1""#,
            r#""LREM" "emq:{q}:wait" "1" "7""#,
            r#""ZADD" "emq:{q}:delayed" "1" "7""#,
            r#""ZADD" "emq:{q}:delayed" "NX" "CH" "1" "7""#,
            r#""SET" "emq:{q}:7:lock" "1" "PX" "1""#,
        ] {
            completions(&[other, moved], "7", &["1", "7"], 1);
            completions(&[other, moved], "1", &["1", "7"], 0);
        }
        let lock = r#""SET" "emq:{q}:7:lock" "token""#;
        for other in [
            r#""EVALSHA" "sha" "1" "emq:{q}:1" "1""#,
            r#""LRANGE" "emq:{q}:wait" "1" "1""#,
            r#""LPOP" "emq:{q}:other" "1""#,
            r#""SET" "emq:{q}:paused" "1""#,
        ] {
            completions(&[lock, other, moved], "7", &["1", "7"], 1);
            completions(&[lock, other, moved], "1", &["1", "7"], 0);
        }
    }

    /// How often a job is completed under the first profile, where these are all.
    #[track_caller]
    fn completions(lines: &[&str], job: &str, jobs: &[&str], times: usize) {
        let places = Places::of(&EMQ_1).expect("places");
        assert_eq!(places.completions(&EMQ_1, "q", job, jobs, &events(lines)).len(), times, "{job}: {lines:?}");
    }

    #[test]
    fn a_command_completes_each_job_that_it_names() {
        for both in [r#""LPUSH" "emq:{q}:completed" "7" "8""#, r#""ZADD" "emq:{q}:completed" "GT" "1" "7" "2" "8""#] {
            for job in ["7", "8"] {
                completions(&[both], job, &["1", "7", "8"], 1);
            }
            completions(&[both], "1", &["1", "7", "8"], 0);
        }
    }

    #[test]
    fn what_completes_a_job_is_known_by_profile() {
        for one in [
            r#""ZADD" "emq:{q}:completed" "1" "7""#,
            r#""LPUSH" "emq:{q}:completed" "7""#,
            r#""SMOVE" "emq:{q}:active" "emq:{q}:completed" "7""#,
            r#""DEL" "emq:{q}:7""#,
            r#""RENAME" "emq:{q}:7" "emq:{q}:old""#,
        ] {
            check(&EMQ_1, &[one], 1);
            check(&EMQ_1, &[r#""MULTI""#, one, r#""EXEC""#], 1);
            check(&EMQ_1, &[one, one], 2);
        }
        for other in [
            r#""ZADD" "emq:{q}:completed" "1" "8""#,
            r#""ZREM" "emq:{q}:completed" "7""#,
            r#""ZSCORE" "emq:{q}:completed" "7""#,
            r#""ZADD" "emq:{q}:failed" "1" "7""#,
            r#""EVAL" "return 1" "1" "emq:{q}:completed" "7""#,
            r#""RENAME" "emq:{q}:8" "emq:{q}:7""#,
            r#""DEL" "emq:{q}:77""#,
        ] {
            check(&EMQ_1, &[other], 0);
        }
        check(&ECHOMQ_2X, &[r#""DEL" "emq:{q}:job:7""#], 1);
        check(&ECHOMQ_2X, &[r#""unlink" "a" "emq:{q}:job:7""#], 1);
        check(&ECHOMQ_2X, &[r#""HDEL" "emq:{q}:job:7" "payload""#], 0);
    }
}
