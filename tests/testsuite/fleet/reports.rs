//! The forms of a fleet's report: expected files, each held to what its readers take, and to the schemas.
//!
//! `fixtures/fleet/reports/<case>.<ending>` is what is expected; `EMQ_BLESS=1` rewrites it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::schema::{schema, text as schema_text};
use crate::common::walk::{self, all_pass};
use echomq_conformance::core::capture::{Engine, json};
use echomq_conformance::core::fleet::adapter::{
    Asked, ErrorKind, Introduction, Refusal, Request, Role, TakenJob, added, answer, introduction, nothing, taken,
};
use echomq_conformance::core::fleet::battery::battery;
use echomq_conformance::core::fleet::cell;
use echomq_conformance::core::fleet::checks::{Names, judge, not_sent};
use echomq_conformance::core::fleet::model::{Cell, FORMAT, Fleet, Member};
use echomq_conformance::core::fleet::places::Places;
use echomq_conformance::core::fleet::report::{html, json as fleet_json, junit, markdown, svg, text};
use echomq_conformance::core::fleet::roster::{BUILT_IN, Roster};
use echomq_conformance::core::fleet::trip::{Breakage, Observation, Step, Trip};
use echomq_conformance::core::fleet::verdict::FleetVerdict;
use echomq_conformance::core::judge::{Options, judge_capture};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::Report;
use echomq_conformance::core::report::model::Tool;
use echomq_conformance::core::report::text::Look as Looks;
use serde_json::{Value, json};

type Render = fn(&Fleet) -> String;

const FORMS: [(&str, Render); 8] = [
    ("txt", |fleet| text::render(fleet, Looks::default())),
    ("verbose.txt", |fleet| text::render(fleet, Looks { verbose: true, ..Looks::default() })),
    ("color.txt", |fleet| text::render(fleet, Looks { color: true, ..Looks::default() })),
    ("json", |fleet| with_one_version(&fleet_json::render(fleet))),
    ("md", markdown::render),
    ("junit.xml", junit::render),
    ("html", html::render),
    ("svg", svg::render),
];

/// The tool's version is no matter of these files.
fn with_one_version(text: &str) -> String {
    text.replace(&format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"version\": \"0.0.0\"")
}

fn cases() -> Vec<(&'static str, Fleet)> {
    vec![
        ("every-verdict", every_verdict()),
        ("nobody", fleet(Vec::new(), Vec::new(), all_ids())),
        ("part", part()),
        ("hostile", hostile()),
    ]
}

fn all_ids() -> Vec<&'static str> {
    battery().into_iter().map(|payload| payload.id).collect()
}

fn engine() -> Engine {
    Engine { name: "valkey".into(), version: "8.0.1".into() }
}

fn fleet(mut runtimes: Vec<Member>, mut cells: Vec<Cell>, sent: Vec<&'static str>) -> Fleet {
    // What the judge's own words are is a matter of other files.
    let reports = cells.iter_mut().filter_map(|cell| cell.report.as_mut());
    for assertion in reports.flat_map(|report| &mut report.assertions) {
        assertion.keep(0);
        assertion.help = None;
        assertion.notes.clear();
    }
    let all = all_ids();
    // As in a run: a part of the battery shows nothing of anybody.
    if sent.len() == all.len() {
        for member in &mut runtimes {
            member.learn(&cells, "2026-11-30", &engine(), "emq.1");
        }
    }
    Fleet {
        format: FORMAT,
        tool: Tool::THIS,
        date: "2026-11-30".into(),
        profile: "emq.1",
        policy: "strict",
        engine: Some(engine()),
        whole: sent.len() == all.len(),
        battery: sent,
        verdict: Fleet::overall(&runtimes, &cells),
        runtimes,
        cells,
    }
}

fn member(name: &str) -> Member {
    let roster = Roster::parse(BUILT_IN).expect("a roster");
    let mut member = roster.get(name).map_or_else(|| Member::unknown(name), Member::of_roster);
    member.introduction = Some(Introduction {
        runtime: name.to_owned(),
        version: "1.0".into(),
        wire: "echomq:2.0.0".into(),
        roles: vec![Role::Producer, Role::Consumer],
    });
    member
}

/// A job of the battery's first payload, changed in one thing.
fn pair(from: &str, to: &str, change: impl FnOnce(&mut Trip)) -> Cell {
    let payloads = battery();
    let mut trip = Trip::sound("fleet-plain", "7", &payloads[0].text);
    change(&mut trip);
    let names = Names::of(&EMQ_1, "payments", Places::of(&EMQ_1).expect("places"), from, to);
    let reports =
        vec![judge(&payloads[0], &trip, &names), not_sent(&payloads[1], "not sent: plain had broken off before")];
    let reports = if trip.breakage().is_some() { reports } else { reports.into_iter().take(1).collect() };
    cell::of(from, to, "payments", reports, report("fixtures/captures/payments.json"), Vec::new())
}

