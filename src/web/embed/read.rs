//! Reads an author's capture or MONITOR log, and packs it for the figure, whose own wasm knows nothing but what is packed.

use serde::Deserialize;

use crate::core::capture::content::{self, Content};
use crate::core::capture::{Capture, Source, SourceKind, json};
use crate::core::facts::{Collector, Facts, LogIntake};
use crate::core::likeness::recognised;
use crate::core::profile::{self, EMQ_1, Profile};
use crate::web::{asked, packed};

/// So many commands are drawn: a figure has a line for each.
const MOST: usize = 2_000;

/// What an author asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    /// The profile to judge by; without it, the one that the input names or looks like.
    profile: Option<String>,
    /// The queue to judge.
    queue: Option<String>,
}

/// Reads one input and packs it. `asked` is JSON: `profile`, `queue`.
///
/// # Errors
/// What is wrong with the input, or with what is asked.
pub fn pack(bytes: &[u8], asked: &str) -> Result<Vec<u8>, String> {
    let Asked { profile, queue } = asked::read(asked)?;
    let profile = match profile.as_deref() {
        None => None,
        Some(id) => Some(profile::by_id(id).ok_or_else(|| format!("there is no profile {id:?}"))?),
    };
    let capture = read(bytes, profile)?;
    let profile = profile.unwrap_or_else(|| by_capture(&capture));
    if let Some(queue) = queue.as_deref().filter(|queue| !profile.allows_queue(queue.as_bytes())) {
        return Err(format!("{queue:?} cannot be a queue’s name under profile {}", profile.id));
    }
    let capture = Capture { profile: Some(profile.id.to_owned()), queue: queue.or(capture.queue), ..capture };
    Ok(packed::pack(Ok(&capture)))
}

fn read(bytes: &[u8], profile: Option<&'static Profile>) -> Result<Capture, String> {
    let start = &bytes[..bytes.len().min(content::ENOUGH)];
    let capture = match content::tell(start).map_err(|neither| neither.to_string())? {
        Content::Json => json::parse(bytes).map_err(|error| error.to_string())?,
        Content::Log => log(bytes, profile)?,
    };
    match capture.events.len() {
        0 if capture.reads.is_empty() => Err("it holds no command".to_owned()),
        0..=MOST => Ok(capture),
        many => Err(format!("it holds {many} commands, and this figure draws {MOST}: record less, or one queue alone")),
    }
}

/// A log, by the profile that it looks like where none is asked for.
fn log(bytes: &[u8], profile: Option<&'static Profile>) -> Result<Capture, String> {
    let mut by = profile.unwrap_or(&EMQ_1);
    let (mut facts, mut events) = read_log(bytes, by);
    let looks = recognised(&facts);
    if profile.is_none() && looks.id != by.id {
        by = looks;
        (facts, events) = read_log(bytes, by);
    }
    if let Some(problem) = facts.unseen.problems.iter().chain(&facts.unseen.cut_end).next() {
        return Err(format!("line {}: {}", problem.line, problem.why));
    }
    let source = Source { kind: SourceKind::Monitor, ..Source::default() };
    Ok(Capture { profile: Some(by.id.to_owned()), source, events, ..Capture::default() })
}

fn read_log(bytes: &[u8], profile: &'static Profile) -> (Facts, Vec<crate::core::capture::Event>) {
    let (mut intake, mut events) = (LogIntake::new(profile), Vec::new());
    intake.feed_telling(bytes, &mut |event| events.push(event.clone()));
    let facts = intake.finish_telling(&mut |event| events.push(event.clone()));
    (facts, events)
}

/// The profile that a capture names, else the one that it looks like.
fn by_capture(capture: &Capture) -> &'static Profile {
    let named = capture.profile.as_deref().and_then(profile::by_id);
    named.unwrap_or_else(|| recognised(&Collector::capture(&EMQ_1, capture)))
}

#[cfg(test)]
mod tests {
    use super::{MOST, pack};
    use crate::web::figures::conformance::shown::Shown;
    use crate::web::offer::{Offer, RECORDED};

    /// What an input comes to: its profile, queue and verdict.
    fn judged(asked: &str, bytes: &[u8]) -> Result<String, String> {
        let offer = Offer::from_packed("a", &pack(bytes, asked)?);
        let report = Shown::of(&offer, None)?.report;
        let queue = report.subject.queue.unwrap_or_default();
        Ok(format!("{} {queue} {}", report.profile, report.verdict.word()))
    }

    const LOG: &[u8] = b"OK\n1.000001 [0 a:1] \"HSET\" \"emq:{q}:meta\" \"version\" \"echomq:2.0.0\"\n";
    const OTHER: &[u8] = b"1.000001 [0 a:1] \"SET\" \"{emq}:version\" \"echomq:2.4.2\"\n";

    #[test]
    fn what_is_shipped_comes_to_what_the_page_says() {
        let read = |file: &str| std::fs::read(format!("fixtures/{file}")).expect("a fixture");
        let payments = judged("", &read("captures/payments.json"));
        assert_eq!(payments.as_deref(), Ok("emq.1 payments pass"));
        let profiles = ["emq.1", "emq.1", "echomq-2.x", "echomq-2.x"];
        for (recorded, profile) in RECORDED.iter().zip(profiles) {
            let said = judged(r#"{"queue":"payments"}"#, &read(&format!("recordings/{}", recorded.source)));
            assert_eq!(said, Ok(format!("{profile} payments fail")), "{}", recorded.name);
        }
    }

    #[test]
    fn a_log_is_read_by_what_it_looks_like_unless_somebody_says() {
        assert_eq!(judged("", LOG).as_deref(), Ok("emq.1 q indeterminate"));
        assert!(judged("", OTHER).is_ok_and(|said| said.starts_with("echomq-2.x ")));
        assert!(judged(r#"{"profile":"emq.1","queue":"q"}"#, OTHER).is_ok_and(|said| said.starts_with("emq.1 q ")));
    }

    #[test]
    fn what_cannot_be_shown_says_why() {
        for (asked, input, why) in [
            (r#"{"profile":"emq.9"}"#, LOG, "there is no profile \"emq.9\""),
            (r#"{"queue":"a b"}"#, LOG, "cannot be a queue’s name"),
            ("", b"hello".as_slice(), "neither a capture"),
            ("", b"{\n \"format\": 1}", "line 2, column 12"),
            ("", b"", "it holds no command"),
            ("", b"OK\nno\n1.000001 [0 a:1] \"GET\" \"k\"\n", "line 2"),
        ] {
            let said = judged(asked, input).expect_err(why);
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn as_many_commands_are_drawn_as_a_figure_has_room_for() {
        let line = "1.000001 [0 a:1] \"GET\" \"emq:{q}:meta\"\n";
        assert!(pack(line.repeat(MOST).as_bytes(), "").is_ok());
        let said = pack(line.repeat(MOST + 1).as_bytes(), "").expect_err("one more");
        assert!(said.contains("2001 commands"), "{said}");
    }
}
