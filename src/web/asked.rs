//! What JavaScript asks for, as JSON: read once, for each of the modules that it calls.

use serde::de::DeserializeOwned;

use crate::core::bytes::shown;
use crate::core::policy::Policy;

/// Reads options; none are their defaults.
///
/// # Errors
/// What is wrong with them.
pub fn read<T: DeserializeOwned + Default>(text: &str) -> Result<T, String> {
    match text.trim_ascii() {
        "" => Ok(T::default()),
        // As bytes: the reader of captures takes bytes, and one of its two kinds is enough.
        text => serde_json::from_slice(text.as_bytes()).map_err(|error| format!("options: {error}")),
    }
}

/// A policy by the word that a user types; without one, the default.
///
/// # Errors
/// There is none of that name.
pub fn policy(id: Option<&str>) -> Result<Policy, String> {
    match id {
        None => Ok(Policy::default()),
        Some(id) => Policy::ALL
            .into_iter()
            .find(|policy| policy.id() == id)
            .ok_or_else(|| format!("options: there is no policy \"{}\"", shown(id.as_bytes()))),
    }
}
