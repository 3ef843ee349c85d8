//! Lengths of time as people write them: `30s`, `500ms`, `2m`.

use std::time::Duration;

/// Reads a length of time; a bare number is seconds.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let number: u64 = number.parse().map_err(|_| advice(text))?;
    let milliseconds = match unit {
        "ms" => Some(number),
        "s" | "" => number.checked_mul(1000),
        "m" => number.checked_mul(60_000),
        _ => return Err(advice(text)),
    };
    // A day is more than any command here can use, and every clock can count it.
    let fits = milliseconds.filter(|milliseconds| (1..=86_400_000).contains(milliseconds));
    fits.map(Duration::from_millis).ok_or_else(|| format!("{text:?} is not between 1ms and a day"))
}

fn advice(text: &str) -> String {
    format!("{text:?} is no length of time; write 30s, 500ms or 2m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, milliseconds) in [("30s", 30_000), ("500ms", 500), ("2m", 120_000), ("7", 7_000)] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "0s", "-1s", "1h", "99999999999999999999s", "18446744073709551615m", "2 m"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
