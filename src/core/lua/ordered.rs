//! Things in order, by what tells them apart.
//!
//! The standard library's maps of this kind are made anew for each kind of key, some thousand bytes of code each time; of these there
//! are many here, and all of them go to a browser. In pieces, so that what comes in the wrong order moves a few others, and not all.

/// How many things the first piece has room for.
const FEWEST: usize = 8;

/// How many things a piece has at most.
const MOST: usize = 64;

/// Values by key.
#[derive(Clone, Debug)]
pub(super) struct Ordered<K, V> {
    /// None of them is empty.
    pieces: Vec<Vec<(K, V)>>,
}

/// Keys alone.
pub(super) type OrderedSet<K> = Ordered<K, ()>;

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Ordered<K, V> {
    /// How they are divided depends on the order in which they came.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for Ordered<K, V> {}

impl<K: Ord> FromIterator<K> for OrderedSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut all = Self::default();
        for key in keys {
            all.add(key, ());
        }
        all
    }
}

/// Where a key is, or would be.
struct Place {
    piece: usize,
    within: usize,
    is_there: bool,
}

impl<K: Ord, V> Ordered<K, V> {
    fn place(&self, key: &K) -> Place {
        let after = self.pieces.partition_point(|piece| piece.last().is_some_and(|(last, _)| last < key));
        let piece = after.min(self.pieces.len().saturating_sub(1));
        let things = self.pieces.get(piece).map(Vec::as_slice).unwrap_or_default();
        match things.binary_search_by(|(own, _)| own.cmp(key)) {
            Ok(within) => Place { piece, within, is_there: true },
            Err(within) => Place { piece, within, is_there: false },
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let Place { piece, within, is_there } = self.place(key);
        let (_, value) = self.pieces.get(piece)?.get(within)?;
        is_there.then_some(value)
    }

    /// Those from a key on.
    pub(super) fn from(&self, key: &K) -> impl Iterator<Item = (&K, &V)> {
        let pieces = self.pieces.iter().skip(self.place(key).piece).flatten();
        pieces.skip_while(move |(own, _)| own < key).map(|(key, value)| (key, value))
    }

    pub(super) fn contains(&self, key: &K) -> bool {
        self.place(key).is_there
    }

    /// Puts a value there where none is; says whether that is so.
    pub(super) fn add(&mut self, key: K, value: V) -> bool {
        let at = self.place(&key);
        if !at.is_there {
            self.put(&at, key, value);
        }
        !at.is_there
    }

    /// The value that is there, once one was put there where none was.
    pub(super) fn entry(&mut self, key: K, value: impl FnOnce() -> V) -> Option<&mut V> {
        let mut at = self.place(&key);
        if !at.is_there {
            (at.piece, at.within) = self.put(&at, key, value());
        }
        let (_, value) = self.pieces.get_mut(at.piece)?.get_mut(at.within)?;
        Some(value)
    }

    /// Puts a value where none is; gives where it then stands.
    fn put(&mut self, at: &Place, key: K, value: V) -> (usize, usize) {
        if self.pieces.is_empty() {
            self.pieces.push(Vec::with_capacity(FEWEST));
        }
        let Some(piece) = self.pieces.get_mut(at.piece) else { return (0, 0) };
        piece.insert(at.within, (key, value));
        if piece.len() <= MOST {
            return (at.piece, at.within);
        }
        // What comes in order comes at the end: the piece before it stays full.
        let from = if at.within == MOST { MOST } else { MOST / 2 };
        let half = piece.split_off(from);
        self.pieces.insert(at.piece + 1, half);
        if at.within < from { (at.piece, at.within) } else { (at.piece + 1, at.within - from) }
    }
}

impl<K, V> Ordered<K, V> {
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.pieces.iter().flatten().map(|(key, value)| (key, value))
    }

    pub(super) fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.pieces.iter().flatten().map(|(key, _)| key)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.pieces.iter().flatten().map(|(_, value)| value)
    }

    pub(super) fn into_items(self) -> impl Iterator<Item = (K, V)> {
        self.pieces.into_iter().flatten()
    }

    /// Keeps those whose keys are wanted.
    pub(super) fn keep(&mut self, wanted: impl Fn(&K) -> bool) {
        for piece in &mut self.pieces {
            piece.retain(|(key, _)| wanted(key));
        }
        self.pieces.retain(|piece| !piece.is_empty());
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order_whatever_the_order_in_which_they_came() {
        for step in [1_i64, 7, 389, -1] {
            let mut all = Ordered::default();
            for n in 0..1_000_i64 {
                let key = (n * step).rem_euclid(1_000);
                assert_eq!(all.entry(key, || n), Some(&mut { n }));
                assert!(!all.add(key, -1) && all.contains(&key) && !all.contains(&-1));
            }
            assert_eq!((all.len(), all.keys().copied().collect::<Vec<_>>()), (1_000, (0..1_000).collect()));
            for n in 0..1_000_i64 {
                assert_eq!(all.get(&(n * step).rem_euclid(1_000)), Some(&n));
            }
            assert_eq!(all.get(&1_000), None);
            assert_eq!(all.clone().into_items().count(), all.iter().count());
            assert_eq!(all.from(&989).map(|(key, _)| *key).collect::<Vec<_>>(), (989..1_000).collect::<Vec<_>>());
            let mut other = Ordered::default();
            (0..1_000).rev().for_each(|key| _ = other.add(key, all.get(&key).copied().unwrap_or(-1)));
            assert_eq!((all.values().sum::<i64>(), &all), (499_500, &other));
            all.keep(|key| key % 200 == 7);
            assert_eq!(all.keys().copied().collect::<Vec<_>>(), [7, 207, 407, 607, 807]);
            assert!(all.add(8, 8) && all.get(&8) == Some(&8));
        }
    }
}
