//! What a recording says of the text of a function, against what the server ran.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use echomq_conformance::core::bytes::Bytes;
use echomq_conformance::core::capture::{Capture, Script};
use echomq_conformance::core::witness::Calls;
use redis::{Connection, RedisResult, Value};

use crate::common::chance::Chance;
use crate::common::engines::engines;
use crate::common::libraries::{FUNCTIONS, Texts, name};
use crate::common::mortal::Mortal;
use crate::common::process::wait_until;
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::recording::Recording;
use crate::common::shared::{Noise, Shared, connect, send};

/// What whoever records is allowed at least; and what lets it ask for libraries.
const LEAST: &[&str] = &["+ping", "+client|info", "+client|list", "+info", "+monitor", "+hget"];
const TELLS: &str = "+function|list";

fn library(more: &str) -> String {
    format!("#!lua name=jobs\nredis.register_function('size', function() return {more} end)")
}

/// Whoever records, by what it is allowed beside the least.
fn url(shared: &mut Shared, more: &[&str]) -> String {
    let user = ["ACL", "SETUSER", "few", "reset", "on", "nopass", "allkeys"];
    shared.ask::<()>(&[&user[..], LEAST, more].concat());
    shared.url_as("few:x")
}

/// The texts that a capture says a function had, where a reader does not know them by itself.
fn told(capture: &Capture) -> Option<Vec<Option<String>>> {
    let Script { source, earlier, .. } = capture.scripts.get("size")?;
    let text = |text: &Option<Bytes>| text.as_ref().map(|text| String::from_utf8_lossy(text.as_slice()).into_owned());
    Some(earlier.iter().chain([source]).map(text).collect())
}

fn load(client: &mut Connection, words: &[&str]) -> RedisResult<Value> {
    redis::cmd("FUNCTION").arg("LOAD").arg(words).query(client)
}

fn call(client: &mut Connection) {
    send(client, &["FCALL", "size", "1", "emq:{q}:wait"]);
}

fn is_recorded(recorder: &Recorder, word: &str, count: usize) {
    let file = recorder.folder.path(FILE);
    let times = || std::fs::read_to_string(&file).expect("the file").matches(word).count();
    wait_until("it is recorded", || times() >= count);
}

/// One whose function runs something, and so shows that it is there.
fn library_that_runs(more: &str) -> String {
    format!(
        "#!lua name=jobs\nredis.register_function('size', function(keys) redis.call('GET', keys[1]) return {more} end)"
    )
}

/// Waits until the server has told of its libraries, for which it is asked first: what is asked later is answered.
fn has_told(shared: &mut Shared, recorder: &Recorder) {
    shared.ask::<()>(&["SET", "emq:{another}:01", "1"]);
    is_recorded(recorder, "emq:{another}:meta", 1);
}

/// The server refuses a name that is there. Who may ask for libraries knows what that one is; who may not, that it does not know.
#[test]
fn a_library_that_was_there_before_is_what_the_server_says() {
    for (version, program) in engines() {
        for tells in [true, false] {
            let mut shared = Shared::start_program(&program, &[]);
            let mut client = shared.client();
            load(&mut client, &[&library("1")]).expect("it is loaded");
            let recorder = Recorder::start_at(&url(&mut shared, if tells { &[TELLS] } else { &[] }), &[]);
            if tells {
                has_told(&mut shared, &recorder);
            }
            load(&mut client, &[&library("2")]).expect_err("it is there");
            call(&mut client);
            let text = tells.then(|| library("1"));
            assert_eq!(told(&recorder.capture()), Some(vec![text]), "{version}, {tells}");
        }
    }
}

/// Workers call it while the recording begins: also what comes before the first answer has its text. Who may not ask for libraries has
/// none, and knows so.
#[test]
fn calls_that_come_as_a_recording_begins_have_the_text_that_was_there() {
    for (version, program) in engines() {
        for tells in [true, false] {
            let mut shared = Shared::start_program(&program, &[]);
            load(&mut shared.client(), &[&library_that_runs("1")]).expect("it is loaded");
            let url = url(&mut shared, if tells { &[TELLS] } else { &[] });
            let workers = Noise::start(shared.client(), call);
            let recorder = Recorder::start_at(&url, &[]);
            is_recorded(&recorder, "FCALL", 10);
            drop(workers);
            let capture = recorder.capture();
            let text = tells.then(|| library_that_runs("1"));
            assert_eq!(texts(&capture), [("size".to_owned(), vec![text])], "{version}, {tells}");
        }
    }
}

