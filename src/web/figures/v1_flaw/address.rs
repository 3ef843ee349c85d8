//! The state's text form, for the page's address.

use super::flaw::anchors::ANCHORS;
use super::flaw::{Choice, NAMES, PASSES};
use super::state::{COUNT, State};
use crate::web::address::{pair, pairs};

/// What stands for another worker that was faster.
const OTHER: &str = "other";

impl State {
    /// The text form: the call, how far the walk has come, and the anchor that is looked at.
    pub fn text(&self) -> String {
        let (mut text, Choice { passes, names, raced }) = (String::new(), self.choice);
        if passes > 0 {
            pair(&mut text, "call", PASSES[passes].0);
        }
        if names > 0 {
            pair(&mut text, "keys", NAMES[names].0);
        }
        if raced {
            pair(&mut text, "faster", OTHER);
        }
        if let Some(step) = self.walked {
            pair(&mut text, "step", &step.to_string());
        }
        if let Some(anchor) = self.selection {
            pair(&mut text, "show", &(anchor + 1).to_string());
        }
        text
    }

    /// Takes a text form, whatever the figure shows now. Says whether all of it was understood; what was not is left as it opens.
    pub fn take(&mut self, text: &str) -> bool {
        let (mut choice, mut walked, mut show) = (Choice::default(), None, None);
        let mut understood = true;
        let named = |all: &[(&str, &str)], value: &str| all.iter().position(|(name, _)| *name == value);
        for (name, value) in pairs(text) {
            let number = |most: usize| value.parse::<usize>().ok().filter(|number| *number <= most);
            understood &= match name {
                "call" => named(&PASSES, value).map(|place| choice.passes = place).is_some(),
                "keys" => named(&NAMES, value).map(|place| choice.names = place).is_some(),
                "faster" => {
                    choice.raced = value == OTHER;
                    choice.raced
                }
                "step" => {
                    walked = number(COUNT);
                    walked.is_some()
                }
                "show" => {
                    show = number(ANCHORS).and_then(|number| number.checked_sub(1));
                    show.is_some()
                }
                _ => false,
            };
        }
        self.turn_to(choice, walked, show);
        understood && (self.walked, self.selection) == (walked, show)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::state;
    use super::super::state::{Action, COUNT};
    use super::super::status::status;
    use crate::web::keys::Walk;

    #[test]
    fn what_is_told_is_taken() {
        let (mut told, mut taken) = (state(), state());
        let step = Action::Walk(Walk::Step);
        let reset = Action::Walk(Walk::Reset);
        let all =
            [Action::Passes(1), step, Action::Names(1), step, Action::Faster(1), Action::Passes(3), Action::Names(2)];
        let more = [
            Action::Look(2),
            Action::Look(2),
            Action::Walk(Walk::Last),
            Action::Walk(Walk::All),
            Action::Look(3),
            reset,
        ];
        for action in all.into_iter().chain(more) {
            told.reduce(action);
            assert!(taken.take(&told.text()), "{}", told.text());
            assert_eq!((status(&taken), taken.text()), (status(&told), told.text()));
        }
        told.reduce(Action::Walk(Walk::All));
        assert_eq!(told.text(), "");
    }

    #[test]
    fn what_is_not_understood_is_left_as_it_opens() {
        let mut state = state();
        for text in [
            "call:other.lua",
            "keys:",
            "faster:me",
            "step:13",
            "step:x",
            "show:0",
            "show:5",
            "page:2",
            "show:4,step:1",
            ":,:",
        ] {
            assert!(!state.take(text), "{text}");
            assert!(state.come_to() <= COUNT && !status(&state).is_empty(), "{text}");
        }
        assert!(state.take("") && state.text().is_empty());
    }
}
