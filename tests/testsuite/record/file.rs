//! What a recording leaves on disk, whatever ends it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::{engines, valkey_9};
use crate::common::folder::Folder;
use crate::common::process::{peak_memory, signal, wait_until};
use crate::common::recorder::{FILE, Recorder, read};
use crate::common::shared::{Noise, Shared, send};
use echomq_conformance::core::capture::{Capture, Event, Origin, json};
use serde_json::Value;

/// At any moment the file is a capture, or one whose last line is cut.
#[test]
fn a_recorder_that_is_killed_leaves_a_capture() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        for times in 0..3 {
            let mut recorder = Recorder::start(&shared, &[]);
            let noise = Noise::start(shared.client(), |client| drop(send(client, &["HSET", "emq:{q}:01", "a", "1"])));
            let file = recorder.folder.path(FILE);
            let size = || fs::metadata(&file).expect("the file").len();
            wait_until("something is written", || size() > 20_000 * (times + 1));
            recorder.child.kill().expect("it runs");
            drop(noise);
            let (_, folder) = recorder.end();
            let report = run(&["check", "--format", "json", &folder.text(FILE)]).json();
            assert_eq!(report["subject"]["queue"], "q", "{version}");
            let keyspace = &report["assertions"][0];
            assert!(keyspace["checked"].as_u64() > Some(0), "{version}");
            let says = |word: &str| keyspace["summary"].as_str().is_some_and(|summary| summary.contains(word));
            let cut = says("cut short");
            assert_eq!((&keyspace["verdict"], cut || says("did not end properly")), (&"indeterminate".into(), true));
            let noted = report["notes"].to_string().contains("its recorder was stopped, or still records");
            assert_eq!(noted, !cut, "{version}: {report:#}");
        }
    }
}

/// Of a recording in parts, only the one that was written says so; and so does a file that is still being written.
#[test]
fn a_part_is_unfinished_until_the_next_begins() {
    let mut shared = Shared::start();
    let mut recorder = Recorder::start(&shared, &["--rotate", "2"]);
    (0..5).for_each(|_| shared.ask::<()>(&["GET", "emq:{q}:01"]));
    let part = |number: u32| recorder.folder.path(&format!("traffic.{number:05}.json"));
    let parsed = |file: &Path| json::parse(&fs::read(file).unwrap_or_default()).ok();
    wait_until("the last part is written", || parsed(&part(3)).is_some_and(|capture| capture.events.len() == 1));
    let unfinished = |number| parsed(&part(number)).expect("a capture").source.unfinished;
    assert_eq!([1, 2, 3].map(unfinished), [false, false, true]);
    recorder.child.kill().expect("it runs");
    let (_, folder) = recorder.end();
    let run = run(&["check", &folder.text("traffic.00003.json")]);
    assert!(run.stdout.contains("this recording did not end properly"), "{}", run.stdout);
}

/// Two recorders in one file would leave a mixture of both.
#[test]
fn a_file_that_is_being_recorded_is_refused() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &[]);
    let (url, file) = (shared.url(), recorder.folder.text(FILE));
    let said = [&*file, "another program, perhaps a recorder, has locked it", "name another file"];
    run(&["record", "--url", &url, "--for", "1ms", "--out", &file]).expect(2).says(&said);
    run(&["probe", "--runtime", "true", "--record", &file]).expect(2).says(&said);
    let log = recorder.folder.write("a.log", "OK\n");
    run(&["check", "--report", &format!("json={file}"), &log]).expect(2).says(&said);
    shared.ask::<()>(&["GET", "a"]);
    let (ended, folder) = recorder.interrupt();
    ended.expect(0);
    assert_eq!(read(&folder).events.len(), 1);
    run(&["record", "--url", &url, "--for", "1ms", "--out", &file]).expect(0);
}

/// Also where the recorder began after the report was asked for.
#[test]
fn a_file_that_has_come_to_be_recorded_is_refused_at_last() {
    let (mut shared, folder) = (Shared::start(), Folder::new());
    for links in [1, 2] {
        let file = folder.write(FILE, "");
        if links == 2 {
            fs::hard_link(&file, folder.path("other")).expect("a link");
        }
        let mut check = emq(&["check", "--report", &format!("json={file}"), "-"]);
        let mut check = start(check.stdin(Stdio::piped()));
        // The report's place is looked at before the log is read.
        let mut log = check.stdin.take().expect("a pipe");
        // A pipe takes no more than 64 KiB before somebody reads.
        log.write_all(&b"1.000001 [0 a:1] \"PING\"\n".repeat(10_000)).expect("it reads");
        let recorder = Recorder::run(emq(&["record", "--url", &shared.url(), "--out", &file]), Folder::new());
        drop(log);
        let run: Run = check.wait_with_output().expect("it ends").into();
        run.expect(2).says(&["has locked it"]);
        shared.ask::<()>(&["GET", "a"]);
        recorder.interrupt().0.expect(0);
        assert_eq!(read(&folder).events.len(), 1, "{links}");
    }
}

