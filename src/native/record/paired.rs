//! Questions whose lines MONITOR shows and whose answers come aside: the two do not come at the same time, and several may be open.

use std::collections::VecDeque;

/// Puts what was known at a question's line together with its answer: questions are shown and answered in one order.
#[derive(Debug)]
pub(super) struct Paired<L, A> {
    lines: VecDeque<L>,
    answers: VecDeque<A>,
}

impl<L, A> Default for Paired<L, A> {
    fn default() -> Self {
        Self { lines: VecDeque::new(), answers: VecDeque::new() }
    }
}

impl<L, A> Paired<L, A> {
    /// A question's line has come; gives it with its answer, if that has come before.
    pub(super) fn line(&mut self, line: L) -> Option<(L, A)> {
        self.lines.push_back(line);
        self.pair()
    }

    /// An answer has come; gives it with its line, if that has come before.
    pub(super) fn answer(&mut self, answer: A) -> Option<(L, A)> {
        self.answers.push_back(answer);
        self.pair()
    }

    /// How many answers have come whose lines have not.
    pub(super) fn ahead(&self) -> usize {
        self.answers.len()
    }

    /// Forgets answers whose lines will not come any more; says how many.
    pub(super) fn forget_answers(&mut self, is_passed: impl Fn(&A) -> bool) -> u64 {
        let before = self.answers.len();
        while self.answers.front().is_some_and(&is_passed) {
            self.answers.pop_front();
        }
        (before - self.answers.len()) as u64
    }

    /// What is open will not be put together any more; gives the lines.
    pub(super) fn give_up(&mut self) -> impl Iterator<Item = L> {
        self.answers.clear();
        self.lines.drain(..)
    }

    /// One of the two is empty before each.
    fn pair(&mut self) -> Option<(L, A)> {
        if self.answers.is_empty() {
            return None;
        }
        Some((self.lines.pop_front()?, self.answers.pop_front()?))
    }
}

/// What a server last answered before the lines that are read now.
#[derive(Debug)]
pub(super) struct AsShown<A> {
    open: Paired<(), A>,
    last: Option<A>,
}

/// So far ahead of the lines may answers come; a server that does not show the question is not waited for.
const AHEAD: usize = 64;

impl<A> Default for AsShown<A> {
    fn default() -> Self {
        Self { open: Paired::default(), last: None }
    }
}

impl<A> AsShown<A> {
    /// The question's line is read.
    pub(super) fn line(&mut self) {
        let pair = self.open.line(());
        self.take(pair);
    }

    /// An answer has come.
    pub(super) fn answer(&mut self, answer: A) {
        let pair = self.open.answer(answer);
        self.take(pair);
        if self.open.ahead() > AHEAD {
            self.line();
        }
    }

    /// The last answer whose line was read.
    pub(super) fn get(&self) -> Option<&A> {
        self.last.as_ref()
    }

    fn take(&mut self, pair: Option<((), A)>) {
        if let Some(((), answer)) = pair {
            self.last = Some(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_from_its_line_on() {
        let mut shown = AsShown::default();
        shown.answer(1);
        shown.answer(2);
        assert_eq!(shown.get(), None);
        shown.line();
        assert_eq!(shown.get(), Some(&1));
        shown.line();
        shown.line();
        assert_eq!(shown.get(), Some(&2));
        shown.answer(3);
        assert_eq!(shown.get(), Some(&3));
    }

    #[test]
    fn a_question_that_is_never_shown_is_not_waited_for() {
        let mut shown = AsShown::default();
        (1..=AHEAD).for_each(|answer| shown.answer(answer));
        assert_eq!(shown.get(), None);
        shown.answer(AHEAD + 1);
        assert_eq!((shown.get(), shown.open.ahead()), (Some(&1), AHEAD));
    }
}
