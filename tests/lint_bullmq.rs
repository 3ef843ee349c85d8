//! The scripts of bullmq 5.65.1, installed from npm into a cache outside the checkout; `docs/bullmq.md` says what they come to.
//!
//! `EMQ_BLESS=1` rewrites the table. The scripts themselves are never part of this repository.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::bullmq::{self, VERSION};
use common::command::run;
use common::walk;
use serde_json::Value;

/// Writes each script's flattened text, the `content` of its module.
const WRITE: &str = "
const fs = require('fs'), path = require('path'), [from, to] = process.argv.slice(1);
fs.mkdirSync(to, { recursive: true });
for (const file of fs.readdirSync(from).filter((file) => /-\\d+\\.js$/.test(file))) {
  const [script] = Object.values(require(path.join(from, file)));
  fs.writeFileSync(path.join(to, file.replace('.js', '.lua')), script.content);
}";

#[test]
fn the_table_says_what_the_scripts_come_to() {
    let scripts = scripts();
    let report = run(&["lint", "--format", "json", scripts.to_str().expect("text")]).expect(1).json();
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), 50);
    let mut rows = String::new();
    for file in files {
        let path = Path::new(file["path"].as_str().expect("a path"));
        let name = path.file_stem().expect("a name").to_string_lossy();
        let mut rules: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
        for finding in file["findings"].as_array().expect("findings") {
            let message = finding["message"].as_str().expect("a message");
            rules.entry(finding["rule"].as_str().expect("a rule")).or_insert((0, message)).0 += 1;
        }
        let reasons: Vec<String> =
            rules.iter().map(|(rule, (count, first))| format!("{rule} ×{count}, first: {first}")).collect();
        let reason = reasons.join("; ");
        writeln!(rows, "| {name} | {} | {reason} |", file["verdict"].as_str().expect("a verdict")).expect("a string");
    }
    let count = |verdict: &str| report["summary"][verdict].as_u64().expect("a count");
    let text = format!(
        "# What the scripts of bullmq {VERSION} come to\n\n\
         Measured by `tests/lint_bullmq.rs` from the flattened scripts of the npm package, policy strict: {} declared, {} derived,\n\
         {} undeclared, {} unknown. The course page says of the v1 line that about 24–26 of its 50 scripts reach keys they do not\n\
         declare.\n\n| script | verdict | why |\n|---|---|---|\n{rows}",
        count("declared"),
        count("derived"),
        count("undeclared"),
        count("unknown"),
    );
    walk::expect(Path::new("docs/bullmq.md"), &text).expect("the table is what was measured");
}

/// The package also has the files from which its own loader put these texts together, with their includes.
#[test]
fn the_files_come_to_the_same_as_the_flattened_texts() {
    let flattened = scripts();
    let commands = flattened.with_file_name("node_modules/bullmq/dist/cjs/commands");
    let of = |folder: &Path| run(&["lint", "--format", "json", folder.to_str().expect("text")]).expect(1).json();
    let (files, texts) = (of(&commands), of(&flattened));
    assert_eq!(files["summary"], texts["summary"]);
    assert!(files["summary"]["findings"].as_u64().is_some_and(|count| count > 500), "{}", files["summary"]);
    let mut in_includes = 0;
    for (file, text) in files["files"].as_array().expect("files").iter().zip(texts["files"].as_array().expect("files"))
    {
        let path = Path::new(file["path"].as_str().expect("a path"));
        assert_eq!(path.file_name(), Path::new(text["path"].as_str().expect("a path")).file_name());
        assert_eq!((&file["verdict"], &file["calls"]), (&text["verdict"], &text["calls"]), "{}", path.display());
        let (mut ours, mut theirs) = (findings(file), findings(text));
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{}", path.display());
        in_includes +=
            file["findings"].as_array().expect("findings").iter().filter(|finding| really_there(path, finding)).count();
    }
    assert!(in_includes > 500, "most findings are in files that are included, these are {in_includes}");
}

/// What does not depend on lines.
fn findings(file: &Value) -> Vec<String> {
    let findings = file["findings"].as_array().expect("findings").iter();
    let text = |finding: &Value| {
        let steps: Vec<&Value> =
            finding["origin"].as_array().expect("steps").iter().map(|step| &step["text"]).collect();
        format!("{} {} {} {steps:?}", finding["rule"], finding["command"], finding["expression"])
    };
    findings.map(text).collect()
}

/// Whether a finding is in an included file; where it is, its text must be on that line and column of the file.
fn really_there(script: &Path, finding: &Value) -> bool {
    let path = finding["path"].as_str().map_or(script, Path::new);
    let text = fs::read_to_string(path).expect("a file");
    let number = |field: &str| usize::try_from(finding[field].as_u64().expect("a number")).expect("a small one");
    let line = text.lines().nth(number("line") - 1).expect("a line");
    let at: String = line.chars().skip(number("column") - 1).collect();
    let expression = finding["expression"].as_str().expect("text").trim_end_matches('…');
    assert!(
        at.starts_with(expression) || at.replace('\t', "    ").starts_with(expression),
        "{}: {expression} in {line}",
        path.display()
    );
    finding["path"].is_string()
}

/// The folder with the scripts, made once per machine.
fn scripts() -> PathBuf {
    let folder = bullmq::installed();
    let scripts = folder.join("lua");
    if !scripts.is_dir() {
        let modules = folder.join("node_modules/bullmq/dist/cjs/scripts");
        bullmq::succeed(Command::new("node").args(["-e", WRITE]).arg(modules).arg(&scripts));
    }
    scripts
}