fn report(file: &str) -> Report {
    let capture = json::parse(&fs::read(file).expect("a fixture")).expect("a capture");
    judge_capture(&capture, &Options::default()).0.remove(0)
}

fn bullmq() -> Report {
    let file = "fixtures/recordings/bullmq-5.65.1-bull.capture.json";
    let capture = json::parse(&fs::read(file).expect("a fixture")).expect("a capture");
    let options = Options { queue: Some("payments".into()), ..Options::default() };
    judge_capture(&capture, &options).0.remove(0)
}

fn every_verdict() -> Fleet {
    let (a, b, c, d) = ("reference", "node-iovalkey", "bullmq", "echomq-elixir");
    let mut old = pair(c, c, |trip| trip.added = Some(Observation::default()));
    old = cell::of(c, c, "payments", old.payloads, bullmq(), vec!["bullmq printed last: done".into()]);
    old.capture = Some("bullmq+bullmq.json".into());
    let refusal = Refusal { kind: ErrorKind::NotSupported, message: "no objects".into() };
    let mut cells = vec![
        pair(a, a, |_| {}),
        pair(a, b, |_| {}),
        pair(b, a, |_| {}),
        pair(b, b, |_| {}),
        pair(a, c, |trip| {
            trip.take = Step::Broken(Breakage::Ended { op: "take", status: "status 3".into(), partial: true });
        }),
        pair(c, a, |trip| *trip = Trip { add: Step::Refused(refusal), left: Some(0), ..Trip::default() }),
        pair(b, c, |trip| trip.completions = Some(vec![9, 12])),
        old,
    ];
    cells[3].notes.push("node-iovalkey says that its wire is echomq:9.9.9, and echomq:2.0.0 is expected".into());
    cells.push(cell::without(
        a,
        d,
        FleetVerdict::NotRun,
        "nothing to run: echomq-elixir: claims v2, not verified here".into(),
    ));
    let elixir = Member::of_roster(Roster::parse(BUILT_IN).expect("a roster").get(d).expect("it is known"));
    fleet(vec![member(a), member(b), member(c), elixir], cells, all_ids())
}

/// A part of the battery, and one who did not start.
fn part() -> Fleet {
    let (a, b) = ("reference", "mine");
    let why = "mine: it ended with status 7 instead of an answer to hello; it printed last: no licence";
    let missing = |from, to| cell::without(from, to, FleetVerdict::NotRun, why.into());
    let cells = vec![pair(a, a, |_| {}), missing(a, b), missing(b, a), missing(b, b)];
    let absent = Member { introduction: None, absent: Some(why.into()), ..member(b) };
    fleet(vec![member(a), absent], cells, vec!["plain"])
}

/// What each form would read something into.
fn hostile() -> Fleet {
    const EVIL: &str =
        "]]><b onload=\"x\">&\\'\u{1b}[2J\u{202e}\u{200b}\n::error::x | `code` [link](x) </svg></details>";
    let mut evil = member("evil");
    evil.label = EVIL.into();
    let said = evil.introduction.as_mut().expect("it has one");
    (said.version, said.runtime) = (EVIL.into(), EVIL.into());
    let job = TakenJob { job_id: EVIL.into(), name: Some(EVIL.into()), data: "0".into(), attempt: None };
    let mut cell = pair("evil", "evil", |trip| trip.take = Step::Done(Some(job)));
    cell.notes.push(EVIL.into());
    fleet(vec![evil], vec![cell], all_ids())
}

#[test]
fn reports_are_as_expected() {
    all_pass(cases().iter().flat_map(|(name, fleet)| {
        FORMS.map(|(ending, render)| {
            let file = Path::new("fixtures/fleet/reports").join(format!("{name}.{ending}"));
            walk::expect(&file, &render(fleet))
        })
    }));
}

#[test]
fn no_expected_file_is_left_over() {
    let file = |name: &str, ending: &str| PathBuf::from(format!("fixtures/fleet/reports/{name}.{ending}"));
    let known: Vec<PathBuf> =
        cases().iter().flat_map(|(name, _)| FORMS.map(|(ending, _)| file(name, ending))).collect();
    for file in walk::files("fixtures/fleet/reports", "") {
        assert!(known.contains(&file), "{} belongs to no case", file.display());
    }
}

