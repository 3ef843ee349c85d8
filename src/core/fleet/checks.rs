//! What a job's way comes to: six checks, each with its verdict and its reason.

use serde::Serialize;

use super::adapter::{ErrorKind, Refusal};
use super::battery::Payload;
use super::same::{Sameness, compare};
use super::trip::{Locked, Look, Step, Trip};
use super::verdict::FleetVerdict;
use crate::core::bytes::shown;
use crate::core::profile::Profile;

/// What is looked at, in order.
pub const CHECKS: [&str; 6] = ["added", "fetched", "payload", "held", "completed", "empty"];

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// One of [`CHECKS`].
    pub id: &'static str,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
}

/// What one payload came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PayloadReport {
    /// Its name.
    pub id: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// What lay in the job's row, compared with what was sent.
    pub stored: Option<Sameness>,
    /// What the consumer was given, compared with what was sent.
    pub fetched: Option<Sameness>,
    /// The checks.
    pub checks: Vec<Check>,
    /// JSON leaves open what becomes of this one, so it does not fail a pair.
    pub optional: bool,
}

/// Names of the two sides, and of the keys that a job should have.
#[derive(Debug, Clone, Copy)]
pub struct Names<'n> {
    /// The producer.
    pub producer: &'n str,
    /// The consumer.
    pub consumer: &'n str,
    /// What the key of a job starts with.
    pub job_key: &'n str,
    /// The key of jobs that wait.
    pub waiting: &'n str,
    /// The key of jobs that are held.
    pub active: &'n str,
    /// The profile.
    pub profile: &'static Profile,
}

/// What a payload's way comes to.
pub fn judge(payload: &Payload, trip: &Trip, names: &Names<'_>) -> PayloadReport {
    let stored = trip.added.as_ref().and_then(|look| look.payload.as_ref());
    let stored = stored.map(|stored| compare(&payload.text, stored));
    let fetched = match &trip.take {
        Step::Done(Some(job)) => Some(compare(&payload.text, job.data.as_bytes())),
        _ => None,
    };
    let (same, same_why) = payload_check(payload, trip, stored.as_ref(), fetched.as_ref(), names);
    let outcomes = [
        added(trip, names),
        fetched_check(trip, names),
        (same, same_why),
        held(trip, names),
        completed(trip, names),
        empty(trip, names),
    ];
    let checks: Vec<Check> =
        CHECKS.into_iter().zip(outcomes).map(|(id, (verdict, why))| Check { id, verdict, why }).collect();
    let verdict = FleetVerdict::of_all(checks.iter().map(|check| check.verdict));
    // What passed in part and was not run in part is a doubt, and what was not run is the reason.
    let of = |wanted: FleetVerdict| checks.iter().find(|check| check.verdict == wanted);
    let why = match verdict {
        FleetVerdict::Pass => passed(fetched.as_ref()),
        _ => of(verdict).or_else(|| of(FleetVerdict::NotRun)).map(|check| check.why.clone()).unwrap_or_default(),
    };
    PayloadReport {
        id: payload.id,
        about: payload.about,
        verdict,
        why,
        stored,
        fetched,
        checks,
        optional: payload.optional,
    }
}

/// A payload that was not sent.
pub fn not_sent(payload: &Payload, why: &str) -> PayloadReport {
    let (id, about, optional) = (payload.id, payload.about, payload.optional);
    let verdict = FleetVerdict::NotRun;
    PayloadReport { id, about, verdict, why: why.to_owned(), stored: None, fetched: None, checks: Vec::new(), optional }
}

type Said = (FleetVerdict, String);

fn passed(fetched: Option<&Sameness>) -> String {
    let bytes = if fetched.is_some_and(|same| same.bytes) { " and as bytes" } else { ", its bytes written anew" };
    format!("crossed, equal as JSON{bytes}")
}

/// What a request comes to that gave no answer.
fn no_answer<T>(step: &Step<T>, who: &str, op: &str) -> Option<Said> {
    match step {
        Step::Done(_) => None,
        Step::NotTried => Some((FleetVerdict::NotRun, format!("{op} was not asked"))),
        Step::Refused(Refusal { kind, message }) => {
            let verdict = match kind {
                ErrorKind::NotSupported => FleetVerdict::NotSupported,
                ErrorKind::Definite => FleetVerdict::Fail,
                ErrorKind::Indefinite => FleetVerdict::Indeterminate,
            };
            Some((verdict, format!("{who}: {op}: {} error: {message}", kind.word())))
        }
        Step::Broken(breakage) => Some((FleetVerdict::Indeterminate, format!("{who}: {breakage}"))),
    }
}

