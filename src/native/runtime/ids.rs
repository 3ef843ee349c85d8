//! Names that no other run makes: job ids and lock tokens are minted by the client, before any call.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Mints names that start with what this run drew at its start.
#[derive(Debug)]
pub struct Mint {
    run: String,
    next: AtomicU64,
}

impl Mint {
    /// A mint for one run.
    pub fn new() -> Self {
        // The standard library's hasher is keyed at random, once a process and once a call: as much chance as a name needs.
        let chance = RandomState::new().hash_one(std::process::id());
        Self { run: format!("{chance:016x}"), next: AtomicU64::new(1) }
    }

    /// A name of that kind, `<kind>-<run>-<number>`.
    pub fn mint(&self, kind: &str) -> String {
        format!("{kind}-{}-{}", self.run, self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// A name of that brand and eleven digits of base 62, as profile `echomq-2.x` names its jobs.
    pub fn branded(&self, brand: &str) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let run = u64::from_str_radix(&self.run, 16).unwrap_or_default();
        // Eleven digits hold every number of 64 bits.
        let mut rest = run.wrapping_add(self.next.fetch_add(1, Ordering::Relaxed));
        let mut digits = [b'0'; 11];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[usize::try_from(rest % 62).unwrap_or_default()];
            rest /= 62;
        }
        brand.to_owned() + &String::from_utf8_lossy(&digits)
    }
}

impl Default for Mint {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::ECHOMQ_2X;

    #[test]
    fn no_two_names_are_equal() {
        let (one, other) = (Mint::new(), Mint::new());
        let names = [one.mint("job"), one.mint("job"), other.mint("job"), other.mint("job")];
        let different: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(different.len(), 4, "{names:?}");
        let branded = [one.branded("JOB"), one.branded("JOB")];
        assert!(
            branded[0] != branded[1] && branded.iter().all(|id| ECHOMQ_2X.job_ids.allow(id.as_bytes())),
            "{branded:?}"
        );
    }
}
