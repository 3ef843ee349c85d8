//! Answers: read as what was asked, and written by an adapter of ours.

use super::super::json::{self, Node, Value};
use super::super::number::whole;
use super::fault::beginning;
use super::{ErrorKind, Fault, Introduction, MOST_ID, MOST_NAME, Refusal, Role, TakenJob};
use crate::core::bytes::{short, shown};

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
    if !matches!(found.value, Value::Number) || whole(found.text) != Some(id) {
        return Err(Fault::OtherId { wanted: id, found: beginning(found.text) });
    }
    match (node.count("ok"), node.count("error")) {
        (1, 0) => node.member("ok").ok_or(Fault::NotOne).and_then(read).map(Ok),
        (0, 1) => node.member("error").ok_or(Fault::NotOne).and_then(refusal).map(Err),
        _ => Err(Fault::NotOne),
    }
}

/// The answer to `hello`. What an adapter calls itself is shown to people, so what would not print is escaped here.
pub fn introduction(ok: &Node<'_>) -> Result<Introduction, Fault> {
    let role = |node: &Node<'_>| Role::ALL.into_iter().find(|role| Some(role.word()) == node.as_text());
    let roles = match ok.member("roles").map(|node| &node.value) {
        Some(Value::List(items)) => items.iter().map(role).collect::<Option<Vec<Role>>>(),
        _ => None,
    };
    let what = "a list of \"producer\" and \"consumer\", not empty";
    let roles = roles.filter(|roles| !roles.is_empty()).ok_or(Fault::Field { field: "roles", what })?;
    let name = |field| Ok(short(&shown(text(ok, field)?.as_bytes()), MOST_NAME).into_owned());
    Ok(Introduction { runtime: name("runtime")?, version: name("version")?, wire: name("wire")?, roles })
}

/// The answer to `add`.
pub fn added(ok: &Node<'_>) -> Result<String, Fault> {
    job_id(ok)
}

fn job_id(node: &Node<'_>) -> Result<String, Fault> {
    let id = text(node, "job_id")?;
    if id.len() > MOST_ID { Err(Fault::Field { field: "job_id", what: "at most 1,024 bytes long" }) } else { Ok(id) }
}

/// The answer to `take`.
pub fn taken(ok: &Node<'_>) -> Result<Option<TakenJob>, Fault> {
    let job = ok.member("job").filter(|job| matches!(job.value, Value::Null | Value::Object(_)));
    let job = job.ok_or(Fault::Field { field: "job", what: "an object, or null where no job waits" })?;
    if job.value == Value::Null {
        return Ok(None);
    }
    let data = job.member("data").ok_or(Fault::Field { field: "job.data", what: "there, whatever it is" })?;
    let number = |node: &Node<'_>| whole(node.text).filter(|_| matches!(node.value, Value::Number));
    let attempt = Fault::Field { field: "job.attempt", what: "a whole number, or null" };
    let attempt = optional(job, "attempt", attempt, number)?;
    let name = Fault::Field { field: "job.name", what: "a string, or null where the wire carries none" };
    let name = optional(job, "name", name, |node| node.as_text().map(str::to_owned))?;
    Ok(Some(TakenJob { job_id: job_id(job)?, name, data: data.text.to_owned(), attempt }))
}

/// A field that may be absent or null, and is a fault where it is there and cannot be read.
fn optional<T>(
    node: &Node<'_>,
    field: &str,
    fault: Fault,
    read: impl FnOnce(&Node<'_>) -> Option<T>,
) -> Result<Option<T>, Fault> {
    let there = node.member(field).filter(|node| node.value != Value::Null);
    there.map(|node| read(node).ok_or(fault)).transpose()
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
    fn numbers_are_what_they_denote() {
        for id in ["2", "2.0", "20e-1"] {
            assert_eq!(answer(format!(r#"{{"id":{id},"ok":{{}}}}"#).as_bytes(), 2, nothing), Ok(Ok(())), "{id}");
        }
        let attempt = |text: &str| {
            let line = format!(r#"{{"id":2,"ok":{{"job":{{"job_id":"7","attempt":{text},"data":1}}}}}}"#);
            answer(line.as_bytes(), 2, taken).map(|job| job.expect("no refusal").expect("a job").attempt)
        };
        for (text, number) in [("1", 1), ("1.0", 1), ("3e0", 3)] {
            assert_eq!(attempt(text), Ok(Some(number)), "{text}");
        }
        for text in ["1.5", "-1", "true", r#""1""#] {
            assert!(matches!(attempt(text), Err(Fault::Field { field: "job.attempt", .. })), "{text}");
        }
    }

    #[test]
    fn ids_have_a_limit() {
        let add =
            |length| answer(format!(r#"{{"id":2,"ok":{{"job_id":"{}"}}}}"#, "x".repeat(length)).as_bytes(), 2, added);
        let take = |length| {
            let job = format!(r#"{{"job_id":"{}","data":1}}"#, "x".repeat(length));
            answer(format!(r#"{{"id":2,"ok":{{"job":{job}}}}}"#).as_bytes(), 2, taken)
        };
        assert!(add(MOST_ID).is_ok() && take(MOST_ID).is_ok());
        let why = add(MOST_ID + 1).expect_err("a fault").to_string();
        assert_eq!(why, "job_id must be at most 1,024 bytes long");
        assert_eq!(take(MOST_ID + 1).expect_err("a fault").to_string(), why);
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
    fn what_an_adapter_calls_itself_draws_nothing() {
        let line = r#"{"id":1,"ok":{"runtime":"a\u001b[2J","version":"1\u202e","wire":"w","roles":["producer"]}}"#;
        let said = answer(line.as_bytes(), 1, introduction).expect("an answer").expect("no refusal");
        assert_eq!((said.runtime.as_str(), said.version.as_str()), ("a\\x1b[2J", "1\\xe2\\x80\\xae"));
    }

    #[test]
    fn what_an_adapter_writes_with_these_is_read() {
        assert_eq!(answer(answered(9, "{\"job_id\":\"a\"}").as_bytes(), 9, added), Ok(Ok("a".to_owned())));
        let line = refused(9, ErrorKind::Indefinite, "lost\n\"it\"");
        let refusal = answer(line.as_bytes(), 9, added).expect("an answer").expect_err("a refusal");
        assert_eq!((refusal.kind, refusal.message.as_str()), (ErrorKind::Indefinite, "lost\\n\"it\""));
    }
}
