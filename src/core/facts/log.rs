//! A MONITOR log of any size, taken in piece by piece.

use super::{Collector, Facts, Problem};
use crate::core::capture::content::without_mark;
use crate::core::capture::monitor::{Damage, LineError, Reader};
use crate::core::capture::{Event, Source, SourceKind};
use crate::core::profile::Profile;

/// The longest line that is held in memory, in bytes; Valkey's own limit for one argument is 512 MiB.
pub const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// Splits pieces of a log into lines, and lines into [`Facts`].
#[derive(Debug)]
pub struct LogIntake {
    reader: Reader,
    collector: Collector,
    /// The start of a line whose end is still to come.
    rest: Vec<u8>,
    /// Nothing was taken in so far, so a byte order mark may come.
    at_start: bool,
    /// The line that is being read is longer than [`LONGEST_LINE`].
    too_long: bool,
}

impl LogIntake {
    /// An intake that has seen nothing.
    pub fn new(profile: &'static Profile) -> Self {
        Self {
            reader: Reader::new(),
            collector: Collector::new(profile),
            rest: Vec::new(),
            at_start: true,
            too_long: false,
        }
    }

    /// Takes in the next piece, wherever it was cut.
    pub fn feed(&mut self, piece: &[u8]) {
        self.feed_telling(piece, &mut |_| {});
    }

    /// The same, and tells `tell` of each event: whoever needs more of a log than its facts.
    pub fn feed_telling(&mut self, mut piece: &[u8], tell: &mut dyn FnMut(&Event)) {
        while let Some(end) = piece.iter().position(|&byte| byte == b'\n') {
            let (line, rest) = piece.split_at(end);
            piece = &rest[1..];
            if self.rest.is_empty() && !self.too_long {
                self.line(line, tell);
            } else {
                self.keep(line);
                let whole = std::mem::take(&mut self.rest);
                self.line(&whole, tell);
            }
        }
        self.keep(piece);
    }

    /// The facts, when the log is at its end.
    pub fn finish(self) -> Facts {
        self.finish_telling(&mut |_| {})
    }

    /// The same, and tells `tell` of the last event, whose line may lack its end.
    pub fn finish_telling(mut self, tell: &mut dyn FnMut(&Event)) -> Facts {
        if !self.rest.is_empty() || self.too_long {
            let rest = std::mem::take(&mut self.rest);
            match self.reader.line(&rest) {
                Ok(Some(event)) => {
                    tell(&event);
                    self.collector.push(&event);
                }
                Ok(None) => {}
                Err(error) => self.collector.cut_end(problem(&error)),
            }
        }
        let mut facts = self.collector.finish();
        facts.source = Source { kind: SourceKind::Monitor, ..Source::default() };
        facts
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.rest.len() + piece.len() > LONGEST_LINE {
            self.too_long = true;
            self.rest.clear();
        } else if !self.too_long {
            self.rest.extend_from_slice(piece);
        }
    }

    fn line(&mut self, line: &[u8], tell: &mut dyn FnMut(&Event)) {
        let line = if std::mem::take(&mut self.at_start) { without_mark(line) } else { line };
        if std::mem::take(&mut self.too_long) {
            let error = self.reader.skip(Damage::TooLong);
            self.collector.problem(problem(&error));
            return;
        }
        match self.reader.line(line) {
            Ok(Some(event)) => {
                tell(&event);
                self.collector.push(&event);
            }
            Ok(None) => {}
            Err(error) => self.collector.problem(problem(&error)),
        }
    }
}

fn problem(error: &LineError) -> Problem {
    Problem { line: error.line, byte: error.byte as u64, why: error.what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, LogIntake};
    use crate::core::profile::EMQ_1;

    const LOG: &[u8] = b"OK\n1.000001 [0 a:1] \"GET\" \"one\"\n1.000002 [0 a:1] \"GET\" \"two\"\ncut";

    #[test]
    fn where_a_log_is_cut_into_pieces_does_not_matter() {
        for size in 1..LOG.len() {
            let mut intake = LogIntake::new(&EMQ_1);
            LOG.chunks(size).for_each(|piece| intake.feed(piece));
            let facts = intake.finish();
            assert_eq!(facts.connections[0].commands, 2, "pieces of {size}");
            assert_eq!(facts.unseen.damaged, 0);
            assert_eq!(facts.unseen.cut_end.map(|problem| problem.line), Some(4));
        }
    }

    #[test]
    fn a_byte_order_mark_costs_no_line() {
        let mut intake = LogIntake::new(&EMQ_1);
        for piece in [&b"\xef"[..], b"\xbb\xbf1.000001 [0 a:1] \"GET\" \"one\"\n"] {
            intake.feed(piece);
        }
        let facts = intake.finish();
        assert_eq!((facts.connections[0].commands, facts.unseen.damaged), (1, 0));
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over() {
        let mut intake = LogIntake::new(&EMQ_1);
        let half = vec![b'x'; LONGEST_LINE / 2 + 1];
        for piece in [&half[..], &half, b"\n1.000001 [0 a:1] \"GET\" \"one\"\n"] {
            intake.feed(piece);
        }
        let facts = intake.finish();
        assert_eq!((facts.unseen.damaged, facts.unseen.problems[0].line), (1, 1));
        assert_eq!(facts.connections[0].commands, 1);
    }
}
