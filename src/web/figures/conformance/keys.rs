//! The figure's keys.

use super::state::Action;

/// What a key does while the figure has the focus. Each is a button too.
pub(super) fn action(key: &str) -> Option<Action> {
    match key {
        "ArrowRight" => Some(Action::Step),
        "ArrowLeft" => Some(Action::Back),
        "Home" => Some(Action::First),
        "End" => Some(Action::Last),
        "a" | "A" => Some(Action::All),
        "r" | "R" => Some(Action::Reset),
        "Enter" => Some(Action::Open),
        "Escape" => Some(Action::Close),
        _ => None,
    }
}

/// Whether the element that has the focus needs this key for itself: a list its arrows, a button its Enter.
pub(super) fn taken(tag: &str, key: &str) -> bool {
    match tag {
        "SELECT" => key != "Escape",
        "BUTTON" | "A" | "SUMMARY" => key == "Enter",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{action, taken};

    #[test]
    fn a_list_keeps_its_arrows_and_a_button_its_enter() {
        for (tag, key, kept) in [
            ("SELECT", "ArrowRight", true),
            ("SELECT", "Escape", false),
            ("BUTTON", "Enter", true),
            ("BUTTON", "ArrowLeft", false),
            ("DIV", "Enter", false),
        ] {
            assert_eq!(taken(tag, key), kept, "{tag} {key}");
        }
        assert!(action("a") == action("A") && action("a").is_some() && action("b").is_none());
    }
}
