//! The figure's state and what changes it: pure, so that every way through the figure can be tested natively.

use std::rc::Rc;

use super::answer::Answer;
use super::set::{COUNT, Unseen};
use crate::core::report::Verdict;
use crate::web::components::Guesses;
use crate::web::keys::Walk;

/// The figure's state.
#[derive(Debug)]
pub struct State {
    /// The set.
    pub set: Rc<[Unseen]>,
    /// Which one is open.
    pub open: Option<usize>,
    /// What the reader said of each.
    pub guesses: Guesses<COUNT>,
    /// Of which the reader wants to know: what was said of these is said.
    pub asked: [bool; COUNT],
    /// What was computed here since.
    pub told: [Option<Answer>; COUNT],
    /// Why the open one could not be judged.
    pub trouble: Option<String>,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// What every figure knows.
    Walk(Walk),
    /// Open one, or close it.
    Look(usize),
    /// Commit to a verdict on the open one.
    Guess(Verdict),
    /// It was computed what one comes to.
    Told(usize, Answer),
    /// It could not be, and why.
    Trouble(usize, String),
}

impl State {
    /// All closed, but the one that the reader opened before the figure lived.
    pub fn new(set: Rc<[Unseen]>, open: Option<usize>) -> Self {
        Self {
            set,
            open: open.filter(|index| *index < COUNT),
            guesses: Guesses::NONE,
            asked: [false; COUNT],
            told: [const { None }; COUNT],
            trouble: None,
        }
    }

    /// The one that a verdict can be said of; else why there is none.
    pub fn next(&self) -> Result<usize, &'static str> {
        match self.open {
            None => Err("predict first: open one"),
            Some(index) if self.asked[index] => Err("said; Reset forgets all"),
            Some(index) => Ok(index),
        }
    }

    /// The one that is to be judged now.
    pub fn due(&self) -> Option<usize> {
        self.open.filter(|index| self.asked[*index] && self.told[*index].is_none())
    }

    /// Does what happened.
    pub fn reduce(&mut self, action: Action) {
        self.trouble = None;
        match action {
            Action::Look(index) => self.open = if self.open == Some(index) { None } else { Some(index.min(COUNT - 1)) },
            Action::Guess(verdict) => {
                if let Ok(index) = self.next() {
                    self.guesses.say(index, verdict);
                    self.asked[index] = true;
                }
            }
            Action::Told(index, answer) => self.told[index] = Some(answer),
            Action::Trouble(index, why) => {
                self.asked[index] = false;
                if let Some(guess) = self.guesses.of(index) {
                    self.guesses.say(index, guess);
                }
                self.trouble = Some(why);
            }
            Action::Walk(walk) => self.walk(walk),
        }
    }

    fn walk(&mut self, walk: Walk) {
        self.open = match (walk, self.open) {
            (Walk::Reset, _) => {
                *self = Self::new(Rc::clone(&self.set), None);
                None
            }
            (Walk::Close, _) => None,
            (Walk::Last, _) => Some(COUNT - 1),
            (Walk::First, _) | (_, None) => Some(0),
            (Walk::Step, Some(index)) => Some((index + 1).min(COUNT - 1)),
            (Walk::Back, Some(index)) => Some(index.saturating_sub(1)),
            (Walk::Open, open) => open,
            (Walk::All, Some(index)) => {
                self.asked[index] = true;
                Some(index)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::state;
    use super::super::set::COUNT;
    use super::super::status::status;
    use super::Action;
    use crate::core::report::Verdict;
    use crate::web::keys::Walk;

    #[test]
    fn who_commits_is_told_of_what_is_open_and_cannot_commit_again() {
        let mut state = state();
        state.reduce(Action::Guess(Verdict::Pass));
        assert_eq!((state.due(), status(&state).as_str()), (None, "9 unseen · none is open"));
        state.reduce(Action::Walk(Walk::Step));
        assert_eq!(status(&state), "1 of 9 · release-1.lua · nothing said yet");
        state.reduce(Action::Guess(Verdict::Pass));
        assert_eq!(state.due(), Some(0));
        assert_eq!(status(&state), "1 of 9 · release-1.lua · you say pass · judging…");
        state.reduce(Action::Guess(Verdict::Fail));
        assert_eq!(state.guesses.of(0), Some(Verdict::Pass));
        let answer = state.set[0].built.clone();
        state.reduce(Action::Told(0, answer));
        assert_eq!(state.due(), None);
        assert!(status(&state).starts_with("1 of 9 · release-1.lua · fail, where you said pass: line 5: GET"));
        state.reduce(Action::Walk(Walk::Last));
        state.reduce(Action::Walk(Walk::All));
        assert_eq!((state.due(), state.open), (Some(COUNT - 1), Some(COUNT - 1)));
        assert_eq!(status(&state), "9 of 9 · forward.log · judging…");
        state.reduce(Action::Walk(Walk::Reset));
        assert!(state.told[0].is_none() && state.guesses.of(0).is_none() && state.due().is_none());
    }

    #[test]
    fn one_whose_judge_cannot_be_had_can_be_tried_again() {
        let mut state = state();
        state.reduce(Action::Look(2));
        state.reduce(Action::Guess(Verdict::Fail));
        state.reduce(Action::Trouble(2, "gone".to_owned()));
        assert_eq!((state.due(), state.next(), state.guesses.of(2)), (None, Ok(2), None));
        assert!(status(&state).ends_with("· gone"));
        state.reduce(Action::Look(2));
        assert_eq!((state.open, state.trouble), (None, None));
    }
}
