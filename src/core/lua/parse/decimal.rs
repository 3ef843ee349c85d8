//! Decimal numbers as the nearest double.
//!
//! The standard library reads them by a table of powers that weighs ten thousand bytes, which no compression makes fewer: too much for
//! what a browser loads, where almost all numbers are short. Short ones take one step here, and the others are divided digit by digit.

/// Says whether it is a decimal number, as the engine takes it: digits with a point somewhere, and an exponent.
pub(super) fn is_decimal(text: &[u8]) -> bool {
    parts(text).is_some()
}

/// The double that is nearest to a decimal number.
pub(super) fn decimal(text: &[u8]) -> Option<f64> {
    let (mantissa, mut exponent) = parts(text)?;
    let (mut digits, mut is_behind, mut has_more) = (Vec::new(), false, false);
    for byte in mantissa {
        if *byte == b'.' {
            is_behind = true;
            continue;
        }
        let is_kept = digits.len() < MOST_DIGITS;
        if is_kept && (*byte != b'0' || !digits.is_empty()) {
            digits.push(byte - b'0');
        }
        has_more |= !is_kept && *byte != b'0';
        exponent += i64::from(!is_kept) - i64::from(is_behind);
    }
    if has_more {
        // All that the further digits can say: it is more than what stands before them.
        digits.push(1);
        exponent -= 1;
    }
    let magnitude = i64::try_from(digits.len()).unwrap_or(i64::MAX).saturating_add(exponent);
    Some(match (magnitude, usize::try_from(exponent.unsigned_abs())) {
        _ if digits.is_empty() => 0.0,
        (400.., _) => f64::INFINITY,
        (..=-400, _) => 0.0,
        (_, Ok(places @ ..=MOST_EXACT)) if digits.len() <= FEW_DIGITS => {
            // Both are doubles as they are, so that one step rounds once.
            let power = (0..places).fold(1.0, |power, _| power * 10.0);
            let whole = digits.iter().fold(0.0, |whole, digit| whole * 10.0 + f64::from(*digit));
            if exponent < 0 { whole / power } else { whole * power }
        }
        _ => nearest(&digits, exponent),
    })
}

/// No double depends on more digits than this, but for whether any further one is not zero.
const MOST_DIGITS: usize = 800;
/// So many digits are a double as they are, and so is ten to so high a power.
const FEW_DIGITS: usize = 15;
const MOST_EXACT: usize = 22;
/// A higher exponent says no more than this one: no text has so many digits.
const MOST_EXPONENT: i64 = 1_000_000_000;

/// What stands before the exponent, and the exponent.
fn parts(text: &[u8]) -> Option<(&[u8], i64)> {
    let end = text.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let digits = mantissa.iter().filter(|byte| byte.is_ascii_digit()).count();
    let points = mantissa.split(|byte| *byte == b'.').count() - 1;
    if digits == 0 || points > 1 || digits + points < mantissa.len() {
        return None;
    }
    let Some((_, exponent)) = exponent.split_first() else { return Some((mantissa, 0)) };
    let (is_negative, number) = match exponent {
        [b'-', number @ ..] => (true, number),
        [b'+', number @ ..] | number => (false, number),
    };
    if number.is_empty() || !number.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |sum: i64, byte: &u8| (sum * 10 + i64::from(byte - b'0')).min(MOST_EXPONENT);
    let exponent = number.iter().fold(0, digit);
    Some((mantissa, if is_negative { -exponent } else { exponent }))
}

/// How many bits a double has, and the lowest power of two that one has.
const BITS: i64 = 53;
const LOWEST: i64 = -1074;

/// The double that is nearest to digits times a power of ten.
fn nearest(digits: &[u8], exponent: i64) -> f64 {
    let (mut above, mut below) = (Whole::default(), Whole::one());
    for digit in digits {
        above.times(10, u32::from(*digit));
    }
    let scaled = if exponent < 0 { &mut below } else { &mut above };
    let places = exponent.unsigned_abs();
    (0..places / 9).for_each(|_| scaled.times(1_000_000_000, 0));
    (0..places % 9).for_each(|_| scaled.times(10, 0));
    // The quotient gets a few bits more than a double has, but none that say nothing.
    let shift = (BITS + 3 + below.bits() - above.bits()).min(2 - LOWEST);
    if shift < 0 {
        below.shift(-shift);
    } else {
        above.shift(shift);
    }
    let mut quotient = 0_u64;
    for bit in (0..BITS + 5).rev() {
        let mut part = below.clone();
        part.shift(bit);
        if above.is_at_least(&part) {
            above.less(&part);
            quotient |= 1 << bit;
        }
    }
    let length = i64::from(u64::BITS - quotient.leading_zeros());
    let dropped = (length - BITS).max(shift + LOWEST);
    let (low, half) = (quotient & ((1 << dropped) - 1), 1 << (dropped - 1));
    let kept = quotient >> dropped;
    let is_up = low > half || (low == half && (above.bits() > 0 || kept % 2 == 1));
    #[allow(clippy::cast_precision_loss, reason = "it has no more bits than a double")]
    let kept = (kept + u64::from(is_up)) as f64;
    // In two steps: the lowest powers are no doubles that all others can be multiplied by.
    let power = dropped - shift;
    kept * power_of_two(power / 2) * power_of_two(power - power / 2)
}

