//! Reports in JSON, as `emq-lint/1`.
//!
//! By hand, byte for byte what `serde_json` makes of the model: its code for it, made anew for each kind of field, goes to a browser too.

use super::LintReport;
use super::model::{Counts, FileReport, Finding, Origin, RootWord, Suppression, SuppressionKind, Unread};
use super::stale::Stale;

/// The JSON text, indented, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    let mut to = Writer { text: String::new(), depth: 0, is_first: true };
    to.open('{');
    to.word("format", report.format);
    to.key("tool");
    to.open('{');
    to.word("name", report.tool.name);
    to.word("version", report.tool.version);
    to.close('}');
    to.word("policy", report.policy);
    to.maybe("conforms", report.conforms);
    to.list("files", &report.files, file);
    to.list_if_any("stale", &report.stale, stale);
    to.list_if_any("unread", &report.unread, unread);
    to.key("summary");
    counts(&mut to, &report.summary);
    to.close('}');
    to.text + "\n"
}

fn counts(to: &mut Writer, counts: &Counts) {
    let Counts { files, declared, derived, undeclared, unknown, invalid, conform, findings, suppressed } = *counts;
    to.open('{');
    for (name, count) in [
        ("files", files),
        ("declared", declared),
        ("derived", derived),
        ("undeclared", undeclared),
        ("unknown", unknown),
        ("invalid", invalid),
        ("conform", conform),
        ("findings", findings),
        ("suppressed", suppressed),
    ] {
        to.number(name, count);
    }
    to.close('}');
}

fn stale(to: &mut Writer, stale: &Stale) {
    to.open('{');
    to.word("path", &stale.path);
    to.word("rule", &stale.rule);
    to.word("command", &stale.command);
    to.word("expression", &stale.expression);
    to.number("count", stale.count);
    to.close('}');
}

fn unread(to: &mut Writer, unread: &Unread) {
    to.open('{');
    to.word("path", &unread.path);
    to.word("why", &unread.why);
    to.close('}');
}

fn file(to: &mut Writer, file: &FileReport) {
    to.open('{');
    to.word("path", &file.path);
    to.word("verdict", file.verdict.word());
    to.maybe("conforms", file.conforms);
    to.number("calls", file.calls);
    to.list_if_any("includes", &file.includes, |to, path| to.quoted(path));
    to.list("findings", &file.findings, finding);
    to.close('}');
}

fn finding(to: &mut Writer, finding: &Finding) {
    to.open('{');
    to.word("rule", finding.rule);
    to.word("severity", finding.severity.word());
    to.word_if_any("path", finding.path.as_deref());
    to.number("line", finding.place.line);
    to.number("column", finding.place.column);
    to.number("end_line", finding.place.end_line);
    to.number("end_column", finding.place.end_column);
    to.word("command", &finding.command);
    to.word("expression", &finding.expression);
    let root = match finding.root {
        RootWord::Keys => "keys",
        RootWord::Argv => "argv",
        RootWord::Literal => "literal",
        RootWord::Reply => "reply",
        RootWord::Global => "global",
        RootWord::Unknown => "unknown",
    };
    to.word("root", root);
    to.list("origin", &finding.origin, origin);
    to.maybe("reachable", Some(finding.reachable));
    to.word("message", &finding.message);
    to.word("help", &finding.help);
    to.list_if_any("suppressions", &finding.suppressions, suppression);
    to.close('}');
}

fn origin(to: &mut Writer, origin: &Origin) {
    to.open('{');
    to.word_if_any("path", origin.path.as_deref());
    to.number("line", origin.line);
    to.number("column", origin.column);
    to.word("text", &origin.text);
    to.close('}');
}

fn suppression(to: &mut Writer, suppression: &Suppression) {
    to.open('{');
    let kind = match suppression.kind {
        SuppressionKind::InSource => "inSource",
        SuppressionKind::External => "external",
    };
    to.word("kind", kind);
    to.word("reason", &suppression.reason);
    if let Some(line) = suppression.line {
        to.number("line", line);
    }
    to.close('}');
}

/// JSON as it grows.
struct Writer {
    text: String,
    depth: usize,
    /// Nothing is yet in what was opened last.
    is_first: bool,
}

