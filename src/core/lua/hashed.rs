//! Things by what tells them apart, each with a number by the order in which they came.
//!
//! As with [`ordered`](super::ordered), the standard library's maps would be made anew for each kind of key. Here only the comparison
//! is; nobody from outside can choose the keys.

use std::hash::Hash;
use std::hash::Hasher as _;

use super::provenance::quick::Mixer;

/// Values by key.
#[derive(Clone, Debug)]
pub(super) struct Hashed<K, V> {
    places: Places,
    things: Vec<(K, V)>,
}

impl<K, V> Default for Hashed<K, V> {
    fn default() -> Self {
        Self { places: Places::default(), things: Vec::new() }
    }
}

impl<K: Hash + Eq, V> Hashed<K, V> {
    fn find(&self, hash: u32, key: &K) -> Option<usize> {
        self.places.find(hash, &|number| self.things.get(number).is_some_and(|(own, _)| own == key))
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        let number = self.find(hash_of(key), key)?;
        self.things.get(number).map(|(_, value)| value)
    }

    pub(super) fn contains(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// The number of a key; it gets one, and a value, where it has none.
    pub(super) fn number(&mut self, key: K, value: impl FnOnce() -> V) -> usize {
        let hash = hash_of(&key);
        self.find(hash, &key).unwrap_or_else(|| {
            let next = self.things.len();
            self.places.add(hash, next);
            self.things.push((key, value()));
            next
        })
    }

    /// Puts a value there where none is; says whether that is so.
    pub(super) fn add(&mut self, key: K, value: V) -> bool {
        let before = self.things.len();
        self.number(key, || value) == before
    }
}

impl<K, V> Hashed<K, V> {
    /// The key of that number.
    pub(super) fn at(&self, number: usize) -> Option<&K> {
        self.things.get(number).map(|(key, _)| key)
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }
}

fn hash_of<K: Hash>(key: &K) -> u32 {
    let mut hasher = Mixer::default();
    key.hash(&mut hasher);
    u32::try_from(hasher.finish() & u64::from(u32::MAX)).unwrap_or(0)
}

/// Where numbers are, by the hashes of what they stand for: each at its own place, or the next one that was free.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Hashes, and numbers more by one; a power of two of them, at least half of them free.
    slots: Vec<(u32, u32)>,
    taken: usize,
}

/// The fewest places.
const FEWEST: usize = 16;

impl Places {
    fn find(&self, hash: u32, is_it: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mut place = hash as usize;
        loop {
            let (own, number) = *self.slots.get(place & self.slots.len().checked_sub(1)?)?;
            let number = number.checked_sub(1)? as usize;
            if own == hash && is_it(number) {
                return Some(number);
            }
            place += 1;
        }
    }

    fn add(&mut self, hash: u32, number: usize) {
        self.taken += 1;
        if self.taken * 2 > self.slots.len() {
            let room = FEWEST.max(self.slots.len() * 2);
            let before = std::mem::replace(&mut self.slots, vec![(0, 0); room]);
            before.into_iter().filter(|(_, number)| *number > 0).for_each(|slot| self.put(slot));
        }
        self.put((hash, u32::try_from(number + 1).unwrap_or(u32::MAX)));
    }

    fn put(&mut self, slot: (u32, u32)) {
        let most = self.slots.len() - 1;
        let mut place = slot.0 as usize & most;
        while let Some(own) = self.slots.get_mut(place) {
            if own.1 == 0 {
                *own = slot;
                return;
            }
            place = (place + 1) & most;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_one_number() {
        let mut all = Hashed::default();
        for n in 0..2_000_usize {
            let key = (n * 7_919 % 2_003, n % 3 == 0);
            assert_eq!((all.get(&key), all.contains(&key)), (None, false));
            assert_eq!(all.number(key, || n), n);
            assert_eq!((all.number(key, || 0), all.get(&key), all.at(n)), (n, Some(&n), Some(&key)));
            assert!(!all.add(key, 0) && all.len() == n + 1);
        }
        assert!(all.at(2_000).is_none() && all.get(&(5_000, false)).is_none());
    }

    #[test]
    fn keys_of_one_hash_are_told_apart() {
        let mut places = Places::default();
        for number in 0..100 {
            assert_eq!(places.find(7, &|own| own == number), None);
            places.add(7, number);
        }
        assert!((0..100).all(|number| places.find(7, &|own| own == number) == Some(number)));
    }
}
