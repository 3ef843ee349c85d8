//! What some input is, told by its content: a name or an ending proves nothing, and standard input has none.

use super::monitor;
use crate::core::bytes::shown;

/// What some input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// JSON, so a capture or an error that says where.
    Json,
    /// A MONITOR log; an empty input is an empty log.
    Log,
}

/// Why some input is neither.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NeitherError {
    /// gzip, zstd or the like.
    #[error("compressed: unpack it first, for example with `zcat`")]
    Compressed,
    /// UTF-16, as some shells write it.
    #[error("UTF-16 text: write it as bytes or UTF-8")]
    Utf16,
    /// What a client prints that the server refused.
    #[error("not a log but a server's refusal, `{0}`: give the client that records what the server asks for")]
    Refusal(String),
    /// Nothing known.
    #[error(
        "neither a capture (JSON of format emq-capture/1) nor a MONITOR log (`<seconds>.<micros> [<db> <client>] \"CMD\" …`); \
         it begins with `{0}`"
    )]
    Unknown(String),
}

/// How many bytes of an input are enough to tell.
pub const ENOUGH: usize = 64 * 1024;

/// Tells from the first [`ENOUGH`] bytes, or all of them where there are fewer.
///
/// A log is known by one whole line of MONITOR's anywhere in them, so a damaged first line does not hide it.
///
/// # Errors
/// What it is instead, as far as that can be told.
pub fn tell(start: &[u8]) -> Result<Content, NeitherError> {
    match start {
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [b'P', b'K', 3, 4, ..] | [b'B', b'Z', b'h', ..] => {
            return Err(NeitherError::Compressed);
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(NeitherError::Utf16),
        _ => {}
    }
    let (start, goes_beyond) = (without_mark(start), start.len() >= ENOUGH);
    let text = start.trim_ascii_start();
    // What is JSON and no capture is told where it is no capture.
    if text.starts_with(b"{") || text.starts_with(b"[") || text.trim_ascii_end() == b"null" {
        return Ok(Content::Json);
    }
    let known = text.is_empty() || matches!(text.trim_ascii_end(), b"OK" | b"+OK");
    // A line may be longer than all that is looked at.
    let goes_on = || goes_beyond && start.rsplit(|&byte| byte == b'\n').next().is_some_and(monitor::starts_line);
    let log = known || start.split(|&byte| byte == b'\n').any(monitor::is_line) || goes_on();
    if log { Ok(Content::Log) } else { Err(neither(text)) }
}

fn neither(text: &[u8]) -> NeitherError {
    const SHOWN: usize = 60;
    // What `valkey-cli monitor` prints first is not what is wrong.
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let line = lines.find(|line| !matches!(*line, b"" | b"OK" | b"+OK")).unwrap_or_default();
    let mut first = shown(&line[..line.len().min(SHOWN)]).into_owned();
    if line.len() > SHOWN {
        first.push('…');
    }
    let refused = line.starts_with(b"(error) ")
        || line.strip_prefix(b"-").is_some_and(|rest| rest.starts_with(b"ERR ") || rest.starts_with(b"NO"));
    if refused { NeitherError::Refusal(first) } else { NeitherError::Unknown(first) }
}

/// The bytes without the mark (EF BB BF) that some programs put before UTF-8.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Content, ENOUGH, NeitherError, tell};

    fn refusal(line: &str) -> NeitherError {
        NeitherError::Refusal(line.to_owned())
    }

    #[test]
    fn content_tells() {
        for (start, content) in [
            (&b""[..], Ok(Content::Log)),
            (b"OK\n", Ok(Content::Log)),
            (b"\n  {\"format\":", Ok(Content::Json)),
            (b"\xef\xbb\xbf{", Ok(Content::Json)),
            (b"\xef\xbb\xbfOK\n", Ok(Content::Log)),
            (b"96 [0 cut\n1.000002 [0 a:1] \"PING\"\n", Ok(Content::Log)),
            (b"[]", Ok(Content::Json)),
            (b"null\n", Ok(Content::Json)),
            (b"hello\nthere\n", Err(NeitherError::Unknown("hello".to_owned()))),
            (b"OK\r\n\nhello\n", Err(NeitherError::Unknown("hello".to_owned()))),
            (b"<html>", Err(NeitherError::Unknown("<html>".to_owned()))),
            (b"(error) NOAUTH Authentication required.\n", Err(refusal("(error) NOAUTH Authentication required."))),
            (b"-NOPERM no\r\n", Err(refusal("-NOPERM no"))),
            (b"\x07\n", Err(NeitherError::Unknown("\\x07".to_owned()))),
            (b"\x1f\x8b\x08", Err(NeitherError::Compressed)),
            (b"\xff\xfe1\x00", Err(NeitherError::Utf16)),
        ] {
            assert_eq!(tell(start), content, "{}", start.escape_ascii());
        }
    }

    #[test]
    fn a_line_longer_than_all_that_is_looked_at_is_one() {
        let long = |line: &str| {
            let mut start = line.as_bytes().to_vec();
            start.resize(ENOUGH, b'x');
            tell(&start)
        };
        for line in [
            "1.000001 [0 a:1] \"SET\" \"k\" \"",
            "OK\n1.000001 [0 a:1] \"SET\" \"",
            "\u{feff}OK\n+1.000001 [0 a:1] \"SET\" \"",
        ] {
            assert_eq!(long(line), Ok(Content::Log), "{line}");
        }
        for line in ["hello ", "OK\n1.000001 [0 a:1 \"SET\" \"", "1.000001 [0 a:1] \"SET\" "] {
            assert!(matches!(long(line), Err(NeitherError::Unknown(_))), "{line}");
        }
    }
}
