//! What a child process printed last, in bounded memory, and whether it can still print.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::core::bytes::shown;

/// Lines kept, and bytes kept of each.
pub(in crate::native) const LINES: usize = 40;
/// See there.
pub(in crate::native) const LINE_BYTES: u64 = 512;

/// The last lines of a stream, read by a thread of its own so that the child never blocks on a full pipe.
#[derive(Clone)]
pub(in crate::native) struct Tail {
    shared: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    ended: bool,
}

impl Tail {
    /// Follows `stream` until it ends.
    pub(in crate::native) fn follow(stream: impl Read + Send + 'static) -> Self {
        let tail = Self { shared: Arc::default() };
        let writer = tail.clone();
        thread::spawn(move || writer.read(stream));
        tail
    }

    /// The lines kept, oldest first.
    pub(in crate::native) fn text(&self) -> String {
        self.state().lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// True when every process that could write to the stream has gone.
    pub(in crate::native) fn ended(&self) -> bool {
        self.state().ended
    }

    /// Waits until the stream ends or `time` is over, and says whether it ended.
    pub(in crate::native) fn wait_end(&self, time: Duration) -> bool {
        let waited = self.shared.1.wait_timeout_while(self.state(), time, |state| !state.ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, stream: impl Read) {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        // A longer line is kept as several: nothing here grows with what the child prints.
        while (&mut stream).take(LINE_BYTES).read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            self.push(shown(bytes.trim_ascii_end()).into_owned());
            bytes.clear();
        }
        self.state().ended = true;
        self.shared.1.notify_all();
    }

    fn push(&self, line: String) {
        let lines = &mut self.state().lines;
        if lines.len() == LINES {
            lines.pop_front();
        }
        if !line.is_empty() {
            lines.push_back(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_lines_only() {
        let printed = (0..100).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
        let tail = Tail::follow(std::io::Cursor::new(printed));
        assert!(tail.wait_end(Duration::from_secs(5)));
        let text = tail.text();
        assert!(text.starts_with("line 60\n") && text.ends_with("line 99"), "{text}");
    }

    #[test]
    fn what_a_child_prints_cannot_draw_on_the_terminal() {
        let tail = Tail::follow(std::io::Cursor::new(&b"\x1b[2Ja\rb\xff\n"[..]));
        assert!(tail.wait_end(Duration::from_secs(5)));
        assert_eq!(tail.text(), "\\x1b[2Ja\\rb\\xff");
    }
}
