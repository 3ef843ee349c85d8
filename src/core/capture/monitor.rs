//! The MONITOR reader: lines of bytes in, events and problems out; one bad line never loses the rest.
//!
//! A line reads `<seconds>.<micros> [<db> <client>] "CMD" "arg"…`, where the client is an address, `unix:<path>`, or `lua`
//! for what a script runs. Lines of one script call follow the call's own line, and no other script's come between; only
//! while a script is so slow that the server answers BUSY, the few commands it still takes from others do. Source: Valkey's
//! documentation of MONITOR, and logs of Valkey 8.0.1 and 9.1.2.

use super::model::{Event, Origin};
use crate::core::bytes::{Arg, Bytes};
use crate::core::commands::{command, script_call};

/// Turns a log into events, line by line; what it remembers does not grow with the log.
#[derive(Debug, Default)]
pub struct Reader {
    line: u64,
    seq: u64,
    call: Option<(u64, Option<String>)>,
    /// The last line was a client's command that the table does not know: a script call by another name, perhaps.
    after_unknown: bool,
}

/// A line that is no event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, byte {byte}: {what}")]
pub struct LineError {
    /// The line, from 1.
    pub line: u64,
    /// The byte in it, from 1.
    pub byte: usize,
    /// What is wrong there.
    pub what: Damage,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It does not start as MONITOR's lines do.
    #[error(
        "no `<seconds>.<micros> [<db> <client>]` here; if the line never was MONITOR's, take it out: it may have been a command"
    )]
    Head,
    /// An argument that does not start with a quote.
    #[error("expected an argument in quotes")]
    Quote,
    /// It ends inside an argument.
    #[error("the line ends inside an argument")]
    Cut,
    /// A backslash that starts no escape MONITOR writes.
    #[error("no such escape")]
    Escape,
    /// There is no command.
    #[error("the line has no command")]
    NoCommand,
    /// It is longer than any that is held in memory.
    #[error("the line is longer than 64 MiB")]
    TooLong,
}

impl Reader {
    /// A reader at the start of a log.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many lines it has read.
    pub fn lines(&self) -> u64 {
        self.line
    }

    /// Reads the next line, without its line feed. A blank line and the bare `OK` that starts a log are nothing.
    ///
    /// # Errors
    /// A damaged line: where and what. The next line can be read all the same.
    ///
    /// ```
    /// use echomq_conformance::core::capture::monitor::Reader;
    /// let mut reader = Reader::new();
    /// let event = reader.line(b"1795963025.376727 [0 127.0.0.1:54552] \"GET\" \"k\\xff\"").unwrap().unwrap();
    /// assert_eq!(event.argv[1].as_slice(), b"k\xff");
    /// ```
    pub fn line(&mut self, bytes: &[u8]) -> Result<Option<Event>, LineError> {
        self.line += 1;
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        // A log taken from the socket itself still has the `+` of the protocol.
        let start = usize::from(bytes.starts_with(b"+"));
        let text = &bytes[start..];
        if text.iter().all(u8::is_ascii_whitespace) || text == b"OK" || is_prompt(text) {
            return Ok(None);
        }
        parse(text).map(|parsed| Some(self.event(parsed))).map_err(|(at, what)| {
            // What was lost in it may hold a script call: what a script runs next must not be laid to an older one.
            self.call = None;
            LineError { line: self.line, byte: start + at + 1, what }
        })
    }

    /// Passes over a line that nobody holds, and says so.
    pub fn skip(&mut self, what: Damage) -> LineError {
        self.line += 1;
        self.call = None;
        LineError { line: self.line, byte: 1, what }
    }

    /// A script's line whose call the log does not have stands there without one, and without a client.
    fn event(&mut self, parsed: Parsed<'_>) -> Event {
        let Parsed { time, db, client, argv } = parsed;
        let script = client == b"lua";
        if script && self.after_unknown {
            self.call = None;
        }
        let (call, client) = match (&self.call, script) {
            (Some((call, caller)), true) => (Some(*call), caller.clone()),
            (None, true) => (None, None),
            (_, false) => (None, Some(String::from_utf8_lossy(client).into_owned())),
        };
        self.seq += 1;
        let origin = if script { Origin::Script } else { Origin::Client };
        let event = Event { seq: self.seq, line: Some(self.line), time, client, db, origin, call, argv };
        self.after_unknown = false;
        if !script {
            let args = event.args();
            if script_call(&args).is_some() {
                self.call = Some((event.seq, event.client.clone()));
            } else {
                self.after_unknown = command(&args).is_none();
            }
        }
        event
    }
}