fn pass(why: String) -> Said {
    (FleetVerdict::Pass, why)
}

fn fail(why: String) -> Said {
    (FleetVerdict::Fail, why)
}

fn not_looked() -> Said {
    (FleetVerdict::Indeterminate, "nobody could look at the queue then".to_owned())
}

fn added(trip: &Trip, names: &Names<'_>) -> Said {
    let id = match &trip.add {
        Step::Done(id) => id,
        other => return no_answer(other, names.producer, "add").unwrap_or_else(not_looked),
    };
    let (producer, shown_id) = (names.producer, shown(id.as_bytes()));
    if !names.profile.job_ids.allow(id.as_bytes()) {
        return fail(format!("{producer}: added: {shown_id} can be no job's id under {}", names.profile.id));
    }
    let Some(look) = &trip.added else { return not_looked() };
    let key = format!("{}{shown_id}", names.job_key);
    match look {
        Look { row: false, waiting: 0, .. } => fail(format!(
            "{producer}: added: no job under v2 keys: no {key}, and {} does not hold {shown_id}",
            names.waiting
        )),
        Look { row: false, .. } => fail(format!("{producer}: added: there is no row {key}")),
        Look { waiting: 0, .. } => fail(format!("{producer}: added: {} does not hold {shown_id}", names.waiting)),
        Look { waiting, .. } if *waiting > 1 => {
            fail(format!("{producer}: added: {} holds {shown_id} {waiting} times", names.waiting))
        }
        Look { active, .. } if *active > 0 => {
            fail(format!("{producer}: added: {} holds {shown_id} before anybody took it", names.active))
        }
        _ => pass(format!("row {key}, waiting in {}", names.waiting)),
    }
}

fn fetched_check(trip: &Trip, names: &Names<'_>) -> Said {
    let consumer = names.consumer;
    let job = match &trip.take {
        Step::Done(job) => job,
        other => return no_answer(other, consumer, "take").unwrap_or_else(not_looked),
    };
    let Some(job) = job else { return fail(format!("{consumer}: fetched: take found no job")) };
    let Step::Done(id) = &trip.add else { return fail(format!("{consumer}: fetched: a job that nobody added")) };
    let (wanted, found) = (shown(id.as_bytes()), shown(job.job_id.as_bytes()));
    if job.job_id != *id {
        return fail(format!("{consumer}: fetched: job {found}, and {wanted} was added"));
    }
    match &job.name {
        Some(name) if *name != trip.name => {
            let (sent, came) = (shown(trip.name.as_bytes()), shown(name.as_bytes()));
            fail(format!("{consumer}: fetched: the job's name {sent} came as {came}"))
        }
        _ if job.attempt.is_some_and(|attempt| attempt != 1) => fail(format!(
            "{consumer}: fetched: attempt {}, and nobody had the job before",
            job.attempt.unwrap_or_default()
        )),
        Some(_) => pass(format!("job {wanted} with its name")),
        None => pass(format!("job {wanted}, without a name")),
    }
}

fn payload_check(
    payload: &Payload,
    trip: &Trip,
    stored: Option<&Sameness>,
    fetched: Option<&Sameness>,
    names: &Names<'_>,
) -> Said {
    let difference = |same: &Sameness| same.difference.clone().unwrap_or_default();
    let forgiven = |same: &Sameness| payload.optional && same.only_repeats_lost;
    let lost = |who: &str, same: &Sameness| {
        let why = format!(
            "{who}: payload: keeps one of several members with one name, which JSON leaves open: {}",
            difference(same)
        );
        (FleetVerdict::NotSupported, why)
    };
    match (stored, fetched) {
        (Some(stored), _) if !stored.json && forgiven(stored) => lost(names.producer, stored),
        (Some(stored), _) if !stored.json => {
            fail(format!("{}: payload: in the job's row {}", names.producer, difference(stored)))
        }
        (_, Some(fetched)) if !fetched.json && forgiven(fetched) => lost(names.consumer, fetched),
        (_, Some(fetched)) if !fetched.json => fail(format!("{}: payload: {}", names.consumer, difference(fetched))),
        (stored, Some(fetched)) => {
            let row = match stored {
                None => "the row shows no payload",
                Some(same) if same.bytes => "in the row the same bytes",
                Some(_) => "in the row written anew",
            };
            let came = if fetched.bytes { "fetched as the same bytes" } else { "fetched written anew" };
            pass(format!("equal as JSON; {row}, {came}"))
        }
        (Some(stored), None) if trip.take == Step::NotTried => {
            let row = if stored.bytes { "the same bytes" } else { "written anew" };
            pass(format!("equal as JSON in the job's row, {row}"))
        }
        (_, None) => match &trip.take {
            Step::Done(_) => (FleetVerdict::NotRun, "no job was fetched".to_owned()),
            other => (FleetVerdict::NotRun, no_answer(other, names.consumer, "take").unwrap_or_else(not_looked).1),
        },
    }
}