/// A break in which no library changed, by the server's own counts, changes nothing; after another one the server is asked again, and who
/// may not ask knows nothing.
#[test]
fn what_is_known_of_libraries_outlives_a_break_that_hid_nothing() {
    for (version, program) in engines() {
        for (tells, hides) in [(true, false), (true, true), (false, false), (false, true)] {
            let mut shared = Shared::start_program(&program, &[]);
            let mut client = shared.client();
            let mut recorder = Recorder::start_at(&url(&mut shared, if tells { &[TELLS] } else { &[] }), &[]);
            load(&mut client, &[&library("1")]).expect("it is loaded");
            call(&mut client);
            is_recorded(&recorder, "FCALL", 1);
            // Nobody is let in meanwhile.
            let port = shared.server.address().port().to_string();
            shared.ask::<()>(&["CONFIG", "SET", "port", "0"]);
            shared.kill_monitors();
            recorder.wait_for("broke off");
            if hides {
                load(&mut client, &["REPLACE", &library("2")]).expect("it is loaded");
            }
            shared.ask::<()>(&["CONFIG", "SET", "port", &port]);
            recorder.wait_for("recording again");
            recorder.wait_for(if hides { "that the recording does not hold" } else { "nothing was lost" });
            if tells {
                has_told(&mut shared, &recorder);
            }
            call(&mut client);
            let expected = match (tells, hides) {
                (_, false) => None,
                // The call before the break was counted with what the break hid: nobody knows which of the two came first.
                (true, true) => Some(vec![None, Some(library("1")), Some(library("2"))]),
                (false, true) => Some(vec![Some(library("1")), None]),
            };
            assert_eq!(told(&recorder.capture()), expected, "{version}, {tells}, {hides}");
        }
    }
}

/// It has a name, and fails as it is loaded: what was there stays.
#[test]
fn a_text_that_fails_to_load_is_nobody_s() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let mut client = shared.client();
        let recorder = Recorder::start_at(&url(&mut shared, &[TELLS]), &[]);
        load(&mut client, &[&library("1")]).expect("it is loaded");
        call(&mut client);
        load(&mut client, &["REPLACE", &format!("{} error('x')", library("2"))]).expect_err("it fails");
        call(&mut client);
        assert_eq!(told(&recorder.capture()), Some(vec![Some(library("1")), None]), "{version}");
    }
}

/// A library is replaced in a pause: where that stands in no line, only the counts show it, after it was called.
#[test]
fn a_library_that_is_replaced_in_a_pause_is_not_overlooked() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let (mut client, mut other) = (shared.client(), shared.client());
        let recorder = Recorder::start_at(&url(&mut shared, &[TELLS]), &[]);
        load(&mut client, &[&library("1")]).expect("it is loaded");
        call(&mut client);
        is_recorded(&recorder, "FCALL", 1);
        shared.ask::<()>(&["CLIENT", "PAUSE", "300", "ALL"]);
        load(&mut other, &["REPLACE", &library("2")]).expect("it is loaded");
        call(&mut client);
        let capture = recorder.capture();
        // Valkey 9 shows it once the pause is over, and nothing is lost.
        let is_shown = commands(&capture).iter().any(|command| command.contains("return 2"));
        let told = told(&capture).is_some_and(|told| told.contains(&None));
        assert_eq!((told, capture.dropped > 0), (!is_shown, !is_shown), "{version}: {:?}", commands(&capture));
    }
}

