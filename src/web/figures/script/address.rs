//! The bench's text form, for the page's address. A text of the reader's own is not in it: it goes into a link when they ask for one.

use super::EXAMPLES;
use crate::core::policy::Policy;
use crate::web::address::{pair, pairs};

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    /// An example, or the reader's own text.
    pub(super) example: Option<usize>,
    /// One of the three readings.
    pub(super) policy: usize,
}

impl Choice {
    /// As the bench opens.
    pub(super) const OPENS: Self = Self { example: Some(0), policy: 0 };

    /// The text form.
    pub(super) fn text(self) -> String {
        let mut text = String::new();
        match self.example {
            Some(0) => {}
            Some(index) => pair(&mut text, "example", EXAMPLES[index].0),
            None => pair(&mut text, "text", "own"),
        }
        if self.policy > 0 {
            pair(&mut text, "policy", Policy::ALL[self.policy].id());
        }
        text
    }

    /// Reads a text form, and says whether all of it was understood; what was not is as the bench opens.
    pub(super) fn read(text: &str) -> (Self, bool) {
        let (mut choice, mut understood) = (Self::OPENS, true);
        for (name, value) in pairs(text) {
            let example = || EXAMPLES.iter().position(|(known, _)| *known == value);
            let policy = || Policy::ALL.iter().position(|policy| policy.id() == value);
            match (name, example(), policy()) {
                ("example", Some(index), _) => choice.example = Some(index),
                ("text", ..) if value == "own" => choice.example = None,
                ("policy", _, Some(index)) => choice.policy = index,
                _ => understood = false,
            }
        }
        (choice, understood)
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, EXAMPLES};
    use crate::core::policy::Policy;

    #[test]
    fn every_choice_is_told_and_read() {
        assert_eq!(Choice::OPENS.text(), "");
        let own = Choice { example: None, policy: 1 };
        assert_eq!(own.text(), "text:own,policy:rooted");
        for example in (0..EXAMPLES.len()).map(Some).chain([None]) {
            for policy in 0..Policy::ALL.len() {
                let choice = Choice { example, policy };
                assert_eq!(Choice::read(&choice.text()), (choice, true));
            }
        }
    }

    #[test]
    fn what_is_not_understood_is_said_and_left_as_it_opens() {
        for foreign in ["example:nobody.lua", "text:", "text:other", "policy:lax", "another:1", ":", "\0"] {
            assert_eq!(Choice::read(foreign), (Choice::OPENS, false), "{foreign}");
        }
    }
}
