//! The core's edge to JavaScript: bytes and options in, the report's JSON out, exactly as `emq-conform check` prints it.
//!
//! The binary `emq-judge` exports it, a wasm module of its own, which the capture bench loads in a worker when a reader comes to it.
//! An input may come piece by piece, and is kept so that it can be judged again by other rules.

use serde::Deserialize;

use super::asked;
use super::judged::Judged;
use crate::core::capture::content::{self, Content};
use crate::core::capture::cut::{self, Cut};
use crate::core::capture::json;
use crate::core::facts::{Collector, Facts, LogIntake};
use crate::core::judge::{self as core, Options, Scope};
use crate::core::likeness::recognised;
use crate::core::profile::{self, EMQ_1, Profile};
use crate::core::report::{Reports, json as report_json, markdown};

/// What a caller may ask; the names are those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    source: Option<String>,
    queue: Option<String>,
    db: Option<u32>,
    profile: Option<String>,
    policy: Option<String>,
    expect_version: Option<String>,
    legacy_prefix: Vec<String>,
    client: Vec<String>,
    all_clients: bool,
}

/// Judges a capture (`emq-capture/1`) or a MONITOR log and returns the text of `emq-conform check --format json`.
///
/// `options` is a JSON object, or empty: `source` (what the report calls the input), `queue`, `db`, `profile`, `policy`,
/// `expect_version`, `legacy_prefix` and `client` (lists), `all_clients`: what the command line calls `--policy` and so on.
///
/// # Errors
/// The command line's own words, when the input is neither, or an option is unknown.
pub fn judge(bytes: &[u8], options: &str) -> Result<String, String> {
    let mut reader = Reader::new(options)?;
    reader.feed(bytes)?;
    Ok(reader.end()?.judge(options)?.json())
}

/// An input that comes piece by piece.
#[derive(Debug)]
pub struct Reader {
    /// What its errors call it.
    source: String,
    profile: &'static Profile,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Too little of it is there to tell what it is.
    Start(Vec<u8>),
    /// JSON is read when it is whole.
    Json(Vec<u8>),
    /// A log's lines are taken in as they come.
    Log(Box<LogIntake>),
}

impl Reader {
    /// A reader of which nothing is known yet; it goes by the options' `source` and `profile`.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn new(options: &str) -> Result<Self, String> {
        let Options { source, profile, .. } = read_options(options)?;
        let source = source.unwrap_or_else(|| "the input".to_owned());
        Ok(Self { source, profile, stage: Stage::Start(Vec::new()) })
    }

    /// Takes in the next piece, wherever it was cut.
    ///
    /// # Errors
    /// The command line's own words, once it can be told that the input is neither a capture nor a log.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), String> {
        match &mut self.stage {
            Stage::Log(intake) => intake.feed(piece),
            Stage::Json(bytes) => bytes.extend_from_slice(piece),
            Stage::Start(bytes) => {
                bytes.extend_from_slice(piece);
                if bytes.len() >= content::ENOUGH {
                    self.tell()?;
                }
            }
        }
        Ok(())
    }

    /// Tells what the input is, from as much of it as the command line looks at.
    fn tell(&mut self) -> Result<(), String> {
        let Stage::Start(bytes) = &mut self.stage else { return Ok(()) };
        let bytes = std::mem::take(bytes);
        let content = content::tell(&bytes[..bytes.len().min(content::ENOUGH)]);
        self.stage = match content.map_err(|neither| format!("cannot read {}: {neither}", self.source))? {
            Content::Json => Stage::Json(bytes),
            Content::Log => {
                let mut intake = LogIntake::new(self.profile);
                intake.feed(&bytes);
                Stage::Log(Box::new(intake))
            }
        };
        Ok(())
    }

    /// The input, when all of it has come.
    ///
    /// # Errors
    /// The command line's own words, when it is neither a capture nor a log.
    pub fn end(mut self) -> Result<Input, String> {
        self.tell()?;
        let Self { source, profile, stage } = self;
        let (facts, content) = match stage {
            Stage::Log(intake) => (intake.finish(), Content::Log),
            Stage::Start(bytes) | Stage::Json(bytes) => (capture(&source, &bytes, profile)?, Content::Json),
        };
        Ok(Input { content, profile, facts })
    }
}

