//! Inputs stay, outputs are told apart, and an existing file keeps what it is.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::process::Command;

use crate::common::command::{Run, emq, run};
use crate::common::folder::Folder;

const LOG: &str = "1795963025.000001 [0 127.0.0.1:5] \"GET\" \"emq:{payments}:wait\"\n";

fn folder_with_log() -> (Folder, String) {
    let folder = Folder::new();
    let log = folder.write("log", LOG);
    (folder, log)
}

/// These arguments are refused before anything is written.
#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], says: &str) {
    let before = folder.names();
    let stopped: Run = emq(arguments).current_dir(folder.path("")).output().expect("it runs").into();
    let stopped = stopped.expect(2).says(&["emq-conform: cannot write ", says]);
    assert_eq!(stopped.stdout, "");
    assert_eq!(folder.read("log"), LOG, "{arguments:?}");
    assert_eq!(folder.names(), before, "{arguments:?}");
}

#[test]
fn an_input_is_never_an_output_whatever_it_is_called() {
    let (folder, log) = folder_with_log();
    symlink("log", folder.path("symbolic")).expect("a link");
    fs::hard_link(&log, folder.path("hard")).expect("a link");
    fs::create_dir(folder.path("sub")).expect("a folder");
    for output in ["log", "./log", "sub/../log", "symbolic", "hard", &log] {
        refused(&folder, &["check", &log, "-o", output], "it is the input");
        refused(&folder, &["check", &log, "--report", &format!("json={output}")], "it is the input");
        refused(&folder, &["check", output, "-o", "log"], "it is the input");
    }
    let input = fs::File::open(&log).expect("there");
    let piped: Run = emq(&["check", "-", "-o", &log]).stdin(input).output().expect("it runs").into();
    piped.expect(2).says(&["it is the input -"]);
    let program = folder.script("server", "exit 1");
    run(&["probe", "--server", &program, "--record", &program]).expect(2).says(&["it is the input"]);
}

#[test]
fn no_two_outputs_are_one_file() {
    let (folder, log) = folder_with_log();
    folder.write("old", "");
    symlink("old", folder.path("symbolic")).expect("a link");
    symlink("new", folder.path("dangling")).expect("a link");
    fs::create_dir(folder.path("sub")).expect("a folder");
    for (one, other) in [("old", "./old"), ("old", "symbolic"), ("new", "sub/../new"), ("new", "dangling")] {
        let other = format!("json={other}");
        refused(&folder, &["check", &log, "-o", one, "--report", &other], "two outputs to one file");
        refused(&folder, &["probe", "--record", one, "--report", &other], "two outputs to one file");
        refused(&folder, &["check", &log, "--report", &format!("text={one}"), "--report", &other], "two outputs");
    }
    refused(&folder, &["check", &log, "--report", "json=-"], "--quiet");
    refused(&folder, &["probe", "--record", "-"], "--quiet");
    run(&["check", &log, "-q", "--report", "json=-"]).expect(4);
    // Devices take any number.
    run(&["check", &log, "-o", "/dev/null", "--report", "json=/dev/null"]).expect(4);
}

#[test]
fn a_file_keeps_its_owner_its_mode_and_its_links() {
    let (folder, log) = folder_with_log();
    for (name, mode) in [("plain", 0o640), ("private", 0o600), ("shared", 0o664)] {
        let file = folder.write(name, "old".repeat(10_000));
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("the mode is set");
        // Only root may give a file away.
        drop(chown(&file, Some(12_345), Some(12_346)));
        let before = fs::metadata(&file).expect("there");
        run(&["check", &log, "-o", &file, "--format", "json"]).expect(4);
        let after = fs::metadata(&file).expect("there");
        assert!(folder.read(name).starts_with('{') && folder.read(name).ends_with("}\n"));
        assert_eq!((after.uid(), after.gid(), after.mode()), (before.uid(), before.gid(), before.mode()));
    }
    let one = folder.write("one", "old".repeat(10_000));
    fs::hard_link(&one, folder.path("other")).expect("a link");
    run(&["check", &log, "-o", &one, "--format", "json"]).expect(4);
    assert_eq!(folder.read("one"), folder.read("other"));
    assert!(folder.read("one").starts_with('{') && folder.read("one").ends_with("}\n"));
}

