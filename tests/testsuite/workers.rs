//! Eight workers share 10,000 jobs through the reference probe runtime: nothing is lost, nothing completes twice.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::engines::{valkey_8, valkey_9};
use echomq_conformance::core::capture::{Capture, Event, Read, Reply, Source, monitor};
use echomq_conformance::core::judge::{Options, judge_capture};
use echomq_conformance::core::report::{Reports, Verdict};
use echomq_conformance::native::runtime::error::RuntimeError;
use echomq_conformance::native::runtime::ids::Mint;
use echomq_conformance::native::runtime::keys::QueueKeys;
use echomq_conformance::native::runtime::reference::{Job, Runtime};
use echomq_conformance::native::server::{PrivateServer, Recorder, Target, recorder};

const QUEUE: &str = "payments";
const JOBS: usize = 10_000;
const WORKERS: usize = 8;
/// Short enough that a dead worker's job comes back within the test, long enough for a live worker's.
const LEASE: Duration = Duration::from_secs(2);
/// A worker that holds its job longer than its lease.
const TOO_SHORT: Duration = Duration::from_millis(1);

/// What the workers did, counted.
#[derive(Default)]
struct Tally {
    completed: Mutex<HashMap<String, usize>>,
    retried: AtomicUsize,
    recovered: AtomicUsize,
    lost_locks: AtomicUsize,
    abandoned: AtomicUsize,
}

impl Tally {
    fn completed(&self) -> usize {
        self.completed.lock().expect("no worker panicked").len()
    }

    fn complete(&self, id: String) {
        *self.completed.lock().expect("no worker panicked").entry(id).or_default() += 1;
    }
}

fn open(target: &Target) -> Runtime {
    Runtime::open(target.connect().expect("it connects"), QUEUE).expect("the queue opens")
}

/// Works until every job is done; one of the workers dies with a job in its hands.
fn work(target: &Target, mint: &Mint, tally: &Tally, worker: usize) {
    let mut runtime = open(target);
    let end = Instant::now() + Duration::from_secs(120);
    for turn in 0.. {
        assert!(Instant::now() < end, "{} of {JOBS} jobs done", tally.completed());
        let slow = turn % 500 == 499;
        let token = mint.mint("token");
        let Some(job) = runtime.claim(&token, if slow { TOO_SHORT } else { LEASE }).expect("a claim") else {
            if tally.completed() == JOBS {
                return;
            }
            tally.recovered.fetch_add(runtime.recover().expect("a recovery").len(), Ordering::Relaxed);
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        if worker == 0 && turn == 100 {
            tally.abandoned.fetch_add(1, Ordering::Relaxed);
            return;
        }
        if slow {
            thread::sleep(TOO_SHORT * 5);
            tally.recovered.fetch_add(runtime.recover().expect("a recovery").len(), Ordering::Relaxed);
        }
        finish(&mut runtime, job, tally);
    }
}

fn finish(runtime: &mut Runtime, job: Job, tally: &Tally) {
    assert_eq!(job.payload, format!("{{\"of\":\"{}\"}}", job.id).into_bytes(), "the payload is this job's");
    let number: usize = job.id.rsplit('-').next().and_then(|number| number.parse().ok()).expect("a numbered id");
    let outcome = if number.is_multiple_of(50) && job.attempts == 1 {
        runtime.retry(&job, b"once is not enough").map(|()| tally.retried.fetch_add(1, Ordering::Relaxed)).map(drop)
    } else {
        if number.is_multiple_of(20) {
            // A lost lock is the business of the call that follows.
            drop(runtime.extend_lock(&job, LEASE));
        }
        runtime.complete(&job, b"done").map(|()| tally.complete(job.id))
    };
    match outcome {
        Ok(()) => {}
        Err(RuntimeError::LockLost(_)) => drop(tally.lost_locks.fetch_add(1, Ordering::Relaxed)),
        Err(error) => panic!("{error}"),
    }
}

fn check(program: &Path) {
    let server = PrivateServer::start(program).expect("the server starts");
    let target = Target::private(&server, Duration::from_secs(10)).expect("the URL is one");
    let (mut control, control_address) = target.connect_named().expect("it connects");
    let recorder = Recorder::start(&target).expect("it records");
    let (mint, tally) = (Mint::new(), Tally::default());

    thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (target, mint, tally) = (&target, &mint, &tally);
            scope.spawn(move || work(target, mint, tally, worker));
        }
        let mut producer = open(&target);
        for _ in 0..JOBS {
            let id = mint.mint("job");
            producer.add(&id, format!("{{\"of\":\"{id}\"}}").as_bytes()).expect("it is added");
        }
    });

    let completed = tally.completed.into_inner().expect("no worker panicked");
    let twice: BTreeMap<_, _> = completed.iter().filter(|(_, times)| **times > 1).collect();
    assert_eq!(completed.len(), JOBS, "nothing is lost");
    assert!(twice.is_empty(), "completed more than once: {twice:?}");
    assert!(tally.retried.into_inner() > 0 && tally.recovered.into_inner() > 0 && tally.lost_locks.into_inner() > 0);
    assert_eq!(tally.abandoned.into_inner(), 1, "one worker died");

    recorder::mark(&mut control, "the end").expect("the end is marked");
    let (mut reader, mut events) = (monitor::Reader::new(), Vec::new());
    let own = format!(" {control_address}] ");
    let take = |line: &str| {
        if !line.contains(&own) {
            events.extend(reader.line(line.as_bytes()).expect("a line of MONITOR"));
        }
    };
    recorder.finish("the end", Duration::from_secs(60), take).expect("the recording is whole");
    let keys = QueueKeys::of(QUEUE);
    let argv = ["HGET", &keys.meta, "version"];
    let version: String = redis::cmd(argv[0]).arg(&argv[1..]).query(&mut control).expect("a version");
    conforms(events, Read { argv: argv.map(Into::into).to_vec(), reply: Reply::Text(version.as_str().into()) });

    let count = |command: &str, key: &str| -> usize {
        redis::cmd(command).arg(key).query(&mut target.connect().expect("it connects")).expect("a number")
    };
    assert_eq!((count("LLEN", &keys.wait), count("LLEN", &keys.active)), (0, 0));
    assert_eq!(count("ZCARD", &keys.completed), JOBS);
}

/// The recording of it all passes the five assertions.
fn conforms(events: Vec<Event>, version: Read) {
    assert!(events.len() > JOBS * 10, "{} events", events.len());
    let source = Source { private: true, ..Source::default() };
    let capture = Capture { queue: Some(QUEUE.to_owned()), source, events, reads: vec![version], ..Capture::default() };
    let Reports(reports) = judge_capture(&capture, &Options::default());
    let [report] = reports.as_slice() else { panic!("one report, not {}", reports.len()) };
    for assertion in &report.assertions {
        assert_eq!(assertion.verdict, Verdict::Pass, "{}: {}", assertion.id, assertion.summary);
        assert!(assertion.checked > 0, "{}: {}", assertion.id, assertion.summary);
    }
    assert!(report.problems.is_empty());
}

#[test]
fn eight_workers_share_ten_thousand_jobs_on_8_0() {
    check(&valkey_8());
}

#[test]
fn eight_workers_share_ten_thousand_jobs_on_9_1() {
    check(&valkey_9());
}
