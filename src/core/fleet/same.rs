//! Whether what came is what was sent: as bytes, and as JSON.
//!
//! As JSON, the order of an object's members does not matter, the order of those with one name does, a number is the decimal
//! that it denotes, and a string is what its escapes come to.

use std::borrow::Cow;

use serde::Serialize;

use super::json::{self, Node, Value};
use super::number;
use crate::core::bytes::{short, shown};

/// How much of a value or a name is shown.
const MOST: usize = 40;

/// How two payloads compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sameness {
    /// The same JSON value.
    pub json: bool,
    /// The same text, byte for byte.
    pub bytes: bool,
    /// The first place where the values differ, in a sentence.
    pub difference: Option<String>,
    /// All that differs is that of several members with one name only one came: RFC 8259 leaves open what a reader makes
    /// of these.
    pub only_repeats_lost: bool,
}

/// Compares what was sent with what came.
///
/// ```
/// use echomq_conformance::core::fleet::same::compare;
/// let same = compare(r#"{"a":1.0,"b":[]}"#, br#"{"b":[], "a":1}"#);
/// assert!(same.json && !same.bytes);
/// let other = compare(r#"{"list":[]}"#, br#"{"list":{}}"#);
/// assert_eq!(other.difference.as_deref(), Some("at /list: [] came as {}"));
/// ```
pub fn compare(sent: &str, came: &[u8]) -> Sameness {
    if sent.as_bytes() == came {
        return Sameness { json: true, bytes: true, difference: None, only_repeats_lost: false };
    }
    let different =
        |difference| Sameness { json: false, bytes: false, difference: Some(difference), only_repeats_lost: false };
    let Ok(text) = std::str::from_utf8(came) else { return different("what came is not UTF-8".to_owned()) };
    match (json::parse(sent), json::parse(text)) {
        (Ok(sent), Ok(came)) => {
            let difference = differ(&sent, &came, "", Repeats::Count);
            let only_repeats_lost = difference.is_some()
                && [Repeats::First, Repeats::Last].iter().any(|&of| differ(&sent, &came, "", of).is_none());
            Sameness { json: difference.is_none(), bytes: false, difference, only_repeats_lost }
        }
        (Err(error), _) => different(format!("what was sent is no JSON: {error}")),
        (_, Err(error)) => different(format!("what came is no JSON: {error}")),
    }
}

/// Of what is longer than anybody reads: not what was sent.
pub fn beyond(length: u64) -> Sameness {
    let difference = Some(format!("lie {length} bytes, and more than 4 MiB are not read"));
    Sameness { json: false, bytes: false, difference, only_repeats_lost: false }
}

/// What is made of members with one name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// Each counts.
    Count,
    /// The first of those sent.
    First,
    /// The last of those sent.
    Last,
}

fn differ(sent: &Node<'_>, came: &Node<'_>, place: &str, repeats: Repeats) -> Option<String> {
    match (&sent.value, &came.value) {
        (Value::Null, Value::Null) => None,
        (Value::Bool(one), Value::Bool(other)) if one == other => None,
        (Value::Number, Value::Number) if number::same(sent.text, came.text) => None,
        (Value::Text(one), Value::Text(other)) if one == other => None,
        (Value::List(one), Value::List(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(at, (one, other))| differ(one, other, &format!("{place}/{at}"), repeats))
        }
        (Value::List(one), Value::List(other)) => {
            Some(format!("{}: a list of {} came as one of {}", at(place), one.len(), other.len()))
        }
        (Value::Object(one), Value::Object(other)) => {
            members(&kept(one, repeats), &kept(other, Repeats::Count), place, repeats)
        }
        _ => Some(format!("{}: {} came as {}", at(place), brief(sent), brief(came))),
    }
}

type Member<'n, 't> = &'n (Cow<'t, [u8]>, Node<'t>);

/// The members by their names; those with one name stay in their order.
fn kept<'n, 't>(members: &'n [(Cow<'t, [u8]>, Node<'t>)], repeats: Repeats) -> Vec<Member<'n, 't>> {
    let mut sorted: Vec<Member<'_, '_>> = members.iter().collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    match repeats {
        Repeats::Count => {}
        Repeats::First => sorted.dedup_by(|later, earlier| later.0 == earlier.0),
        Repeats::Last => {
            sorted.reverse();
            sorted.dedup_by(|later, earlier| later.0 == earlier.0);
            sorted.reverse();
        }
    }
    sorted
}

