//! The keys that every figure knows, and what they ask for.

use web_sys::Element;
use yew::prelude::*;

/// What a reader can do in every figure. Each is a button too, or a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Go one further.
    Step,
    /// Go one back.
    Back,
    /// Go to the first.
    First,
    /// Go to the last.
    Last,
    /// Show all at once.
    All,
    /// Begin again.
    Reset,
    /// Open what is selected.
    Open,
    /// Close what is open.
    Close,
}

/// What a key does while the figure has the focus.
pub fn walk(key: &str) -> Option<Walk> {
    match key {
        "ArrowRight" => Some(Walk::Step),
        "ArrowLeft" => Some(Walk::Back),
        "Home" => Some(Walk::First),
        "End" => Some(Walk::Last),
        "a" | "A" => Some(Walk::All),
        "r" | "R" => Some(Walk::Reset),
        "Enter" => Some(Walk::Open),
        "Escape" => Some(Walk::Close),
        _ => None,
    }
}

/// What a key that was pressed asks of a figure, if anything; then the browser does nothing about it.
pub fn on_key<A>(event: &KeyboardEvent, action: fn(&str) -> Option<A>) -> Option<A> {
    let asked = pressed(event).and_then(|key| action(&key));
    if asked.is_some() {
        event.prevent_default();
    }
    asked
}

/// The key that was pressed, unless it is the browser's or that of the element that has the focus.
fn pressed(event: &KeyboardEvent) -> Option<String> {
    let key = event.key();
    // With Shift, those that have a name select text or move the focus.
    if event.ctrl_key() || event.meta_key() || event.alt_key() || (event.shift_key() && key.len() > 1) {
        return None;
    }
    let target: Element = event.target_dyn_into()?;
    if taken(&target.tag_name(), &key) { None } else { Some(key) }
}

/// Whether a key is pressed together with one that makes it the browser's.
pub fn modified(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key()
}

/// Whether the element that has the focus needs this key for itself: a list its arrows, a button its Enter.
fn taken(tag: &str, key: &str) -> bool {
    match tag {
        // What is typed is text.
        "SELECT" | "TEXTAREA" | "INPUT" => key != "Escape",
        "BUTTON" | "A" | "SUMMARY" => key == "Enter",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{taken, walk};

    #[test]
    fn a_list_keeps_its_arrows_and_a_button_its_enter() {
        for (tag, key, kept) in [
            ("SELECT", "ArrowRight", true),
            ("SELECT", "Escape", false),
            ("BUTTON", "Enter", true),
            ("BUTTON", "ArrowLeft", false),
            ("TEXTAREA", "a", true),
            ("DIV", "Enter", false),
        ] {
            assert_eq!(taken(tag, key), kept, "{tag} {key}");
        }
        assert!(walk("a") == walk("A") && walk("a").is_some() && walk("b").is_none());
    }
}
