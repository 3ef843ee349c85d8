//! Reports in JSON: one as `emq-report/1`, several as `emq-reports/1`.

use serde::Serialize;

use super::model::{FORMAT_MANY, Report, Reports, Verdict};

/// The JSON text, indented, with a line feed at its end.
///
/// The same report gives the same bytes in every build.
pub fn render(reports: &Reports) -> String {
    let text = match reports.0.as_slice() {
        [report] => serde_json::to_string_pretty(report),
        many => serde_json::to_string_pretty(&Many { format: FORMAT_MANY, verdict: reports.verdict(), reports: many }),
    };
    // Nothing in the model can fail to be JSON.
    text.unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Many<'r> {
    format: &'static str,
    verdict: Verdict,
    reports: &'r [Report],
}
