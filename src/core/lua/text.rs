//! Texts by number, so that values can be copied.

use std::hash::Hasher;

use super::ir::TextId;
use super::provenance::quick::Mixer;

/// Every text that occurs, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// All of them, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Numbers, less one, by what their texts are: each at its own place, or the next one that was free.
    places: Vec<u32>,
}

/// The fewest places; a power of two, as all their numbers.
const FEWEST: usize = 64;

impl Texts {
    /// The text's number.
    pub(super) fn id(&mut self, text: &[u8]) -> TextId {
        if self.places.len() < FEWEST.max(self.ends.len() * 2) {
            self.spread();
        }
        let place = self.place(text);
        match self.places.get(place) {
            Some(number) if *number > 0 => TextId(number - 1),
            _ => {
                self.bytes.extend_from_slice(text);
                self.ends.push(self.bytes.len());
                let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
                if let Some(free) = self.places.get_mut(place) {
                    *free = number;
                }
                TextId(number - 1)
            }
        }
    }

    /// The text of that number.
    pub(super) fn get(&self, id: TextId) -> &[u8] {
        let index = id.0 as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(index).and_then(|end| self.bytes.get(start..*end)).unwrap_or_default()
    }

    /// Where the text's number is, or would be.
    fn place(&self, text: &[u8]) -> usize {
        let mut hasher = Mixer::default();
        hasher.write(text);
        let most = self.places.len().saturating_sub(1);
        let mut place = usize::try_from(hasher.finish() & most as u64).unwrap_or(0);
        while let Some(number) = self.places.get(place).filter(|number| **number > 0) {
            if self.get(TextId(number - 1)) == text {
                break;
            }
            place = (place + 1) & most;
        }
        place
    }

    /// Makes room for twice as many.
    fn spread(&mut self) {
        let room = FEWEST.max(self.places.len() * 2);
        self.places = vec![0; room];
        for number in 0..u32::try_from(self.ends.len()).unwrap_or(u32::MAX) {
            let place = self.place(self.get(TextId(number)));
            if let Some(free) = self.places.get_mut(place) {
                *free = number + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_number() {
        let mut texts = Texts::default();
        let text = |n: usize| format!("{}{n}", "x".repeat(n % 30));
        let ids: Vec<TextId> = (0..2_000).map(|n| texts.id(text(n).as_bytes())).collect();
        for (n, id) in ids.into_iter().enumerate() {
            assert_eq!(texts.get(id), text(n).as_bytes());
            assert_eq!(texts.id(text(n).as_bytes()), id);
        }
        let empty = texts.id(b"");
        assert_eq!(texts.id(b""), empty);
        assert_eq!(texts.get(empty), b"");
        assert_eq!(texts.get(TextId(u32::MAX)), b"");
    }
}
