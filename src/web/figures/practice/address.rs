//! The state's text form, for the page's address.

use super::set::SET;
use super::state::State;
use crate::web::address::{pair, pairs};

impl State {
    /// The text form: the one that is open. What a reader said of any is nobody else's.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some((name, _)) = self.open.and_then(|index| SET.get(index)) {
            pair(&mut text, "show", name);
        }
        text
    }

    /// Takes a text form. Says whether all of it was understood.
    pub fn take(&mut self, text: &str) -> bool {
        let mut understood = true;
        self.open = None;
        self.trouble = None;
        for (name, value) in pairs(text) {
            let place = SET.iter().position(|(file, _)| name == "show" && *file == value);
            understood &= place.is_some();
            self.open = place.or(self.open);
        }
        understood
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::state;
    use super::super::set::SET;
    use super::super::state::Action;

    #[test]
    fn what_is_told_is_taken_and_what_is_not_understood_is_left() {
        let (mut told, mut taken) = (state(), state());
        for (index, (name, ..)) in SET.iter().enumerate() {
            told.reduce(Action::Look(index));
            assert_eq!(told.text(), format!("show:{name}"));
            assert!(taken.take(&told.text()) && taken.open == Some(index));
        }
        for text in ["show:", "show:other.lua", "step:1", ":,:"] {
            assert!(!taken.take(text) && taken.open.is_none(), "{text}");
        }
        assert!(taken.take("") && taken.text().is_empty());
    }
}
