//! The fields of a table, in order, in pieces that copies share.
//!
//! Wherever ways part, the tables that are changed on one of them are copied. A copy here shares all pieces but those that are
//! changed after it, and a join passes over those that both sides share.

use std::rc::Rc;

use super::heap::Key;
use super::value::Value;

/// How many fields a piece has at most.
const MOST: usize = 64;

type Piece = Rc<Vec<(Key, Value)>>;

/// Values by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// None of them is empty.
    pieces: Vec<Piece>,
    count: usize,
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl FromIterator<(Key, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(items: I) -> Self {
        let mut fields = Self::default();
        items.into_iter().for_each(|(key, value)| fields.insert(key, value));
        fields
    }
}

impl Fields {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// How many pieces there are.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// What a copy takes, and a change after it, in fields and pieces.
    pub(super) fn copying(&self) -> usize {
        self.pieces.len() + self.count.min(MOST)
    }

    /// The piece that a key is in, or would be in.
    fn piece(&self, key: Key) -> usize {
        let after = self.pieces.partition_point(|piece| piece.last().is_some_and(|(last, _)| *last < key));
        after.min(self.pieces.len().saturating_sub(1))
    }

    pub(super) fn get(&self, key: Key) -> Option<&Value> {
        let piece = self.pieces.get(self.piece(key))?;
        let place = piece.binary_search_by(|(own, _)| own.cmp(&key)).ok()?;
        piece.get(place).map(|(_, value)| value)
    }

    pub(super) fn insert(&mut self, key: Key, value: Value) {
        let at = self.piece(key);
        let Some(shared) = self.pieces.get_mut(at) else {
            self.pieces.push(Rc::new(vec![(key, value)]));
            self.count = 1;
            return;
        };
        let piece = Rc::make_mut(shared);
        match piece.binary_search_by(|(own, _)| own.cmp(&key)) {
            Ok(place) => {
                if let Some((_, own)) = piece.get_mut(place) {
                    *own = value;
                }
                return;
            }
            Err(place) => piece.insert(place, (key, value)),
        }
        self.count += 1;
        if piece.len() > MOST {
            // A list grows at its end: the piece before it stays full.
            let is_last = piece.last().is_some_and(|(last, _)| *last == key);
            let half = piece.split_off(if is_last { MOST } else { MOST / 2 });
            self.pieces.insert(at + 1, Rc::new(half));
        }
    }

    pub(super) fn remove(&mut self, key: Key) -> Option<Value> {
        let at = self.piece(key);
        let piece = self.pieces.get_mut(at)?;
        let place = piece.binary_search_by(|(own, _)| own.cmp(&key)).ok()?;
        let (_, value) = Rc::make_mut(piece).remove(place);
        if piece.is_empty() {
            self.pieces.remove(at);
        }
        self.count -= 1;
        Some(value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, &Value)> {
        self.pieces.iter().flat_map(|piece| piece.iter().map(|(key, value)| (*key, value)))
    }

    /// The fields from a key on.
    pub(super) fn from(&self, key: Key) -> impl Iterator<Item = (Key, &Value)> {
        let pieces = self.pieces.iter().skip(self.piece(key));
        pieces.flat_map(|piece| piece.iter().map(|(own, value)| (*own, value))).skip_while(move |(own, _)| *own < key)
    }

    /// The fields that another one does not share.
    pub(super) fn not_in<'f>(&'f self, other: &'f Self) -> impl Iterator<Item = (Key, &'f Value)> {
        let is_shared = |piece: &&Piece| {
            let first = piece.first().and_then(|(first, _)| other.pieces.get(other.piece(*first)));
            first.is_some_and(|same| Rc::ptr_eq(piece, same))
        };
        let pieces = self.pieces.iter().filter(move |piece| !is_shared(piece));
        pieces.flat_map(|piece| piece.iter().map(|(key, value)| (*key, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::Atom;
    use super::*;

    fn fields(keys: impl Iterator<Item = i64>) -> Fields {
        keys.map(|n| (Key::Int(n), Value::one(Atom::Int(n), None))).collect()
    }

    fn numbers<'f>(fields: impl Iterator<Item = (Key, &'f Value)>) -> Vec<i64> {
        fields.map(|(key, _)| if let Key::Int(n) = key { n } else { -1 }).collect()
    }

    #[test]
    fn they_are_in_order_whatever_the_order_in_which_they_came() {
        for step in [1_i64, 7, 389, -1] {
            let mut all = fields((0..1_000).map(|n: i64| (n * step).rem_euclid(1_000)));
            assert_eq!((all.len(), numbers(all.iter())), (1_000, (0..1_000).collect()));
            assert_eq!(numbers(all.from(Key::Int(990))), (990..1_000).collect::<Vec<_>>());
            assert!((0..1_000).all(|n| all.get(Key::Int(n)).is_some()) && all.get(Key::Int(1_000)).is_none());
            assert!((0..1_000).filter(|n| n % 3 > 0).all(|n| all.remove(Key::Int(n)).is_some()));
            assert_eq!(all.remove(Key::Int(1)), None);
            assert_eq!(numbers(all.iter()), (0..1_000).filter(|n| n % 3 == 0).collect::<Vec<_>>());
            assert_eq!(all, fields((0..1_000).filter(|n| n % 3 == 0)));
        }
    }

    #[test]
    fn a_copy_shares_what_is_not_changed() {
        let old = fields(0..10_000);
        let mut new = old.clone();
        new.insert(Key::Int(5_000), Value::nil());
        new.insert(Key::Int(10_000), Value::nil());
        assert_eq!(old.get(Key::Int(5_000)), Some(&Value::one(Atom::Int(5_000), None)));
        let differing = numbers(new.not_in(&old));
        assert!(differing.len() <= 2 * MOST && differing.contains(&5_000) && differing.contains(&10_000));
        assert!(numbers(old.not_in(&old)).is_empty());
    }
}
