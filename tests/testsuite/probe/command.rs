//! `emq-conform probe --runtime`: somebody's command is run, judged and ended, with everything that it started.

use std::thread;
use std::time::Duration;

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::process::{gone_soon, signal, wait_until, written_pid};
use crate::common::shared::{Noise, Shared, send};
use echomq_conformance::core::capture::{SourceKind, json};

/// What a runtime does that conforms, in the words of a shell: it speaks the protocol itself, by its own hands.
const SOUND: &str = r#"
send() { for word in "$@"; do printf '$%s\r\n%s\r\n' "${#word}" "$word"; done; }
{ printf '*4\r\n'; send HSET "emq:{$EMQ_QUEUE}:meta" version echomq:2.0.0
  printf '*5\r\n'; send EVAL "return redis.call('LPUSH', KEYS[1], ARGV[1])" 1 "emq:{$EMQ_QUEUE}:wait" secret
  printf '*1\r\n'; send QUIT; } >request
exec 3<>"/dev/tcp/$EMQ_HOST/$EMQ_PORT"
cat request >&3
cat <&3 >/dev/null
"#;

/// A shell that can open connections.
fn sound(folder: &Folder) -> String {
    folder.write("sound.bash", SOUND);
    format!("cd '{}' && bash sound.bash", folder.text(""))
}

fn probe(runtime: &str, more: &[&str]) -> Run {
    run(&[&["probe", "--runtime", runtime], more].concat())
}

#[test]
fn a_sound_runtime_passes_and_is_recorded_without_its_values() {
    for (version, program) in engines() {
        let folder = Folder::new();
        let file = folder.text("recorded.json");
        let server = program.to_str().expect("text");
        let more = ["--server", server, "--record", &file, "--format", "json", "--queue", "orders"];
        let report = probe(&sound(&folder), &more).expect(0).json();
        assert_eq!((&report["verdict"], &report["subject"]["queue"]), (&"pass".into(), &"orders".into()), "{version}");
        let capture = json::parse(folder.read("recorded.json").as_bytes()).expect("a capture");
        assert_eq!((capture.source.kind, capture.source.private), (SourceKind::Probe, true));
        assert_eq!((capture.dropped, capture.events.len()), (0, 4), "{version}");
        assert!(!folder.read("recorded.json").contains("secret"));
        run(&["check", &file]).expect(0);
    }
}

/// A command line may hold what nobody else should read; it is kept where values are.
#[test]
fn the_runtimes_command_line_is_left_out_as_values_are() {
    let folder = Folder::new();
    let runtime = format!("TOKEN='s3cret'; {}", sound(&folder));
    let file = folder.text("recorded.json");
    let command = || {
        let capture = json::parse(folder.read("recorded.json").as_bytes()).expect("a capture");
        capture.source.command.expect("a command")
    };
    probe(&runtime, &["--record", &file]).expect(0);
    assert_eq!(command(), "emq-conform probe --queue payments --runtime '…'");
    probe(&runtime, &["--record", &file, "--keep-values"]).expect(0);
    assert!(command().contains(r"--runtime 'TOKEN='\''s3cret'\''; cd "), "{}", command());
}

#[test]
fn a_runtime_that_ends_badly_has_proved_nothing() {
    let folder = Folder::new();
    let sound = sound(&folder);
    probe(&format!("{sound}; echo went wrong >&2; exit 7"), &[]).expect(3).says(&["status 7", "went wrong"]);
    probe("no-such-command", &[]).expect(3).says(&["status 127", "no-such-command"]);
    probe(&format!("{sound}; kill -9 $$"), &[]).expect(3).says(&["status 137"]);
    probe("exit 1", &[]).expect(3).says(&["it printed nothing"]);
    // What it did is not undone by that.
    let bad = format!("sed -i 's/echomq:2.0.0/echomq:1.0.0/' '{}'; {sound}; exit 7", folder.text("sound.bash"));
    let failed = probe(&bad, &["--format", "json"]).expect(1).says(&["status 7"]);
    assert_eq!(failed.json()["assertions"][4]["verdict"], "fail");
}

