//! Named pipes as inputs and outputs: nobody may be at their other end, and a signal ends the wait.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::valkey_8;
use crate::common::folder::Folder;
use crate::common::process::{is_alive, signal};

const LOG: &str = "1795963025.000001 [0 127.0.0.1:5] \"GET\" \"emq:{payments}:wait\"\n";

/// Lets a command run into a pipe, and interrupts it once.
#[track_caller]
fn interrupted(arguments: &[&str]) -> Run {
    let child: Child = start(emq(arguments).stdin(Stdio::null()));
    thread::sleep(Duration::from_secs(2));
    assert!(is_alive(child.id()), "{arguments:?} did not wait");
    signal("INT", &child.id().to_string());
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn an_output_that_nobody_reads_is_no_trap() {
    let folder = Folder::new();
    let (log, pipe) = (folder.write("log", LOG), folder.pipe("pipe"));
    for output in [&["-o", &pipe][..], &["--report", &format!("json={pipe}")], &["--write-baseline", &pipe]] {
        interrupted(&[&["check", &log, "-q"], output].concat()).expect(130).says(&["cannot write", "interrupted"]);
    }
}

/// The tool's own listening to signals, for the server of a witness, does not keep it from ending.
#[test]
fn an_input_that_nobody_writes_is_no_trap() {
    let folder = Folder::new();
    let (log, pipe) = (folder.write("log", LOG), folder.pipe("pipe"));
    let server = valkey_8();
    let heard = ["--witness", "engine", "--server", server.to_str().expect("text")];
    for inputs in [&["check", &pipe][..], &["check", &log, "--baseline", &pipe]] {
        assert_eq!(interrupted(inputs).code, None, "{inputs:?}");
    }
    assert_eq!(interrupted(&[&["check", &log, &pipe], &heard[..]].concat()).code, None);
}

#[test]
fn whoever_reads_gets_the_whole_of_it() {
    let folder = Folder::new();
    // More than a pipe holds.
    let lines = |key: u32| format!("1795963025.000001 [0 127.0.0.1:5] \"GET\" \"cache:{key}:{}\"\n", "x".repeat(200));
    let log = folder.write("log", LOG.to_owned() + &(0..2000).map(lines).collect::<String>());
    let (pipe, file) = (folder.pipe("pipe"), folder.text("file"));
    let report = ["check", &log, "--all-clients", "--format", "json"];
    run(&[&report[..], &["-o", &file]].concat()).expect(1);
    for option in ["-o", "--write-baseline"] {
        let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("cat runs");
        run(&[&report[..], &[option, &pipe]].concat()).expect(if option == "-o" { 1 } else { 4 });
        let text = reader.wait_with_output().expect("it ends").stdout;
        assert!(text.len() > 100 && text.ends_with(b"}\n"), "{option}: {}", text.len());
        assert!(option != "-o" || text == fs::read(&file).expect("a report"));
    }
}

/// A pipe among scripts is none.
#[test]
fn a_folder_of_scripts_is_read_without_its_pipes() {
    let folder = Folder::new();
    folder.pipe("pipe.lua");
    let scripts = folder.text("");
    let record = ["record", "--url", "valkey://127.0.0.1:1", "--out", "/dev/null", "--scripts", &scripts];
    run(&record).expect(2).says(&["no script (.lua)"]);
    run(&["lint", &scripts]).expect(2);
}
