//! An adapter's process: in a group of its own, heard within limits, and gone afterwards, whatever happens.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::core::fleet::adapter::{MOST_LINE, MOST_OUTPUT};
use crate::native::group::Group;
use crate::native::marked::MARK;
use crate::native::server::output::Tail;
use crate::native::server::watchdog::SHELL;

/// How many lines wait for whoever reads them; beyond that the adapter is held back.
const AHEAD: usize = 4;

/// What came from an adapter.
pub(super) enum Heard {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// More than a line may be.
    TooLong,
    /// More than all lines may be.
    Flood,
    /// The end of its output; whether it had begun a line.
    End {
        /// It had.
        partial: bool,
    },
    /// Nothing within the time given.
    Nothing,
}

/// The running program; dropping it ends its whole group.
pub(super) struct Program {
    /// Nothing once it has been ended.
    group: Option<Group>,
    child: Child,
    requests: Option<Sender<Vec<u8>>>,
    lines: Receiver<Heard>,
    printed: Tail,
}

impl Program {
    /// Starts `command` as a shell reads it; `mark` is a word that nobody else knows.
    pub(super) fn start(command: &str, mark: &str) -> io::Result<Self> {
        let group = Group::watch("emq-conform-adapter", mark)?;
        let mut shell = Command::new(SHELL);
        shell.args(["-c", command]).env(MARK, mark).process_group(i32::try_from(group.id()).map_err(io::Error::other)?);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = taken else { return Err(io::Error::other("it has no pipes")) };
        let (requests, lines) = (Some(writer(input)), reader(output));
        Ok(Self { group: Some(group), child, requests, lines, printed: Tail::follow(errors) })
    }

    /// Sends a line. One that does not read is noticed by what it does not answer.
    pub(super) fn send(&self, line: String) {
        if let Some(requests) = &self.requests {
            // Nobody takes it any more: the end of its output says so.
            drop(requests.send(line.into_bytes()));
        }
    }

    /// What comes next, if something does within `time`.
    pub(super) fn next(&self, time: Duration) -> Heard {
        match self.lines.recv_timeout(time) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End { partial: false },
        }
    }

    /// How it ended, if it has by then.
    pub(super) fn status(&mut self, time: Duration) -> Option<ExitStatus> {
        const LOOK: Duration = Duration::from_millis(5);
        let end = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }

    /// Lets it know that nothing more comes.
    pub(super) fn close(&mut self) {
        self.requests = None;
    }

    /// What it printed last on standard error.
    pub(super) fn printed(&self) -> String {
        self.printed.wait_end(Duration::from_millis(100));
        self.printed.text()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.requests = None;
        drop(self.group.take());
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// How it ended, in words: `status 3`, `signal 9`.
pub(super) fn in_words(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.code(), status.signal())) {
        None => "the end of its output".to_owned(),
        Some((Some(code), _)) => format!("status {code}"),
        Some((None, signal)) => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// Writes in a thread of its own: an adapter that does not read must not hold us.
fn writer(mut input: ChildStdin) -> Sender<Vec<u8>> {
    let (send, requests) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for line in requests {
            if input.write_all(&line).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    send
}

fn reader(output: impl Read + Send + 'static) -> Receiver<Heard> {
    let (send, lines) = mpsc::sync_channel(AHEAD);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut total = 0_u64;
        loop {
            let (heard, read) = next_line(&mut output);
            total += read;
            let heard = if total > MOST_OUTPUT { Heard::Flood } else { heard };
            let is_last = !matches!(heard, Heard::Line(_));
            if send.send(heard).is_err() || is_last {
                return;
            }
        }
    });
    lines
}

/// The next line, and how many bytes it took.
fn next_line(output: &mut impl BufRead) -> (Heard, u64) {
    let mut line = Vec::new();
    let read = output.take(MOST_LINE as u64 + 1).read_until(b'\n', &mut line).unwrap_or_default() as u64;
    let heard = match line.pop() {
        Some(b'\n') => Heard::Line(line),
        Some(_) if read > MOST_LINE as u64 => Heard::TooLong,
        Some(_) => Heard::End { partial: true },
        None => Heard::End { partial: false },
    };
    (heard, read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(length: usize) -> Heard {
        next_line(&mut io::Cursor::new(vec![b'x'; length].into_iter().chain([b'\n']).collect::<Vec<u8>>())).0
    }

    #[test]
    fn a_line_has_a_limit() {
        assert!(matches!(line(MOST_LINE), Heard::Line(text) if text.len() == MOST_LINE));
        assert!(matches!(line(MOST_LINE + 1), Heard::TooLong));
    }

    #[test]
    fn the_end_within_a_line_is_told() {
        let next = |text: &'static str| next_line(&mut io::Cursor::new(text)).0;
        assert!(matches!(next("{\"id\""), Heard::End { partial: true }));
        assert!(matches!(next(""), Heard::End { partial: false }));
    }

    #[test]
    fn all_lines_have_a_limit() {
        const LINE: usize = 1024 * 1024;
        let count = MOST_OUTPUT / LINE as u64;
        let heard = |more: &'static str| {
            let line = [vec![b'x'; LINE - 1], vec![b'\n']].concat();
            let all = (0..count).fold(Box::new(io::empty()) as Box<dyn Read + Send>, |all, _| {
                Box::new(all.chain(io::Cursor::new(line.clone())))
            });
            let lines = reader(all.chain(more.as_bytes()));
            let mut whole = 0;
            loop {
                match lines.recv_timeout(Duration::from_secs(60)).expect("an end") {
                    Heard::Line(_) => whole += 1,
                    last => return (whole, last),
                }
            }
        };
        assert!(matches!(heard(""), (whole, Heard::End { partial: false }) if whole == count));
        assert!(matches!(heard("x"), (whole, Heard::Flood) if whole == count));
    }

    #[test]
    fn what_it_printed_and_how_it_ended_is_known() {
        let mut program = Program::start("echo out; echo err >&2; exit 7", "emq-test-program-1").expect("it starts");
        assert!(matches!(program.next(Duration::from_secs(10)), Heard::Line(text) if text == b"out"));
        assert!(matches!(program.next(Duration::from_secs(10)), Heard::End { partial: false }));
        assert_eq!(in_words(program.status(Duration::from_secs(10))), "status 7");
        assert_eq!(program.printed(), "err");
    }
}
