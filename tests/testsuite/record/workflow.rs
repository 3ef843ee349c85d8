//! The workflow in `docs/ci.md`, run as it stands there: it records, ends with the tests, and judges.

use std::fs;
use std::process::Command;

use crate::common::command::Run;
use crate::common::folder::Folder;
use crate::common::recorder::read;
use crate::common::shared::Shared;

/// The script of a step of the workflow.
fn step(name: &str) -> String {
    let text = fs::read_to_string("docs/ci.md").expect("the guide");
    let start = format!("      - name: {name}\n        run: ");
    let step = text.split_once(&start).unwrap_or_else(|| panic!("no step {name}")).1;
    let (style, step) = step.split_once('\n').expect("lines");
    let lines: Vec<&str> = step.lines().map_while(|line| line.strip_prefix("          ")).collect();
    lines.join(if style == ">" { " " } else { "\n" })
}

fn bash(folder: &Folder, script: &str) -> Run {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_emq-conform"));
    let path = format!("{}:{}", binary.parent().expect("a folder").display(), std::env::var("PATH").expect("a path"));
    let mut command = Command::new("bash");
    // As GitHub runs a step.
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
    command.current_dir(folder.path("")).env("PATH", path).output().expect("bash runs").into()
}

#[test]
fn the_example_records_and_judges() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let (host, port) = (shared.server.address().ip().to_string(), shared.server.address().port());
    folder.script(
        "run-your-own-tests",
        &format!(
            "exec 3<>/dev/tcp/{host}/{port}; printf 'HSET emq:{{payments}}:meta version echomq:2.0.0\\r\\n\
            LPUSH emq:{{payments}}:wait 01\\r\\n' >&3; head -n 2 <&3 >/dev/null\n"
        ),
    );
    let record = step("Record the tests' traffic")
        .replace("redis://localhost:6379", &shared.url())
        .replace("./run-your-own-tests", "bash ./run-your-own-tests");
    bash(&folder, &record).expect(0);
    let capture = read(&folder);
    assert!(capture.events.len() >= 2 && capture.dropped == 0, "{capture:?}");
    let judge = step("Judge it").replace("--baseline conformance-baseline.json", "");
    // Nothing breaks a rule, and no script was called.
    let judged = bash(&folder, &judge).expect(4);
    assert!(judged.stdout.contains("::"), "{}", judged.stdout);
    let names = folder.names();
    for name in ["conformance.md", "conformance.xml", "conformance.sarif", "record.log", "traffic.json"] {
        assert!(names.iter().any(|there| there == name), "{name}: {names:?}");
    }
    // A server that is not there fails the step, with the reason.
    let gone = record.replace(&shared.url(), "redis://127.0.0.1:1").replace("--for 60m", "--timeout 500ms");
    let run = bash(&folder, &gone).expect(3);
    assert!(run.stdout.contains("nothing answers there"), "{}", run.stdout);
    // Nor does half a recording pass for a whole one.
    let slow = record.replace("bash ./run-your-own-tests", "sleep 3").replace("--for 60m", "--for 1s");
    let run = bash(&folder, &slow).expect(3);
    assert!(run.stdout.contains("the recorder ended before the tests did"), "{}", run.stdout);
    // Tests that fail end the recorder, too.
    let failing = record.replace("bash ./run-your-own-tests", "bash ./run-your-own-tests; (exit 7)");
    bash(&folder, &failing).expect(7);
    assert!(!read(&folder).source.unfinished);
}
