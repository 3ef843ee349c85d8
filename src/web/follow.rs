//! Keeps one element of a scrolling pane in sight.

use web_sys::{Element, window};

/// Scrolls `pane` so that the element in it whose `data-place` is `place` can be seen.
///
/// Only the pane moves, for a page that moves under the reader is lost to them; unless they asked to be taken there
/// (`go`) and the element is nowhere on the screen, as where panes stand one below the other.
pub fn follow(pane: &Element, place: &str, go: bool) {
    let Ok(Some(target)) = pane.query_selector(&format!("[data-place='{place}']")) else { return };
    scroll(pane, &target);
    let (Some(window), true) = (window(), go) else { return };
    let top = target.get_bounding_client_rect().top();
    let height = window.inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    if top < 0.0 || top > height {
        window.scroll_by_with_x_and_y(0.0, top - height / 3.0);
    }
}

fn scroll(pane: &Element, target: &Element) {
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