#[test]
fn a_runtime_that_never_comes_has_proved_nothing() {
    let said = ["no connection came from the runtime", "EMQ_URL"];
    probe("true", &["--format", "json"]).expect(3).says(&said);
    let (late, longer) = (format!("{} within 0.1 s; it finds", said[0]), "; --runtime-timeout gives it longer");
    probe("sleep 1000", &["--runtime-timeout", "100ms"]).expect(3).says(&[&late, "also in EMQ_HOST", longer]);
    let shared = Shared::start();
    let nobody = "no connection of the runtime touched queue payments";
    let at_url = ["--url", &shared.url(), "--runtime-timeout", "100ms"];
    probe("true", &at_url).expect(3).says(&[&format!("{nobody}; it finds"), "EMQ_QUEUE"]);
    probe("sleep 1000", &at_url).expect(3).says(&[&format!("{nobody} within 0.1 s; it finds"), longer]);
}

/// One that comes and does nothing leaves the version absent.
#[test]
fn a_private_server_that_ends_is_no_matter_of_urls() {
    let shut = "printf 'SHUTDOWN NOSAVE\\r\\n' >/dev/tcp/127.0.0.1/$EMQ_PORT; sleep 1";
    let run = probe(&format!("bash -c \"{shut}\""), &[])
        .expect(3)
        .says(&["the private server died", "the server printed last:\n"]);
    assert!(!run.stderr.contains("correct the URL"), "{}", run.stderr);
}

#[test]
fn a_runtime_that_does_nothing_is_indeterminate_at_best() {
    let ping = "bash -c 'exec 3<>/dev/tcp/$EMQ_HOST/$EMQ_PORT; printf \"PING\\r\\n\" >&3; head -c 1 <&3'";
    let report = probe(ping, &["--format", "json"]).expect(1).json();
    assert_eq!(report["assertions"][0]["verdict"], "indeterminate");
    assert_eq!(report["assertions"][4]["verdict"], "fail", "no version was written");
}

#[test]
fn a_version_that_a_runtime_removes_fails() {
    let folder = Folder::new();
    let removed = SOUND.replace(
        "  printf '*5",
        "  printf '*4\\r\\n'; send EVAL \"return 1\" 0 x; printf '*3\\r\\n'; send HDEL \"emq:{$EMQ_QUEUE}:meta\" version\n  printf '*5",
    );
    folder.write("removed.bash", removed);
    let runtime = format!("cd '{}' && bash removed.bash", folder.text(""));
    let report = probe(&runtime, &["--format", "json"]).expect(1).json();
    let version = &report["assertions"][4];
    assert_eq!(version["verdict"], "fail", "{version:#}");
    assert!(version["summary"].as_str().expect("text").contains("was removed by HDEL"), "{version:#}");
}

#[test]
fn a_runtime_that_does_not_end_is_ended_and_judged() {
    let folder = Folder::new();
    // One in the background, one that ignores being asked, and one that leaves the group.
    let runtime = format!(
        "{}; echo $$ >pid; sh -c 'echo $$ >child; sleep 1000' & \
         setsid sh -c 'echo $$ >daemon; sleep 1000' & trap '' TERM; while :; do sleep 1; done",
        sound(&folder)
    );
    for verbose in [&[][..], &["-v"]] {
        let run = probe(&runtime, &[&["--runtime-timeout", "1s"], verbose].concat()).expect(0);
        assert_eq!(run.stderr.matches("the runtime was ended after 1 s").count(), 1, "{}", run.stderr);
    }
    for file in ["pid", "child", "daemon"] {
        gone_soon(written_pid(&folder.path(file)));
    }
}

#[test]
fn nothing_is_left_whatever_ends_the_probe() {
    for (name, code) in [("INT", Some(130)), ("TERM", Some(143)), ("HUP", Some(129)), ("KILL", None)] {
        let folder = Folder::new();
        let place = folder.text("");
        // What has left the group is only ended where the probe itself can do it.
        let runtime = format!(
            "cd '{place}'; sh -c 'echo $$ >child; sleep 1000' & setsid sh -c 'echo $$ >daemon; sleep 1000' & echo $$ >pid; sleep 1000"
        );
        let server = folder.server(&crate::common::engines::valkey_8());
        let server = ["--server", &server];
        let tool = start(&mut emq(&[&["probe", "--runtime", &runtime], &server[..]].concat()));
        let files = ["child", "daemon"].map(|file| written_pid(&folder.path(file)));
        // The server writes the file `pid` first, then the runtime.
        wait_until("the runtime runs", || folder.names().contains(&"daemon".to_owned()));
        thread::sleep(Duration::from_millis(50));
        signal(name, &tool.id().to_string());
        let run: Run = tool.wait_with_output().expect("it ends").into();
        assert_eq!(run.code, code, "{name}: {}", run.stderr);
        gone_soon(files[0]);
        gone_soon(written_pid(&folder.path("pid")));
        if name == "KILL" {
            signal("KILL", &files[1].to_string());
        }
        gone_soon(files[1]);
    }
}

