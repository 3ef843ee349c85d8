//! The core's edge to JavaScript: bytes and options in, the report's JSON out, exactly as `emq-conform check` prints it.
//!
//! The binary `emq-judge` exports it, a wasm module of its own: the figures do not need it, so that the page does not
//! load it before they come alive.

use serde::Deserialize;

use super::asked;
use crate::core::capture::content::{self, Content};
use crate::core::capture::json;
use crate::core::facts::LogIntake;
use crate::core::judge::{self as core, Options, Scope};
use crate::core::profile::{self, EMQ_1};
use crate::core::report::{Reports, json as report_json};

/// What a caller may ask; the names are those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    source: Option<String>,
    queue: Option<String>,
    profile: Option<String>,
    policy: Option<String>,
    expect_version: Option<String>,
    legacy_prefix: Vec<String>,
    client: Vec<String>,
    all_clients: bool,
}

/// Judges a capture (`emq-capture/1`) or a MONITOR log and returns the text of `emq-conform check --format json`.
///
/// `options` is a JSON object, or empty: `source` (what the report calls the input), `queue`, `profile`, `policy`,
/// `expect_version`, `legacy_prefix` and `client` (lists), `all_clients`: what the command line calls `--policy` and so on.
///
/// # Errors
/// The command line's own words, when the input is neither, or an option is unknown.
pub fn judge(bytes: &[u8], options: &str) -> Result<String, String> {
    let options = read_options(options)?;
    let reports = reports(bytes, &options)?;
    Ok(report_json::render(&reports))
}

fn reports(bytes: &[u8], options: &Options) -> Result<Reports, String> {
    let input = options.source.as_deref().unwrap_or("the input");
    let start = &bytes[..bytes.len().min(content::ENOUGH)];
    match content::tell(start).map_err(|neither| format!("cannot read {input}: {neither}"))? {
        Content::Json => {
            let capture = json::parse(bytes)
                .map_err(|error| format!("{input}:{}:{}: {}", error.line, error.column, error.what))?;
            Ok(core::judge_capture(&capture, options))
        }
        Content::Log => {
            let mut intake = LogIntake::new(options.profile);
            intake.feed(bytes);
            Ok(core::judge(&intake.finish(), options))
        }
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
        source: asked.source,
        scope,
        ..Options::default()
    })
}

#[cfg(test)]
mod tests {
    use super::judge;

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

    #[test]
    fn an_empty_input_is_an_empty_log() {
        let text = judge(b"", "").expect("a report");
        assert!(text.contains("\"verdict\": \"indeterminate\"") && text.ends_with("}\n"), "{text}");
    }
}
