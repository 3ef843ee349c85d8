//! The published schema of SARIF.

use std::fs;

use jsonschema::Validator;
use serde_json::Value;

/// The schema, by which a document can be judged.
pub(crate) fn schema() -> Validator {
    let text = fs::read_to_string("fixtures/schema/sarif-2.1.0.json").expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    // The published pattern of a language, which nothing here writes, is no regular expression.
    for owner in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][owner]["properties"]["language"];
        language.as_object_mut().expect("a property").remove("pattern").expect("the pattern");
    }
    jsonschema::validator_for(&schema).expect("a schema")
}