#[test]
fn every_verdict_stands_there_by_word_and_mark_in_every_form() {
    let fleet = every_verdict();
    for verdict in FleetVerdict::ALL {
        for (ending, render) in FORMS {
            let text = render(&fleet);
            // In JUnit a pass is a case without anything else.
            let is_said = ending == "junit.xml" && verdict == FleetVerdict::Pass || text.contains(verdict.word());
            assert!(is_said, "{ending} does not say {}", verdict.word());
            let is_marked = ["txt", "verbose.txt", "color.txt", "md"].contains(&ending);
            assert!(!is_marked || text.contains(&format!("{} {}", verdict.mark(), verdict.word())), "{ending}");
        }
    }
}

#[test]
fn colour_says_nothing_that_is_not_said_without_it() {
    for (name, fleet) in cases() {
        let plain = text::render(&fleet, Looks::default());
        let mut rest = text::render(&fleet, Looks { color: true, ..Looks::default() });
        while let Some(start) = rest.find('\x1b') {
            let end = rest[start..].find('m').expect("the end of a code") + start;
            rest.replace_range(start..=end, "");
        }
        assert_eq!(rest, plain, "{name}");
        assert!(!plain.contains('\x1b'), "{name}");
    }
}

#[test]
fn marked_up_forms_are_well_formed_and_hold_nothing_but_ours() {
    for (name, fleet) in cases() {
        for (form, text) in [("svg", svg::render(&fleet)), ("junit", junit::render(&fleet))] {
            roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {form}: {error}"));
        }
        let page = html::render(&fleet);
        for word in ["<script", "<b ", "onload=\"", "http-equiv", "<link", "src="] {
            assert!(!page.contains(word), "{name}: {word}");
        }
        // Every table's cells have a header that a screen reader can read out.
        let rows = page.matches("<tr>").count();
        assert_eq!(page.matches("scope=\"row\"").count() + page.matches("<thead><tr>").count(), rows, "{name}");
        for line in markdown::render(&fleet).lines().filter(|line| line.starts_with('|')) {
            let columns = line.matches('|').count();
            assert!(columns == 5 || columns == fleet.runtimes.len() + 2, "{name}: {line}");
            assert!(!line.contains('<'), "{name}: {line}");
        }
    }
}