fn power_of_two(power: i64) -> f64 {
    f64::from_bits(u64::try_from(power + 1023).unwrap_or(0) << 52)
}

/// A whole number of any size, its lowest part first, with no zeros behind the last one.
#[derive(Clone, Default)]
struct Whole(Vec<u32>);

impl Whole {
    fn one() -> Self {
        Self(vec![1])
    }

    fn bits(&self) -> i64 {
        let below = self.0.len().saturating_sub(1) * 32;
        let last = self.0.last().map_or(0, |last| u32::BITS - last.leading_zeros());
        i64::try_from(below).unwrap_or(i64::MAX) + i64::from(last)
    }

    /// So many times as much, and more.
    fn times(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = low(carry);
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(low(carry));
        }
    }

    fn shift(&mut self, bits: i64) {
        self.times(1 << (bits % 32), 0);
        let zeros = usize::try_from(bits / 32).unwrap_or(0);
        if !self.0.is_empty() {
            self.0.splice(0..0, std::iter::repeat_n(0, zeros));
        }
    }

    fn is_at_least(&self, other: &Self) -> bool {
        let longer = self.0.len().cmp(&other.0.len());
        longer.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_ge()
    }

    /// Less by one that is no more.
    fn less(&mut self, other: &Self) {
        let mut borrow = 0;
        for (index, part) in self.0.iter_mut().enumerate() {
            let taken = u64::from(other.0.get(index).copied().unwrap_or(0)) + borrow;
            let left = u64::from(*part).wrapping_sub(taken);
            borrow = left >> 63;
            *part = low(left);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// The lower half.
fn low(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_as_the_standard_library_reads(text: &str) {
        let expected = text.parse::<f64>().ok();
        assert_eq!(decimal(text.as_bytes()).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        assert_eq!(is_decimal(text.as_bytes()), expected.is_some(), "{text}");
    }

    #[test]
    fn what_is_hard_to_round_is_rounded() {
        for text in [
            "0",
            "0.0",
            ".5",
            "5.",
            ".",
            "",
            "e5",
            "1e",
            "1e+",
            "1e-",
            "1e5.",
            "1.2.3",
            "1e5e5",
            "1x",
            "00012",
            "0e0",
            "1E5",
            "1e+5",
            "9007199254740991",
            "9007199254740992",
            "9007199254740993",
            "9007199254740993.0000000000000000000000000000001",
            "9007199254740995",
            "0.99999999999999999999",
            "4503599627370496.5",
            "4503599627370497.5",
            "1e22",
            "1e23",
            "8e22",
            "9e23",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e400",
            "1e99999999999999999999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "2.225073858507201e-308",
            "4.9406564584124654e-324",
            "5e-324",
            "2.5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.47e-324",
            "1e-400",
            "1e-99999999999999999999",
            "123456789012345678",
            "6.631236846766476e-316",
            "3.2378839133029012895883524125015321748630094904285e-308",
        ] {
            is_as_the_standard_library_reads(text);
        }
        let tie = format!("9007199254740993.{}", "0".repeat(900));
        let halves = format!("{:.1100}", f64::from_bits(1));
        for text in [&tie, &(tie.clone() + "1"), &halves, &format!("{}e-40", "7".repeat(900)), &"1".repeat(400)] {
            is_as_the_standard_library_reads(text);
        }
    }

    #[test]
    fn an_exponent_may_make_up_for_any_number_of_zeros() {
        // The standard library gives up on such exponents; the engine does not.
        let (small, large) = ("0".repeat(1_000_000), "0".repeat(1_000_001));
        assert_eq!(decimal(format!("0.{small}1e1000001").as_bytes()), Some(1.0));
        assert_eq!(decimal(format!("1{large}e-1000001").as_bytes()), Some(1.0));
    }

    #[test]
    fn any_double_is_read_and_what_lies_between_two() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..2_000 {
            let number = f64::from_bits(((next() << 11) | (next() % 2_048)) & (u64::MAX >> 1));
            if !number.is_finite() {
                continue;
            }
            is_as_the_standard_library_reads(&format!("{number:e}"));
            is_as_the_standard_library_reads(&format!(
                "{:e}",
                f64::from_bits(number.to_bits() >> (next() % 12 + 52).min(62))
            ));
            let (digits, places) = (next() >> (next() % 50), next() % 20);
            is_as_the_standard_library_reads(&format!("{digits}.{places}"));
            is_as_the_standard_library_reads(&format!(
                "{digits}{places:04}e{}",
                i64::try_from(next() % 700).unwrap_or(0) - 350
            ));
            // Half way between two doubles, and right beside that.
            let low = (1_u64 << 53) + (next() >> 1) % (1 << 53);
            for text in [
                format!("{low}"),
                format!("{low}.5"),
                format!("{}", u128::from(low) * 1024 + 512),
                format!("{low}e-17"),
            ] {
                is_as_the_standard_library_reads(&text);
            }
        }
    }
}