fn held(trip: &Trip, names: &Names<'_>) -> Said {
    let Step::Done(Some(job)) = &trip.take else { return (FleetVerdict::NotRun, "no job was fetched".to_owned()) };
    let Some(look) = &trip.held else { return not_looked() };
    let (consumer, id) = (names.consumer, shown(job.job_id.as_bytes()));
    match look {
        Look { active: 0, .. } => fail(format!("{consumer}: held: {} does not hold {id}", names.active)),
        Look { waiting, .. } if *waiting > 0 => {
            fail(format!("{consumer}: held: {} still holds {id}, for the next worker to take", names.waiting))
        }
        Look { lock: Locked::No, .. } => fail(format!("{consumer}: held: {id} is not locked")),
        Look { lock: Locked::Ever, .. } => {
            fail(format!("{consumer}: held: {id} is locked for ever; a worker that dies would keep it"))
        }
        Look { active, .. } if *active > 1 => {
            fail(format!("{consumer}: held: {} holds {id} {active} times", names.active))
        }
        Look { lock: Locked::For(_), .. } => pass(format!("in {}, locked until a time", names.active)),
    }
}

fn completed(trip: &Trip, names: &Names<'_>) -> Said {
    let consumer = names.consumer;
    match &trip.complete {
        Step::Done(()) => {}
        other => return no_answer(other, consumer, "complete").unwrap_or_else(not_looked),
    }
    let Some(look) = &trip.done else { return not_looked() };
    if look.active > 0 {
        return fail(format!("{consumer}: completed: {} still holds the job", names.active));
    }
    if look.waiting > 0 {
        return fail(format!("{consumer}: completed: {} holds the job again", names.waiting));
    }
    if look.lock != Locked::No {
        return fail(format!("{consumer}: completed: its lock is still there"));
    }
    match trip.completions.as_deref() {
        None => (
            FleetVerdict::Indeterminate,
            "the traffic is not whole: nobody knows how often it was completed".to_owned(),
        ),
        Some([]) => fail(format!("{consumer}: completed: it says so, and nothing in the traffic completes the job")),
        Some([once]) => pass(format!("once, by event {once}")),
        Some(more) => {
            let events: Vec<String> = more.iter().take(4).map(u64::to_string).collect();
            fail(format!("{consumer}: completed: {} times, by events {}", more.len(), events.join(", ")))
        }
    }
}

