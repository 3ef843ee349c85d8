//! The name that somebody meant.

/// The name that `wrong` begins, or the nearest if it is near enough to be a slip of the hand.
pub(super) fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    if let Some(whole) = names.clone().find(|name| !wrong.is_empty() && name.starts_with(wrong)) {
        return Some(whole);
    }
    let best = names.map(|name| (distance(wrong, name), name)).min()?;
    (best.0 <= wrong.chars().count().max(3) / 2).then_some(best.1)
}

/// How many single letters differ, are missing or are too many (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut above_left = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let above = row[j + 1];
            let changed = above_left + usize::from(a != *b);
            row[j + 1] = changed.min(above + 1).min(row[j] + 1);
            above_left = above;
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_forgiven_and_a_guess_is_not() {
        let names = ["keyspace", "hashtag", "legacy", "declared", "version"];
        let nearest = |wrong| nearest(wrong, names.into_iter());
        assert_eq!(nearest("verison"), Some("version"));
        assert_eq!(nearest("hash-tag"), Some("hashtag"));
        assert_eq!(nearest("declare"), Some("declared"));
        assert_eq!(nearest("decl"), Some("declared"));
        assert_eq!(nearest("bananas"), None);
        assert_eq!(nearest(""), None);
    }
}
