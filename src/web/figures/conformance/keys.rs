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