/// It has none then, whatever it had; and a name that was there is free.
#[test]
fn a_server_that_starts_anew_has_the_libraries_that_it_loads_then() {
    for (version, program) in engines() {
        let mut server = Mortal::start(&program);
        let mut client = connect(&server.url());
        let mut recorder = Recorder::start_at(&server.url(), &[]);
        load(&mut client, &[&library("1")]).expect("it is loaded");
        call(&mut client);
        is_recorded(&recorder, "FCALL", 1);
        server.kill();
        recorder.wait_for("broke off");
        let server = server.again();
        recorder.wait_for("was started anew");
        let mut client = connect(&server.url());
        load(&mut client, &[&library("2")]).expect("it is loaded");
        call(&mut client);
        let capture = recorder.capture();
        // What was loaded in the stretch in which it ended is told by no count.
        let told = told(&capture).expect("a reader knows another text");
        assert_eq!(told.last(), Some(&Some(library("2"))), "{version}: {told:?}");
        let (_, before) = told.split_last().expect("a text");
        let is_before = |text: &Option<String>| text.as_ref().is_none_or(|text| *text == library("1"));
        assert!(!before.is_empty() && before.iter().all(is_before), "{version}: {told:?}");
    }
}

/// A text may have failed to load before its end, which no count tells any more.
#[test]
fn what_a_server_ran_that_never_comes_back_is_not_sure() {
    for (version, program) in engines() {
        for is_interrupted in [true, false] {
            let mut server = Mortal::start(&program);
            let mut client = connect(&server.url());
            let mut recorder =
                Recorder::start_at(&server.url(), &["--timeout", if is_interrupted { "600s" } else { "5s" }]);
            load(&mut client, &[&library("1")]).expect("it is loaded");
            call(&mut client);
            is_recorded(&recorder, "FCALL", 1);
            server.kill();
            recorder.wait_for("broke off");
            let (_, folder) = if is_interrupted { recorder.interrupt() } else { recorder.end() };
            let told = told(&read(&folder)).expect("a reader takes it for sure");
            assert!(told.contains(&None), "{version}, {is_interrupted}: {told:?}");
        }
    }
}

/// `EMQ_LIBRARY_ROUNDS` asks for more.
fn rounds() -> u64 {
    std::env::var("EMQ_LIBRARY_ROUNDS").map_or(4, |rounds| rounds.parse().expect("a number"))
}

/// Random loads, deletions and restorings, by whoever may ask and who may not, with pauses and breaks of the connection, and with more
/// comparisons than there are in such a time: each text that a call ran is told, or that one is not known; and no other is told, unless
/// one is not known.
#[test]
fn a_recording_tells_the_texts_that_calls_ran() {
    for (version, program) in engines() {
        for tells in [true, false] {
            let (mut known, mut unknown) = (0, 0);
            for seed in 1..=rounds() {
                let mut shared = Shared::start_program(&program, &[]);
                let (capture, ran) = run(&mut shared, tells, &mut Chance::new(seed));
                assert!(!ran.is_empty(), "calls are recorded");
                let told: BTreeMap<_, _> = texts(&capture).into_iter().collect();
                for (function, ran) in &ran {
                    let told = told.get(*function).map(Vec::as_slice).unwrap_or_default();
                    let is_told = |ran: &String| {
                        told.iter().any(|text| text.as_ref().is_none_or(|text| text.contains(&format!("'{ran}'"))))
                    };
                    let untold: Vec<_> = ran.iter().filter(|ran| !is_told(ran)).collect();
                    assert!(
                        untold.is_empty(),
                        "{version}, {tells}, seed {seed}: {function} ran {untold:?}, not in {told:?}"
                    );
                }
                for (function, texts) in told {
                    let ran = ran.get(&*function).cloned().unwrap_or_default();
                    // Beside what is not known may stand what was refused for a function that nobody can see.
                    let is_known = texts.iter().all(Option::is_some);
                    for text in texts {
                        let Some(text) = text else {
                            unknown += 1;
                            continue;
                        };
                        known += 1;
                        // What the server refuses has run no text.
                        let is_it =
                            !is_known || ran.is_empty() || ran.iter().any(|ran| text.contains(&format!("'{ran}'")));
                        assert!(is_it, "{version}, {tells}, seed {seed}: {function} ran {ran:?}, not {text}");
                    }
                }
            }
            // Who may not ask knows little in such a crowd.
            assert!(known > 0 || !tells, "{version}: {known} texts were known, {unknown} were not");
        }
    }
}

