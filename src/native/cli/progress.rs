//! One line on a terminal that says how far long work is; on anything else there is none.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::screen;

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// The line.
pub(super) struct ProgressLine {
    is_on: bool,
    is_shown: Cell<bool>,
    last: Cell<Option<Instant>>,
}

impl ProgressLine {
    /// On standard error, where that is a terminal and somebody wants to see it.
    pub(super) fn new(wanted: bool) -> Self {
        Self { is_on: wanted && io::stderr().is_terminal(), is_shown: Cell::new(false), last: Cell::new(None) }
    }

    /// Shows how far it is, if the last time is a while ago.
    pub(super) fn show(&self, text: impl FnOnce() -> String) {
        if !self.is_on || self.last.get().is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        self.last.set(Some(Instant::now()));
        self.is_shown.set(true);
        // Nobody is left to tell when even this cannot be written.
        drop(write!(io::stderr().lock(), "\r\x1b[K{}", text()));
    }

    /// Takes the line away, for what else there is to say.
    pub(super) fn clear(&self) {
        if self.is_shown.replace(false) {
            drop(write!(io::stderr().lock(), "\r\x1b[K"));
        }
    }

    /// Says something above the line.
    pub(super) fn note(&self, what: &str) {
        self.clear();
        screen::note(what);
    }
}
