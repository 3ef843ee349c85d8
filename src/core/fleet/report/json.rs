//! `emq-fleet/1` in JSON.

use crate::core::fleet::model::Fleet;

/// The JSON text, indented, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    // Nothing in the model can fail to be JSON.
    serde_json::to_string_pretty(fleet).unwrap_or_default() + "\n"
}