impl Writer {
    fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.depth += 1;
        self.is_first = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if !self.is_first {
            self.line();
        }
        self.text.push(bracket);
        self.is_first = false;
    }

    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text += "  ";
        }
    }

    /// Begins the next one of a list or of an object.
    fn next(&mut self) {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        self.line();
    }

    fn key(&mut self, name: &str) {
        self.next();
        self.quoted(name);
        self.text += ": ";
    }

    fn word(&mut self, name: &str, value: &str) {
        self.key(name);
        self.quoted(value);
    }

    fn word_if_any(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.word(name, value);
        }
    }

    fn number(&mut self, name: &str, value: usize) {
        self.key(name);
        self.text += &value.to_string();
    }

    fn maybe(&mut self, name: &str, value: Option<bool>) {
        self.key(name);
        self.text += match value {
            None => "null",
            Some(true) => "true",
            Some(false) => "false",
        };
    }

    fn list<T>(&mut self, name: &str, all: &[T], each: impl Fn(&mut Self, &T)) {
        self.key(name);
        self.open('[');
        for one in all {
            self.next();
            each(self, one);
        }
        self.close(']');
    }

    fn list_if_any<T>(&mut self, name: &str, all: &[T], each: impl Fn(&mut Self, &T)) {
        if !all.is_empty() {
            self.list(name, all, each);
        }
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            let short = match c {
                '"' | '\\' => c,
                '\n' => 'n',
                '\r' => 'r',
                '\t' => 't',
                '\x08' => 'b',
                '\x0c' => 'f',
                '\0'..=' ' if c != ' ' => {
                    self.text += "\\u00";
                    let digit = |n| char::from_digit(n, 16).unwrap_or('0');
                    self.text.push(digit(u32::from(c) / 16));
                    self.text.push(digit(u32::from(c) % 16));
                    continue;
                }
                _ => {
                    self.text.push(c);
                    continue;
                }
            };
            self.text.push('\\');
            self.text.push(short);
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::lua::analyze;
    use crate::core::lua::report::{Place, Severity};
    use crate::core::policy::Policy;

    fn is_as_serde_writes(report: &LintReport) {
        let theirs = serde_json::to_string_pretty(report).expect("JSON") + "\n";
        assert_eq!(render(report), theirs);
    }

    /// Every character that is written in another way, and some that are not.
    fn odd() -> String {
        ('\0'..='\u{a0}').chain("äß→\u{2028}\u{202e}\u{1f600}\u{fffd}".chars()).collect()
    }

    /// A report in which all that may be there is there.
    fn full() -> LintReport {
        let suppression = |kind, line| Suppression { kind, reason: odd(), line };
        let origin =
            |path| Origin { path, line: 3, column: 4, text: odd(), frame: super::super::frame::Frame::default() };
        let roots =
            [RootWord::Keys, RootWord::Argv, RootWord::Literal, RootWord::Reply, RootWord::Global, RootWord::Unknown];
        let severities = [Severity::Note, Severity::Warning, Severity::Error];
        let findings =
            roots.into_iter().zip(severities.into_iter().cycle()).enumerate().map(|(n, (root, severity))| Finding {
                rule: "unknown-key",
                severity,
                path: (n % 2 == 0).then(odd),
                place: Place { line: n, column: 2, end_line: 30, end_column: usize::MAX },
                command: "GET".to_owned(),
                expression: odd(),
                root,
                origin: [None, Some(odd())].into_iter().take(n).map(origin).collect(),
                reachable: n % 2 == 1,
                message: odd(),
                help: String::new(),
                suppressions: [(SuppressionKind::InSource, Some(7)), (SuppressionKind::External, None)]
                    .into_iter()
                    .take(n)
                    .map(|(kind, line)| suppression(kind, line))
                    .collect(),
                lines: (1, 2),
            });
        let mut report = LintReport::new(Policy::Strict, vec![analyze("a.lua", b"return 1", Policy::Strict)]);
        for file in &mut report.files {
            file.includes = vec![odd(), String::new()];
            file.findings = findings.clone().collect();
        }
        report.stale.push(Stale { path: odd(), rule: odd(), command: odd(), expression: odd(), count: 12 });
        report.unread = ["a", "b"].map(|path| Unread { path: path.to_owned(), why: odd() }).into();
        report
    }

    #[test]
    fn it_is_what_serde_makes_of_the_model() {
        let mut report = full();
        for conforms in [None, Some(true), Some(false)] {
            report.conforms = conforms;
            is_as_serde_writes(&report);
        }
        for verdict in crate::core::lua::Verdict::ALL {
            report.files.iter_mut().for_each(|file| (file.verdict, file.conforms) = (verdict, Some(true)));
            is_as_serde_writes(&report);
        }
        report.files.clear();
        is_as_serde_writes(&report);
    }
}
