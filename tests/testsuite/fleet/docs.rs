//! The guide to the fleet names everything that there is, and what it shows runs.

use std::fs;

use crate::common::fleet::leaving_nothing;
use crate::common::folder::Folder;
use echomq_conformance::core::fleet::adapter::{ErrorKind, MOST_LINE, MOST_OUTPUT};
use echomq_conformance::core::fleet::battery::battery;
use echomq_conformance::core::fleet::checks;
use echomq_conformance::core::fleet::roster::Claim;
use echomq_conformance::core::fleet::status::Status;
use echomq_conformance::core::fleet::verdict::FleetVerdict;

fn guide() -> String {
    fs::read_to_string("docs/fleet.md").expect("the guide")
}

#[test]
fn the_guide_names_all_there_is() {
    let guide = guide();
    let status = |status: Status| serde_json::to_value(status).expect("JSON").as_str().expect("a word").to_owned();
    let names = checks::ALL.map(|check| format!("| `{}` |", check.id)).into_iter();
    let names = names.chain(battery().into_iter().map(|payload| format!("`{}`", payload.id)));
    let names = names.chain(FleetVerdict::ALL.map(|one| format!("| {} | `{}` |", one.mark(), one.word())));
    let names = names.chain(Status::ALL.map(|one| format!("| {} | `{}` |", one.mark(), status(one))));
    let names = names.chain(ErrorKind::ALL.map(|kind| format!("| `{}` |", kind.word())));
    // In the example of a file, where each may stand.
    let names = names.chain([format!("# {}\n", Claim::ALL.map(Claim::id).join(", "))]);
    let limits = [MOST_LINE as u64, MOST_OUTPUT].map(|bytes| format!("| {} MiB |", bytes / 1024 / 1024));
    for name in names.chain(limits) {
        assert!(guide.contains(&name), "the guide does not name {name}");
    }
}

/// The matrix at the top could be one: its counts are those of its cells.
#[test]
fn the_example_of_a_matrix_adds_up() {
    let guide = guide();
    let block = guide.split("```").find(|block| block.contains("producer ↓ consumer →")).expect("a matrix");
    let (members, matrix) = block.split_once("producer ↓ consumer →").expect("two parts");
    let members: Vec<&str> = members.lines().filter(|line| line.trim_start().starts_with(char::is_numeric)).collect();
    let cells: Vec<Vec<&str>> = matrix
        .lines()
        .skip(1)
        .map(|row| {
            row.split(['✓', '✕', '○']).skip(1).map(|cell| cell.split_whitespace().next().expect("a word")).collect()
        })
        .filter(|row: &Vec<&str>| !row.is_empty())
        .collect();
    for (at, member) in members.iter().enumerate().take(cells.len()) {
        let row = cells[at].iter();
        let column = cells.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, row)| &row[at]);
        let ran: Vec<_> = row.chain(column).filter(|cell| **cell != "not-run").collect();
        let passed = ran.iter().filter(|cell| ***cell == "pass").count();
        assert!(member.contains(&format!(" {passed} of {} cells pass", ran.len())), "{member}");
    }
    assert_eq!((members.len(), cells.len()), (4, 3));
}

#[test]
fn the_smallest_adapters_speak() {
    let folder = Folder::new();
    for (language, file, run) in [("python", "smallest.py", "python3"), ("js", "smallest.mjs", "node")] {
        let guide = guide();
        let (_, rest) = guide.split_once(&format!("```{language}\n")).expect("an example");
        let (text, _) = rest.split_once("```").expect("its end");
        let command = format!("{run} '{}'", folder.write(file, text));
        let run = leaving_nothing(&["adapter-check", &command, "--timeout", "20s"], |_| {}).expect(1);
        for part in [
            "✓ pass: hello\n    mine 1.0, wire echomq:2.0.0",
            "✓ pass: a request that it does not know",
            "not-supported: take",
        ] {
            assert!(run.stdout.contains(part), "{language}: no {part:?} in:\n{}", run.stdout);
        }
    }
}

#[test]
fn the_file_of_the_guide_is_read() {
    let guide = guide();
    let (_, rest) = guide.split_once("```toml\n").expect("an example");
    let (text, _) = rest.split_once("```").expect("its end");
    let folder = Folder::new();
    let config = folder
        .write("fleet.toml", text.replace("./adapters/echomq-go", "exit 7").replace("node adapter.mjs", "exit 8"));
    let run = leaving_nothing(&["fleet", "--config", &config, "--payload", "plain"], |_| {}).expect(3);
    run.says(&["echomq-go: it ended with status 7", "mine: it ended with status 8"]);
}