/// Whether a line is one of MONITOR's.
pub fn is_line(bytes: &[u8]) -> bool {
    parse(bytes.strip_prefix(b"+").unwrap_or(bytes).trim_ascii_end()).is_ok()
}

/// Whether bytes are the start of one of MONITOR's lines, up to somewhere in its arguments.
pub fn starts_line(bytes: &[u8]) -> bool {
    matches!(parse(bytes.strip_prefix(b"+").unwrap_or(bytes)), Ok(_) | Err((_, Damage::Cut)))
}

/// The line in which a person asked `valkey-cli` for what follows: `127.0.0.1:6379> monitor`.
fn is_prompt(line: &[u8]) -> bool {
    let line = line.trim_ascii_end().to_ascii_lowercase();
    line.ends_with(b"> monitor") && !line.contains(&b'"')
}

struct Parsed<'l> {
    time: u64,
    db: u32,
    client: &'l [u8],
    argv: Vec<Arg>,
}

fn parse(line: &[u8]) -> Result<Parsed<'_>, (usize, Damage)> {
    let (time, db, client, mut at) = head(line).ok_or((0, Damage::Head))?;
    let mut argv = Vec::new();
    while !line[at..].iter().all(u8::is_ascii_whitespace) {
        if !line[at..].starts_with(b" ") {
            return Err((at, Damage::Quote));
        }
        let (arg, end) = quoted(line, at + 1)?;
        argv.push(Arg::Bytes(Bytes(arg)));
        at = end;
    }
    if argv.is_empty() { Err((at, Damage::NoCommand)) } else { Ok(Parsed { time, db, client, argv }) }
}

/// Time, database and client, and where the arguments start.
fn head(line: &[u8]) -> Option<(u64, u32, &[u8], usize)> {
    let dot = line.iter().position(|&byte| byte == b'.')?;
    let seconds = number(&line[..dot])?;
    let micros = number(line.get(dot + 1..dot + 7)?)?;
    let time = seconds.checked_mul(1_000_000)?.checked_add(micros)?;
    let rest = line.get(dot + 7..)?.strip_prefix(b" [")?;
    let space = rest.iter().position(|&byte| byte == b' ')?;
    let db = u32::try_from(number(&rest[..space])?).ok()?;
    let client = &rest[space + 1..];
    // The path of a unix socket may hold a bracket, so the client ends where an argument (or nothing) follows it.
    let end =
        client.windows(3).position(|three| three == b"] \"").or_else(|| client.iter().position(|&b| b == b']'))?;
    Some((time, db, &client[..end], dot + 7 + 2 + space + 1 + end + 1))
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The argument whose opening quote stands at `at`, and where the line goes on after it.
fn quoted(line: &[u8], at: usize) -> Result<(Vec<u8>, usize), (usize, Damage)> {
    if line.get(at) != Some(&b'"') {
        return Err((at, Damage::Quote));
    }
    let mut out = Vec::new();
    let mut i = at + 1;
    loop {
        let plain = line[i..].iter().position(|byte| matches!(byte, b'"' | b'\\')).ok_or((line.len(), Damage::Cut))?;
        out.extend_from_slice(&line[i..i + plain]);
        i += plain;
        if line[i] == b'"' {
            return Ok((out, i + 1));
        }
        let (byte, length) =
            escape(&line[i + 1..]).ok_or((i, if i + 1 < line.len() { Damage::Escape } else { Damage::Cut }))?;
        out.push(byte);
        i += 1 + length;
    }
}

/// The byte an escape stands for, and its length after the backslash.
fn escape(after: &[u8]) -> Option<(u8, usize)> {
    let byte = match after.first()? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'a' => 7,
        b'b' => 8,
        byte @ (b'"' | b'\\') => *byte,
        b'x' => {
            let digits = std::str::from_utf8(after.get(1..3)?).ok()?;
            let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            return plain.then(|| u8::from_str_radix(digits, 16).ok()).flatten().map(|byte| (byte, 3));
        }
        _ => return None,
    };
    Some((byte, 1))
}

#[cfg(test)]
mod tests {
    use super::{Damage, Reader};
    use crate::core::capture::Origin;

