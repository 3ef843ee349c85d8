//! Where reports go and how they look: files, forms, colour, quiet, broken pipes.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::common::command::{Run, emq, run, start};
use crate::common::folder::Folder;

const LOG: &str = "1795963025.000001 [0 127.0.0.1:5] \"GET\" \"emq:{payments}:wait\"\n";

/// Checks a log that fails nothing and leaves things open.
fn check(folder: &Folder, more: &[&str]) -> Run {
    let log = folder.write("log", LOG);
    run(&[&["check", &log], more].concat()).expect(4)
}

#[test]
fn a_report_goes_to_a_file_or_to_several() {
    let folder = Folder::new();
    let [json, text, more] = ["a.json", "b.txt", "c.json"].map(|name| folder.text(name));
    let reports = [format!("text={text}"), format!("json={more}")];
    let shown = check(&folder, &["--format", "json", "-o", &json, "--report", &reports[0], "--report", &reports[1]]);
    assert_eq!((shown.stdout.as_str(), shown.stderr.as_str()), ("", ""));
    assert_eq!(folder.read("a.json"), folder.read("c.json"));
    assert!(folder.read("b.txt").contains("queue payments") && !folder.read("b.txt").contains('\x1b'));
    assert_eq!(folder.names(), ["a.json", "b.txt", "c.json", "log"]);
}

#[test]
fn every_format_is_written_in_one_run() {
    const STARTS: [(&str, &str); 7] = [
        ("text", "queue payments"),
        ("json", "{"),
        ("junit", "<?xml"),
        ("tap", "TAP version 14"),
        ("sarif", "{"),
        ("github", "::warning "),
        ("markdown", "### ? indeterminate"),
    ];
    let folder = Folder::new();
    let reports = STARTS.map(|(format, _)| format!("--report={format}={}", folder.text(format)));
    check(&folder, &reports.each_ref().map(String::as_str));
    for (format, start) in STARTS {
        assert!(folder.read(format).starts_with(start), "{format}");
        assert_eq!(check(&folder, &["--format", format]).stdout, folder.read(format));
    }
    let log = folder.text("log");
    run(&["check", &log, "--report", "html=x"])
        .expect(2)
        .says(&["there is text, json, junit, tap, sarif, github, markdown"]);
}

#[test]
fn a_file_is_replaced_whole_and_keeps_its_mode_and_links() {
    let folder = Folder::new();
    let real = folder.write("real", "old".repeat(10_000));
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("the mode is set");
    symlink(&real, folder.path("link")).expect("a link is made");
    check(&folder, &["--format", "json", "-o", &folder.text("link")]);
    assert!(folder.read("real").starts_with('{'));
    assert_eq!(fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o640);
    assert!(folder.path("link").is_symlink());
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    let shown = check(&folder, &["-o", &folder.text("report.txt"), "--report", "json=-"]);
    assert_eq!(shown.json()["format"], "emq-report/1");
    assert!(check(&folder, &["-o", "-"]).stdout.contains("queue payments"));
    assert_eq!(folder.names(), ["log", "report.txt"]);
}

#[test]
fn a_device_takes_a_report_too() {
    let folder = Folder::new();
    let shown = check(&folder, &["--report", "json=/dev/stderr", "-o", "/dev/null"]);
    assert!(shown.stderr.starts_with('{') && shown.stdout.is_empty());
}

#[test]
fn files_that_cannot_be_written_are_refused_before_the_work() {
    let folder = Folder::new();
    let log = folder.write("log", LOG);
    for more in [&["-o", "/nowhere/r.json"][..], &["--report", "json=/nowhere/r.json"]] {
        run(&[&["check", &log], more].concat())
            .expect(2)
            .says(&["cannot write /nowhere/r.json", "no directory /nowhere"]);
    }
    run(&["check", &log, "-o", &folder.text("")]).expect(2).says(&["is a directory"]);
    run(&["probe", "--server", "/nowhere", "--record", "/nowhere/c.json"]).expect(2).says(&["/nowhere/c.json"]);
    for (value, says) in [("json", "FORMAT=FILE"), ("json=", "no file"), ("yaml=x", "no format")] {
        run(&["check", &log, "--report", value]).expect(2).says(&[says]);
    }
    run(&["check", &log, "--format", "yaml"]).expect(2).says(&["yaml", "json"]);
}

