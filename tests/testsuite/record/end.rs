//! How a recording ends that is behind, or whose server cannot be asked any more.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::command::{Run, emq, run};
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::mortal::Mortal;
use crate::common::process::{signal, wait_until};
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Shared, connect, send};

/// The recorder sleeps until it is asked to end and the server has cut it off.
#[test]
fn what_a_break_at_the_end_has_lost_is_counted_too() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &["--client-output-buffer-limit", "normal 100kb 50kb 1"]);
        let recorder = Recorder::start(&shared, &[]);
        let pid = recorder.child.id().to_string();
        signal("STOP", &pid);
        let sent = shared.run_over();
        signal("INT", &pid);
        signal("CONT", &pid);
        let (run, folder) = recorder.end();
        run.expect(0).says(&["broke off after event", "recording again", "the server ran"]);
        let capture = read(&folder);
        let seen = commands(&capture).iter().filter(|command| command.starts_with("SET big")).count() as u64;
        assert!(capture.dropped >= sent - seen, "{version}: {sent} {seen} {}", capture.dropped);
        let gap = &serde_json::from_str::<serde_json::Value>(&folder.read(FILE)).expect("JSON")["source"]["gaps"][0];
        assert_eq!(gap["lost"].as_u64(), Some(capture.dropped), "{version}: {gap}");
    }
}

/// What was missed is counted where it is there again in a moment, and is told by the exit code where it is not.
#[test]
fn a_server_that_is_away_at_the_end_is_tried_for_a_moment_more() {
    for (version, program) in engines() {
        let mut server = Mortal::start(&program);
        let mut recorder = Recorder::start_at(&server.url(), &["--timeout", "600s"]);
        server.kill();
        recorder.wait_for("broke off");
        let (run, folder) = recorder.interrupt();
        let away = ["the end of the recording could not be compared with the server's counts: it did not come back"];
        run.expect(3).says(&away).says(&["recorded 0 commands", "at least 1 lost"]);
        let capture = read(&folder);
        assert_eq!((capture.source.unfinished, capture.dropped), (false, 1), "{version}");

        let mut server = server.again();
        let recorder = Recorder::start_at(&server.url(), &["--timeout", "600s"]);
        let pid = recorder.child.id().to_string();
        signal("STOP", &pid);
        server.kill();
        let server = server.again();
        send(&mut connect(&server.url()), &["GET", "unheard"]);
        signal("INT", &pid);
        signal("CONT", &pid);
        let (run, folder) = recorder.end();
        let (capture, run) = (read(&folder), run.says(&["broke off"]));
        // On a busy machine the moment may be over before it is back.
        if run.code == Some(3) {
            run.says(&away).says(&["at least 1 lost"]);
            assert_eq!(capture.dropped, 1, "{version}");
        } else {
            run.expect(0).says(&["recording again", "was started anew", "1 get"]);
            assert!(capture.dropped > 1, "{version}");
        }
    }
}

/// What it ran at last, nobody knows.
#[test]
fn a_server_that_hangs_to_the_end_is_told_by_the_exit_code() {
    for interrupt in [false, true] {
        let mut shared = Shared::start();
        let recorder = Recorder::start(&shared, &["--timeout", "5s", "--events", if interrupt { "1000" } else { "1" }]);
        // Its one event comes when the server answers no more.
        let (server, pid) = (shared.server.pid().to_string(), recorder.child.id().to_string());
        signal("STOP", &pid);
        shared.ask::<()>(&["GET", "emq:{q}:01"]);
        signal("STOP", &server);
        if interrupt {
            signal("INT", &pid);
        }
        signal("CONT", &pid);
        let (run, folder) = recorder.end();
        signal("CONT", &server);
        run.expect(3).says(&["the end of the recording could not be compared", "does not answer"]);
        assert!(commands(&read(&folder)).contains(&"GET emq:{q}:01".to_owned()));
    }
}

/// One that does not answer is waited for; nobody has to wait with the recorder.
#[test]
fn a_second_signal_ends_it_at_once_and_leaves_a_capture() {
    let mut shared = Shared::start();
    let mut recorder = Recorder::start(&shared, &[]);
    shared.ask::<()>(&["GET", "emq:{q}:01"]);
    let file = recorder.folder.path(FILE);
    wait_until("it is written", || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("emq:{q}:01")));
    let (server, pid) = (shared.server.pid().to_string(), recorder.child.id().to_string());
    signal("STOP", &server);
    signal("INT", &pid);
    // Two that come at once are one.
    wait_until("it ends", || {
        signal("INT", &pid);
        recorder.child.try_wait().expect("it is ours").is_some()
    });
    let (run, folder) = recorder.end();
    signal("CONT", &server);
    assert_eq!(run.code, None, "a signal ended it: {}", run.stderr);
    let capture = read(&folder);
    assert!(commands(&capture).contains(&"GET emq:{q}:01".to_owned()) && capture.source.unfinished);
}

/// On a terminal, as `script` has one.
#[test]
fn whoever_interrupts_it_reads_what_it_still_does() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let out = folder.text(FILE);
    let words = ["record", "--url", &shared.url(), "--out", &out];
    let command = emq(&words);
    let program = command.get_program().to_string_lossy().into_owned();
    // The shell gives its own number to the recorder.
    let line = format!("echo $$ >'{}'; exec '{program}' {}", folder.text("pid"), words.join(" "));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = terminal.spawn().expect("script runs");
    let pid = crate::common::process::written_pid(&folder.path("pid")).to_string();
    wait_until("it records", || folder.path(FILE).exists());
    let server = shared.server.pid().to_string();
    signal("STOP", &server);
    signal("INT", &pid);
    let (mut said, mut terminal) = (String::new(), child.stdout.take().expect("a pipe"));
    let mut part = [0; 4096];
    while !said.contains("hearing what came before the end; Ctrl-C again ends it at once") {
        let read = terminal.read(&mut part).expect("it says something");
        assert!(read > 0, "{said}");
        said += &String::from_utf8_lossy(&part[..read]);
    }
    signal("CONT", &server);
    terminal.read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("it ends").success(), "{said}");
    assert!(said.contains("none lost"), "{said}");
    let told: Run = emq(&words).args(["--for", "1ms"]).output().expect("it runs").into();
    assert!(!told.expect(0).stderr.contains("hearing"), "nobody looks on");
    run(&["check", &out]).expect(4);
}
