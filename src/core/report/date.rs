//! Days: the moment an event carries, as a person writes it. Civil calendar, UTC.

/// The day of a moment in microseconds since 1970, `2026-11-29`.
///
/// Days since 1970 become a date through eras of 400 years, each of 146,097 days, counted from 1 March so that the leap
/// day is a year's last.
///
/// ```
/// use echomq_conformance::core::report::date::day;
/// assert_eq!(day(951_782_400_000_000), "2000-02-29");
/// ```
pub fn day(micros: u64) -> String {
    const DAY: u64 = 86_400_000_000;
    const DAYS_TO_1970: u64 = 719_468;
    let days = micros / DAY + DAYS_TO_1970;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn known_days() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (68_169_600, "1972-02-29"),
            (1_796_083_199, "2026-11-30"),
            (1_796_083_200, "2026-12-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(seconds * 1_000_000), text);
        }
        // No moment is out of reach.
        assert!(day(u64::MAX).starts_with("586"));
    }
}