    fn check(line: &str, argv: &[&[u8]]) {
        let event = Reader::new().line(line.as_bytes()).expect(line).expect(line);
        assert_eq!(event.args(), argv, "{line}");
    }

    #[test]
    fn every_escape_of_monitor_is_undone() {
        let head = "1795963025.374958 [0 127.0.0.1:54552]";
        check(&format!(r#"{head} "SET" "\n\r\t\a\b\\\"\x00\xff" """#), &[b"SET", b"\n\r\t\x07\x08\\\"\x00\xff", b""]);
        check("1.000002 [3 unix:/tmp/a] b] \"PING\"\r", &[b"PING"]);
        check("+1.000002 [0 [::1]:6379] \"PING\"", &[b"PING"]);
    }

    #[test]
    fn damage_is_told_with_its_byte() {
        for (line, byte, what) in [
            ("hello", 1, Damage::Head),
            ("1.000002 [0 a:1]", 17, Damage::NoCommand),
            ("1.000002 [0 a:1] GET", 18, Damage::Quote),
            ("1.000002 [0 a:1] \"GET\" \"k", 26, Damage::Cut),
            ("1.000002 [0 a:1] \"GET\\q\"", 22, Damage::Escape),
            ("1.000002 [0 a:1] \"GET\\x+1\"", 22, Damage::Escape),
            ("1.000002 [0 a:1] \"GET\"\"k\"", 23, Damage::Quote),
            ("99999999999999999999.000002 [0 a:1] \"GET\"", 1, Damage::Head),
        ] {
            let mut reader = Reader::new();
            let error = reader.line(line.as_bytes()).expect_err(line);
            assert_eq!((error.line, error.byte, error.what), (1, byte, what), "{line}");
            assert!(reader.line(b"1.000002 [0 a:1] \"PING\"").expect("the next line").is_some());
        }
    }

    #[test]
    fn script_lines_belong_to_the_call_before_them() {
        let mut reader = Reader::new();
        let mut next = |line: &str| reader.line(line.as_bytes()).expect(line).expect(line);
        let call = next("1.000001 [0 a:1] \"EVAL\" \"return 1\" \"0\"");
        let inner = next("1.000002 [0 lua] \"GET\" \"k\"");
        assert_eq!((inner.origin, inner.call, inner.client.as_deref()), (Origin::Script, Some(call.seq), Some("a:1")));
        next("1.000003 [0 b:2] \"PING\"");
        assert_eq!(next("1.000004 [0 lua] \"GET\" \"k\"").call, Some(call.seq), "a slow script lets others in");
        assert_eq!(reader.line(b"1.000005 [0 b:2] \"EVALSHA\" \"cut").expect_err("damage").what, Damage::Cut);
        let orphan = reader.line(b"1.000006 [0 lua] \"GET\" \"k\"").expect("a line").expect("an event");
        assert_eq!((orphan.origin, orphan.call, orphan.client), (Origin::Script, None, None));
    }

    /// A server may have been told to call EVALSHA something else (`rename-command`).
    #[test]
    fn what_a_command_by_another_name_runs_is_not_laid_to_the_call_before() {
        let mut reader = Reader::new();
        let mut next = |line: &str| reader.line(line.as_bytes()).expect(line).expect(line);
        let call = next("1.000001 [0 a:1] \"EVALSHA\" \"x\" \"0\"").seq;
        assert_eq!(next("1.000002 [0 lua] \"GET\" \"k\"").call, Some(call));
        next("1.000003 [0 b:1] \"MY-EVALSHA\" \"x\" \"0\"");
        for line in ["1.000004 [0 lua] \"GET\" \"k\"", "1.000005 [0 lua] \"GET\" \"k\""] {
            let event = next(line);
            assert_eq!((event.origin, event.call, event.client), (Origin::Script, None, None));
        }
        let call = next("1.000006 [0 a:1] \"EVALSHA\" \"x\" \"0\"").seq;
        assert_eq!(next("1.000007 [0 lua] \"GET\" \"k\"").call, Some(call));
    }

    #[test]
    fn what_a_terminal_adds_is_nothing() {
        let mut reader = Reader::new();
        for line in ["127.0.0.1:6379> monitor", "127.0.0.1:6379[3]> MONITOR ", "OK", "", "  "] {
            assert_eq!(reader.line(line.as_bytes()), Ok(None), "{line}");
        }
        assert!(reader.line(b"1.000004 [0 a:1] \"GET\" \"k\"  ").expect("trailing blanks").is_some());
    }
}
