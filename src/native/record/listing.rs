//! What libraries a server has, by its own word (FUNCTION LIST): asked aside, and true at the place of the question's line.
//!
//! Under CLIENT PAUSE a question runs without a line. So each is in words of its own: among libraries' names it asks for those that do
//! not begin with any of a row of signs, and no name has such signs. The row is the number.

use std::hash::{BuildHasher, RandomState};
use std::process;

use redis::{ConnectionLike, RedisResult, ToRedisArgs, Value};

use crate::core::capture::Event;
use crate::core::witness::libraries::Listed;

/// Questions that are no other asker's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asker(u64);

impl Asker {
    pub(super) fn new() -> Self {
        // The standard library's hasher is keyed at random.
        Self(RandomState::new().hash_one(process::id()))
    }

    /// A question, by its number.
    pub(super) fn words(self, number: u64) -> [String; 5] {
        let signs = |number: u64| -> String {
            (0..u64::BITS).rev().map(|bit| if number >> bit & 1 == 0 { '.' } else { ':' }).collect()
        };
        let pattern = format!("[^{}{}]*", signs(self.0), signs(number));
        ["FUNCTION".into(), "LIST".into(), "LIBRARYNAME".into(), pattern, "WITHCODE".into()]
    }

    /// The number of the question that a command asks.
    pub(super) fn number(self, event: &Event) -> Option<u64> {
        let args = event.args();
        let signs = args.get(3).filter(|_| args.len() == 5)?.strip_prefix(b"[^")?.strip_suffix(b"]*")?;
        let number = signs.iter().fold(0, |number: u64, sign| number << 1 | u64::from(*sign == b':'));
        (args == self.words(number).iter().map(String::as_bytes).collect::<Vec<_>>()).then_some(number)
    }
}

/// The question in words that are anybody's.
pub(super) const ALL: [&str; 3] = ["FUNCTION", "LIST", "WITHCODE"];

/// Asks a server; gives nothing where what it answers cannot be read.
pub(super) fn ask(
    connection: &mut impl ConnectionLike,
    words: &[impl ToRedisArgs],
) -> RedisResult<Option<Vec<Listed>>> {
    Ok(parse(&redis::Cmd::new().arg(words).query(connection)?))
}

/// What a server has answered; nothing where that cannot be read.
fn parse(answer: &Value) -> Option<Vec<Listed>> {
    list(answer)?.iter().map(library).collect()
}

fn library(value: &Value) -> Option<Listed> {
    let functions = list(field(value, "functions")?)?.iter().map(|one| bytes(field(one, "name")?));
    Some(Listed {
        name: bytes(field(value, "library_name")?)?,
        functions: functions.collect::<Option<_>>()?,
        text: bytes(field(value, "library_code")?)?,
    })
}

fn list(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(values) | Value::Set(values) => Some(values),
        _ => None,
    }
}

/// By either protocol.
fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let is_it = |key: &Value| bytes(key).is_some_and(|key| key == name.as_bytes());
    match value {
        Value::Map(fields) => fields.iter().find(|(key, _)| is_it(key)).map(|(_, value)| value),
        Value::Array(fields) => fields.chunks_exact(2).find(|pair| is_it(&pair[0])).map(|pair| &pair[1]),
        _ => None,
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Some(bytes.clone()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Some(text.clone().into_bytes()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    #[test]
    fn each_question_is_known_by_its_words_and_no_other_asker_s() {
        let event = |words: &[String]| {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            Reader::new()
                .line(format!("1.000000 [0 a:1] {}", words.join(" ")).as_bytes())
                .expect("a line")
                .expect("one")
        };
        let (own, other) = (Asker(7), Asker(8));
        for number in [0, 1, 5, u64::MAX] {
            let asked = event(&own.words(number));
            assert_eq!((own.number(&asked), other.number(&asked)), (Some(number), None));
        }
        for words in [&["FUNCTION", "LIST"][..], &["FUNCTION", "LIST", "LIBRARYNAME", "[^.:]*", "WITHCODE"]] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(own.number(&event(&words)), None);
        }
    }

    #[test]
    fn answers_of_both_protocols_are_read() {
        let text = |text: &str| Value::BulkString(text.as_bytes().to_vec());
        let function =
            [(text("name"), text("f")), (text("description"), Value::Nil), (text("flags"), Value::Array(vec![]))];
        let of = |functions: Value| {
            [(text("library_name"), text("l")), (text("functions"), functions), (text("library_code"), text("x"))]
                .to_vec()
        };
        let flat = |fields: &[(Value, Value)]| {
            Value::Array(fields.iter().flat_map(|(name, value)| [name.clone(), value.clone()]).collect())
        };
        let expected = [Listed { name: b"l".to_vec(), functions: vec![b"f".to_vec()], text: b"x".to_vec() }];
        let second = Value::Array(vec![flat(&of(Value::Array(vec![flat(&function)])))]);
        let third = Value::Array(vec![Value::Map(of(Value::Array(vec![Value::Map(function.to_vec())])))]);
        for answer in [second, third] {
            assert_eq!(parse(&answer).as_deref(), Some(&expected[..]));
        }
        assert_eq!((parse(&Value::Array(vec![])), parse(&Value::Nil)), (Some(vec![]), None));
    }
}
