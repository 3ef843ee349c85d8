//! Numbers as JSON writes them, compared by the decimal that they denote and never through a float.

/// Whether two numbers are the same decimal: `1.0`, `1` and `10e-1` are, 2^53 and 2^53 + 1 are not.
///
/// ```
/// use echomq_conformance::core::fleet::number::same;
/// assert!(same("1.50", "15e-1") && !same("9007199254740993", "9007199254740992"));
/// ```
pub fn same(one: &str, other: &str) -> bool {
    one == other || decimal(one).is_some_and(|one| decimal(other) == Some(one))
}

/// The whole number that a number is, where it is one that a counter holds: `7`, `7.0` and `70e-1` are.
///
/// ```
/// use echomq_conformance::core::fleet::number::whole;
/// assert_eq!((whole("7.0"), whole("70e-1"), whole("7.5")), (Some(7), Some(7), None));
/// ```
pub fn whole(text: &str) -> Option<u64> {
    let (is_negative, digits, power) = decimal(text)?;
    if digits.is_empty() {
        return Some(0);
    }
    let zeros = u32::try_from(power).ok().filter(|_| !is_negative)?;
    digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(zeros)?)
}

/// Sign, digits without zeros at either end, and the power of ten they are multiplied with. An exponent that no counter
/// holds is nothing: such a number is the same only as it is written.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (is_negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.to_owned() + fraction;
    let short = digits.trim_end_matches('0');
    if short.is_empty() {
        return Some((false, String::new(), 0));
    }
    let dropped = i64::try_from(digits.len() - short.len()).ok()?;
    let power = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
    Some((is_negative, short.trim_start_matches('0').to_owned(), power))
}

#[cfg(test)]
mod tests {
    use super::{same, whole};

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        for (text, number) in [
            ("0", Some(0)),
            ("-0.0", Some(0)),
            ("1.0", Some(1)),
            ("1e0", Some(1)),
            ("1.20e2", Some(120)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("1e20", None),
            ("1e99999", None),
            ("-1", None),
            ("0.5", None),
            ("true", None),
        ] {
            assert_eq!(whole(text), number, "{text}");
        }
    }

    #[test]
    fn writing_does_not_matter_and_value_does() {
        for (one, other) in
            [("0", "-0.0e9"), ("100", "1e2"), ("1.5e-7", "0.00000015"), ("-2.50", "-25E-1"), ("1e+3", "1000.0")]
        {
            assert!(same(one, other) && same(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("1", "-1"),
            ("0.1", "0.10000000000000001"),
            ("18446744073709551615", "18446744073709551616"),
            ("1e99999999999999999999", "1e99999999999999999998"),
            ("1e9223372036854775807", "10e9223372036854775807"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
        assert!(same("1e99999999999999999999", "1e99999999999999999999"));
    }
}
