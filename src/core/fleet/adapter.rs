//! `emq-adapter/1`: how any runtime joins, a program that reads JSON lines on standard input and answers on standard output.
//!
//! ```text
//! → {"id":1,"op":"hello","protocol":"emq-adapter/1","url":"valkey://127.0.0.1:7000","profile":"emq.1","client_name":"emq-fleet-…"}
//! ← {"id":1,"ok":{"runtime":"my runtime","version":"1.0","wire":"echomq:2.0.0","roles":["producer","consumer"]}}
//! → {"id":2,"op":"add","queue":"fleet","name":"pay","data":{"amount":4200}}
//! ← {"id":2,"ok":{"job_id":"7"}}
//! ← {"id":2,"error":{"kind":"not-supported","message":"no nested objects"}}
//! ```
//!
//! `data` and `result` are the last field of their requests, so that an adapter can take their text as it is written. Fields
//! that a reader does not know are ignored. The messages are data here; whoever sends them is elsewhere.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::{self, Node, Value};

/// The name and version of the protocol.
pub const PROTOCOL: &str = "emq-adapter/1";
/// The longest line that an adapter may print, in bytes.
pub const MOST_LINE: usize = 4 * 1024 * 1024;
/// How much it may print in all.
pub const MOST_OUTPUT: u64 = 64 * 1024 * 1024;
/// How much of what an adapter calls itself is kept, in characters.
pub const MOST_NAME: usize = 200;

/// What an adapter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'r> {
    /// Who it is, and where the server is.
    Hello {
        /// The server.
        url: &'r str,
        /// The profile that it is held to.
        profile: &'r str,
        /// A name for its connections.
        client_name: &'r str,
    },
    /// To put a job in a queue.
    Add {
        /// The queue.
        queue: &'r str,
        /// The job's name.
        name: &'r str,
        /// Its data, as JSON.
        data: &'r str,
    },
    /// To take the next job.
    Take {
        /// The queue.
        queue: &'r str,
    },
    /// To complete a job that it has taken.
    Complete {
        /// The queue.
        queue: &'r str,
        /// The job.
        job_id: &'r str,
        /// Its result, as JSON.
        result: &'r str,
    },
    /// Something that no adapter knows.
    Unknown,
    /// To end.
    Bye,
}

impl Request<'_> {
    /// Its name on the wire.
    pub fn op(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Add { .. } => "add",
            Self::Take { .. } => "take",
            Self::Complete { .. } => "complete",
            Self::Unknown => "x-nobody-knows-this",
            Self::Bye => "bye",
        }
    }

    /// The line, with its line feed.
    pub fn line(&self, id: u64) -> String {
        let mut line = format!("{{\"id\":{id},\"op\":\"{}\"", self.op());
        let mut text = |name: &str, value: &str| {
            // A string is always JSON.
            let _ = write!(line, ",\"{name}\":{}", serde_json::to_string(value).unwrap_or_default());
        };
        let raw = match self {
            Self::Hello { url, profile, client_name } => {
                text("protocol", PROTOCOL);
                text("url", url);
                text("profile", profile);
                text("client_name", client_name);
                // So that every adapter has met a field that it does not know.
                text("x-ignore-me", "unknown fields are ignored");
                None
            }
            Self::Add { queue, name, data } => {
                text("queue", queue);
                text("name", name);
                Some(("data", *data))
            }
            Self::Take { queue } => {
                text("queue", queue);
                None
            }
            Self::Complete { queue, job_id, result } => {
                text("queue", queue);
                text("job_id", job_id);
                Some(("result", *result))
            }
            Self::Unknown | Self::Bye => None,
        };
        if let Some((name, value)) = raw {
            let _ = write!(line, ",\"{name}\":{value}");
        }
        line + "}\n"
    }
}

/// A side that a runtime can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It adds jobs.
    Producer,
    /// It takes and completes them.
    Consumer,
}

impl Role {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Producer => "producer",
            Self::Consumer => "consumer",
        }
    }
}

/// Who an adapter says it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Introduction {
    /// The runtime.
    pub runtime: String,
    /// Its version.
    pub version: String,
    /// The wire that it says it speaks, `echomq:2.0.0`.
    pub wire: String,
    /// What it can do.
    pub roles: Vec<Role>,
}

/// A job in an adapter's hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenJob {
    /// Its id.
    pub job_id: String,
    /// Its name; nothing where the wire does not carry one.
    pub name: Option<String>,
    /// Its data: the JSON text as the adapter wrote it.
    pub data: String,
    /// How many workers have had it, where the adapter knows.
    pub attempt: Option<u64>,
}

