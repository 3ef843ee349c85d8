//! The scripts of bullmq as its own loader reads them, with their includes, against the flattened texts that it ships.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::bullmq;
use crate::common::command::run;
use serde_json::Value;

/// Writes each script's flattened text, the `content` of its module.
const WRITE: &str = "
const fs = require('fs'), path = require('path'), [from, to] = process.argv.slice(1);
fs.mkdirSync(to, { recursive: true });
for (const file of fs.readdirSync(from).filter((file) => /-\\d+\\.js$/.test(file))) {
  const [script] = Object.values(require(path.join(from, file)));
  fs.writeFileSync(path.join(to, file.replace('.js', '.lua')), script.content);
}";

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
