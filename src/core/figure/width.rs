//! How many columns text takes where every letter has one width.

use unicode_width::UnicodeWidthChar;

/// The columns of a letter: two of a wide one, none of what stands on the one before.
pub(super) fn of_char(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The columns of a text.
pub(super) fn of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(of_char).sum() }
}

/// A text cut to no more than so many columns, and the rest.
pub(super) fn split(text: &str, most: usize) -> (&str, &str) {
    let mut columns = 0;
    for (at, c) in text.char_indices() {
        columns += of_char(c);
        if columns > most {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// A text in no more than so many columns, the last of them `…` where there is more.
pub(super) fn cut(text: &str, most: usize) -> String {
    match split(text, most) {
        (whole, "") => whole.to_owned(),
        _ => format!("{}…", split(text, most.saturating_sub(1)).0),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, of, split};

    #[test]
    fn a_text_is_cut_by_its_columns() {
        assert_eq!([cut("abc", 3), cut("abcd", 3), cut("注文", 3), cut("注文", 4)], ["abc", "ab…", "注…", "注文"]);
    }

    #[test]
    fn wide_letters_take_two_columns_and_accents_none() {
        assert_eq!([of("abc"), of("注文"), of("e\u{301}"), of("…→")], [3, 4, 1, 2]);
        assert_eq!(split("注文x", 3), ("注", "文x"));
        assert_eq!(split("ae\u{301}b", 2), ("ae\u{301}", "b"));
        assert_eq!([split("ab", 2), split("", 0), split("文", 1)], [("ab", ""), ("", ""), ("", "文")]);
    }
}
