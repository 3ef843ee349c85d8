//! How long the end of a recording is waited for.

use std::time::Duration;

/// While lines come, an answer is waited for at least so long: a script may run for five seconds until its server says BUSY.
const AT_LEAST: Duration = Duration::from_secs(10);
/// By so much may a server's clock be set anew meanwhile.
const BLUR: Duration = Duration::from_secs(10);
/// A recorder that is behind may take so many times its patience.
const CATCH_UP: u32 = 20;

/// What the end of a recording waits for, and how long it has.
pub(super) struct Wait {
    /// For any line.
    pub(super) silent: Duration,
    /// For the next answer, if one is to come.
    pub(super) answer: Option<Duration>,
    /// For the line of a question that was answered.
    pub(super) line: Option<Duration>,
    /// How far the lines are and when that answer was given, in microseconds by the server's clock.
    pub(super) line_time: u64,
    pub(super) answer_time: Option<u64>,
}

/// Why that is waited for no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Late {
    /// Nothing came at all.
    Silent,
    /// Lines came, and no answer.
    Unanswered,
    /// Answers came, and lines that stand behind theirs.
    Unshown,
}

impl Wait {
    /// Lines that come do not say that an answer will. But the recorder may be far behind: then the lines are older than the answer.
    pub(super) fn late(&self, patience: Duration) -> Option<Late> {
        let patient = patience.max(AT_LEAST);
        let is_past =
            |answer: u64| self.line_time.saturating_sub(answer) > BLUR.as_micros().try_into().unwrap_or(u64::MAX);
        let is_unshown = |waited| waited > patient.saturating_mul(CATCH_UP) || self.answer_time.is_some_and(is_past);
        match () {
            () if self.silent > patience => Some(Late::Silent),
            () if self.answer.is_some_and(|waited| waited > patient) => Some(Late::Unanswered),
            () if self.line.is_some_and(is_unshown) => Some(Late::Unshown),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_waited_for_as_long_as_it_may_come_however_many_lines_do() {
        let seconds = Duration::from_secs;
        let check = |patience, silent, answer: Option<u64>, line: Option<u64>, behind: i64, expected| {
            let (line_time, answer_time) =
                (1_000_000_000_u64.saturating_add_signed(-behind * 1_000_000), Some(1_000_000_000));
            let (answer, line) = (answer.map(seconds), line.map(seconds));
            let wait = Wait { silent: seconds(silent), answer, line, line_time, answer_time };
            assert_eq!(wait.late(seconds(patience)), expected, "{patience} {silent} {answer:?} {line:?} {behind}");
        };
        check(30, 30, Some(30), None, 0, None);
        check(30, 31, None, Some(31), 0, Some(Late::Silent));
        check(30, 0, Some(31), None, 0, Some(Late::Unanswered));
        check(1, 0, Some(10), None, 0, None);
        check(1, 0, Some(11), None, 0, Some(Late::Unanswered));
        // Minutes behind, and past the answer.
        check(30, 0, None, Some(600), 100, None);
        check(30, 0, None, Some(601), 100, Some(Late::Unshown));
        check(30, 0, None, Some(1), -10, None);
        check(30, 0, None, Some(1), -11, Some(Late::Unshown));
    }
}
