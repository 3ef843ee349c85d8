//! All checks together: what one trip comes to that differs from a sound one.

use FleetVerdict::{Fail, Indeterminate, NotSupported, Pass};

use super::*;
use crate::core::fleet::adapter::{ErrorKind, MOST_NAME, Refusal, TakenJob};
use crate::core::fleet::trip::{Breakage, Locked, Observation};
use crate::core::profile::{ECHOMQ_2X, EMQ_1};

fn names(profile: &'static Profile) -> Names {
    Names::of(profile, "q", Places::of(profile).expect("places"), "from", "to")
}

fn payload() -> Payload {
    Payload { id: "one", about: "one", text: "[1]".to_owned(), optional: false }
}

fn sound() -> Trip {
    Trip::sound("name", "7", "[1]")
}

fn job() -> TakenJob {
    TakenJob { job_id: "7".into(), name: None, data: "[1]".into(), attempt: Some(1) }
}

fn added(trip: &mut Trip) -> &mut Observation {
    trip.added.as_mut().expect("a look")
}

fn held(trip: &mut Trip) -> &mut Observation {
    trip.held.as_mut().expect("a look")
}

fn done(trip: &mut Trip) -> &mut Observation {
    trip.done.as_mut().expect("a look")
}

fn refusal<T>(kind: ErrorKind) -> Step<T> {
    Step::Refused(Refusal { kind, message: "no".into() })
}

/// What a trip comes to that differs from a sound one in this.
#[track_caller]
fn check(change: impl FnOnce(&mut Trip), verdict: FleetVerdict, why: &str) {
    let mut trip = sound();
    change(&mut trip);
    let report = judge(&payload(), &trip, &names(&EMQ_1));
    assert_eq!((report.verdict, report.why.as_str()), (verdict, why));
}

#[test]
fn a_sound_trip_passes_and_says_how_its_bytes_fared() {
    check(|_| {}, Pass, "crossed, equal as JSON and as bytes");
    let anew = |trip: &mut Trip| trip.take = Step::Done(Some(TakenJob { data: "[ 1 ]".into(), ..job() }));
    check(anew, Pass, "crossed, equal as JSON, its bytes written anew");
    // One that keeps no list of what is completed.
    let gone = |trip: &mut Trip| *done(trip) = Observation::default();
    check(gone, Pass, "crossed, equal as JSON and as bytes");
}

#[test]
fn whatever_is_not_as_it_should_be_after_add_fails_with_its_reason() {
    let fails = |change: fn(&mut Trip), why| check(change, Fail, why);
    fails(
        |t| t.added = Some(Observation::default()),
        "from: added: no job under v2 keys: no emq:{q}:7, and emq:{q}:wait does not hold 7",
    );
    fails(|t| added(t).row = false, "from: added: there is no row emq:{q}:7");
    fails(|t| added(t).waiting = 0, "from: added: emq:{q}:wait does not hold 7");
    fails(|t| added(t).waiting = 2, "from: added: emq:{q}:wait holds \"7\" 2 times");
    fails(|t| added(t).active = 1, "from: added: emq:{q}:active holds 7 before anybody took it");
    fails(|t| added(t).payload = None, "from: payload: the row emq:{q}:7 has no field payload");
    fails(
        |t| (added(t).payload, added(t).beyond) = (None, Some(4_194_305)),
        "from: payload: in the job's row lie 4194305 bytes, and more than 4 MiB are not read",
    );
    fails(|t| added(t).payload = Some(b"[2]".to_vec()), "from: payload: in the job's row at /0: 1 came as 2");
}

