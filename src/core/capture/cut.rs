//! Captures that end in the middle: a recorder was killed, a disk was full, a copy broke off.
//!
//! Events are written one a line, so all whole lines can still be read. A cut capture says nothing any more of what its
//! recorder had lost before; but the recorder leaves out a number wherever it lost something.

use super::content::without_mark;
use super::json::{self, JsonError};
use super::model::{Capture, SourceKind};

/// A capture whose end is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What stands before the cut.
    pub capture: Capture,
    /// The line that is cut, from 1; 0 where nothing is missing.
    pub line: u64,
}

/// Reads the events of a cut capture that stand before the cut: none, where not even the first of them is whole.
///
/// # Errors
/// What is no capture that was cut after the beginning of its events.
///
/// ```
/// use echomq_conformance::core::capture::{cut, json};
/// let text = br#"{"format": "emq-capture/1", "events": [
///   {"seq": 1, "origin": "client", "argv": ["PING"]},
///   {"seq": 2, "origin": "cli"#;
/// assert!(json::parse(text).is_err());
/// let cut = cut::parse(text).unwrap();
/// assert_eq!((cut.capture.events.len(), cut.line), (1, 3));
/// ```
pub fn parse(bytes: &[u8]) -> Result<Cut, JsonError> {
    let whole = without_mark(bytes);
    let error = match json::parse(whole) {
        Ok(capture) => return Ok(Cut { capture, line: 0 }),
        Err(error) => error,
    };
    if !error.what.starts_with("EOF") {
        return Err(error);
    }
    let ends = event_ends(whole).into_iter().map(|(line, end)| (line + 1, end));
    let begin = events_begin(whole).map(|begin| (lines(whole), begin));
    for (line, end) in ends.chain(begin) {
        let kept = whole.get(..end).unwrap_or_default();
        if let Some(capture) = ENDINGS.iter().find_map(|ending| closed(kept, ending)) {
            return Ok(Cut { capture, line });
        }
    }
    Err(error)
}

/// How each event's line starts.
const EVENT: &[u8] = b"{\"seq\":";

/// What may be missing: the end of the events with how a recording came to be, or without where that stands before them.
const ENDINGS: [&str; 2] = [r#"],"source":{"kind":"record"}}"#, "]}"];

/// The last two events: on which line each stands, from 1, and where it ends. The very last one may be what is cut.
fn event_ends(bytes: &[u8]) -> Vec<(u64, usize)> {
    let (mut before, mut last, mut start) = (None, None, 0);
    for (line, text) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let end = start + text.len();
        let text = text.trim_ascii();
        if text.starts_with(EVENT) || text.starts_with(b"{\"seq\": ") {
            (before, last) = (last, Some((line, end)));
        }
        start = end;
    }
    [last, before].into_iter().flatten().collect()
}

/// Where the list of events begins, if no more than one stands in it: the others of one that is written on a single line are not
/// to be passed over.
fn events_begin(bytes: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"\"events\"";
    const NUMBER: &[u8] = b"\"seq\"";
    let name = bytes.windows(NAME.len()).position(|word| word == NAME)? + NAME.len();
    let rest = bytes.get(name..)?;
    let bracket = rest.iter().position(|byte| *byte == b'[')?;
    let between = rest.get(..bracket)?;
    let begin = name + bracket + 1;
    let numbers = bytes.get(begin..)?.windows(NUMBER.len()).filter(|word| *word == NUMBER).count();
    (between.trim_ascii() == b":" && numbers <= 1).then_some(begin)
}

/// How many lines there are.
fn lines(bytes: &[u8]) -> u64 {
    bytes.split_inclusive(|&byte| byte == b'\n').count() as u64
}

fn closed(kept: &[u8], ending: &str) -> Option<Capture> {
    let kept = kept.trim_ascii_end();
    let kept = kept.strip_suffix(b",").unwrap_or(kept);
    let mut capture = json::parse(&[kept, ending.as_bytes()].concat()).ok()?;
    if capture.source.kind == SourceKind::Record {
        capture.dropped = left_out_numbers(&capture);
    }
    Some(capture)
}

fn left_out_numbers(capture: &Capture) -> u64 {
    let last = capture.events.last().map_or(0, |last| last.seq);
    last.saturating_sub(capture.events.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::core::capture::{Capture, Source, SourceKind, json, lines};

    /// A recording of two events with a gap between them.
    fn recording() -> String {
        let text = br#"{"format":"emq-capture/1","events":[{"seq":1,"origin":"client","argv":["GET","k"]},
            {"seq":3,"origin":"client","argv":["GET","k"]}]}"#;
        let mut capture = json::parse(text).expect("a capture");
        capture.source = Source { kind: SourceKind::Record, ..Source::default() };
        capture.dropped = 7;
        let events = capture.events.iter().map(|event| lines::event(event, event.seq == 1)).collect::<String>();
        lines::head(&capture) + &events + &lines::tail(&capture, &[], &[])
    }

    #[test]
    fn wherever_it_is_cut_the_whole_lines_are_read() {
        let text = recording();
        let begin = text.find("\"events\": [").expect("the events") + "\"events\": [".len();
        for end in 0..text.trim_ascii_end().len() {
            let cut = parse(&text.as_bytes()[..end]);
            if end < begin {
                assert!(cut.is_err(), "cut at {end}: {cut:?}");
                continue;
            }
            let Capture { events, dropped, .. } = cut.unwrap_or_else(|error| panic!("cut at {end}: {error}")).capture;
            let ended = text[..end].matches("\"]}").count();
            assert_eq!(events.len(), ended, "cut at {end}");
            assert_eq!(dropped, u64::from(ended == 2), "cut at {end}");
        }
        assert_eq!(parse(text.as_bytes()).expect("the whole of it").capture.dropped, 7);
    }

    #[test]
    fn damage_is_no_cut() {
        let text = recording();
        for (damage, with) in [("\"dropped\": 7", "\"dropped\": -7"), ("\"GET\"", "GET"), ("\n}\n", "\n}\n}")] {
            assert!(parse(text.replace(damage, with).as_bytes()).is_err(), "{with}");
        }
        assert!(parse(b"{\"format\": \"emq-capture/2\", \"events\": [").is_err());
        assert!(parse(b"{\"format\": \"emq-capture/1\", \"events\": 1, \"profile\": [").is_err());
        // Its events are whole, and stand where no reader of lines finds them.
        let one_line: String = text.split('\n').map(str::trim_start).collect();
        assert!(parse(&one_line.as_bytes()[..one_line.len() - 9]).is_err());
        assert!(parse(text[..text.len() - 5].replace("emq-capture/1", "emq-capture/2").as_bytes()).is_err());
    }
}