#[test]
fn junit_counts_what_it_lists() {
    for (name, fleet) in cases() {
        let text = junit::render(&fleet);
        let document = roxmltree::Document::parse(&text).expect("XML");
        for node in document.descendants().filter(|node| node.attribute("tests").is_some()) {
            let count = |tag: &str| node.descendants().filter(|child| child.has_tag_name(tag)).count().to_string();
            for (attribute, tag) in
                [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
            {
                assert_eq!(node.attribute(attribute), Some(count(tag).as_str()), "{name}: {attribute}");
            }
        }
    }
}

#[test]
fn the_report_follows_its_schema_and_nothing_goes_unsaid() {
    let schema = schema("emq-fleet-1");
    let mut names = BTreeSet::new();
    for (name, fleet) in cases() {
        let document: Value = serde_json::from_str(&fleet_json::render(&fleet)).expect("JSON");
        schema.validate(&document).unwrap_or_else(|error| panic!("{name}: {error} at {}", error.instance_path()));
        keys(&document, &mut names);
    }
    let text = ["emq-fleet-1", "emq-report-1"].map(|name| schema_text(name).to_string()).concat();
    let unsaid: Vec<&String> = names.iter().filter(|name| !text.contains(&format!("\"{name}\":{{"))).collect();
    assert!(names.len() > 45 && unsaid.is_empty(), "{unsaid:?}");
}

#[test]
fn what_is_no_report_is_refused_and_no_claim_becomes_a_tick() {
    let schema = schema("emq-fleet-1");
    let good: Value = serde_json::from_str(&fleet_json::render(&every_verdict())).expect("JSON");
    assert!(schema.is_valid(&good));
    for (place, value) in [
        ("/format", json!("emq-fleet/2")),
        ("/verdict", json!("ok")),
        ("/cells/0/verdict", json!("passed")),
        ("/cells/0/payloads/0/fetched/json", json!("yes")),
        ("/cells/0/payloads/0/checks/0/id", json!("guessed")),
        ("/cells/0/report", json!({})),
        ("/runtimes/0/claim", json!("verified")),
        // Without a run there is no tick, and with one there is a status that says so.
        ("/runtimes/3/status", json!("passed")),
        ("/runtimes/0/evidence", json!(null)),
        ("/runtimes/0/status", json!("claims-not-verified")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
        assert!(!schema.is_valid(&bad), "the schema takes another {place}");
    }
}

#[test]
fn the_roster_follows_its_schema_and_both_refuse_the_same() {
    let schema = schema("emq-roster-1");
    let good: Value = serde_json::from_str(BUILT_IN).expect("JSON");
    let is_read = |document: &Value| Roster::parse(&document.to_string()).is_ok();
    assert!(schema.is_valid(&good) && is_read(&good));
    for (place, value) in [
        ("/format", json!("emq-roster/2")),
        ("/runtimes", json!({})),
        ("/runtimes/0/name", json!("a b")),
        ("/runtimes/0/claim", json!("verified")),
        ("/runtimes/0/fixture", json!("no")),
        ("/runtimes/0/evidence", json!({"result": "pass"})),
        ("/runtimes/0/source", json!(null)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
        assert!(!schema.is_valid(&bad), "the schema takes another {place}");
        assert!(!is_read(&bad), "the reader takes another {place}");
    }
}

#[test]
fn requests_follow_their_schema_and_are_read_by_adapters() {
    let schema = schema("emq-adapter-1");
    let requests = [
        Request::Hello { url: "valkey://127.0.0.1:1", profile: "emq.1", client_name: "me" },
        Request::Add { queue: "q", name: "n", data: "[1e400]" },
        Request::Take { queue: "q" },
        Request::Complete { queue: "q", job_id: "7", result: "null" },
        Request::Bye,
    ];
    for request in requests {
        // A number that no double holds is JSON, and not what this reader takes.
        let line = request.line(3).replace("1e400", "1");
        assert!(schema.is_valid(&serde_json::from_str(&line).expect("JSON")), "{line}");
        assert_eq!(Asked::parse(&request.line(3)).map(|asked| asked.op).as_deref(), Some(request.op()));
    }
}

/// What the schema refuses of an answer, the reader refuses too.
#[test]
fn answers_are_read_as_their_schema_says() {
    let reads = |op: &str, line: &str| match op {
        "hello" => answer(line.as_bytes(), 1, introduction).is_ok(),
        "add" => answer(line.as_bytes(), 1, added).is_ok(),
        "take" => answer(line.as_bytes(), 1, taken).is_ok(),
        _ => answer(line.as_bytes(), 1, nothing).is_ok(),
    };
    let good = [
        ("hello", json!({"runtime": "r", "version": "1", "wire": "w", "roles": ["producer"], "x": 1})),
        ("add", json!({"job_id": "7"})),
        ("take", json!({"job": null})),
        ("take", json!({"job": {"job_id": "7", "data": null}})),
        ("take", json!({"job": {"job_id": "7", "name": "n", "data": [], "attempt": 1, "x": {}}})),
        ("complete", json!({})),
    ];
    let bad = [
        ("hello", json!({"runtime": "r", "version": "1", "roles": ["producer"]})),
        ("hello", json!({"runtime": "r", "version": "1", "wire": "w", "roles": []})),
        ("hello", json!({"runtime": "", "version": "1", "wire": "w", "roles": ["producer"]})),
        ("add", json!({"job_id": 7})),
        ("take", json!({})),
        ("take", json!({"job": {"job_id": "7"}})),
        ("take", json!({"job": {"job_id": "7", "data": 1, "attempt": -1}})),
        ("take", json!({"job": {"job_id": "7", "data": 1, "name": 1}})),
        ("complete", json!([])),
    ];
    let part = |op: &str| {
        let mut whole = schema_text("emq-adapter-1");
        whole["anyOf"] = json!([{"$ref": format!("#/$defs/answer-{op}")}]);
        jsonschema::validator_for(&whole).expect("a schema")
    };
    for (answers, is_good) in [(&good[..], true), (&bad[..], false)] {
        for (op, ok) in answers {
            let line = json!({"id": 1, "ok": ok});
            assert_eq!(part(op).is_valid(&line), is_good, "the schema: {op}: {line}");
            assert_eq!(reads(op, &line.to_string()), is_good, "the reader: {op}: {line}");
        }
    }
    for (line, is_good) in [
        (json!({"id": 1, "error": {"kind": "definite", "message": "m"}}), true),
        (json!({"id": 1, "error": {"kind": "perhaps", "message": "m"}}), false),
        (json!({"id": 1, "error": {"kind": "definite"}}), false),
        (json!({"id": 1, "ok": {"job_id": "7"}, "error": {"kind": "definite", "message": "m"}}), false),
        (json!({"id": 1}), false),
    ] {
        assert_eq!((part("add").is_valid(&line), reads("add", &line.to_string())), (is_good, is_good), "{line}");
    }
}

fn keys(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, names)),
        Value::Object(fields) => {
            names.extend(fields.keys().cloned());
            fields.values().for_each(|field| keys(field, names));
        }
        _ => {}
    }
}
