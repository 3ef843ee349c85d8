//! The captures of a run's pairs, in a folder.

use std::path::Path;
use std::{fs, io};

use super::traffic;
use crate::core::capture::{Capture, json};
use crate::native::probe::ProbeError;
use crate::native::record::RecordError;

/// Makes the folder.
pub(super) fn open(folder: &Path) -> Result<(), ProbeError> {
    fs::create_dir_all(folder).map_err(not_written)
}

/// Writes a pair's capture; gives its name.
pub(super) fn write(folder: &Path, producer: &str, consumer: &str, mut capture: Capture) -> Result<String, ProbeError> {
    let name = capture_name(producer, consumer);
    traffic::shorten(&mut capture);
    // Whole or not there: whoever reads it may come at any moment.
    let part = folder.join(format!("{name}.part"));
    let written = fs::write(&part, json::render(&capture)).and_then(|()| fs::rename(&part, folder.join(&name)));
    written.map_err(|error| {
        drop(fs::remove_file(&part));
        not_written(error)
    })?;
    Ok(name)
}

/// The file of a pair's capture: no name has the sign between the two.
pub fn capture_name(producer: &str, consumer: &str) -> String {
    format!("{producer}+{consumer}.json")
}

fn not_written(error: io::Error) -> ProbeError {
    ProbeError::Live(RecordError::Write(error))
}
