//! The run that the page shows: a fresh one differs from it in ids and times, and in nothing else.
//!
//! `make fleet` takes it again. Two runs of the same three: of the whole battery, which is the evidence, and of one ordinary
//! payload, whose traffic is kept so that its way can be looked at. Texts of scripts are left out: BullMQ's are
//! not ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::engines::valkey_8;
use crate::common::fleet::leaving_nothing;
use crate::common::made_up::Names;
use crate::common::schema::schema;
use crate::common::walk::{all_pass, blessing, files};
use crate::common::{bullmq, node_adapter};
use echomq_conformance::core::bytes::Arg;
use echomq_conformance::core::capture::json as capture_json;
use echomq_conformance::core::capture::redact::without_text;

const FOLDER: &str = "fixtures/fleet/recorded";

#[test]
fn a_fresh_run_differs_in_ids_and_times_only() {
    let fresh = tempfile::tempdir().expect("a folder");
    take(fresh.path());
    if blessing() {
        drop(fs::remove_dir_all(FOLDER));
        fs::create_dir_all(Path::new(FOLDER).join("captures")).expect("a folder");
        for file in files(&fresh.path().to_string_lossy(), ".json") {
            let name = file.strip_prefix(fresh.path()).expect("it lies there");
            fs::copy(&file, Path::new(FOLDER).join(name)).expect("a writable checkout");
        }
        return;
    }
    let names = |folder: &Path| -> Vec<PathBuf> {
        let all = files(&folder.to_string_lossy(), ".json").into_iter();
        all.map(|file| file.strip_prefix(folder).expect("it lies there").to_owned()).collect()
    };
    assert_eq!(names(fresh.path()), names(Path::new(FOLDER)), "`make fleet` takes the run again");
    all_pass(names(fresh.path()).iter().map(|name| {
        let (recorded, fresh) = (plain(&Path::new(FOLDER).join(name)), plain(&fresh.path().join(name)));
        if recorded == fresh {
            return Ok(());
        }
        let (recorded, fresh) = (format!("{recorded:#}"), format!("{fresh:#}"));
        let (one, other) = recorded.lines().zip(fresh.lines()).find(|(one, other)| one != other).unwrap_or_default();
        Err(format!("{}: recorded {one}, fresh {other}; `make fleet` takes the run again", name.display()))
    }));
}

#[test]
fn the_recorded_reports_follow_their_schema() {
    let schema = schema("emq-fleet-1");
    for name in ["battery", "plain"] {
        let text = fs::read_to_string(format!("{FOLDER}/{name}.json")).expect("a report");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        schema.validate(&document).unwrap_or_else(|error| panic!("{name}: {error} at {}", error.instance_path()));
        assert_eq!(document["whole"], name == "battery");
    }
}

/// Runs the fleet twice, and keeps in `folder` what the page needs of it.
fn take(folder: &Path) {
    let captures = folder.join("captures");
    let captures_text = captures.to_string_lossy();
    let plain = run(&["--payload", "plain", "--record", &captures_text]);
    let battery = run(&[]);
    for (name, mut report) in [("plain", plain), ("battery", battery)] {
        shorten(&mut report);
        fs::write(folder.join(format!("{name}.json")), lines(&report)).expect("a folder");
    }
    for file in files(&captures_text, ".json") {
        let mut capture = capture_json::parse(&fs::read(&file).expect("a capture")).expect("a capture");
        capture.events.iter_mut().for_each(without_text);
        capture.events.iter_mut().flat_map(|event| &mut event.argv).for_each(without_packed);
        fs::write(&file, capture_json::render(&capture)).expect("a folder");
    }
}

/// What is no text is data that BullMQ has packed, times and tokens in it; keys and names are text.
fn without_packed(arg: &mut Arg) {
    if let Some(bytes) = arg.known().filter(|bytes| std::str::from_utf8(bytes).is_err()) {
        *arg = Arg::Redacted(bytes.len() as u64);
    }
}