#[test]
fn whatever_is_not_as_it_should_be_after_take_fails_with_its_reason() {
    let fails = |change: fn(&mut Trip), why| check(change, Fail, why);
    let taken = |job| Step::Done(Some(job));
    fails(|t| t.take = Step::Done(None), "to: fetched: take found no job");
    check(
        |t| t.take = taken(TakenJob { attempt: Some(2), ..job() }),
        Fail,
        "to: fetched: attempt 2, and nobody had the job before",
    );
    check(|t| t.take = taken(TakenJob { job_id: "8".into(), ..job() }), Fail, "to: fetched: job 8, and 7 was added");
    check(
        |t| t.take = taken(TakenJob { name: Some("other".into()), ..job() }),
        Fail,
        "to: fetched: the job's name name came as other",
    );
    let named = |length| format!("to: fetched: the job's name name came as {}", "x".repeat(length));
    let long = |length| move |t: &mut Trip| t.take = taken(TakenJob { name: Some("x".repeat(length)), ..job() });
    check(long(MOST_NAME), Fail, &named(MOST_NAME));
    check(long(MOST_NAME + 1), Fail, &(named(MOST_NAME - 1) + "…"));
    check(|t| t.take = taken(TakenJob { data: "[2]".into(), ..job() }), Fail, "to: payload: at /0: 1 came as 2");
    fails(|t| held(t).active = 0, "to: held: emq:{q}:active does not hold 7");
    fails(|t| held(t).active = 2, "to: held: emq:{q}:active holds \"7\" 2 times");
    fails(|t| held(t).waiting = 1, "to: held: emq:{q}:wait still holds 7, for the next worker to take");
    fails(|t| held(t).lock = Locked::No, "to: held: 7 is not locked");
    fails(|t| held(t).lock = Locked::Ever, "to: held: 7 is locked for ever; a worker that dies would keep it");
    fails(|t| held(t).completed = true, "to: held: emq:{q}:completed holds 7 already, and nobody completed the job");
    fails(|t| held(t).row = false, "to: held: the row emq:{q}:7 is gone, and nobody completed the job");
}

#[test]
fn whatever_is_not_as_it_should_be_after_complete_fails_with_its_reason() {
    let fails = |change: fn(&mut Trip), why| check(change, Fail, why);
    fails(|t| done(t).active = 1, "to: completed: emq:{q}:active still holds the job");
    fails(|t| done(t).waiting = 1, "to: completed: emq:{q}:wait holds the job again");
    fails(|t| done(t).lock = Locked::For(1), "to: completed: its lock is still there");
    fails(
        |t| done(t).completed = false,
        "to: completed: emq:{q}:completed does not hold the job, and its row is there",
    );
    fails(|t| t.completions = Some(vec![4, 9]), "to: completed: 2 times, by events 4, 9");
    fails(|t| t.completions = Some(vec![]), "to: completed: it says so, and nothing in the traffic completes the job");
    fails(|t| t.again = Step::Done(Some(job())), "to: empty: take found job 7 when all was done");
    fails(|t| t.left = Some(1), "to: empty: emq:{q}:wait and emq:{q}:active still hold 1");
}

#[test]
fn what_was_not_seen_is_never_a_pass() {
    let open = |change: fn(&mut Trip), why| check(change, Indeterminate, why);
    for change in [(|t| t.added = None) as fn(&mut Trip), |t| t.held = None, |t| t.done = None, |t| t.left = None] {
        open(change, "nobody could look at the queue then");
    }
    open(|t| t.completions = None, "the traffic is not whole: nobody knows how often it was completed");
    open(|t| t.complete = Step::NotTried, "complete was not asked");
    open(|t| t.take = Step::Broken(Breakage::Flood), "to: it printed more than 64 MiB");
}

#[test]
fn a_refusal_is_what_it_says() {
    for (kind, verdict) in
        [(ErrorKind::NotSupported, NotSupported), (ErrorKind::Definite, Fail), (ErrorKind::Indefinite, Indeterminate)]
    {
        let why = format!("to: complete: {} error: no", kind.word());
        let refused = |t: &mut Trip| {
            // Nobody goes on after that.
            (t.complete, t.done, t.again, t.left) = (refusal(kind), None, Step::NotTried, Some(1));
        };
        check(refused, verdict, &why);
    }
}

