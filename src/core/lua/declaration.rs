//! How many keys a script says that it takes: by its file's name, `<name>-<n>.lua`, and by the comment that it opens with.

use super::ir::Span;
use super::limits::comments_at_the_start;
use super::ordered::Ordered;

/// What a script says of its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The number in its file's name.
    pub(super) name: Option<u32>,
    /// The highest element of KEYS that the opening comment lists, and where; nothing where that leaves their number open.
    pub(super) header: Option<(u32, Span)>,
    /// Where the opening comment names each of them first.
    places: Ordered<u32, Span>,
}

/// More keys than this nobody lists one by one: it is another number.
const MOST_KEYS: u32 = 99;

impl Declaration {
    /// Reads it from a path and the source.
    pub(super) fn of(path: &str, source: &[u8]) -> Self {
        let mut places = Ordered::default();
        Self { name: number_in_name(path), header: header(source, &mut places), places }
    }

    /// Where the opening comment names an element of KEYS, or else the highest one; the script's start where it names none.
    pub(super) fn place(&self, index: u32) -> Span {
        let highest = self.header.map(|(_, span)| span);
        self.places.get(&index).copied().or(highest).unwrap_or_default()
    }

    /// How many keys the caller passes, where that is said.
    pub(super) fn count(&self) -> Option<u32> {
        self.name.or(self.header.map(|(count, _)| count))
    }
}

fn number_in_name(path: &str) -> Option<u32> {
    let file = path.rsplit(['/', '\\']).next()?.strip_suffix(".lua")?;
    let (_, digits) = file.rsplit_once('-')?;
    let plain = digits == "0" || (digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0'));
    digits.parse().ok().filter(|count| plain && *count <= MOST_KEYS)
}

fn header(source: &[u8], places: &mut Ordered<u32, Span>) -> Option<(u32, Span)> {
    let mut highest: Option<(u32, Span)> = None;
    for range in comments_at_the_start(source) {
        let start = range.start;
        let text = source.get(range).unwrap_or_default();
        let mut from = 0;
        while let Some(found) = find(text, b"KEYS[", from) {
            let inside = text.get(found + 5..).unwrap_or_default();
            let digits = inside.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number: Option<u32> = inside
                .get(..digits)
                .and_then(|digits| std::str::from_utf8(digits).ok())
                .and_then(|digits| digits.parse().ok());
            let after = inside.get(digits..).unwrap_or_default();
            // `KEYS[n]`, `KEYS[2..]`, `KEYS[3+]`, `KEYS[2], …`: as many as the caller likes.
            let closed = after.starts_with(b"]") && !leaves_open(after.get(1..).unwrap_or_default());
            let number = number.filter(|number| closed && (1..=MOST_KEYS).contains(number))?;
            from = found + 5 + digits + 1;
            let at = |place: usize| u32::try_from(start + place).unwrap_or(u32::MAX);
            let span = Span { start: at(found), end: at(from) };
            places.add(number, span);
            if highest.is_none_or(|(most, _)| number > most) {
                highest = Some((number, span));
            }
        }
    }
    highest
}

/// Says whether what follows an element says that more of its kind follow.
fn leaves_open(after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    let after = after.strip_prefix(b",").unwrap_or(after).trim_ascii_start();
    [&b"..."[..], b"..", "…".as_bytes(), b"+", b"etc"].iter().any(|word| after.starts_with(word))
}

fn find(text: &[u8], word: &[u8], from: usize) -> Option<usize> {
    text.get(from..)?.windows(word.len()).position(|window| window == word).map(|place| from + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_counts() {
        let name = |path| Declaration::of(path, b"").name;
        assert_eq!(name("scripts/moveToActive-11.lua"), Some(11));
        assert_eq!(name("C:\\scripts\\ping-0.lua"), Some(0));
        assert_eq!(name("add.lua"), None);
        assert_eq!(name("migrate-2024-01.lua"), None);
        assert_eq!(name("dump-2024.lua"), None);
        assert_eq!(name("add-2.txt"), None);
        assert_eq!(name("folder-2/add.lua"), None);
    }

    #[test]
    fn the_comment_at_the_start_counts() {
        let header = |source: &str| Declaration::of("", source.as_bytes()).header.map(|(count, _)| count);
        assert_eq!(header("--[[\n KEYS[1] wait\n KEYS[2] active\n]]\nreturn KEYS[3]"), Some(2));
        assert_eq!(header("-- KEYS[1]: a\n-- KEYS[2]: b\nreturn 1"), Some(2));
        assert_eq!(header("-- KEYS[1] - KEYS[4]\n"), Some(4));
        assert_eq!(header("#!lua flags=no-writes\n-- KEYS[1]\n"), Some(1));
        assert_eq!(header("return 1 -- KEYS[1]"), None);
        assert_eq!(header("-- nothing"), None);
    }

    #[test]
    fn a_number_left_open_counts_nothing() {
        let header = |source: &str| Declaration::of("", source.as_bytes()).header;
        for source in [
            "-- KEYS[1], KEYS[n]",
            "-- KEYS[2..]",
            "-- KEYS[1] .. KEYS[n]",
            "-- KEYS[1], ...",
            "-- KEYS[3+]",
            "-- KEYS[1..9]",
        ] {
            assert_eq!(header(source), None, "{source}");
        }
    }
}