fn run(more: &[&str]) -> Value {
    let (server, node) = (valkey_8(), format!("node-iovalkey={}", node_adapter::command()));
    let bullmq = "bullmq=node tests/testsuite/common/bullmq/adapter.cjs";
    let mut arguments =
        vec!["fleet", "--server", server.to_str().expect("text"), "--format", "json", "--timeout", "20s"];
    arguments.extend(["--runtime", &node, "--runtime", bullmq]);
    arguments.extend(more);
    let modules = bullmq::installed().join("node_modules");
    // BullMQ fails, as it must.
    leaving_nothing(&arguments, |command| {
        command.env("NODE_PATH", modules);
    })
    .expect(1)
    .json()
}

/// Leaves out the places that the assertions of a pair list, and counts them: the captures have them.
fn shorten(fleet: &mut Value) {
    let cells = fleet["cells"].as_array_mut().expect("cells");
    let assertions = cells.iter_mut().filter_map(|cell| cell.pointer_mut("/report/assertions")?.as_array_mut());
    for assertion in assertions.flatten() {
        let mut witnesses = assertion["witnesses"].as_array().cloned().unwrap_or_default();
        for place in witnesses.iter_mut().chain([&mut *assertion]) {
            let listed = place["evidence"].as_array().map_or(0, Vec::len) as u64;
            let more = place["more_evidence"].as_u64().expect("a count");
            place["evidence"] = json!([]);
            place["more_evidence"] = (listed + more).into();
        }
        if !witnesses.is_empty() {
            assertion["witnesses"] = witnesses.into();
        }
    }
}

/// A report with a line for each runtime and each pair.
fn lines(fleet: &Value) -> String {
    let fields = fleet.as_object().expect("an object").iter().map(|(name, field)| {
        let field = match field.as_array().filter(|items| items.iter().all(Value::is_object)) {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| format!("    {item}")).collect();
                format!("[\n{}\n  ]", items.join(",\n"))
            }
            None => field.to_string(),
        };
        format!("  {name:?}: {field}")
    });
    format!("{{\n{}\n}}\n", fields.collect::<Vec<_>>().join(",\n"))
}

/// A file without what differs from run to run.
fn plain(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    if document["events"].is_array() {
        by_connection(&mut document);
    } else {
        document["date"] = Value::Null;
        dates(&mut document);
    }
    Names::default().walk(&mut document);
    document
}

/// Puts the events of each connection together and counts them anew: in which order several connections of one runtime come
/// to be heard is chance, and so is how often somebody else looked in between.
fn by_connection(capture: &mut Value) {
    let events = capture["events"].as_array_mut().expect("events");
    let mut callers: BTreeMap<u64, Value> = BTreeMap::new();
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for event in events.drain(..) {
        let caller = event["call"].as_u64().and_then(|call| callers.get(&call).cloned());
        let connection = caller.unwrap_or_else(|| event["client"].clone());
        callers.insert(event["seq"].as_u64().expect("a number"), connection.clone());
        match groups.iter_mut().find(|(known, _)| *known == connection) {
            Some((_, group)) => group.push(event),
            None => groups.push((connection, vec![event])),
        }
    }
    // Of connections that were opened together any may be the first.
    groups.sort_by_key(|(_, group)| group.iter().map(|event| event["argv"].to_string().len()).sum::<usize>());
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    for (mut event, number) in groups.into_iter().flat_map(|(_, group)| group).zip(1_u64..) {
        numbers.insert(event["seq"].as_u64().expect("a number"), number);
        event["seq"] = number.into();
        if let Some(call) = event["call"].as_u64() {
            event["call"] = numbers[&call].into();
        }
        events.push(event);
    }
}

/// Takes days and the numbers of events from a report.
fn dates(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(dates),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if name == "date" { *field = Value::Null } else { dates(field) }
            }
        }
        Value::String(text) => {
            if let Some((before, _)) = text.split_once("by event ") {
                *text = format!("{before}by an event");
            }
        }
        _ => {}
    }
}
