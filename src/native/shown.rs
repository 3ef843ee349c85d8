//! What others name, for messages: a file's name may hold what would draw on a terminal or look like another line.

use std::borrow::Cow;
use std::path::Path;

use crate::core::bytes;

/// A path, its odd characters escaped.
pub(crate) fn path(path: &Path) -> Cow<'_, str> {
    bytes::shown(path.as_os_str().as_encoded_bytes())
}
