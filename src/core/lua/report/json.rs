//! Reports in JSON, as `emq-lint/1`.

use super::LintReport;

/// The JSON text, indented, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    // Nothing in the model can fail to be JSON.
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}
