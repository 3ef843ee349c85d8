//! When a part of a recording is full, as people write it: `100MB`, `64MiB`, or a number of events.

use crate::native::record::Rotate;

/// Reads a size in bytes, or without a unit a number of events.
pub(super) fn rotate(text: &str) -> Result<Rotate, String> {
    const LEAST: u64 = 4096;
    let advice = || format!("{text:?} is no size; write 100MB, 64MiB, or 1000000 for a number of events");
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let number: u64 = number.parse().map_err(|_| advice())?;
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" if number > 0 => return Ok(Rotate::Events(number)),
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(advice()),
    };
    let bytes = number.checked_mul(factor).filter(|bytes| *bytes >= LEAST);
    bytes.map(Rotate::Bytes).ok_or_else(|| format!("{text:?} is not between 4KiB and what a file can hold"))
}

#[cfg(test)]
mod tests {
    use super::{Rotate, rotate};

    #[test]
    fn reads_what_people_write() {
        for (text, size) in [
            ("1000", Rotate::Events(1000)),
            ("100MB", Rotate::Bytes(100_000_000)),
            ("64mib", Rotate::Bytes(64 << 20)),
            ("4KiB", Rotate::Bytes(4096)),
        ] {
            assert_eq!(rotate(text), Ok(size), "{text}");
        }
        for text in ["", "0", "MB", "-1", "4095kib0", "3KiB", "1TB", "99999999999999999999", "99999999999999999GB"] {
            assert!(rotate(text).is_err(), "{text}");
        }
    }
}
