//! The analysis of scripts for JavaScript: a script's text and options in, the report's JSON out, exactly as
//! `emq-conform lint --format json` prints it.
//!
//! The binary `emq-analyzer` exports it, a wasm module of its own, for a worker: a script that needs more stack than the
//! browser has ends the worker, and not the page.

use serde::Deserialize;

use super::asked;
use crate::core::lua::analyze;
use crate::core::lua::limits::ENOUGH;
use crate::core::lua::report::{LintReport, json};

/// What a caller may ask; the names are those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    path: Option<String>,
    policy: Option<String>,
}

/// Analyses one script and returns the text of `emq-conform lint --format json`.
///
/// `options` is a JSON object, or empty: `path` (what the report calls the script; it may say how many keys the caller
/// passes, as `claim-4.lua` does) and `policy`. What a script includes is not there.
///
/// # Errors
/// The command line's own words, when an option is unknown.
pub fn lint(source: &[u8], options: &str) -> Result<String, String> {
    let asked: Asked = asked::read(options)?;
    let policy = asked::policy(asked.policy.as_deref())?;
    let source = &source[..source.len().min(ENOUGH)];
    let file = analyze(asked.path.as_deref().unwrap_or("-"), source, policy);
    Ok(json::render(&LintReport::new(policy, vec![file])))
}

#[cfg(test)]
mod tests {
    use super::lint;

    #[test]
    fn options_are_checked() {
        for (options, word) in
            [("[", "options: EOF"), (r#"{"name":"a.lua"}"#, "unknown field"), (r#"{"policy":"lax"}"#, "no policy")]
        {
            let error = lint(b"", options).expect_err(options);
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn the_name_says_how_many_keys_there_are() {
        let source = b"return redis.call('GET', KEYS[2])";
        let rules = |path: &str| lint(source, &format!("{{\"path\":\"{path}\"}}")).expect("a report");
        assert!(rules("get-1.lua").contains("key-beyond-declared"));
        assert!(!rules("get-2.lua").contains("key-beyond-declared"));
    }
}
