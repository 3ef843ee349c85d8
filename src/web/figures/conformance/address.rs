//! The state's text form, for the page's address.

use super::shown::Place;
use super::state::{COUNT, Selection, State};
use crate::core::assertions::ALL;
use crate::core::capture::breaks::Break;
use crate::web::address::{pair, pairs};
use crate::web::offer::LOADING;

impl State {
    /// The text form: the capture, the broken rule, how far the walk has come, and what is looked at.
    pub fn text(&self) -> String {
        if let Some(text) = &self.awaited {
            return text.clone();
        }
        let mut text = String::new();
        if let Some(offer) = self.offers.get(self.chosen).filter(|_| self.chosen > 0) {
            pair(&mut text, "capture", &offer.name);
        }
        if let Some(broken) = self.broken {
            pair(&mut text, "break", broken.id());
        }
        if let Some(step) = self.walked {
            pair(&mut text, "step", &step.to_string());
        }
        match self.selection {
            Selection::Assertion(index) if self.open => pair(&mut text, "show", ALL[index].about().id),
            Selection::Line(place) => pair(&mut text, "show", &place.id()),
            _ => {}
        }
        text
    }

    /// Takes a text form, whatever the figure shows now. Says whether all of it was understood; what was not is left as it opens.
    pub fn take(&mut self, text: &str) -> bool {
        let (mut chosen, mut broken, mut walked, mut show) = (Some(0), None, None, "");
        let mut understood = true;
        for (name, value) in pairs(text) {
            understood &= match name {
                "capture" => {
                    chosen = self.offers.iter().position(|offer| offer.name == value);
                    chosen.is_some()
                }
                "break" => {
                    broken = Break::ALL.into_iter().find(|one| one.id() == value);
                    broken.is_some()
                }
                "step" => {
                    walked = value.parse().ok().filter(|step| *step <= COUNT);
                    walked.is_some()
                }
                "show" => {
                    show = value;
                    true
                }
                _ => false,
            };
        }
        self.turn_to(chosen.unwrap_or_default(), broken, walked);
        let looks = self.look(show) && self.broken == broken;
        // Which lines there are is not known before the capture is there.
        let awaited = matches!(&self.shown, Err(why) if why == LOADING);
        self.awaited = awaited.then(|| text.to_owned());
        understood && (looks || awaited)
    }