/// How an adapter refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// It cannot do this at all.
    NotSupported,
    /// It did not do it, for certain.
    Definite,
    /// Nobody knows whether it was done.
    Indefinite,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::NotSupported, Self::Definite, Self::Indefinite];

    /// Its word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotSupported => "not-supported",
            Self::Definite => "definite",
            Self::Indefinite => "indefinite",
        }
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Of which kind.
    pub kind: ErrorKind,
    /// In the adapter's words.
    pub message: String,
}

/// Why a line is no answer to what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is longer than any answer.
    #[error("a line is longer than 4 MiB")]
    TooLong,
    /// It is not text.
    #[error("a line is not UTF-8")]
    NotText,
    /// It is not JSON.
    #[error("a line is no JSON ({error}): {line}")]
    NotJson {
        /// Why.
        error: json::JsonError,
        /// Its beginning.
        line: String,
    },
    /// It is not an object with an id.
    #[error("an answer is an object with the request's id, not {0}")]
    NoId(String),
    /// It answers something else.
    #[error("it answers id {found}, and {wanted} was asked")]
    OtherId {
        /// What was asked.
        wanted: u64,
        /// What is answered.
        found: String,
    },
    /// It is neither an answer nor a refusal, or both.
    #[error("an answer has ok or error, and exactly one of them")]
    NotOne,
    /// A field is missing or of another kind.
    #[error("{field} must be {what}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What it must be.
        what: &'static str,
    },
}

/// What an adapter answered: the fields of its `ok`, or a refusal.
///
/// # Errors
/// A line that is no answer to request `id`.
///
/// ```
/// use echomq_conformance::core::fleet::adapter::{added, answer, ErrorKind};
/// let line = br#"{"id":2,"ok":{"job_id":"7","more":true}}"#;
/// assert_eq!(answer(line, 2, added)?, Ok("7".to_owned()));
/// let line = br#"{"id":3,"error":{"kind":"definite","message":"full"}}"#;
/// assert_eq!(answer(line, 3, added)?.map_err(|refusal| refusal.kind), Err(ErrorKind::Definite));
/// # Ok::<(), echomq_conformance::core::fleet::adapter::Fault>(())
/// ```
pub fn answer<T>(
    line: &[u8],
    id: u64,
    read: impl FnOnce(&Node<'_>) -> Result<T, Fault>,
) -> Result<Result<T, Refusal>, Fault> {
    let text = std::str::from_utf8(line).map_err(|_| Fault::NotText)?;
    let node = json::parse(text).map_err(|error| Fault::NotJson { error, line: beginning(text) })?;
    let Some(found) = node.member("id") else { return Err(Fault::NoId(beginning(text))) };
    if !matches!(found.value, Value::Number) || found.text.parse() != Ok(id) {
        return Err(Fault::OtherId { wanted: id, found: beginning(found.text) });
    }
    match (node.count("ok"), node.count("error")) {
        (1, 0) => node.member("ok").ok_or(Fault::NotOne).and_then(read).map(Ok),
        (0, 1) => node.member("error").ok_or(Fault::NotOne).and_then(refusal).map(Err),
        _ => Err(Fault::NotOne),
    }
}

/// The answer to `hello`.
pub fn introduction(ok: &Node<'_>) -> Result<Introduction, Fault> {
    let role = |node: &Node<'_>| match node.as_text() {
        Some("producer") => Some(Role::Producer),
        Some("consumer") => Some(Role::Consumer),
        _ => None,
    };
    let roles = match ok.member("roles").map(|node| &node.value) {
        Some(Value::List(items)) => items.iter().map(role).collect::<Option<Vec<Role>>>(),
        _ => None,
    };
    let what = "a list of \"producer\" and \"consumer\", not empty";
    let roles = roles.filter(|roles| !roles.is_empty()).ok_or(Fault::Field { field: "roles", what })?;
    let short = |text: String| text.chars().take(MOST_NAME).collect();
    Ok(Introduction {
        runtime: short(text(ok, "runtime")?),
        version: short(text(ok, "version")?),
        wire: short(text(ok, "wire")?),
        roles,
    })
}

/// The answer to `add`.
pub fn added(ok: &Node<'_>) -> Result<String, Fault> {
    text(ok, "job_id")
}

