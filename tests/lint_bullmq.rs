//! The scripts of bullmq 5.65.1, installed from npm into a cache outside the checkout; `docs/bullmq.md` says what they come to.
//!
//! `EMQ_BLESS=1` rewrites the table. The scripts themselves are never part of this repository.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::bullmq::{self, VERSION};
use common::command::run;
use common::walk;

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