#[test]
fn a_shared_server_is_used_where_the_queue_is_free() {
    let mut shared = Shared::start();
    let folder = Folder::new();
    let (url, sound) = (shared.url(), sound(&folder));
    let report = probe(&sound, &["--url", &url, "--format", "json"]).expect(0).json();
    assert_eq!(report["verdict"], "pass");
    // It is the runtime's, and stays.
    let kept: Vec<String> = shared.ask(&["KEYS", "emq:*"]);
    assert_eq!(kept.len(), 2);
    probe(&sound, &["--url", &url]).expect(3).says(&["is in use there"]);
}

#[test]
fn who_was_there_before_the_runtime_is_not_the_runtime() {
    let shared = Shared::start();
    let folder = Folder::new();
    let slow = format!("{} && sleep 0.5", sound(&folder));
    for (queue, words, code) in [
        ("one", &["GET", "emq:{one}:id"][..], 3),
        ("two", &["EVAL", "return redis.call('GET', 'bull:two:wait')", "0"], 3),
        ("three", &["GET", "emq:{another}:id"], 0),
    ] {
        let _noise = Noise::start(shared.client(), move |client| drop(send(client, words)));
        let run = probe(&slow, &["--url", &shared.url(), "--queue", queue]).expect(code);
        if code == 3 {
            run.says(&["not the probe's alone: 127.0.0.1:", queue, "--queue"]);
        }
    }
}

#[test]
fn what_belongs_to_a_runtime_is_refused_without_one() {
    run(&["probe", "--keep-values", "--record", "x"]).expect(2).says(&["--runtime"]);
    run(&["probe", "--runtime-timeout", "1s"]).expect(2).says(&["--runtime"]);
    probe("", &[]).expect(2);
}

/// All witnesses are heard of somebody's runtime as of the reference one, where they are asked for.
#[test]
fn the_engine_is_a_witness_of_a_runtime_too() {
    for (version, program) in engines() {
        let folder = Folder::new();
        let server = program.to_str().expect("text");
        let more = ["--server", server, "--format", "json", "--witness", "trace,source,engine,cluster"];
        let report = probe(&sound(&folder), &more).expect(0).json();
        let heard = |assertion: usize| -> Vec<String> {
            let witnesses = report["assertions"][assertion]["witnesses"].as_array().expect("witnesses");
            witnesses.iter().map(|one| format!("{} {}", one["id"], one["verdict"]).replace('"', "")).collect()
        };
        assert_eq!(heard(3), ["trace pass", "source pass", "engine pass"], "{version}: {report:#}");
        assert_eq!(heard(1), ["trace pass", "cluster pass"], "{version}");
    }
}

/// Without `-v`, too.
#[test]
fn what_was_lost_of_a_runtime_is_explained() {
    let folder = Folder::new();
    let reset = r#"exec 3<>"/dev/tcp/$EMQ_HOST/$EMQ_PORT"; printf 'CONFIG RESETSTAT\r\nQUIT\r\n' >&3; cat <&3"#;
    folder.write("reset.bash", reset);
    let runtime = format!("{}; bash reset.bash", sound(&folder));
    probe(&runtime, &[]).expect(4).says(&["somebody reset the server's counts", "nobody can say"]);
    let run = probe(&runtime, &["--quiet"]).expect(4);
    assert_eq!(run.stderr, "");
    let run = probe(&runtime, &["-v"]).expect(4);
    assert_eq!(run.stderr.matches("somebody reset").count(), 1, "{}", run.stderr);
}
