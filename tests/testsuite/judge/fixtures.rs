//! One fixture for each way to break each assertion: the logs are what real servers say, the reports what the core says.
//!
//! `fixtures/check/<assertion>/<way>.commands` is run on both servers and must give `<way>.log`; `<way>.log` or
//! `<way>.json` must give `<way>.report.json` and `<way>.report.txt`. `EMQ_BLESS=1` rewrites what is expected.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::walk::{self, all_pass};
use crate::common::{engines, scenario};
use echomq_conformance::core::capture::json;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, judge, judge_capture};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::text::Look;
use echomq_conformance::core::report::{AssertionReport, Report, Reports, Verdict, json as report_json, text};

const FOLDER: &str = "fixtures/check";

#[test]
fn logs_are_what_real_servers_say() {
    let results = engines::engines().into_iter().flat_map(|(version, program)| {
        let scenarios = walk::files(FOLDER, ".commands").into_iter();
        scenarios.map(move |file| {
            let log = scenario::record(&program, &file);
            walk::expect(&file.with_extension("log"), &log).map_err(|error| format!("valkey {version}: {error}"))
        })
    });
    all_pass(results);
}

#[test]
fn reports_are_as_expected() {
    all_pass(inputs().iter().flat_map(|input| {
        let reports = reports(input);
        [
            walk::expect(&input.with_extension("report.json"), &report_json::render(&reports)),
            walk::expect(&input.with_extension("report.txt"), &text::render(&reports, Look::default())),
        ]
    }));
}

#[test]
fn the_assertion_meant_fails_and_another_only_by_the_same_key() {
    all_pass(inputs().iter().map(|input| {
        let folder = folder(input);
        let Reports(reports) = reports(input);
        let [report] = reports.as_slice() else { return Err(format!("{}: not one report", input.display())) };
        let check = match folder.as_str() {
            "pass" => verdicts_are(report, Verdict::Pass),
            "indeterminate" | "damaged" => no_failure(report),
            assertion => fails_by(report, assertion),
        };
        check.map_err(|error| format!("{}: {error}", input.display()))
    }));
}

fn verdicts_are(report: &Report, verdict: Verdict) -> Result<(), String> {
    match report.assertions.iter().find(|assertion| assertion.verdict != verdict) {
        Some(other) => Err(format!("{} is {}: {}", other.id, other.verdict.word(), other.summary)),
        None => Ok(()),
    }
}

fn no_failure(report: &Report) -> Result<(), String> {
    let some = report.assertions.iter().any(|assertion| assertion.verdict == Verdict::Indeterminate);
    let failed = report.assertions.iter().find(|assertion| assertion.verdict == Verdict::Fail);
    match failed {
        Some(failed) => Err(format!("{} fails: {}", failed.id, failed.summary)),
        None if some => Ok(()),
        None => Err("nothing is indeterminate".to_owned()),
    }
}

fn fails_by(report: &Report, id: &str) -> Result<(), String> {
    let find = |id: &str| report.assertions.iter().find(|assertion| assertion.id == id).expect(id);
    let meant = find(id);
    if meant.verdict != Verdict::Fail || meant.help.is_none() || meant.evidence.is_empty() {
        return Err(format!("{id} is {}: {}", meant.verdict.word(), meant.summary));
    }
    let by = keys(meant);
    let others = report.assertions.iter().filter(|other| other.id != id && other.verdict != Verdict::Pass);
    for other in others {
        if other.verdict == Verdict::Indeterminate || !keys(other).is_subset(&by) {
            return Err(format!(
                "{} is {} without the key that is meant: {}",
                other.id,
                other.verdict.word(),
                other.summary
            ));
        }
    }
    Ok(())
}

fn keys(assertion: &AssertionReport) -> BTreeSet<Vec<u8>> {
    assertion.evidence.iter().filter_map(|evidence| Some(evidence.key.as_ref()?.0.clone())).collect()
}

/// Every log and capture below the folder.
fn inputs() -> Vec<PathBuf> {
    let captures =
        walk::files(FOLDER, ".json").into_iter().filter(|file| !file.to_string_lossy().ends_with(".report.json"));
    walk::files(FOLDER, ".log").into_iter().chain(captures).collect()
}

fn folder(input: &Path) -> String {
    input.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned()
}

/// The reports for queue `payments`, as `emq-conform check --queue payments` gives them.
fn reports(input: &Path) -> Reports {
    let bytes = fs::read(input).expect("a fixture");
    let options = Options {
        queue: Some("payments".to_owned()),
        source: Some(input.to_string_lossy().into_owned()),
        ..Options::default()
    };
    if input.extension().is_some_and(|ending| ending == "json") {
        let capture = json::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", input.display()));
        return judge_capture(&capture, &options);
    }
    let mut intake = LogIntake::new(&EMQ_1);
    intake.feed(&bytes);
    judge(&intake.finish(), &options)
}
