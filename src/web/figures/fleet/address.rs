//! The state's text form, for the page's address.

use std::rc::Rc;

use super::state::{COUNT, State};
use crate::web::address::{pair, pairs};

impl State {
    /// The text form: who adds and who takes, how far the walk has come, and the phase that is looked at.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.pair != self.run.first() {
            pair(&mut text, "producer", self.run.name(self.pair.0));
            pair(&mut text, "consumer", self.run.name(self.pair.1));
        }
        if let Some(step) = self.walked {
            pair(&mut text, "step", &step.to_string());
        }
        if let Some(phase) = self.selection {
            pair(&mut text, "show", &(phase + 1).to_string());
        }
        text
    }

    /// Takes a text form, whatever the figure shows now. Says whether all of it was understood; what was not is left as it opens.
    pub fn take(&mut self, text: &str) -> bool {
        let opens = self.run.first();
        let (mut producer, mut consumer, mut walked, mut show) = (Some(opens.0), Some(opens.1), None, None);
        let mut understood = true;
        let run = Rc::clone(&self.run);
        let runtime = |name: &str| run.runtimes.iter().position(|one| one.name == name);
        for (name, value) in pairs(text) {
            let number = || value.parse::<usize>().ok().filter(|number| *number <= COUNT);
            understood &= match name {
                "producer" => {
                    producer = runtime(value);
                    producer.is_some()
                }
                "consumer" => {
                    consumer = runtime(value);
                    consumer.is_some()
                }
                "step" => {
                    walked = number();
                    walked.is_some()
                }
                "show" => {
                    show = number().and_then(|number| number.checked_sub(1));
                    show.is_some()
                }
                _ => false,
            };
        }
        self.turn_to((producer.unwrap_or(opens.0), consumer.unwrap_or(opens.1)), walked, show);
        understood && (self.walked, self.selection) == (walked, show)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::fixture;
    use super::super::state::{Action, COUNT, State};
    use super::super::status::status;
    use crate::web::keys::Walk;

    fn after(actions: &[Action]) -> State {
        let mut state = State::new(Rc::new(fixture::run()));
        for action in actions {
            state.reduce(*action);
        }
        state
    }

    /// Checks that a state is told in these words, and that another state becomes the same by them.
    fn told(actions: &[Action], words: &str) {
        let state = after(actions);
        assert_eq!(state.text(), words);
        for mut other in [after(&[]), after(&[Action::Pick(1, 1), Action::Look(2)])] {
            assert!(other.take(words), "{words}");
            assert_eq!((other.text().as_str(), status(&other)), (words, status(&state)));
        }
    }

    #[test]
    fn every_state_is_told_and_taken() {
        let step = Action::Walk(Walk::Step);
        told(&[], "");
        told(&[step, step], "step:2,show:2");
        told(&[Action::Walk(Walk::Reset)], "step:0");
        told(&[Action::Look(3)], "show:4");
        told(&[Action::Swap, step], "producer:node-iovalkey,consumer:reference,step:1,show:1");
        let all = fixture::run().runtimes.len();
        for pair in (0..all * all).map(|index| (index / all, index % all)) {
            let words = after(&[Action::Pick(pair.0, pair.1)]).text();
            told(&[Action::Pick(pair.0, pair.1)], &words);
            let mut state = after(&[]);
            assert!(state.take(&words) && state.pair == pair, "{words}");
        }
    }

    #[test]
    fn what_is_not_understood_is_said_and_left_as_it_opens() {
        for foreign in ["producer:nobody", "consumer:", "step:5", "step:-1", "show:0", "show:5", "another:1", ":", "\0"]
        {
            let mut state = after(&[Action::Swap, Action::Look(1)]);
            assert!(!state.take(foreign), "{foreign}");
            assert_eq!(state.text(), "", "{foreign}");
        }
        // Where nothing ran there is no way to walk, and what is ahead of the walk cannot be looked at.
        let mut state = after(&[]);
        assert!(!state.take("producer:echomq-go,consumer:reference,step:2"));
        assert_eq!((state.walked, state.shown.is_none()), (None, true));
        assert!(!state.take("step:1,show:3"));
        assert_eq!((state.come_to(), state.selection), (1, None));
        assert_eq!(COUNT, 4);
    }
}