/// The answer to `take`.
pub fn taken(ok: &Node<'_>) -> Result<Option<TakenJob>, Fault> {
    let job = ok.member("job").ok_or(Fault::Field { field: "job", what: "an object, or null where no job waits" })?;
    match &job.value {
        Value::Null => return Ok(None),
        Value::Object(_) => {}
        _ => return Err(Fault::Field { field: "job", what: "an object, or null where no job waits" }),
    }
    let data = job.member("data").ok_or(Fault::Field { field: "job.data", what: "there, whatever it is" })?;
    let attempt = match job.member("attempt") {
        None => None,
        Some(node) if node.value == Value::Null => None,
        Some(node) => match (&node.value, node.text.parse()) {
            (Value::Number, Ok(attempt)) => Some(attempt),
            _ => return Err(Fault::Field { field: "job.attempt", what: "a whole number, or null" }),
        },
    };
    let name = match job.member("name") {
        None => None,
        Some(node) if node.value == Value::Null => None,
        Some(node) => {
            let what = "a string, or null where the wire carries none";
            Some(node.as_text().ok_or(Fault::Field { field: "job.name", what })?.to_owned())
        }
    };
    Ok(Some(TakenJob { job_id: text(job, "job_id")?, name, data: data.text.to_owned(), attempt }))
}

/// The answer to `complete` and `bye`.
pub fn nothing(ok: &Node<'_>) -> Result<(), Fault> {
    match ok.value {
        Value::Object(_) => Ok(()),
        _ => Err(Fault::Field { field: "ok", what: "an object; {} will do" }),
    }
}

fn refusal(error: &Node<'_>) -> Result<Refusal, Fault> {
    let word = error.member("kind").and_then(Node::as_text);
    let kind = ErrorKind::ALL.into_iter().find(|kind| Some(kind.word()) == word);
    let what = "\"not-supported\", \"definite\" or \"indefinite\"";
    let kind = kind.ok_or(Fault::Field { field: "error.kind", what })?;
    let message = error.member("message").and_then(Node::as_text);
    let message = message.ok_or(Fault::Field { field: "error.message", what: "a string" })?;
    Ok(Refusal { kind, message: beginning(message) })
}

fn text(node: &Node<'_>, field: &'static str) -> Result<String, Fault> {
    let found = node.member(field).and_then(Node::as_text).filter(|text| !text.is_empty());
    found.map(str::to_owned).ok_or(Fault::Field { field, what: "a string, not empty" })
}

/// The beginning of what an adapter wrote.
fn beginning(text: &str) -> String {
    const MOST: usize = 300;
    let shown = crate::core::bytes::shown(text.as_bytes());
    if shown.chars().count() <= MOST {
        return shown.into_owned();
    }
    shown.chars().take(MOST).collect::<String>() + "…"
}

/// A request as an adapter reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its id.
    pub id: u64,
    /// What is asked.
    pub op: String,
    /// Its strings, by name.
    pub texts: Vec<(String, String)>,
    /// `data` or `result`, as JSON.
    pub raw: Option<String>,
}

impl Asked {
    /// Reads a request; nothing where it has no id that could be answered.
    pub fn parse(line: &str) -> Option<Self> {
        let node = json::parse(line).ok()?;
        let Value::Object(members) = &node.value else { return None };
        let id = node.member("id")?.text.parse().ok()?;
        let op = node.member("op").and_then(Node::as_text).unwrap_or_default().to_owned();
        let strings = members.iter().filter_map(|(name, value)| {
            Some((std::str::from_utf8(name).ok()?.to_owned(), value.as_text()?.to_owned()))
        });
        let raw = node.member("data").or(node.member("result")).map(|raw| raw.text.to_owned());
        Some(Self { id, op, texts: strings.collect(), raw })
    }

    /// One of its strings; empty where it has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }
}

/// The line that answers a request; `ok` is JSON.
pub fn answered(id: u64, ok: &str) -> String {
    format!("{{\"id\":{id},\"ok\":{ok}}}\n")
}

