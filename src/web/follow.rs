//! Keeps one element of a scrolling pane in sight, and brings onto the screen what the reader asked for.

use web_sys::{Element, window};

/// Scrolls `pane` so that the element in it whose `data-place` is `place` can be seen.
///
/// Only the pane moves: `scrollIntoView` would move the page under the reader too.
pub fn follow(pane: &Element, place: &str) {
    let Ok(Some(target)) = pane.query_selector(&format!("[data-place='{place}']")) else { return };
    let (outer, inner) = (pane.get_bounding_client_rect(), target.get_bounding_client_rect());
    // Some room above, so that what stands before it is seen as well.
    let margin = (outer.height() / 5.0).min(72.0);
    let above = inner.top() - outer.top() - margin;
    let below = inner.bottom() - outer.bottom() + margin;
    let by = if above < 0.0 {
        above
    } else if below > 0.0 {
        below.min(above)
    } else {
        return;
    };
    #[expect(clippy::cast_possible_truncation, reason = "pixels on a screen")]
    pane.set_scroll_top(pane.scroll_top() + by as i32);
}

/// Whether the focus is on something in an element. Not by the document's active element, which of what is in a shadow tree is the
/// host alone.
pub fn holds_focus(element: &Element) -> bool {
    matches!(element.query_selector(":focus"), Ok(Some(_)))
}

/// Whether the start of an element is on the screen, with room to read on.
pub fn is_on_screen(element: &Element) -> bool {
    let (top, height) = position(element);
    (0.0..height * 0.75).contains(&top)
}

/// Moves the page so that the start of an element is on the screen, if it is not; where there is room for both, `pressed` stays on it.
pub fn bring(element: &Element, pressed: Option<&Element>) {
    /// The buttons keep to the top of the screen.
    const BUTTONS: f64 = 96.0;
    let (top, height) = position(element);
    if let (Some(window), false) = (window(), is_on_screen(element)) {
        let by = top - height / 3.0;
        let room = pressed.map_or(f64::MAX, |pressed| (position(pressed).0 - BUTTONS).max(0.0));
        window.scroll_by_with_x_and_y(0.0, if top - room < height * 0.75 { by.min(room) } else { by });
    }
}

/// Where an element starts below the top of the screen, and how high that is.
fn position(element: &Element) -> (f64, f64) {
    let height = window().and_then(|window| window.inner_height().ok()?.as_f64());
    (element.get_bounding_client_rect().top(), height.unwrap_or_default())
}
