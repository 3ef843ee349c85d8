//! `emq-capture/1` in JSON: the reader, which says where the input is wrong, and the writer.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Write as _};

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::content::without_mark;
use super::model::{Capture, Engine, Event, FORMAT, Origin, Read, Script, Source};
use crate::core::bytes::Arg;
use crate::core::commands::script_call;
use crate::core::profile;

/// Why some bytes are no capture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&what).to_owned();
        // The end of the input may stand on a line that has no column yet.
        Self { line, column: column.max(1), what }
    }
}

/// Reads a capture.
///
/// # Errors
/// Anything but JSON of format `emq-capture/1` whose events are numbered upwards and whose script events name a script
/// call that stands before them: with line and column.
///
/// ```
/// use echomq_conformance::core::capture::json;
/// let error = json::parse(b"{\"format\": \"emq-capture/9\"}").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 27));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Capture, JsonError> {
    let document: Document = serde_json::from_slice(without_mark(bytes))?;
    Ok(Capture {
        profile: document.profile,
        queue: document.queue,
        engine: document.engine,
        source: document.source,
        scripts: document.scripts,
        events: document.events.0,
        reads: document.reads,
        dropped: document.dropped,
    })
}

/// Writes a capture: one event a line, so that two of them can be compared with ordinary tools.
pub fn render(capture: &Capture) -> String {
    let mut out = String::from("{\n");
    let mut field = |name: &str, value: String| {
        let comma = if out.len() > 2 { ",\n" } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}  \"{name}\": {value}");
    };
    field("format", line(&FORMAT));
    field("profile", line(&capture.profile));
    field("queue", line(&capture.queue));
    field("engine", line(&capture.engine));
    field("source", line(&capture.source));
    let scripts = capture.scripts.iter().map(|(sha, script)| format!("{}: {}", line(sha), line(script)));
    field("scripts", block('{', scripts, '}'));
    field("events", block('[', capture.events.iter().map(|event| line(&EventOut::from(event))), ']'));
    field("reads", block('[', capture.reads.iter().map(line), ']'));
    field("dropped", line(&capture.dropped));
    out.push_str("\n}\n");
    out
}

pub(super) fn line<T: Serialize>(value: &T) -> String {
    // Nothing in the model can fail to be JSON: no map has keys other than strings, no number is infinite.
    serde_json::to_string(value).unwrap_or_default()
}

pub(super) fn block(open: char, items: impl Iterator<Item = String>, close: char) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        format!("{open}{close}")
    } else {
        format!("{open}\n    {}\n  {close}", items.join(",\n    "))
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a capture: an object whose \"format\" is \"emq-capture/1\"")]
struct Document {
    #[serde(rename = "format")]
    _format: Format,
    #[serde(default)]
    profile: Option<String>,
    #[serde(default, deserialize_with = "queue_name")]
    queue: Option<String>,
    #[serde(default)]
    engine: Option<Engine>,
    #[serde(default)]
    source: Source,
    #[serde(default, deserialize_with = "scripts")]
    scripts: BTreeMap<String, Script>,
    events: Events,
    #[serde(default)]
    reads: Vec<Read>,
    #[serde(default)]
    dropped: u64,
}

fn queue_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let queue: Option<String> = Option::deserialize(deserializer)?;
    match &queue {
        Some(name) if !profile::ALL.iter().any(|profile| profile.allows_queue(name.as_bytes())) => {
            Err(de::Error::custom(format!("no queue can be called {name:?}: it takes 1 to 128 of A-Z a-z 0-9 . _ -")))
        }
        _ => Ok(queue),
    }
}

/// A script that is not what its SHA-1 says would be taken for another one.
fn scripts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Script>, D::Error> {
    let scripts: BTreeMap<String, Script> = BTreeMap::deserialize(deserializer)?;
    let digest = |id: &str| id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    for (id, script) in scripts.iter().filter(|(id, _)| digest(id)) {
        if let Some(source) = &script.source
            && sha1_smol::Sha1::from(&source.0).digest().to_string() != *id
        {
            return Err(de::Error::custom(format!("script {id} is not what its SHA-1 says")));
        }
    }
    Ok(scripts)
}

struct Format;

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let format = String::deserialize(deserializer)?;
        if format == FORMAT {
            return Ok(Self);
        }
        let advice = match format.split_once('/') {
            Some(("emq-capture", _)) => "another version of this format: record it again, or use the tool it came from",
            Some(("emq-report" | "emq-reports" | "emq-lint" | "emq-fleet", _)) => {
                "an outcome, not a recording: give the capture it was made from"
            }
            _ => "not a capture",
        };
        Err(de::Error::custom(format!("format {format:?} where this build reads {FORMAT:?}: {advice}")))
    }
}

/// An event as it is written.
#[derive(Serialize)]
pub(super) struct EventOut<'e> {
    seq: u64,
    time: u64,
    client: Option<&'e str>,
    db: u32,
    origin: Origin,
    call: Option<u64>,
    argv: &'e [Arg],
}

impl<'e> From<&'e Event> for EventOut<'e> {
    fn from(event: &'e Event) -> Self {
        let Event { seq, line: _, time, client, db, origin, call, argv } = event;
        Self { seq: *seq, time: *time, client: client.as_deref(), db: *db, origin: *origin, call: *call, argv }
    }
}