/// The facts of a capture; of one that is cut short, those of its whole lines.
fn capture(source: &str, bytes: &[u8], profile: &'static Profile) -> Result<Facts, String> {
    let error = match json::parse(bytes) {
        Ok(capture) => return Ok(Collector::capture(profile, &capture)),
        Err(error) => error,
    };
    let Cut { capture, line } =
        cut::parse(bytes).map_err(|_| format!("{source}:{}:{}: {}", error.line, error.column, error.what))?;
    let mut facts = Collector::capture(profile, &capture);
    facts.unseen.cut_short(line);
    Ok(facts)
}

/// An input that was read.
#[derive(Debug)]
pub struct Input {
    content: Content,
    profile: &'static Profile,
    facts: Facts,
}

impl Input {
    /// The profile to read it by, where nobody says one.
    pub fn recognised(&self) -> &'static str {
        recognised(&self.facts).id
    }

    /// Judges it, as often as somebody asks; under another profile it has to be read again.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn judge(&self, options: &str) -> Result<Judgement<'_>, String> {
        let options = read_options(options)?;
        if options.profile.id != self.profile.id {
            return Err(format!("options: the input was read by profile {}", self.profile.id));
        }
        Ok(Judgement { input: self, reports: core::judge(&self.facts, &options), options })
    }
}

/// What an input comes to.
#[derive(Debug)]
pub struct Judgement<'i> {
    input: &'i Input,
    options: Options,
    reports: Reports,
}

impl Judgement<'_> {
    /// The text of `emq-conform check --format json`.
    pub fn json(&self) -> String {
        report_json::render(&self.reports)
    }

    /// The text of `emq-conform check --format markdown`.
    pub fn markdown(&self) -> String {
        markdown::render(&self.reports)
    }

    /// What the capture bench draws of it; a queue that is wanted is among those that it names.
    pub fn judged(&self, wanted: Option<&str>) -> Judged {
        Judged::of(&self.input.facts, self.input.content, &self.options, &self.reports, wanted)
    }
}

fn read_options(text: &str) -> Result<Options, String> {
    let asked: Asked = asked::read(text)?;
    let profile = match asked.profile.as_deref() {
        None => &EMQ_1,
        Some(id) => profile::by_id(id).ok_or_else(|| format!("options: there is no profile {id:?}"))?,
    };
    let policy = asked::policy(asked.policy.as_deref())?;
    if let Some(queue) = asked.queue.as_deref().filter(|queue| !profile.allows_queue(queue.as_bytes())) {
        return Err(format!("options: {queue:?} cannot be a queue's name"));
    }
    if let Some(left) = asked.legacy_prefix.iter().find(|left| left.is_empty() || profile.covers_own(left)) {
        return Err(format!("options: legacy_prefix {left:?} covers this profile's own keys"));
    }
    let further = |left: &String| !profile.legacy_prefixes.contains(&left.as_str());
    let scope = match (asked.all_clients, asked.client.as_slice()) {
        (true, []) => Scope::All,
        (false, []) => Scope::Auto,
        (false, _) => Scope::Clients(asked.client),
        (true, _) => return Err("options: client and all_clients exclude each other".to_owned()),
    };
    Ok(Options {
        profile,
        policy,
        expected_version: asked.expect_version,
        legacy_prefixes: asked.legacy_prefix.into_iter().filter(further).map(String::into_bytes).collect(),
        queue: asked.queue,
        db: asked.db,
        source: asked.source,
        scope,
        ..Options::default()
    })
}