#[test]
fn an_id_must_be_one_under_the_profile() {
    let report = judge(&payload(), &sound(), &names(&ECHOMQ_2X));
    assert_eq!(report.why, "from: added: 7 can be no job's id under echomq-2.x");
    assert_eq!(report.verdict, Fail);
}

#[test]
fn what_the_consumer_refuses_is_the_producer_s_fault_where_the_row_is_wrong() {
    let no_json = |t: &mut Trip| {
        added(t).payload = Some(b"no JSON".to_vec());
        t.take = refusal(ErrorKind::Definite);
    };
    let why = "from: payload: in the job's row what came is no JSON: byte 1: no value starts like this";
    check(no_json, Fail, why);
    let no_field = |t: &mut Trip| {
        added(t).payload = None;
        t.take = refusal(ErrorKind::Definite);
    };
    check(no_field, Fail, "from: payload: the row emq:{q}:7 has no field payload");
    check(|t| t.take = refusal(ErrorKind::Definite), Fail, "to: take: definite error: no");
}

/// Members with one name: what is stored, what is fetched and how many jobs are left; what it comes to and whether it counts.
#[track_caller]
fn repeated(stored: &str, fetched: &str, left: u64, verdict: FleetVerdict, counts: bool, why: &str) {
    const SENT: &str = r#"{"a":1,"b":2,"a":3}"#;
    let payload = Payload { text: SENT.to_owned(), optional: true, ..payload() };
    let mut trip = Trip::sound("name", "7", SENT);
    added(&mut trip).payload = Some(stored.into());
    trip.take = Step::Done(Some(TakenJob { data: fetched.into(), ..job() }));
    trip.left = Some(left);
    let report = judge(&payload, &trip, &names(&EMQ_1));
    assert_eq!((report.verdict, report.counts, report.why.as_str()), (verdict, counts, why));
}

#[test]
fn repeats_may_be_lost_and_nothing_else() {
    const SENT: &str = r#"{"a":1,"b":2,"a":3}"#;
    const KEPT: &str = r#"{"a":3,"b":2}"#;
    let lost = |who: &str| {
        let what = "keeps one of several members with one name, which JSON leaves open";
        let difference = judge_difference(KEPT);
        format!("{who}: payload: {what}: {difference}")
    };
    repeated(SENT, SENT, 0, Pass, true, "crossed, equal as JSON and as bytes");
    repeated(SENT, KEPT, 0, NotSupported, false, &lost("to"));
    repeated(KEPT, KEPT, 0, NotSupported, false, &lost("from"));
    // A producer that loses repeats hides nothing that the consumer does.
    let other = format!("to: payload: {}", judge_difference(r#"{"x":9}"#));
    repeated(KEPT, r#"{"x":9}"#, 0, Fail, true, &other);
    repeated(KEPT, KEPT, 1, Fail, true, "to: empty: emq:{q}:wait and emq:{q}:active still hold 1");
}

fn judge_difference(came: &str) -> String {
    compare(r#"{"a":1,"b":2,"a":3}"#, came.as_bytes()).difference.unwrap_or_default()
}

#[test]
fn what_is_refused_counts_while_its_job_is_held() {
    let payload = Payload { optional: true, ..payload() };
    let mut trip = Trip { add: sound().add, added: sound().added, ..Trip::default() };
    (trip.take, trip.left) = (refusal(ErrorKind::NotSupported), Some(1));
    let report = judge(&payload, &trip, &names(&EMQ_1));
    assert_eq!((report.verdict, report.counts), (NotSupported, true));
    trip.left = Some(0);
    assert!(!judge(&payload, &trip, &names(&EMQ_1)).counts);
    assert!(judge(&super::tests::payload(), &trip, &names(&EMQ_1)).counts, "only what JSON leaves open is forgiven");
}