#[test]
fn a_link_to_nothing_gets_its_file() {
    let (folder, log) = folder_with_log();
    symlink("target", folder.path("link")).expect("a link");
    run(&["check", &log, "-o", &folder.text("link")]).expect(4);
    assert!(folder.path("link").is_symlink() && folder.read("target").contains("payments"));
    symlink("nowhere/target", folder.path("lost")).expect("a link");
    refused(&folder, &["check", &log, "-o", "lost"], "no directory");
    symlink("loop", folder.path("loop")).expect("a link");
    refused(&folder, &["check", &log, "-o", "loop"], "loop");
}

#[test]
fn what_cannot_be_written_is_known_before_the_work() {
    let (folder, log) = folder_with_log();
    let name = "n".repeat(256);
    refused(&folder, &["check", &log, "-o", &name], "too long");
    refused(&folder, &["check", &log, "-o", "log/below"], "no directory");
    refused(&folder, &["check", &log, "-o", "/proc/report"], "/proc/report");
    // As long as a name may be, and no room for a longer one beside it.
    let name = "n".repeat(255);
    run(&["check", &log, "-o", &folder.text(&name)]).expect(4);
    assert!(folder.read(&name).contains("payments"));
    // A device may refuse at last.
    run(&["check", &log, "-o", "/dev/full"]).expect(3).says(&["cannot write /dev/full"]);
}

#[test]
fn what_a_killed_run_left_is_removed_and_nothing_else() {
    let (folder, log) = folder_with_log();
    let (dead, alive) = (".r.json.4000000000.tmp", format!(".r.json.{}.tmp", std::process::id()));
    for name in [dead, &alive, ".other.4000000000.tmp", ".r.json.x.tmp", ".r.json.4000000000.bak"] {
        folder.write(name, "half a rep");
    }
    run(&["check", &log, "-o", &folder.text("r.json")]).expect(4);
    let left = [".other.4000000000.tmp", ".r.json.4000000000.bak", &alive, ".r.json.x.tmp", "log", "r.json"];
    let mut left: Vec<_> = left.map(str::to_owned).into();
    left.sort();
    assert_eq!(folder.names(), left);
}

#[test]
fn a_name_that_is_not_text_is_a_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (folder, _) = folder_with_log();
    for name in [&b"l\xffg"[..], b"l\x1b[2Jg", b"l\ng: forged", "l\u{202e}g".as_bytes()] {
        let (file, out) = (folder.path("").join(OsStr::from_bytes(name)), folder.path("out"));
        fs::write(&file, LOG).expect("written");
        let check = |more: &[&OsStr]| -> Run {
            let mut command: Command = emq(&["check"]);
            command.arg(&file).args(more).output().expect("it runs").into()
        };
        for shown in [check(&[]).expect(4), check(&["-v".as_ref(), "-o".as_ref(), out.as_os_str()]).expect(4)] {
            tame(&shown);
            assert!(name == b"l\xffg" || !shown.stdout.contains(r"\\"), "escaped twice: {}", shown.stdout);
        }
        tame(&check(&["-o".as_ref(), file.as_os_str()]).expect(2));
        fs::write(&file, "neither").expect("written");
        tame(&check(&[]).expect(2));
        fs::remove_file(&file).expect("removed");
        tame(&check(&[]).expect(2));
        for option in ["--server", "--record", "--tls-ca"] {
            let mut command = emq(&["probe", "--url", "valkey://localhost:1"]);
            tame(&command.arg(option).arg(file.join("x")).output().expect("it runs").into());
        }
        let server: Run = emq(&["probe", "--server"]).arg(&file).output().expect("it runs").into();
        tame(&server.expect(3));
    }
}

/// Nothing draws on the terminal, and no name makes a line of its own.
#[track_caller]
fn tame(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        let odd = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert!(odd.is_none() && !text.lines().any(|line| line.starts_with("g: forged")), "{text:?}");
    }
}
