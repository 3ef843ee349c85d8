//! A recorded run, as figures read it: whose claims it has, and what is said of damage.

use std::fs;

use echomq_conformance::core::fleet::recorded::Run;
use echomq_conformance::core::fleet::roster::{BUILT_IN, Roster};
use echomq_conformance::core::fleet::status::Status;
use echomq_conformance::core::fleet::verdict::FleetVerdict;

fn reading(change: impl Fn(&str, String) -> String) -> Result<Run, String> {
    let roster = Roster::parse(BUILT_IN).expect("the roster");
    Run::read(&roster, |name| {
        let text = fs::read_to_string(format!("fixtures/fleet/recorded/{name}")).map_err(|why| why.to_string())?;
        Ok(change(name, text).into_bytes())
    })
}

#[test]
fn a_claim_becomes_no_tick_and_a_file_cannot_say_otherwise() {
    let run = reading(|_, text| text.replace("\"status\":\"claims-not-verified\"", "\"status\":\"passed\""));
    assert_eq!(run, reading(|_, text| text));
    let statuses: Vec<Status> = run.expect("a run").runtimes.iter().map(|runtime| runtime.status).collect();
    let expected = [
        Status::Passed,
        Status::Passed,
        Status::FailedByDesign,
        Status::ClaimsNotVerified,
        Status::NotYet,
        Status::Proposed,
    ];
    assert_eq!(statuses, expected);
}

#[test]
fn who_is_only_in_the_roster_has_a_row_and_no_cell() {
    let roster = Roster::parse(&BUILT_IN.replace("echomq-go", "echomq-rust")).expect("a roster");
    let run =
        Run::read(&roster, |name| fs::read(format!("fixtures/fleet/recorded/{name}")).map_err(|why| why.to_string()));
    let run = run.expect("a run");
    let last = run.runtimes.len() - 1;
    assert_eq!((run.name(last), run.runtimes[last].status), ("echomq-rust", Status::NotYet));
    assert_eq!(run.verdict(0, last), FleetVerdict::NotRun);
}

#[test]
fn what_is_damaged_is_named() {
    for (file, from, to, why) in [
        ("battery.json", "emq-fleet/1", "emq-fleet/2", "battery.json: its format is \"emq-fleet/2\""),
        ("plain.json", "\"cells\"", "\"sells\"", "plain.json: missing field `cells`"),
        ("battery.json", "\"verdict\":\"not-run\"", "\"verdict\":\"fine\"", "\"fine\" is no verdict"),
        (
            "battery.json",
            "\"verdict\":\"fail\",\"why\":\"plain: bullmq: added",
            "\"verdict\":\"pass\",\"why\":\"plain: bullmq: added",
            "battery.json: bullmq → reference says pass, and its assertion keyspace fails",
        ),
        ("battery.json", "\"consumer\":\"bullmq\"", "\"consumer\":\"x\"", "a cell is about \"x\""),
        ("captures/bullmq+bullmq.json", "\"argv\":[\"info\"]", "\"argv\":[]", "captures/bullmq+bullmq.json: line "),
    ] {
        let damaged = reading(|name, text| if name == file { text.replace(from, to) } else { text });
        let error = damaged.expect_err(why);
        assert!(error.contains(why), "{error}");
    }
}