fn empty(trip: &Trip, names: &Names<'_>) -> Said {
    match &trip.again {
        Step::Done(None) => {}
        Step::Done(Some(job)) => {
            let id = shown(job.job_id.as_bytes());
            return fail(format!("{}: empty: take found job {id} when all was done", names.consumer));
        }
        other => return no_answer(other, names.consumer, "take").unwrap_or_else(not_looked),
    }
    match trip.left {
        None => not_looked(),
        Some(0) => pass("no job waits or is held".to_owned()),
        Some(n) => fail(format!("empty: {} and {} still hold {n}", names.waiting, names.active)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::fleet::adapter::TakenJob;
    use crate::core::fleet::trip::Breakage;
    use crate::core::profile::EMQ_1;

    const NAMES: Names<'static> = Names {
        producer: "from",
        consumer: "to",
        job_key: "emq:{q}:",
        waiting: "emq:{q}:wait",
        active: "emq:{q}:active",
        profile: &EMQ_1,
    };

    fn payload() -> Payload {
        Payload { id: "one", about: "one", text: "[1]".to_owned(), optional: false }
    }

    fn job() -> TakenJob {
        TakenJob { job_id: "7".into(), name: None, data: "[1]".into(), attempt: Some(1) }
    }

    /// A job whose way was as it should be.
    fn sound() -> Trip {
        let look = Look { row: true, payload: Some(b"[1]".to_vec()), ..Look::default() };
        Trip {
            name: "name".to_owned(),
            add: Step::Done("7".to_owned()),
            added: Some(Look { waiting: 1, ..look.clone() }),
            take: Step::Done(Some(job())),
            held: Some(Look { active: 1, lock: Locked::For(30_000), ..look.clone() }),
            complete: Step::Done(()),
            done: Some(look),
            again: Step::Done(None),
            left: Some(0),
            completions: Some(vec![4]),
        }
    }

    /// What a trip comes to that differs from a sound one in this.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Trip), verdict: FleetVerdict, why: &str) {
        let mut trip = sound();
        change(&mut trip);
        let report = judge(&payload(), &trip, &NAMES);
        assert_eq!((report.verdict, report.why.as_str()), (verdict, why));
    }

    #[test]
    fn a_sound_trip_passes_and_says_how_its_bytes_fared() {
        check(|_| {}, FleetVerdict::Pass, "crossed, equal as JSON and as bytes");
        let anew = |trip: &mut Trip| trip.take = Step::Done(Some(TakenJob { data: "[ 1 ]".into(), ..job() }));
        check(anew, FleetVerdict::Pass, "crossed, equal as JSON, its bytes written anew");
        check(
            |trip| trip.added.as_mut().expect("a look").payload = None,
            FleetVerdict::Pass,
            "crossed, equal as JSON and as bytes",
        );
    }

    #[test]
    fn whatever_is_not_as_it_should_be_fails_with_its_reason() {
        let fails = |change: fn(&mut Trip), why| check(change, FleetVerdict::Fail, why);
        fails(
            |t| t.added = Some(Look::default()),
            "from: added: no job under v2 keys: no emq:{q}:7, and emq:{q}:wait does not hold 7",
        );
        fails(|t| t.added.as_mut().expect("a look").row = false, "from: added: there is no row emq:{q}:7");
        fails(|t| t.added.as_mut().expect("a look").waiting = 2, "from: added: emq:{q}:wait holds 7 2 times");
        fails(
            |t| t.added.as_mut().expect("a look").active = 1,
            "from: added: emq:{q}:active holds 7 before anybody took it",
        );
        fails(|t| t.take = Step::Done(None), "to: fetched: take found no job");
        fails(
            |t| t.take = Step::Done(Some(TakenJob { attempt: Some(2), ..job() })),
            "to: fetched: attempt 2, and nobody had the job before",
        );
        fails(
            |t| t.take = Step::Done(Some(TakenJob { data: "[2]".into(), ..job() })),
            "to: payload: at /0: 1 came as 2",
        );
        fails(
            |t| t.added.as_mut().expect("a look").payload = Some(b"[2]".to_vec()),
            "from: payload: in the job's row at /0: 1 came as 2",
        );
        fails(|t| t.held.as_mut().expect("a look").active = 0, "to: held: emq:{q}:active does not hold 7");
        fails(
            |t| t.held.as_mut().expect("a look").waiting = 1,
            "to: held: emq:{q}:wait still holds 7, for the next worker to take",
        );
        fails(|t| t.held.as_mut().expect("a look").lock = Locked::No, "to: held: 7 is not locked");
        fails(|t| t.done.as_mut().expect("a look").lock = Locked::For(1), "to: completed: its lock is still there");
        fails(|t| t.completions = Some(vec![4, 9]), "to: completed: 2 times, by events 4, 9");
        fails(
            |t| t.completions = Some(vec![]),
            "to: completed: it says so, and nothing in the traffic completes the job",
        );
        fails(|t| t.left = Some(1), "empty: emq:{q}:wait and emq:{q}:active still hold 1");
    }

    #[test]
    fn what_was_not_seen_is_never_a_pass() {
        let open = |change: fn(&mut Trip), why| check(change, FleetVerdict::Indeterminate, why);
        for change in [(|t| t.added = None) as fn(&mut Trip), |t| t.held = None, |t| t.done = None, |t| t.left = None] {
            open(change, "nobody could look at the queue then");
        }
        open(|t| t.completions = None, "the traffic is not whole: nobody knows how often it was completed");
        open(|t| t.complete = Step::NotTried, "complete was not asked");
        open(|t| t.take = Step::Broken(Breakage::Flood), "to: it printed more than 64 MiB");
    }

    #[test]
    fn an_id_must_be_one_under_the_profile() {
        let names = Names { profile: &crate::core::profile::ECHOMQ_2X, ..NAMES };
        let report = judge(&payload(), &sound(), &names);
        assert_eq!(report.why, "from: added: 7 can be no job's id under echomq-2.x");
    }
}