    /// Looks at an assertion or a line, by its name; at nothing where it has none.
    fn look(&mut self, show: &str) -> bool {
        let assertion = ALL.iter().position(|one| one.about().id == show);
        let line = || self.shown.as_ref().ok()?.places().into_iter().find(|place: &Place| place.id() == show);
        self.open = assertion.is_some();
        self.pointed = None;
        self.selection = match assertion {
            Some(index) => Selection::Assertion(index),
            None => line().map_or(Selection::None, Selection::Line),
        };
        show.is_empty() || self.selection != Selection::None
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::shown::Place;
    use super::super::state::{Action, COUNT, State};
    use super::super::status::status;
    use crate::core::capture::breaks::Break;
    use crate::web::offer::fixture::recordings;
    use crate::web::offer::{Offer, RECORDED};

    const CAPTURE: &str = include_str!("../../../../fixtures/captures/payments.json");

    fn offers() -> Rc<[Offer]> {
        Rc::from(["payments", "latest"].map(|name| Offer::from_json(name, CAPTURE.as_bytes())))
    }

    fn after(actions: &[Action]) -> State {
        let mut state = State::new(offers());
        for action in actions {
            state.reduce(*action);
        }
        state
    }

    /// Checks that a state is told in these words, and that another state becomes the same by them.
    fn told(actions: &[Action], words: &str) {
        let state = after(actions);
        assert_eq!(state.text(), words);
        for mut other in
            [after(&[]), after(&[Action::Choose(1), Action::Break(Some(Break::LegacyRead)), Action::First])]
        {
            assert!(other.take(words), "{words}");
            assert_eq!((other.text().as_str(), status(&other)), (words, status(&state)));
        }
    }

    #[test]
    fn every_state_is_told_and_taken() {
        told(&[], "");
        told(&[Action::Step], "step:1,show:keyspace");
        told(&[Action::Step, Action::Close], "step:1");
        told(&[Action::Reset], "step:0");
        told(&[Action::Choose(1), Action::Last], "capture:latest,step:5,show:version");
        told(&[Action::Select(Place::Event(2))], "show:event-2");
        told(&[Action::Select(Place::Read(0))], "show:read-0");
        for (index, broken) in Break::ALL.into_iter().enumerate() {
            let state = after(&[Action::Break(Some(broken))]);
            told(&[Action::Break(Some(broken))], &state.text());
            assert!(state.text().starts_with(&format!("break:{},show:", broken.id())), "{}", state.text());
            told(&[Action::Break(Some(broken)), Action::First, Action::Toggle(index.min(COUNT - 1))], &{
                let mut state = after(&[Action::Break(Some(broken)), Action::First]);
                state.reduce(Action::Toggle(index.min(COUNT - 1)));
                state.text()
            });
        }
    }

    #[test]
    fn a_link_to_a_recording_is_taken_before_it_is_there() {
        let fixed = || Offer::from_json("payments", CAPTURE.as_bytes());
        for text in [
            "capture:bullmq-bull,step:4,show:event-9",
            "capture:echomq-strict,break:wrong-version,show:version",
            "capture:echomq-slot-rooted",
        ] {
            let mut state = State::new(std::iter::once(fixed()).chain(RECORDED.iter().map(Offer::awaited)).collect());
            assert!(state.take(text) && state.shown.is_err(), "{text}");
            assert_eq!(state.text(), text);
            state.came(std::iter::once(fixed()).chain(recordings()).collect());
            assert_eq!((state.text().as_str(), state.shown.is_ok()), (text, true));
            for name in RECORDED.map(|recorded| recorded.name) {
                assert!(state.take(&format!("capture:{name}")) && state.shown.is_ok(), "{name}");
            }
        }
        // What the reader does meanwhile counts.
        let mut state = State::new(std::iter::once(fixed()).chain(RECORDED.iter().map(Offer::awaited)).collect());
        assert!(state.take("capture:bullmq-bull,show:event-9"));
        state.reduce(Action::Choose(0));
        state.came(std::iter::once(fixed()).chain(recordings()).collect());
        assert_eq!(state.text(), "");
    }

    #[test]
    fn what_is_not_understood_is_said_and_left_as_it_opens() {
        let opens = after(&[]).text();
        for foreign in [
            "capture:nobody",
            "break:everything",
            "step:6",
            "step:-1",
            "step:",
            "step:99999999999999999999",
            "show:nothing",
            "show:event-999",
            "another:1",
            ":",
            "step",
            "\u{202e}",
            "\0:\0",
        ] {
            let mut state = after(&[Action::Break(Some(Break::WrongVersion)), Action::Step]);
            assert!(!state.take(foreign), "{foreign}");
            assert_eq!(state.text(), opens, "{foreign}");
        }
        let mut state = after(&[]);
        assert!(!state.take("capture:nobody,step:2,show:hashtag"));
        assert_eq!(state.text(), "step:2,show:hashtag");
        // A break that would show nothing there is not made.
        let first = Offer::from_json("payments", CAPTURE.as_bytes());
        let mut recorded = State::new(std::iter::once(first).chain(recordings()).collect());
        assert!(!recorded.take("capture:bullmq-bull,break:undeclared"));
        assert!(recorded.text().starts_with("capture:bullmq-bull"), "{}", recorded.text());
        let mut none = State::new(Rc::from([]));
        assert!(none.take("step:2,show:hashtag") && !none.take("show:event-1"));
    }
}