#[test]
fn colour_is_for_terminals_unless_somebody_says_otherwise() {
    let folder = Folder::new();
    let colored = |more: &[&str]| check(&folder, more).stdout.contains('\x1b');
    assert!(!colored(&[]) && !colored(&["--color", "never"]) && colored(&["--color", "always"]));
    assert!(!colored(&["--color", "always", "--format", "json"]));
    let asked: Run = emq(&["check", &folder.text("log"), "--color", "always"])
        .env("NO_COLOR", "1")
        .output()
        .expect("it runs")
        .into();
    assert!(asked.expect(4).stdout.contains('\x1b'), "a flag is stronger than the environment");
}

#[test]
fn quiet_leaves_the_exit_code_and_the_files() {
    let folder = Folder::new();
    let shown = check(&folder, &["-q", "--report", &format!("json={}", folder.text("r.json"))]);
    assert_eq!((shown.stdout.as_str(), shown.stderr.as_str()), ("", ""));
    assert!(folder.path("r.json").exists());
    run(&["check", &folder.text("log"), "-q", "-v"]).expect(2).says(&["cannot be used with"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    // More than a pipe holds, so that the tool still writes when the reader goes.
    let lines: String = (0..100).map(|n| LOG.replace("payments", &format!("queue-{n}"))).collect();
    let log = folder.write("log", lines);
    let mut tool = start(&mut emq(&["check", &log, "--format", "json"]));
    let mut first = [0; 1];
    let mut stdout = tool.stdout.take().expect("a pipe");
    stdout.read_exact(&mut first).expect("it writes");
    drop(stdout);
    let run: Run = tool.wait_with_output().expect("it ends").into();
    assert_eq!(run.expect(1).stderr, "", "a connection with many queues breaks the rules of each");
}

#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new();
    let log = folder.write("log", LOG);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let run: Run = emq(&["check", &log]).stdout(full).output().expect("it runs").into();
    run.expect(3).says(&["cannot write to standard output"]);
}

/// Code scanning shows no result without a place in the repository: a capture of a probe's is one wherever it is named from.
#[test]
fn sarif_names_a_capture_by_its_path_in_the_repository() {
    let folder = Folder::new();
    folder.write("in/some.lua", "");
    let capture = folder.text("in/probe.json");
    let here = |arguments: &[&str]| -> String {
        let mut command = emq(arguments);
        let output = command.current_dir(folder.path("")).output().expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let document: serde_json::Value = serde_json::from_str(&text).expect("SARIF");
        let results = document["runs"][0]["results"].as_array().expect("a list").clone();
        assert!(!results.is_empty(), "{text}");
        let place = |result: &serde_json::Value| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a place").to_owned()
        };
        let places: std::collections::BTreeSet<String> = results.iter().map(place).collect();
        places.into_iter().collect::<Vec<_>>().join(" ")
    };
    let wrong = ["--expect-version", "echomq:9.9.9", "--format", "sarif"];
    assert_eq!(here(&[&["probe", "--record", &capture][..], &wrong].concat()), "in/probe.json");
    for named in ["in/probe.json", &*capture] {
        assert_eq!(here(&[&["check", named][..], &wrong].concat()), "in/probe.json");
    }
    // Nothing below here: only its name is nobody's folder.
    let elsewhere = Folder::new();
    let copy = elsewhere.write("copy.json", folder.read("in/probe.json"));
    assert_eq!(here(&[&["check", &*copy][..], &wrong].concat()), "copy.json");
}
