//! JSON read exactly as it is written: every number by its digits, every name that stands twice, and the text of each value.
//!
//! A reader that goes through floats and maps loses what the fleet probe is about. This one keeps it, refuses nothing that
//! RFC 8259 allows within its limits, and takes an escaped half of a surrogate pair as the bytes that it would be.

use std::borrow::Cow;

/// How deep values may lie in one another.
pub const MOST_DEPTH: usize = 512;
/// How many values one text may hold.
pub const MOST_VALUES: usize = 200_000;

/// A value, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<'t> {
    /// As it is written, without the blanks around it.
    pub text: &'t str,
    /// What it is.
    pub value: Value<'t>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number: its text says which.
    Number,
    /// A string, its escapes undone.
    Text(Cow<'t, [u8]>),
    /// A list.
    List(Vec<Node<'t>>),
    /// An object, its members in their order; a name may stand in it twice.
    Object(Vec<(Cow<'t, [u8]>, Node<'t>)>),
}

/// Why a text is no JSON that is read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {what}")]
pub struct JsonError {
    /// Where, from 1.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl Node<'_> {
    /// The member of that name, where there is exactly one.
    pub fn member(&self, name: &str) -> Option<&Self> {
        let Value::Object(members) = &self.value else { return None };
        let mut found = members.iter().filter(|(known, _)| known.as_ref() == name.as_bytes());
        found.next().filter(|_| found.next().is_none()).map(|(_, node)| node)
    }

    /// How often a name stands in it.
    pub fn count(&self, name: &str) -> usize {
        let Value::Object(members) = &self.value else { return 0 };
        members.iter().filter(|(known, _)| known.as_ref() == name.as_bytes()).count()
    }

    /// It as text, where it is a string and no half of a pair is in it.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}

/// Reads one value and nothing besides.
///
/// ```
/// use echomq_conformance::core::fleet::json::parse;
/// let node = parse(r#"{"big": 9007199254740993}"#)?;
/// assert_eq!(node.member("big").map(|big| big.text), Some("9007199254740993"));
/// # Ok::<(), echomq_conformance::core::fleet::json::JsonError>(())
/// ```
pub fn parse(text: &str) -> Result<Node<'_>, JsonError> {
    let mut reader = Reader { text, at: 0, values: 0 };
    let node = reader.value(0)?;
    reader.blanks();
    if reader.at < text.len() { Err(reader.wrong("something follows the value")) } else { Ok(node) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    values: usize,
}

impl<'t> Reader<'t> {
    fn wrong(&self, what: &'static str) -> JsonError {
        JsonError { at: self.at + 1, what }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn value(&mut self, depth: usize) -> Result<Node<'t>, JsonError> {
        self.blanks();
        self.values += 1;
        if depth > MOST_DEPTH {
            return Err(self.wrong("deeper than 512 values in one another"));
        }
        if self.values > MOST_VALUES {
            return Err(self.wrong("more than 200,000 values"));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(_) => return Err(self.wrong("no value starts like this")),
            None => return Err(self.wrong("the text ends where a value should be")),
        };
        Ok(Node { text: self.since(start), value })
    }

    fn word(&mut self, word: &str, value: Value<'t>) -> Result<Value<'t>, JsonError> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.wrong("no value starts like this"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong("a digit is missing")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value<'t>, JsonError> {
        self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if self.takes(b'e') || self.takes(b'E') {
            let _signed = self.takes(b'+') || self.takes(b'-');
            self.digits()?;
        }
        Ok(Value::Number)
    }

    fn list(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.takes(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.takes(b']') {
                return Ok(Value::List(items));
            }
            if !self.takes(b',') {
                return Err(self.wrong("a list goes on with , or ends with ]"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.at += 1;
        let mut members = Vec::new();
        self.blanks();
        if self.takes(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a member starts with its name in quotes"));
            }
            let name = self.string()?;
            self.blanks();
            if !self.takes(b':') {
                return Err(self.wrong("a : stands after a name"));
            }
            members.push((name, self.value(depth + 1)?));
            self.blanks();
            if self.takes(b'}') {
                return Ok(Value::Object(members));
            }
            if !self.takes(b',') {
                return Err(self.wrong("an object goes on with , or ends with }"));
            }
        }
    }

    fn string(&mut self) -> Result<Cow<'t, [u8]>, JsonError> {
        self.at += 1;
        let mut undone: Option<Vec<u8>> = None;
        let mut from = self.at;
        loop {
            match self.peek() {
                None => return Err(self.wrong("the text ends within a string")),
                Some(b'"') => {
                    let rest = self.since(from).as_bytes();
                    self.at += 1;
                    return Ok(match undone {
                        None => Cow::Borrowed(rest),
                        Some(mut bytes) => {
                            bytes.extend_from_slice(rest);
                            Cow::Owned(bytes)
                        }
                    });
                }
                Some(b'\\') => {
                    let bytes = undone.get_or_insert_with(Vec::new);
                    bytes.extend_from_slice(self.text.get(from..self.at).unwrap_or_default().as_bytes());
                    self.at += 1;
                    self.escape(undone.get_or_insert_with(Vec::new))?;
                    from = self.at;
                }
                Some(0..=0x1f) => return Err(self.wrong("a control character in a string must be escaped")),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), JsonError> {
        let plain = match self.peek() {
            Some(b'u') => return self.unit(bytes),
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            _ => return Err(self.wrong("no such escape")),
        };
        self.at += 1;
        bytes.push(plain);
        Ok(())
    }

    fn unit(&mut self, bytes: &mut Vec<u8>) -> Result<(), JsonError> {
        self.at += 1;
        let unit = self.hex()?;
        if !(0xd800..0xdc00).contains(&unit) {
            push(bytes, unit);
            return Ok(());
        }
        let after = self.at;
        if self.takes(b'\\') && self.takes(b'u') {
            let low = self.hex()?;
            if (0xdc00..0xe000).contains(&low) {
                push(bytes, 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
                return Ok(());
            }
        }
        self.at = after;
        push(bytes, unit);
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|d| d.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.wrong("four hexadecimal digits stand after \\u"))?;
        self.at += 4;
        Ok(unit)
    }
}

/// A code point as UTF-8, and half of a pair as the three bytes that UTF-8 would have for it.
fn push(bytes: &mut Vec<u8>, point: u32) {
    if let Some(c) = char::from_u32(point) {
        bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    let low = |shift: u32| u8::try_from((point >> shift) & 0x3f).unwrap_or_default();
    bytes.extend_from_slice(&[
        0xe0 | u8::try_from(point >> 12 & 0xf).unwrap_or_default(),
        0x80 | low(6),
        0x80 | low(0),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_allows_is_read_and_nothing_else() {
        for good in ["null", " true ", "-0", "0.5e+3", "\"\"", "[]", "{}", "[1, 2]", "{\"a\":{\"a\":[{}]}}", "1E-400"] {
            assert_eq!(parse(good).map(|node| node.text), Ok(good.trim()), "{good}");
        }
        for bad in [
            "",
            " ",
            "nul",
            "tru",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "[1,]",
            "[1 2]",
            "{a:1}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "\"a",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12\"",
            "1 1",
            "[",
            "{\"a\":",
            "NaN",
            "\"\\u12é\"",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn escapes_are_undone() {
        let text = |json: &str| match parse(json).expect(json).value {
            Value::Text(bytes) => bytes.into_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(r#""a\u0000\"\\\/\b\f\n\r\t\u00e9""#), "a\0\"\\/\u{8}\u{c}\n\r\té".as_bytes());
        assert_eq!(text(r#""\ud83d\ude00""#), "😀".as_bytes());
        assert_eq!(text(r#""\ud83dx\udc00""#), b"\xed\xa0\xbdx\xed\xb0\x80");
        assert_eq!(text(r#""\ud83d\u0041""#), b"\xed\xa0\xbdA");
    }

    #[test]
    fn names_may_stand_twice_and_are_then_no_member() {
        let node = parse(r#"{"a":1,"b":2,"a":3}"#).expect("an object");
        assert_eq!((node.count("a"), node.member("a"), node.member("b").map(|b| b.text)), (2, None, Some("2")));
    }

    #[test]
    fn limits_hold() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(parse(&deep(MOST_DEPTH + 1)).is_ok() && parse(&deep(MOST_DEPTH + 2)).is_err());
        let many = |n: usize| format!("[{}]", vec!["0"; n].join(","));
        assert!(parse(&many(MOST_VALUES - 1)).is_ok() && parse(&many(MOST_VALUES)).is_err());
    }
}
