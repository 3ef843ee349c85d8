//! The matrix of a fleet as a picture that stands alone: every verdict by its word and its shape, colour besides.

use std::fmt::Write as _;

use super::words;
use crate::core::bytes::short;
use crate::core::fleet::model::Fleet;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::junit::escaped;

/// The widths of the column of names and of the others, the height of a row, in pixels.
const NAMES: usize = 230;
const COLUMN: usize = 132;
const ROW: usize = 44;
/// What is above the first row.
const HEAD: usize = 96;

/// The picture, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    let n = fleet.runtimes.len();
    let (width, height) = (NAMES + n * COLUMN + 16, HEAD + n * ROW + 40);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"fleet-title fleet-desc\">\n"
    );
    let about = words::about(fleet);
    let _ =
        writeln!(out, "<title id=\"fleet-title\">Fleet interop, {}: {}</title>", escaped(&about), fleet.verdict.word());
    let _ = writeln!(out, "<desc id=\"fleet-desc\">{}</desc>", escaped(&described(fleet)));
    out.push_str(STYLE);
    let _ = writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>");
    let _ = writeln!(out, "<text class=\"head\" x=\"16\" y=\"28\">Who hands a job to whom</text>");
    let _ = writeln!(out, "<text class=\"small\" x=\"16\" y=\"48\">{}</text>", escaped(&about));
    let _ = writeln!(out, "<text class=\"small\" x=\"16\" y=\"{}\">producer ↓ consumer →</text>", HEAD - 12);
    for (at, member) in fleet.runtimes.iter().enumerate() {
        let (x, y) = (NAMES + at * COLUMN + 8, HEAD + at * ROW + 27);
        let _ = writeln!(
            out,
            "<text class=\"name\" x=\"{x}\" y=\"{}\">{}</text>",
            HEAD - 12,
            escaped(&short(&member.name, 17))
        );
        let _ = writeln!(out, "<text class=\"name\" x=\"16\" y=\"{y}\">{}</text>", escaped(&short(&member.name, 30)));
    }
    for (row, from) in fleet.runtimes.iter().enumerate() {
        for (column, to) in fleet.runtimes.iter().enumerate() {
            cell(&mut out, words::verdict(fleet, from, to), NAMES + column * COLUMN, HEAD + row * ROW);
        }
    }
    let _ = writeln!(
        out,
        "<text class=\"small\" x=\"16\" y=\"{}\">A claim is not evidence: only a run here is.</text>",
        height - 14
    );
    out + "</svg>\n"
}

/// The whole matrix in sentences, for whoever does not see it.
fn described(fleet: &Fleet) -> String {
    let ran = fleet.cells.iter().filter(|cell| cell.verdict != FleetVerdict::NotRun);
    let ran = ran.map(|cell| format!("{} to {}: {}.", cell.producer, cell.consumer, cell.verdict.word()));
    let claims = fleet.runtimes.iter().map(|member| format!("{}: {}.", member.title(), member.status.words()));
    ran.chain(claims).collect::<Vec<_>>().join(" ")
}

fn cell(out: &mut String, verdict: FleetVerdict, x: usize, y: usize) {
    let (word, mark) = (verdict.word(), shape(verdict));
    let _ = writeln!(
        out,
        "<g class=\"{word}\" transform=\"translate({x} {y})\"><rect class=\"box\" x=\"4\" y=\"4\" width=\"{}\" height=\"{}\" rx=\"4\"/>{mark}<text x=\"32\" y=\"27\">{word}</text></g>",
        COLUMN - 8,
        ROW - 8
    );
}

/// A shape of its own for each verdict.
fn shape(verdict: FleetVerdict) -> &'static str {
    match verdict {
        FleetVerdict::Pass => "<path class=\"mark\" d=\"M13 22l4 5 8-10\"/>",
        FleetVerdict::Fail => "<path class=\"mark\" d=\"M13 17l10 10m0-10l-10 10\"/>",
        FleetVerdict::NotSupported => "<path class=\"mark\" d=\"M12 22h12\"/>",
        FleetVerdict::Indeterminate => "<path class=\"mark\" d=\"M14 18a4 4 0 1 1 4 5v2m0 3v1\"/>",
        FleetVerdict::NotRun => "<circle class=\"mark\" cx=\"18\" cy=\"22\" r=\"5\"/>",
    }
}

const STYLE: &str = "<style>
text { font: 13px system-ui, sans-serif; fill: #1a1a1a } .head { font-size: 18px; font-weight: 600 } .small { font-size: 12px }
.name { font-weight: 600 } .paper { fill: #fff } .box { fill: #f4f4f4; stroke: #767676 } .mark { fill: none; stroke: #1a1a1a; stroke-width: 2.4 }
.pass .box { fill: #e3f4e6; stroke: #1b6e2f } .fail .box { fill: #fbe4e4; stroke: #a11212; stroke-width: 2 }
.indeterminate .box { fill: #fdf1d3; stroke: #7a5500; stroke-dasharray: 5 3 } .not-supported .box { stroke-dasharray: 2 3 } .not-run .box { fill: none; stroke: #b0b0b0 }
@media (prefers-color-scheme: dark) {
text { fill: #ececec } .paper { fill: #161616 } .box { fill: #262626 } .mark { stroke: #ececec } .pass .box { fill: #123b1c } .fail .box { fill: #4a1414 } .indeterminate .box { fill: #40310b }
}
</style>
";
