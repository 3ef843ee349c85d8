//! Patterns of key names, as profiles write them down.

/// Whether a name fits a pattern, segment by segment between colons.
///
/// `<word>` stands for one segment that is not empty, `…` at the end for all that follows, which must not be empty either;
/// everything else stands for itself.
///
/// ```
/// use echomq_conformance::core::profile::pattern::fits;
/// assert!(fits("g:<group>:pending", b"g:eu:pending"));
/// assert!(!fits("g:<group>:pending", b"g::pending"));
/// assert!(fits("metrics:…", b"metrics:completed:data"));
/// ```
pub fn fits(pattern: &str, name: &[u8]) -> bool {
    let mut segments = name.split(|&byte| byte == b':');
    for part in pattern.split(':') {
        let Some(segment) = segments.next() else { return false };
        let fits = match part {
            "…" => return !segment.is_empty() || segments.next().is_some(),
            _ if part.starts_with('<') => !segment.is_empty(),
            _ => part.as_bytes() == segment,
        };
        if !fits {
            return false;
        }
    }
    segments.next().is_none()
}

/// The first pattern of a list that a name fits.
pub fn find(patterns: &'static [&'static str], name: &[u8]) -> Option<&'static str> {
    // Most patterns differ from most names in their first byte, and every key is held to dozens of them.
    let may_fit = |pattern: &str| {
        let first = pattern.as_bytes().first();
        first == name.first() || first == Some(&b'<') || pattern.starts_with('…')
    };
    patterns.iter().find(|pattern| may_fit(pattern) && fits(pattern, name)).copied()
}

#[cfg(test)]
mod tests {
    use super::{find, fits};

    #[test]
    fn segments_are_held_one_to_one() {
        for (pattern, name, fit) in [
            ("wait", "wait", true),
            ("wait", "wait:", false),
            ("wait", "", false),
            ("g:<group>:pending", "g:eu:pending", true),
            ("g:<group>:pending", "g:eu:active", false),
            ("g:<group>:pending", "g:eu", false),
            ("g:<group>:pending", "g:a:b:pending", false),
            ("repeat:…", "repeat", false),
            ("repeat:…", "repeat:", false),
            ("repeat:…", "repeat::", true),
            ("repeat:…", "repeat:a:b", true),
        ] {
            assert_eq!(fits(pattern, name.as_bytes()), fit, "{pattern} {name}");
        }
    }

    #[test]
    fn a_list_finds_what_its_patterns_fit() {
        const PATTERNS: &[&str] = &["wait", "<word>:lock", "…"];
        for name in ["wait", "01:lock", "wait:lock", "", ":lock", "x", "wait:"] {
            let slow = PATTERNS.iter().find(|pattern| fits(pattern, name.as_bytes())).copied();
            assert_eq!(find(PATTERNS, name.as_bytes()), slow, "{name}");
        }
    }
}
