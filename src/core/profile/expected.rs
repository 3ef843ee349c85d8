//! The version that is expected: one, or a range that ends in `.x`.

/// Whether a version that was found is one that is expected.
///
/// A range takes every number in the place of its `x`, and further numbers after it; everything else must be equal, byte
/// for byte.
///
/// ```
/// use echomq_conformance::core::profile::expected::accepts;
/// assert!(accepts("echomq:2.x", b"echomq:2.4.2"));
/// assert!(!accepts("echomq:2.x", b"echomq:20.1"));
/// assert!(!accepts("echomq:2.0.0", b"echomq:2.0.1"));
/// ```
pub fn accepts(expected: &str, found: &[u8]) -> bool {
    let Some(start) = expected.strip_suffix('x').filter(|start| start.ends_with('.')) else {
        return expected.as_bytes() == found;
    };
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    found.strip_prefix(start.as_bytes()).is_some_and(|rest| rest.split(|&byte| byte == b'.').all(is_number))
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn a_range_takes_numbers_only() {
        for (found, accepted) in [
            ("echomq:2.0", true),
            ("echomq:2.10.3", true),
            ("echomq:2.", false),
            ("echomq:2", false),
            ("echomq:2.x", false),
            ("echomq:2.4.", false),
            ("echomq:2.4-rc1", false),
            ("echomq:3.0", false),
            ("bullmq:2.4", false),
            ("", false),
        ] {
            assert_eq!(accepts("echomq:2.x", found.as_bytes()), accepted, "{found}");
        }
        assert!(accepts("echomq:2.4.x", b"echomq:2.4.2") && !accepts("echomq:2.4.x", b"echomq:2.5.2"));
        assert!(accepts("x", b"x") && !accepts("x", b"1"), "an x without a dot before it is an x");
    }
}