/// The same at every length that a copy of the file may have.
#[test]
fn a_recording_that_is_cut_anywhere_is_read_up_to_there() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &[]);
    shared.ask::<()>(&["EVAL", "return redis.call('LLEN', KEYS[1])", "1", "emq:{q}:wait"]);
    shared.ask::<()>(&["GET", "emq:{q}:01"]);
    let (_, folder) = recorder.interrupt();
    let text = folder.read(FILE);
    let head = text.find("\"events\": [").expect("the events") + "\"events\": [".len();
    let end = text.trim_end().len();
    for cut in (head..end).step_by(7) {
        let file = folder.write("cut.json", &text.as_bytes()[..cut]);
        let run = run(&["check", "--all-clients", &file]);
        assert!([Some(1), Some(4)].contains(&run.code), "cut at {cut}: {}", run.stderr);
        assert!(run.stdout.contains("the capture is cut short here"), "cut at {cut}: {}", run.stdout);
    }
    // A capture without events says that it is cut; what breaks off before them may be anything.
    let file = folder.write("cut.json", &text.as_bytes()[..head]);
    let line = text[..head].lines().count();
    let run_of_none = run(&["check", &file]).expect(4);
    let said = format!("line {line}, byte 1: the capture is cut short here");
    assert!(run_of_none.stdout.contains(&said), "{}", run_of_none.stdout);
    let file = folder.write("cut.json", &text.as_bytes()[..head - 1]);
    run(&["check", &file]).expect(2).says(&["EOF"]);
}

/// A limit on the size of files, as a shell sets it.
#[test]
fn a_file_that_may_not_grow_holds_what_was_written_before() {
    // In blocks of 512 bytes.
    let shell = "ulimit -f 200; exec \"$0\" \"$@\"";
    full(&["/bin/sh", "-c", shell], "", 200 * 512, "File too large");
}

