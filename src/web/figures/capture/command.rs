//! The command line that judges the same input on the reader's own machine.

use std::fmt::Write as _;

use crate::core::bytes::shown;

/// What the page says of a name that cannot be typed.
const SOME_FILE: &str = "FILE";

/// The command that prints the same verdicts: the trace is the only witness that a page hears.
pub(super) fn command(name: &str, profile: &str, policy: &str, queue: Option<(&str, Option<u32>)>) -> String {
    let mut out = format!("emq-conform check --witness trace --profile {profile} --policy {policy}");
    if let Some((queue, db)) = queue {
        // A name that starts with a dash would be an option.
        let sign = if queue.starts_with('-') { "=" } else { " " };
        let _ = write!(out, " --queue{sign}{queue}");
        if let Some(db) = db {
            let _ = write!(out, " --db {db}");
        }
    }
    out + " " + &quoted(name)
}

/// A file's name as a shell takes it.
fn quoted(name: &str) -> String {
    let before = if name.starts_with('-') { "./" } else { "" };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+,/@%".contains(&byte);
    if name.is_empty() || name.ends_with('…') || name.replace('\\', "") != shown(name.replace('\\', "").as_bytes()) {
        SOME_FILE.to_owned()
    } else if name.bytes().all(plain) {
        format!("{before}{name}")
    } else {
        format!("'{before}{}'", name.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{command, quoted};

    #[test]
    fn a_name_is_quoted_where_a_shell_would_read_more_into_it() {
        for (name, said) in [
            ("traffic.log", "traffic.log"),
            ("my traffic.log", "'my traffic.log'"),
            ("it's $HOME.log", r"'it'\''s $HOME.log'"),
            (r"a\b", r"'a\b'"),
            ("-rf", "./-rf"),
            ("", "FILE"),
            ("cut…", "FILE"),
            ("a\nb", "FILE"),
            ("a\u{202e}gol.b", "FILE"),
        ] {
            assert_eq!(quoted(name), said, "{name:?}");
        }
    }

    #[test]
    fn a_queue_is_named_with_its_database_where_it_lies_in_several() {
        let said = command("a.log", "emq.1", "strict", Some(("-q", Some(2))));
        assert_eq!(said, "emq-conform check --witness trace --profile emq.1 --policy strict --queue=-q --db 2 a.log");
    }
}
