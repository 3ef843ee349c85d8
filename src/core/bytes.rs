//! Byte strings that are mostly text: how keys and arguments are kept, written and shown.
//!
//! Valkey's keys are binary-safe, so nothing here assumes UTF-8. In JSON a byte string is a string when it is UTF-8 and
//! `{"base64":"…"}` when it is not; on screen, bytes that would not print are escaped as MONITOR escapes them.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A byte string that survives JSON unchanged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    /// The bytes themselves.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", shown(&self.0))
    }
}

/// The bytes as a person may read them: UTF-8 as it is, control characters and everything else escaped (`\n`, `\xNN`).
///
/// Characters that change the direction of text or take no room are escaped too, so that a key cannot pose as another.
pub fn shown(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(must_escape)
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(&mut out, c);
        }
        for byte in chunk.invalid() {
            push_hex(&mut out, *byte);
        }
    }
    Cow::Owned(out)
}

/// What others said, already shown or not: what could draw on a terminal is escaped, backslashes stay as they are.
pub fn drawable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != '\\' && must_escape(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if c == '\\' { out.push(c) } else { push_char(&mut out, c) }
    }
    Cow::Owned(out)
}

/// No more than `most` characters of a text, the last of them `…` where there are more.
pub fn short(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().take(most.saturating_sub(1)).chain(['…']).collect())
}

fn push_char(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if must_escape(c) => {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                push_hex(out, byte);
            }
        }
        c => out.push(c),
    }
}

fn push_hex(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push_str("\\x");
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

fn must_escape(c: char) -> bool {
    c.is_control()
        || c == '\\'
        || matches!(c, '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("base64", &STANDARD.encode(&self.0))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_any(ArgVisitor)? {
            Arg::Bytes(bytes) => Ok(bytes),
            Arg::Redacted(_) => Err(de::Error::custom("this value may not be redacted")),
        }
    }
}

/// One argument of a command: its bytes, or only their number where the recorder was asked to keep values to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The argument as the client sent it.
    Bytes(Bytes),
    /// A value that was left out; the number is its length in bytes.
    Redacted(u64),
}

impl Arg {
    /// The bytes, or an empty slice for a redacted value: what key extraction needs, since keys are never redacted.
    pub fn as_slice(&self) -> &[u8] {
        self.known().unwrap_or_default()
    }

    /// The bytes where they are known.
    pub fn known(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(&bytes.0),
            Self::Redacted(_) => None,
        }
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Bytes(text.into())
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => bytes.fmt(f),
            Self::Redacted(length) => write!(f, "<{length} bytes>"),
        }
    }
}

impl Serialize for Arg {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(bytes) => bytes.serialize(serializer),
            Self::Redacted(length) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("redacted", length)?;
                map.end()
            }
        }
    }
}

/// The bytes of what stands in `{"base64":"…"}`.
pub(crate) fn from_base64<E: de::Error>(text: &str) -> Result<Vec<u8>, E> {
    STANDARD.decode(text).map_err(|error| E::custom(format!("bad base64: {error}")))
}

impl<'de> Deserialize<'de> for Arg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ArgVisitor)
    }
}

struct ArgVisitor;

impl<'de> Visitor<'de> for ArgVisitor {
    type Value = Arg;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, {\"base64\":\"…\"} or {\"redacted\":length}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Arg, E> {
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Arg, A::Error> {
        let key: Option<String> = map.next_key()?;
        let arg = match key.as_deref() {
            Some("base64") => Arg::Bytes(Bytes(from_base64(&map.next_value::<String>()?)?)),
            Some("redacted") => Arg::Redacted(map.next_value()?),
            _ => return Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        };
        if map.next_key::<String>()?.is_some() {
            return Err(de::Error::invalid_type(de::Unexpected::Map, &self));
        }
        Ok(arg)
    }
}

#[cfg(test)]
mod tests {
    use super::{Arg, Bytes, drawable, short, shown};

    #[test]
    fn bytes_survive_json() {
        for bytes in [&b""[..], b"emq:{q}:wait", "zażółć".as_bytes(), b"\xff\x00}", b"\"\\\n"] {
            let json = serde_json::to_string(&Bytes::from(bytes)).expect("bytes are always JSON");
            assert_eq!(serde_json::from_str::<Bytes>(&json).expect(&json).0, bytes, "{json}");
        }
    }

    #[test]
    fn what_could_draw_is_escaped_and_backslashes_stay() {
        assert_eq!(drawable("a\\b é"), "a\\b é");
        assert_eq!(drawable("a\\b\u{1b}[2J\n\u{202e}\u{200b}"), "a\\b\\x1b[2J\\n\\xe2\\x80\\xae\\xe2\\x80\\x8b");
    }

    #[test]
    fn a_short_text_has_no_more_than_so_many_characters() {
        assert_eq!((short("żółw", 4), short("żółwi", 4)), ("żółw".into(), "żół…".into()));
    }

    #[test]
    fn an_argument_is_one_of_three_things() {
        let read = |json: &str| serde_json::from_str::<Arg>(json);
        assert_eq!(read("{\"redacted\":7}").expect("a length"), Arg::Redacted(7));
        for bad in
            ["7", "null", "{}", "{\"base64\":\"?\"}", "{\"redacted\":-1}", "{\"base64\":\"\",\"redacted\":1}", "[]"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(shown(b"a\x00\n\xff"), "a\\x00\\n\\xff");
        assert_eq!(shown("a\u{202e}b".as_bytes()), "a\\xe2\\x80\\xaeb");
        assert_eq!(shown("płatności".as_bytes()), "płatności");
    }
}
