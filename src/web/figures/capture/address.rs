//! The bench's text form, for the page's address. An input of the reader's own is not in it: a text goes into a link when they ask for
//! one, a file never.

use super::EXAMPLES;
use super::state::{Action, Next, PROFILES, State};
use crate::core::policy::Policy;
use crate::web::address::{pair, pairs};

impl State {
    /// The text form.
    pub fn address(&self) -> String {
        let mut text = String::new();
        match self.example {
            Some(0) => {}
            Some(index) => pair(&mut text, "example", EXAMPLES[index].0),
            None => pair(&mut text, "text", "own"),
        }
        if let Some(profile) = self.profile() {
            pair(&mut text, "profile", profile);
        }
        if self.policy > 0 {
            pair(&mut text, "policy", self.policy());
        }
        text
    }

    /// Takes a text form, and what to do with a text that a link brought with it; says whether all of it was understood, and what is
    /// to be done. What was not is as the bench opens; of an input that is the reader's own and still there, only the choices are
    /// another.
    pub fn take(&mut self, address: &str, own: Option<Action>) -> (bool, Next) {
        let (mut example, mut understood) = (Some(0), true);
        (self.profile, self.policy) = (None, 0);
        for (name, value) in pairs(address) {
            let place = |found: Option<usize>| found.ok_or(());
            let taken = match name {
                "example" => {
                    place(EXAMPLES.iter().position(|(known, _)| *known == value)).map(|index| example = Some(index))
                }
                "text" if value == "own" && (own.is_some() || self.example.is_none()) => {
                    example = None;
                    Ok(())
                }
                "profile" => {
                    place(PROFILES.iter().position(|known| *known == value)).map(|index| self.profile = Some(index))
                }
                "policy" => {
                    place(Policy::ALL.iter().position(|known| known.id() == value)).map(|index| self.policy = index)
                }
                _ => Err(()),
            };
            understood &= taken.is_ok();
        }
        let next = match (example, own) {
            (Some(index), _) => self.reduce(Action::Example(index)),
            (None, Some(own)) => self.reduce(own),
            (None, None) => self.reduce(Action::Policy(self.policy)),
        };
        (understood, next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::LIMIT;
    use super::{Action, EXAMPLES, Next, PROFILES, State};
    use crate::core::policy::Policy;
    use crate::web::judged::Judged;

    fn opens() -> State {
        State::new(Judged::default())
    }

    #[test]
    fn every_choice_is_told_and_taken() {
        assert_eq!(opens().address(), "");
        for example in 0..EXAMPLES.len() {
            for profile in 0..=PROFILES.len() {
                for policy in 0..Policy::ALL.len() {
                    let (mut told, mut taken) = (opens(), opens());
                    told.reduce(Action::Example(example));
                    told.reduce(Action::Profile(profile));
                    told.reduce(Action::Policy(policy));
                    assert!(taken.take(&told.address(), None).0, "{}", told.address());
                    assert_eq!((taken.example, taken.profile, taken.policy), (told.example, told.profile, told.policy));
                }
            }
        }
    }

    #[test]
    fn a_text_comes_with_a_link_or_is_there_already() {
        let mut brought = opens();
        assert_eq!(brought.take("text:own,policy:rooted", Some(Action::Type("{}".into()))), (true, Next::Judge));
        assert_eq!(
            (brought.example, brought.text.as_str(), brought.address().as_str()),
            (None, "{}", "text:own,policy:rooted")
        );
        assert_eq!(brought.take("text:own", None), (true, Next::Again));
        assert_eq!((brought.text.as_str(), brought.policy), ("{}", 0));
        assert!(!opens().take("text:own", None).0, "there is none");
        brought.reduce(Action::Give("a.log".to_owned(), LIMIT + 1));
        assert_eq!(brought.take("text:own", None), (true, Next::Rest), "what was refused stays so");
        let large = Action::Give("pasted.log".to_owned(), LIMIT + 1);
        assert_eq!(brought.take("text:own", Some(large)), (true, Next::Stop));
    }

    #[test]
    fn what_is_not_understood_is_said_and_left_as_it_opens() {
        for foreign in
            ["example:nobody.log", "text:", "text:other", "profile:emq.9", "policy:lax", "another:1", ":", "\0"]
        {
            let mut state = opens();
            assert!(!state.take(foreign, None).0, "{foreign}");
            assert_eq!(state.address(), "", "{foreign}");
        }
    }
}
