//! Keeps one element of a scrolling pane in sight, without moving the page.

use web_sys::Element;

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