/// A small file system of the recorder's own, in a namespace that goes with it.
#[test]
#[allow(clippy::print_stderr, reason = "who reads the tests' output is to know which disk was full")]
fn a_full_disk_leaves_what_was_written_before() {
    let Some(unshare) = UNSHARE.into_iter().find(|words| may_mount(words)) else {
        eprintln!("nobody may mount a file system here: a limit on the size of files stands for a full disk");
        return a_file_that_may_not_grow_holds_what_was_written_before();
    };
    let shell = "cd \"$EMQ_TEST_FOLDER\" && mkdir disk && mount -t tmpfs -o size=300k tmpfs disk || exit 99
        \"$0\" \"$@\"
        code=$?
        cp disk/* . && exit $code";
    full(&[unshare, &["/bin/sh", "-c", shell]].concat(), "disk/", 300 * 1024, "No space left on device");
}

/// How root, or where the system allows it anybody, gets file systems of one's own.
const UNSHARE: [&[&str]; 2] = [&["unshare", "--mount"], &["unshare", "--map-root-user", "--mount"]];

fn may_mount(unshare: &[&str]) -> bool {
    let mut mount = Command::new(unshare[0]);
    mount.args(&unshare[1..]).args(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", "/mnt"]);
    mount.output().is_ok_and(|output| output.status.success())
}

/// Records into a folder below the test's own, in a world where only so many bytes fit.
fn full(world: &[&str], below: &str, room: usize, why: &str) {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let folder = Folder::new();
        let recorder = emq(&["record", "--url", &shared.url(), "--out", &folder.text(&format!("{below}{FILE}"))]);
        let mut limited = Command::new(world[0]);
        limited.args(&world[1..]).arg(recorder.get_program()).args(recorder.get_args());
        limited.env("EMQ_TEST_FOLDER", folder.text(""));
        let recorder = Recorder::run(limited, folder);
        let noise = Noise::start(shared.client(), |client| drop(send(client, &["SET", "emq:{q}:01", "1"])));
        let (run, folder) = recorder.end();
        drop(noise);
        let run = run.expect(3).says(&["cannot write the recording", "can be read", why]);
        let capture = read(&folder);
        assert!(capture.events.len() > 100, "{version}: {}", capture.events.len());
        // What was heard and is not in the file was lost.
        assert!(capture.dropped > 0, "{version}");
        let said =
            [format!("recorded {} commands", capture.events.len()), format!("at least {} lost", capture.dropped)];
        run.says(&[&said[0], &said[1]]);
        let size = folder.read(FILE).len();
        assert!(size <= room && size > room / 2, "{version}: {size}");
    }
}

#[test]
fn a_rotated_recording_is_parts_that_are_captures() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--rotate", "10"]);
    for _ in 0..8 {
        shared.ask::<()>(&["EVAL", "redis.call('GET', KEYS[1]); redis.call('GET', KEYS[1])", "1", "emq:{q}:01"]);
    }
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["recorded 24 commands", "traffic.00001.json to", "traffic.00002.json"]);
    assert_eq!(folder.names(), ["traffic.00001.json", "traffic.00002.json"]);
    let parts = folder.names().into_iter().map(|name| {
        let capture = json::parse(folder.read(&name).as_bytes()).expect(&name);
        let orphans = capture.events.iter().filter(|event| event.origin == Origin::Script && event.call.is_none());
        assert_eq!((orphans.count(), capture.events[0].seq, capture.scripts.len()), (0, 1, 1), "{name}");
        capture.events.len()
    });
    // A script that has begun stays whole.
    assert_eq!(parts.collect::<Vec<_>>(), [12, 12]);
    let recorder = Recorder::start(&shared, &["--rotate", "4KiB"]);
    for _ in 0..200 {
        shared.ask::<()>(&["GET", "emq:{q}:01"]);
    }
    let (_, folder) = recorder.interrupt();
    let names = folder.names();
    assert!(names.len() > 4, "{names:?}");
    let events: usize =
        names.iter().map(|name| json::parse(folder.read(name).as_bytes()).expect(name).events.len()).sum();
    assert_eq!(events, 200);
}

#[test]
fn what_somebody_else_has_put_there_meanwhile_is_not_overwritten() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--rotate", "2"]);
    recorder.folder.write("traffic.00002.json", "kept");
    for number in 0..5 {
        shared.ask::<()>(&["GET", &number.to_string()]);
    }
    let (run, folder) = recorder.end();
    run.expect(3).says(&["traffic.00002.json"]);
    assert_eq!(folder.read("traffic.00002.json"), "kept");
}

#[test]
fn a_file_that_goes_while_it_is_written_is_no_recording() {
    let shared = Shared::start();
    for change in ["rm FILE", "rm FILE; : >FILE", ": >FILE"] {
        let recorder = Recorder::start(&shared, &[]);
        send(&mut shared.client(), &["GET", "a"]);
        let file = recorder.folder.path(FILE);
        wait_until("it is written", || fs::read_to_string(&file).is_ok_and(|text| text.contains("GET")));
        let change = change.replace("FILE", &format!("'{}'", recorder.folder.text(FILE)));
        assert!(Command::new("/bin/sh").args(["-c", &change]).status().expect("a shell").success());
        let (run, _folder) = recorder.interrupt();
        run.expect(3).says(&["removed, replaced or cut"]);
    }
}

/// While a script is so slow that the server answers BUSY, a few commands of others stand between its own.
#[test]
fn a_part_ends_behind_a_slow_script_whoever_comes_between() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &["--busy-reply-threshold", "20"]);
        let recorder = Recorder::start(&shared, &["--rotate", "2"]);
        let [mut caller, mut other] = [(); 2].map(|()| shared.client());
        let slow = "redis.call('LLEN', KEYS[1]) local t = os.clock()
            repeat until os.clock() - t > 0.3 redis.call('LLEN', KEYS[2])";
        let calling = thread::spawn(move || {
            send(&mut caller, &["EVAL", slow, "2", "emq:{q}:wait", "emq:{q}:active"]);
            send(&mut caller, &["GET", "emq:{q}:01"]);
        });
        let mut between = 0;
        while !calling.is_finished() {
            between += 1;
            send(&mut other, &["HELLO", "2"]);
            thread::sleep(Duration::from_millis(20));
        }
        calling.join().expect("the script ends");
        shared.ask::<()>(&["GET", "emq:{q}:02"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost"]);
        assert!(between > 4, "{version}: nobody came between");
        let parts = folder.names().into_iter().map(|name| json::parse(folder.read(&name).as_bytes()).expect(&name));
        let parts: Vec<_> = parts.collect();
        assert!(parts.len() > 1, "{version}");
        let orphans = |event: &&Event| event.origin == Origin::Script && event.call.is_none();
        assert_eq!(parts.iter().flat_map(|part| &part.events).filter(orphans).count(), 0, "{version}");
        let shown = |part: &Capture, name: &[u8]| part.events.iter().filter(|event| event.args()[0] == name).count();
        let whole = parts.iter().find(|part| shown(part, b"EVAL") == 1).expect("the call");
        assert_eq!(shown(whole, b"LLEN"), 2, "{version}: the script is not whole");
        assert!(shown(whole, b"HELLO") > 1, "{version}: nobody was let in between");
    }
}

/// What is left out takes nothing from a verdict.
#[test]
fn a_redacted_recording_is_judged_as_the_whole_one() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        shared.ask::<()>(&["CLIENT", "SETNAME", "worker"]);
        let pick = ["--client", "worker"];
        let recorders = [&["--keep-values"][..], &[]].map(|more| Recorder::start(&shared, &[&pick, more].concat()));
        shared.ask::<()>(&["HSET", "emq:{q}:meta", "paused", "0", "version", "echomq:2.0.0"]);
        shared.ask::<()>(&[
            "EVAL",
            "redis.call('SET', KEYS[1], ARGV[1]); redis.call('GET', ARGV[2] .. '01')",
            "1",
            "emq:{q}:01",
            "secret",
            "emq:{q}:",
        ]);
        shared.ask::<()>(&["ZUNIONSTORE", "emq:{q}:active", "2", "emq:{q}:a", "emq:{q}:b", "WEIGHTS", "1", "2"]);
        shared.ask::<()>(&["XADD", "emq:{q}:events", "MAXLEN", "~", "10", "*", "secret", "secret"]);
        shared.ask::<()>(&["SET", "bull:q:1", "secret"]);
        let reports = recorders.map(|recorder| {
            let (_, folder) = recorder.interrupt();
            let report = |policy: &str| {
                let run = run(&["check", "--format", "json", "--queue", "q", "--policy", policy, &folder.text(FILE)]);
                run.json()["assertions"].clone()
            };
            let reports: Vec<Value> = ["strict", "rooted", "slot-rooted"].map(report).into();
            (reports, folder.read(FILE).contains("secret"))
        });
        let [(whole, has_secret), (redacted, has_none)] = reports;
        for (whole, redacted) in whole.iter().zip(&redacted) {
            let [whole, redacted] = [whole, redacted].map(|one| serde_json::to_string_pretty(one).expect("JSON"));
            let differ = whole.lines().zip(redacted.lines()).find(|(a, b)| a != b);
            assert_eq!(differ, None, "{version}");
        }
        assert!(has_secret && !has_none, "{version}");
        assert_eq!(whole[0][4]["verdict"], "pass", "{version}: the version is known");
    }
}

/// The recorder's memory does not grow with what it records.
#[test]
fn a_hundred_thousand_commands_are_all_recorded_in_little_memory() {
    flat(&valkey_9(), 100_000);
}

#[test]
#[ignore = "takes minutes in a debug build; `cargo test --release record::file -- --ignored`"]
fn a_million_commands_are_all_recorded_in_little_memory() {
    for (_, program) in engines() {
        flat(&program, 1_000_000);
    }
}

#[track_caller]
fn flat(program: &Path, sent: usize) {
    let shared = Shared::start_program(program, &[]);
    let recorder = Recorder::start(&shared, &[]);
    // In pipelines of a hundred, faster than a debug build can write.
    let mut client = shared.client();
    for _ in 0..sent / 100 {
        let mut pipe = redis::pipe();
        for n in 0..100 {
            pipe.cmd("LPUSH").arg(format!("emq:{{q}}:{n}")).arg("value").ignore();
        }
        pipe.exec(&mut client).expect("the server answers");
    }
    // A debug build may still have minutes of lines to hear.
    signal("INT", &recorder.child.id().to_string());
    let most = peak_memory(recorder.child.id());
    let (run, folder) = recorder.end();
    run.expect(0).says(&["none lost"]);
    assert!(most > 0 && most < 64 * 1024, "{most} kB at its peak");
    let text = fs::read(folder.path(FILE)).expect("the file");
    let of_test = |line: &&[u8]| line.windows(8).any(|word| word == b"[\"LPUSH\"");
    assert_eq!(text.split(|&byte| byte == b'\n').filter(of_test).count(), sent);
    assert!(text.ends_with(b"\"dropped\": 0\n}\n"));
}