fn members(sent: &[Member<'_, '_>], came: &[Member<'_, '_>], place: &str, repeats: Repeats) -> Option<String> {
    let mut others = came.iter().peekable();
    for (name, node) in sent {
        let here = format!("{place}/{}", step(name));
        if let Some((extra, _)) = others.next_if(|(other, _)| other < name) {
            return Some(format!("{}: it was not sent", at(&format!("{place}/{}", step(extra)))));
        }
        match others.next_if(|(other, _)| other == name) {
            Some((_, other)) => {
                if let Some(difference) = differ(node, other, &here, repeats) {
                    return Some(difference);
                }
            }
            None => return Some(format!("{}: it did not come", at(&here))),
        }
    }
    others.next().map(|(extra, _)| format!("{}: it was not sent", at(&format!("{place}/{}", step(extra)))))
}

/// A name in a JSON pointer.
fn step(name: &[u8]) -> String {
    short(&shown(name).replace('~', "~0").replace('/', "~1"), MOST).into_owned()
}

fn at(place: &str) -> String {
    /// How much of a place is shown: its end tells more.
    const MOST: usize = 60;
    if place.is_empty() {
        return "at the top".to_owned();
    }
    let count = place.chars().count();
    if count <= MOST {
        return format!("at {place}");
    }
    format!("at …{}", place.chars().skip(count - MOST).collect::<String>())
}

fn brief(node: &Node<'_>) -> String {
    // One character more than is shown, so that it is seen to be cut.
    let text: String = node.text.chars().take(MOST + 1).collect();
    short(&shown(text.as_bytes()), MOST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::compare;

    /// What is said of a payload that came as another; nothing where it is the same JSON.
    #[track_caller]
    fn check(sent: &str, came: &str, said: Option<&str>) {
        let same = compare(sent, came.as_bytes());
        assert_eq!((same.json, same.difference.as_deref()), (said.is_none(), said), "{sent} {came}");
        assert_eq!(same.bytes, sent == came);
    }

    #[test]
    fn what_json_does_not_tell_apart_is_the_same() {
        check("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", None);
        check(r#"["\u00e9\/"]"#, "[ \"é/\" ]", None);
        check("[1.0,1e2]", "[1,100]", None);
        check(r#"{"a":1,"a":2}"#, r#"{"a":1,"a":2}"#, None);
    }

    #[test]
    fn the_first_difference_is_named() {
        check(
            "{\"a\":[0,{\"b\":9007199254740993}]}",
            "{\"a\":[0,{\"b\":9007199254740992}]}",
            Some("at /a/1/b: 9007199254740993 came as 9007199254740992"),
        );
        check("[]", "{}", Some("at the top: [] came as {}"));
        check("[1]", "[1,2]", Some("at the top: a list of 1 came as one of 2"));
        check("{\"a/b\":1}", "{}", Some("at /a~1b: it did not come"));
        check("{}", "{\"x\":1}", Some("at /x: it was not sent"));
        check("{\"b\":1}", "{\"a\":1,\"b\":1}", Some("at /a: it was not sent"));
        check("null", "\"null\"", Some("at the top: null came as \"null\""));
        check("1", "1,", Some("what came is no JSON: byte 2: something follows the value"));
        assert_eq!(compare("1", b"\xff").difference.as_deref(), Some("what came is not UTF-8"));
    }

    #[test]
    fn lost_repeats_are_told_from_other_losses() {
        let sent = r#"{"a":1,"b":{"c":1,"c":2},"a":3}"#;
        for (came, only) in [
            (r#"{"a":3,"b":{"c":2}}"#, true),
            (r#"{"a":1,"b":{"c":1}}"#, true),
            (r#"{"a":2,"b":{"c":2}}"#, false),
            (r#"{"a":3,"b":{}}"#, false),
        ] {
            let same = compare(sent, came.as_bytes());
            assert!(!same.json && same.only_repeats_lost == only, "{came}: {same:?}");
        }
    }
}