/// Gives what was recorded, and what the recorded calls of each function ran.
fn run(shared: &mut Shared, tells: bool, chance: &mut Chance) -> (Capture, BTreeMap<&'static str, BTreeSet<String>>) {
    const COMMANDS: usize = 80;
    let (mut client, mut other) = (shared.client(), shared.client());
    let mut texts = Texts::new(chance.of(50));
    let mut ran = Vec::new();
    for _ in 0..chance.below(if tells { 4 } else { 2 }) {
        drop(load(&mut client, &[&texts.make(chance)]));
    }
    let dump: Vec<u8> = redis::cmd("FUNCTION").arg("DUMP").query(&mut client).expect("a dump");
    let compares_every = Duration::from_millis(50 + chance.below(600));
    let recording = Recording::start(&url(shared, if tells { &[TELLS] } else { &[] }), compares_every);
    for _ in 0..COMMANDS {
        match chance.below(100) {
            0 => {
                // Sometimes after a time in which nothing comes behind what is told.
                std::thread::sleep(Duration::from_millis(chance.pick(&[0, 700])));
                shared.kill_monitors();
                recording.wait_for("broke off");
            }
            // What runs in a pause may stand in no line.
            1 => {
                shared.ask::<()>(&["CLIENT", "PAUSE", "50", "ALL"]);
                if chance.of(50) {
                    drop(redis::cmd("FUNCTION").arg("DELETE").arg(name(chance)).exec(&mut other));
                } else {
                    drop(load(&mut other, &["REPLACE", &texts.make(chance)]));
                }
            }
            2..50 => {
                let function = chance.pick(&FUNCTIONS);
                let number = ran.len().to_string();
                let text: Option<String> =
                    redis::cmd("FCALL").arg(function).arg(0).arg(&number).query(&mut client).ok();
                ran.push((format!("FCALL {function} 0 {number}"), function, text));
            }
            50..59 => drop(load(&mut client, &[&texts.make(chance)])),
            59..61 => {
                let (broken, sound) = texts.broken_and_sound(chance);
                drop(load(&mut client, &[&broken]));
                drop(load(&mut client, &[&sound]));
            }
            61..78 => drop(load(&mut client, &["REPLACE", &texts.make(chance)])),
            78..80 => drop(load(&mut client, &["REPLACE", &texts.broken(chance)])),
            80..84 => drop(redis::cmd("FUNCTION").arg("DELETE").arg(name(chance)).exec(&mut client)),
            84 => redis::cmd("FUNCTION").arg("FLUSH").exec(&mut client).expect("it is done"),
            85 => {
                let policy = chance.pick(&["APPEND", "REPLACE", "FLUSH"]);
                drop(redis::cmd("FUNCTION").arg("RESTORE").arg(&dump).arg(policy).exec(&mut client));
            }
            // Loads stand around a question that one of them brings about, and what they load is deleted.
            86 => {
                let mut crowd = redis::pipe();
                for _ in 0..6 {
                    crowd.cmd("FUNCTION").arg("LOAD").arg(texts.make(chance)).ignore();
                    for _ in 0..100 {
                        crowd.cmd("PING").ignore();
                    }
                }
                drop(crowd.exec(&mut client));
                drop(redis::cmd("FUNCTION").arg("DELETE").arg(name(chance)).exec(&mut client));
            }
            // Time for an answer.
            87..91 => std::thread::sleep(Duration::from_millis(300)),
            _ => std::thread::sleep(Duration::from_millis(chance.below(10))),
        }
    }
    let capture = recording.capture();
    // Some came while nobody was heard.
    let recorded: BTreeSet<String> = commands(&capture).into_iter().collect();
    let mut texts = BTreeMap::<_, BTreeSet<String>>::new();
    for (_, function, text) in ran.into_iter().filter(|(call, ..)| recorded.contains(call)) {
        texts.entry(function).or_default().extend(text);
    }
    (capture, texts)
}

/// The texts that a function had, as whoever reads a capture is told.
fn texts(capture: &Capture) -> Vec<(String, Vec<Option<String>>)> {
    let calls = Calls::of(capture);
    let clients: BTreeSet<Option<&str>> = capture.events.iter().map(|event| event.client.as_deref()).collect();
    let called = calls.by(&clients.into_iter().collect::<Vec<_>>());
    let text = |text: Option<&[u8]>| text.map(|text| String::from_utf8_lossy(text).into_owned());
    let functions = called.iter().filter(|called| called.function);
    functions.map(|called| (called.id.clone(), calls.texts(called).into_iter().map(text).collect())).collect()
}
