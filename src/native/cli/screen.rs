//! What goes to the terminal: data to standard output, everything else to standard error.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};

use anyhow::Context;

/// A form of what is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether standard output gets colour.
    pub(super) fn on(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
                !unwanted && !dumb && io::stdout().is_terminal()
            }
        }
    }
}

/// Writes data to standard output. A reader that has seen enough (`| head`) is no error.
pub(super) fn print(data: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("cannot write to standard output"),
    }
}

/// Writes an error to standard error.
pub(super) fn complain(what: &str) {
    note(&format!("emq-conform: {what}"));
}

/// Writes a line to standard error; there is nobody to tell when it fails.
pub(super) fn note(line: &str) {
    // What others say is escaped where it is put into a message. This is for what was forgotten there.
    let line: String = line.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect();
    drop(writeln!(io::stderr().lock(), "{line}"));
}
