//! What is drawn besides letters: verdicts, the axis of slots, the way of a key.

use std::fmt::Write as _;

use super::{EDGE, ROW, tenths};
use crate::core::figure::lay::Row;
use crate::core::figure::model::Tone;
use crate::core::figure::strip::Strip;
use crate::core::figure::svg::COLUMN;
use crate::core::figure::width;
use crate::core::keyspace::SLOTS;

/// A shape of its own for each verdict, before a line of letters.
pub(super) fn tone(out: &mut String, tone: Tone, column: usize, line: usize) {
    let at = format!("translate({} {})", tenths(column * COLUMN + EDGE * 10 + 80), line.saturating_sub(4));
    let drawn = match tone {
        Tone::Pass => "<circle class=\"pass-ground\" r=\"8\"/><path class=\"on\" d=\"M-3.6 .4l2.4 2.8 4.6-6\"/>",
        Tone::Fail => {
            "<rect class=\"fail-ground\" x=\"-7.5\" y=\"-7.5\" width=\"15\" height=\"15\"/><path class=\"on\" d=\"M-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4\"/>"
        }
        Tone::Doubt => {
            "<path class=\"doubt-ground\" d=\"M0-9.4L9.4 0 0 9.4-9.4 0z\"/><path class=\"on\" d=\"M-2.3-2.3a2.3 2.3 0 1 1 3.2 2.2q-.9.4-.9 1.3m0 2v.9\"/>"
        }
        Tone::Lacking => {
            "<rect class=\"open\" x=\"-6.5\" y=\"-6.5\" width=\"13\" height=\"13\"/><path class=\"bar\" d=\"M-3.5 0h7\"/>"
        }
        Tone::Open => "<circle class=\"open\" r=\"7\"/>",
    };
    // Writing to a string does not fail.
    let _ = writeln!(out, "<g transform=\"{at}\">{drawn}</g>");
}

/// The axis of slots with a mark for each that keys fall into; the queue's own is a disc with a ring.
pub(super) fn axis(out: &mut String, strip: &Strip, row: &Row, y: usize) {
    let (start, wide) = (row.from * COLUMN + EDGE * 10, row.width * COLUMN);
    let middle = y + ROW / 2;
    let _ = writeln!(out, "<path class=\"axis\" d=\"M{} {middle}H{}\"/>", tenths(start), tenths(start + wide));
    for quarter in 0..5 {
        let at = tenths(start + wide * quarter / 4);
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{at} {}v6\"/>", middle - 3);
    }
    let place = |slot: u16| tenths(start + wide * usize::from(slot) / usize::from(SLOTS - 1));
    for slot in &strip.others {
        let _ = writeln!(out, "<path class=\"other\" d=\"M{} {}l5 5-5 5-5-5z\"/>", place(*slot), middle - 5);
    }
    if let Some(slot) = strip.own {
        let at = place(slot);
        let _ = writeln!(
            out,
            "<circle class=\"ring\" cx=\"{at}\" cy=\"{middle}\" r=\"8\"/><circle class=\"own\" cx=\"{at}\" cy=\"{middle}\" r=\"4.5\"/>"
        );
    }
}

/// The way of a key beside the code, and the numbers of its steps on it.
pub(super) fn rail(out: &mut String, numbers: &str, (above, below): (bool, bool), from: usize, y: usize) {
    let at = from * COLUMN + EDGE * 10 + 140;
    let middle = y + ROW / 2;
    if above || below {
        let (top, bottom) = (if above { y } else { middle }, if below { y + ROW } else { middle });
        let _ = writeln!(out, "<path class=\"rail\" d=\"M{} {top}V{bottom}\"/>", tenths(at));
    }
    if numbers.is_empty() {
        return;
    }
    let long = width::of(numbers) * 66;
    let wide = (long + 90).max(170);
    let (left, start) = (tenths(at - wide.min(at * 2) / 2), tenths(at - long.min(at * 2) / 2));
    let _ = writeln!(
        out,
        "<rect class=\"stop\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"17\" rx=\"8.5\"/><text class=\"step\" x=\"{start}\" y=\"{}\" textLength=\"{}\">{numbers}</text>",
        middle - 8,
        tenths(wide),
        middle + 4,
        tenths(long)
    );
}
