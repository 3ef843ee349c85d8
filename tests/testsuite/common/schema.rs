//! The schemas in `docs/schema`.

use std::fs;

use jsonschema::{Registry, Validator};
use serde_json::Value;

/// The schema of a format, `emq-report-1`; schemas may refer to that of reports.
#[track_caller]
pub(crate) fn schema(name: &str) -> Validator {
    let report = Registry::new().add("emq-report-1.json", text("emq-report-1")).expect("a schema");
    let registry = report.prepare().expect("schemas that know each other");
    let options = jsonschema::options().with_registry(&registry);
    options.build(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A schema as it stands in its file.
#[track_caller]
pub(crate) fn text(name: &str) -> Value {
    let file = format!("docs/schema/{name}.json");
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}