/// An event as it is read, before it is held against those before it.
#[derive(Deserialize)]
struct EventIn {
    seq: u64,
    #[serde(default)]
    time: u64,
    #[serde(default)]
    client: Option<String>,
    #[serde(default)]
    db: u32,
    origin: Origin,
    #[serde(default)]
    call: Option<u64>,
    argv: Vec<Arg>,
}

/// The events, checked one by one as they are read, so that an error still knows its line.
struct Events(Vec<Event>);

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EventsVisitor)
    }
}

struct EventsVisitor;

impl<'de> Visitor<'de> for EventsVisitor {
    type Value = Events;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Events, A::Error> {
        let order = Order::default();
        let mut events = Vec::new();
        let mut calls = HashSet::new();
        while let Some(event) = seq.next_element_seed(Checked { order: &order, calls: &calls })? {
            if script_call(&event.args()).is_some() {
                calls.insert(event.seq);
            }
            events.push(event);
        }
        Ok(Events(events))
    }
}

#[derive(Default)]
struct Order {
    last: Cell<Option<u64>>,
}

struct Checked<'a> {
    order: &'a Order,
    calls: &'a HashSet<u64>,
}

impl<'de> DeserializeSeed<'de> for Checked<'_> {
    type Value = Event;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Event, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The check runs while the reader still stands in the event, so that its errors carry the event's own line.
impl<'de> Visitor<'de> for Checked<'_> {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Event, A::Error> {
        let event = EventIn::deserialize(MapAccessDeserializer::new(map))?;
        let EventIn { seq, time, client, db, origin, call, argv } = event;
        if let Some(last) = self.order.last.replace(Some(seq))
            && seq <= last
        {
            return Err(de::Error::custom(format!("event {seq} follows event {last}: numbers must rise")));
        }
        if argv.is_empty() {
            return Err(de::Error::custom(format!("event {seq} has no command: argv is empty")));
        }
        match (origin, call) {
            (Origin::Client, Some(call)) => {
                let why = format!("event {seq} is a client's own, so it belongs to no call, yet names {call}");
                return Err(de::Error::custom(why));
            }
            (Origin::Script, Some(call)) if !self.calls.contains(&call) => {
                let why = format!("event {seq} belongs to call {call}, which is no script call before it");
                return Err(de::Error::custom(why));
            }
            _ => {}
        }
        Ok(Event { seq, line: None, time, client, db, origin, call, argv })
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, render};

    fn capture(events: &str) -> String {
        format!("{{\"format\":\"emq-capture/1\",\"events\":[\n{events}\n]}}")
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = capture(concat!(
            r#"{"seq":1,"time":7,"client":"127.0.0.1:1","origin":"client","argv":["FCALL","f","1",{"base64":"/w=="}]},"#,
            r#"{"seq":4,"origin":"script","call":1,"argv":["SET",{"base64":"/w=="},{"redacted":9}]}"#
        ));
        let read = parse(text.as_bytes()).expect("a capture");
        assert_eq!(read.events.len(), 2);
        assert_eq!(parse(render(&read).as_bytes()).expect("its own writing"), read);
    }

    #[test]
    fn bad_events_are_named_with_their_line() {
        for (events, word) in [
            (r#"{"seq":1,"origin":"client","argv":[]}"#, "argv is empty"),
            (r#"{"seq":1,"origin":"script","call":1,"argv":["GET","k"]}"#, "no script call before it"),
            (r#"{"seq":1,"origin":"client","call":0,"argv":["GET","k"]}"#, "belongs to no call"),
            (r#"{"seq":1,"origin":"robot","argv":["GET"]}"#, "unknown variant"),
            (r#"{"seq":-1,"origin":"client","argv":["GET"]}"#, "expected u64"),
            (r#"{"origin":"client","argv":["GET"]}"#, "missing field `seq`"),
        ] {
            let error = parse(capture(events).as_bytes()).expect_err(events);
            assert_eq!(error.line, 2, "{error}");
            assert!(error.what.contains(word), "{error}");
        }
        let twice = r#"{"seq":1,"origin":"client","argv":["PING"]},
{"seq":1,"origin":"client","argv":["PING"]}"#;
        assert_eq!(parse(capture(twice).as_bytes()).expect_err("numbers must rise").line, 3);
    }

    #[test]
    fn other_documents_are_refused() {
        for (text, word) in [
            ("", "EOF"),
            ("[]", "a capture"),
            ("{}", "missing field `format`"),
            (r#"{"format":"emq-report/1"}"#, "an outcome, not a recording"),
            (r#"{"format":"emq-capture/2"}"#, "another version"),
            (r#"{"format":"emq-capture/1"}"#, "missing field `events`"),
            (r#"{"format":"emq-capture/1","queue":"a b","events":[]}"#, "no queue can be called"),
            (
                r#"{"format":"emq-capture/1","scripts":{"0123456789012345678901234567890123456789":{"source":""}},"events":[]}"#,
                "SHA-1",
            ),
            (r#"{"format":"emq-capture/1","events":[]} x"#, "trailing characters"),
        ] {
            let error = parse(text.as_bytes()).expect_err(text);
            assert!(error.what.contains(word), "{error}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse(format!("{{\"format\":\"emq-capture/1\",\"events\":{deep}").as_bytes()).is_err());
    }
}