#[cfg(test)]
mod tests {
    use super::{Reader, judge};
    use crate::core::capture::content::ENOUGH;

    #[test]
    fn options_are_checked() {
        for (options, word) in [
            ("{", "options: EOF"),
            (r#"{"ploicy":"strict"}"#, "unknown field"),
            (r#"{"policy":"lax"}"#, "no policy"),
            (r#"{"profile":"emq.9"}"#, "no profile"),
            (r#"{"queue":"a b"}"#, "cannot be a queue's name"),
            (r#"{"legacy_prefix":["emq:{q}:"]}"#, "covers this profile's own keys"),
            (r#"{"client":["a:1"],"all_clients":true}"#, "exclude each other"),
        ] {
            let error = judge(b"", options).expect_err(options);
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn input_that_is_neither_is_refused_as_the_command_line_does() {
        let source = r#"{"source":"notes.txt"}"#;
        let error = judge(b"hello", source).expect_err("no log");
        assert!(error.starts_with("cannot read notes.txt: neither a capture"), "{error}");
        let error = judge(b"{\n \"format\": 1}", source).expect_err("no capture");
        assert!(error.starts_with("notes.txt:2:12: "), "{error}");
    }

    /// The report of an input that comes in pieces of some size.
    fn in_pieces(bytes: &[u8], size: usize) -> Result<String, String> {
        let mut reader = Reader::new("")?;
        bytes.chunks(size).try_for_each(|piece| reader.feed(piece))?;
        Ok(reader.end()?.judge("")?.json())
    }

    #[test]
    fn where_an_input_is_cut_into_pieces_does_not_matter() {
        let padding = "x".repeat(ENOUGH);
        let log =
            format!("OK\n1.000001 [0 a:1] \"SET\" \"emq:{{q}}:meta\" \"{padding}\"\n2.000001 [0 a:1] \"GET\" \"k\"\n");
        let capture =
            r#"{"format":"emq-capture/1","events":[{"seq":1,"origin":"client","argv":["GET","emq:{q}:meta"]}]}"#;
        for input in [&log, capture, "", "hello", &format!("hello {padding}"), "{\"format\":1}"] {
            let whole = judge(input.as_bytes(), "");
            for size in [1, 7, ENOUGH - 1, ENOUGH, ENOUGH + 1, usize::MAX] {
                assert_eq!(in_pieces(input.as_bytes(), size), whole, "{size} bytes of {input:.30}");
            }
        }
    }

    #[test]
    fn a_capture_that_is_cut_short_is_read_to_its_last_whole_line() {
        let cut = "{\"format\":\"emq-capture/1\",\"events\":[\n{\"seq\":1,\"origin\":\"client\",\"argv\":[\"GET\",\"k\"]},\n{\"seq";
        let text = judge(cut.as_bytes(), "").expect("a report");
        assert!(text.contains("the capture is cut short here"), "{text}");
    }

    #[test]
    fn an_input_is_judged_again_by_other_rules_but_not_by_another_profile() {
        let mut reader = Reader::new("").expect("a reader");
        reader.feed(br#"1.000001 [0 a:1] "HGET" "{emq}:version" "x""#).expect("a log");
        let input = reader.end().expect("an input");
        for policy in ["strict", "rooted"] {
            let options = format!(r#"{{"policy":"{policy}","queue":"q"}}"#);
            assert!(input.judge(&options).expect("a judgement").json().contains(policy));
        }
        let error = input.judge(r#"{"profile":"echomq-2.x"}"#).expect_err("another profile");
        assert!(error.contains("was read by profile emq.1"), "{error}");
        assert_eq!(input.recognised(), "echomq-2.x");
    }

    #[test]
    fn an_empty_input_is_an_empty_log() {
        let text = judge(b"", "").expect("a report");
        assert!(text.contains("\"verdict\": \"indeterminate\"") && text.ends_with("}\n"), "{text}");
    }
}