/// The line that refuses one.
pub fn refused(id: u64, kind: ErrorKind, message: &str) -> String {
    let message = serde_json::to_string(message).unwrap_or_default();
    format!("{{\"id\":{id},\"error\":{{\"kind\":\"{}\",\"message\":{message}}}}}\n", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_carry_their_data_unchanged_and_last() {
        let data = r#"{"n":9007199254740993,"a":1,"a":2}"#;
        let line = Request::Add { queue: "q", name: "a\"data\":b", data }.line(7);
        assert_eq!(
            line,
            format!("{{\"id\":7,\"op\":\"add\",\"queue\":\"q\",\"name\":\"a\\\"data\\\":b\",\"data\":{data}}}\n")
        );
        let asked = Asked::parse(&line).expect("a request");
        assert_eq!((asked.id, asked.op.as_str(), asked.text("queue")), (7, "add", "q"));
        assert_eq!(asked.raw.as_deref(), Some(data));
        // As the guide tells adapters to find it.
        let (_, rest) = line.split_once("\"data\":").expect("data");
        assert_eq!(rest.trim_end().strip_suffix('}'), Some(data));
    }

    #[test]
    fn answers_are_read_with_what_nobody_knows_in_them() {
        let line =
            br#"{"x":1,"id":4,"ok":{"job":{"job_id":"7","name":null,"data": {"b":1e0} ,"attempt":1,"y":[]},"z":{}}}"#;
        let job = answer(line, 4, taken).expect("an answer").expect("no refusal").expect("a job");
        assert_eq!((job.data.as_str(), job.attempt, job.name), (r#"{"b":1e0}"#, Some(1), None));
        assert_eq!(answer(br#"{"id":4,"ok":{"job":null}}"#, 4, taken), Ok(Ok(None)));
        assert_eq!(answer(br#"{"id":4,"ok":{"a":1}}"#, 4, nothing), Ok(Ok(())));
    }

    #[test]
    fn what_is_no_answer_says_why() {
        let long = format!("{}\n", "x".repeat(5000));
        for (line, why) in [
            ("", "a line is no JSON (byte 1: the text ends where a value should be): "),
            ("hello", "a line is no JSON (byte 1: no value starts like this): hello"),
            ("[]", "an answer is an object with the request's id, not []"),
            (
                "{\"id\":2,\"id\":2,\"ok\":{}}",
                "an answer is an object with the request's id, not {\"id\":2,\"id\":2,\"ok\":{}}",
            ),
            ("{\"id\":\"2\",\"ok\":{}}", "it answers id \"2\", and 2 was asked"),
            ("{\"id\":3,\"ok\":{}}", "it answers id 3, and 2 was asked"),
            ("{\"id\":2}", "an answer has ok or error, and exactly one of them"),
            ("{\"id\":2,\"ok\":{},\"error\":{}}", "an answer has ok or error, and exactly one of them"),
            ("{\"id\":2,\"ok\":{}}", "job_id must be a string, not empty"),
            ("{\"id\":2,\"ok\":{\"job_id\":7}}", "job_id must be a string, not empty"),
            (
                "{\"id\":2,\"error\":{\"kind\":\"bad\",\"message\":\"\"}}",
                "error.kind must be \"not-supported\", \"definite\" or \"indefinite\"",
            ),
            ("{\"id\":2,\"error\":{\"kind\":\"definite\"}}", "error.message must be a string"),
        ] {
            assert_eq!(answer(line.as_bytes(), 2, added).expect_err(line).to_string(), why);
        }
        let shown = answer(long.as_bytes(), 2, added).expect_err("garbage").to_string();
        assert!(shown.len() < 500, "{shown}");
        assert_eq!(answer(b"\xff", 2, added), Err(Fault::NotText));
    }

    #[test]
    fn introductions_have_roles() {
        let line = |roles: &str| {
            format!("{{\"id\":1,\"ok\":{{\"runtime\":\"r\",\"version\":\"1\",\"wire\":\"w\",\"roles\":{roles}}}}}")
        };
        let read = |roles: &str| answer(line(roles).as_bytes(), 1, introduction);
        assert_eq!(read("[\"consumer\"]").expect("an answer").expect("no refusal").roles, [Role::Consumer]);
        for (length, kept) in [(MOST_NAME, MOST_NAME), (MOST_NAME + 1, MOST_NAME)] {
            let line = line("[\"producer\"]").replace("\"r\"", &format!("\"{}\"", "é".repeat(length)));
            let said = answer(line.as_bytes(), 1, introduction).expect("an answer").expect("no refusal");
            assert_eq!(said.runtime.chars().count(), kept);
        }
        for bad in ["[]", "[\"worker\"]", "\"producer\"", "[1]"] {
            assert!(matches!(read(bad), Err(Fault::Field { field: "roles", .. })), "{bad}");
        }
    }

    #[test]
    fn what_an_adapter_writes_with_these_is_read() {
        assert_eq!(answer(answered(9, "{\"job_id\":\"a\"}").as_bytes(), 9, added), Ok(Ok("a".to_owned())));
        let line = refused(9, ErrorKind::Indefinite, "lost\n\"it\"");
        let refusal = answer(line.as_bytes(), 9, added).expect("an answer").expect_err("a refusal");
        assert_eq!((refusal.kind, refusal.message.as_str()), (ErrorKind::Indefinite, "lost\\n\"it\""));
    }
}
