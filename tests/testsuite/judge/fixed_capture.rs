//! The fixed capture of the page is what the probe records: a fresh one differs in ids and times, and in nothing else.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::engines;
use crate::common::made_up::Names;
use serde_json::Value;

const FIXED: &str = "fixtures/captures/payments.json";

#[test]
fn a_fresh_capture_differs_in_ids_and_times_only() {
    for (version, program) in engines::engines() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("fresh.json");
        let probe = Command::new(env!("CARGO_BIN_EXE_emq-conform"))
            .args(["probe", "--quiet", "--server"])
            .arg(&program)
            .arg("--record")
            .arg(&file)
            .status();
        assert!(probe.expect("the probe runs").success(), "the probe does not conform on {version}");
        let (mut fixed, mut fresh) = (plain(Path::new(FIXED)), plain(&file));
        if version != fixed["engine"]["version"] {
            fixed["engine"] = Value::Null;
            fresh["engine"] = Value::Null;
        }
        assert!(
            fixed == fresh,
            "a capture taken from valkey {version} is not {FIXED}; `make capture` takes it again\nfixed {fixed:#}\nfresh {fresh:#}"
        );
    }
}

/// A capture without what differs from run to run.
fn plain(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut capture: Value = serde_json::from_str(&text).expect("JSON");
    Names::default().walk(&mut capture);
    capture
}
