//! The way of a key from the caller's arguments to the call that gets it, as the analysis found it.

use super::state::State;
use crate::web::figures::script::report::Finding;

/// The keys that the first two anchors are about, as our script calls them.
const KEYS: [&str; 2] = ["jobKey", "lockKey"];

/// The way.
#[derive(Debug)]
pub(super) struct Way<'s> {
    /// What was found.
    pub(super) found: &'s Finding,
    /// The lines it comes by, in order: their numbers, and what stands there.
    pub(super) lines: Vec<(usize, &'s str)>,
}

impl<'s> Way<'s> {
    /// The way of the key that is looked at; of the lock's, unless that is the job's. `None` where nothing was found.
    pub(super) fn of(state: &'s State) -> Option<Self> {
        let name = if state.selection == Some(0) { KEYS[0] } else { KEYS[1] };
        let found = &state.file()?.findings;
        let found = found
            .iter()
            .find(|finding| finding.origin.len() > 1 && finding.origin.last().is_some_and(|step| step.text == name))?;
        let text: Vec<&str> = state.flaw.texts.get(state.analysed)?.lines().collect();
        let mut lines: Vec<(usize, &str)> = Vec::new();
        for step in &found.origin {
            if lines.last().is_none_or(|(line, _)| *line != step.line) {
                lines.push((step.line, text.get(step.line.checked_sub(1)?)?.trim_start()));
            }
        }
        Some(Self { found, lines })
    }

    /// The number of a line on the way.
    pub(super) fn number(&self, line: usize) -> Option<usize> {
        self.lines.iter().position(|(known, _)| *known == line).map(|place| place + 1)
    }

    /// Whether the way goes on above a line, and below it.
    pub(super) fn passes(&self, line: usize) -> (bool, bool) {
        let lines = || self.lines.iter().map(|(line, _)| *line);
        let (first, last) = (lines().min().unwrap_or(line), lines().max().unwrap_or(line));
        (first < line && line <= last, first <= line && line < last)
    }

    /// The line of an anchor: where the job's key is put together, or the lock's.
    pub(super) fn anchor(&self, anchor: usize) -> Option<usize> {
        let start = format!("local {} =", KEYS.get(anchor)?);
        self.lines.iter().find(|(_, text)| text.starts_with(&start)).map(|(line, _)| *line)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::state;
    use super::super::state::Action;
    use super::Way;

    #[test]
    fn it_goes_from_the_argument_through_both_lines_to_the_call() {
        let mut state = state();
        let way = Way::of(&state).expect("a way");
        let texts: Vec<&str> = way.lines.iter().map(|(_, text)| *text).collect();
        assert_eq!(
            texts,
            [
                "local keyPrefix = ARGV[1]",
                "local jobKey = keyPrefix .. jobId",
                "local lockKey = jobKey .. ':lock'",
                "redis.call('SET', lockKey, ARGV[2], 'PX', ARGV[3])",
            ]
        );
        assert_eq!([1, 2, 3, 7, 8, 9].map(|line| way.number(line).unwrap_or(0)), [0, 1, 0, 2, 3, 4]);
        let passes = [1, 2, 3, 9, 10].map(|line| way.passes(line));
        assert_eq!(passes, [(false, false), (false, true), (true, true), (true, false), (false, false)]);
        assert_eq!([0, 1, 2].map(|anchor| way.anchor(anchor)), [Some(7), Some(8), None]);
        state.reduce(Action::Look(0));
        assert!(Way::of(&state).is_some_and(|way| way.found.message.starts_with("HINCRBY ")));
    }
}
