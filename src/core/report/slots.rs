//! Where the keys of a report's traffic lie among a cluster's slots: what a picture of them needs, within bounds.

use serde::{Deserialize, Serialize};

use super::Report;
use crate::core::bytes::{short, shown};
use crate::core::facts::{Connection, Facts, KeyId};
use crate::core::judge::{Options, judged_connections};
use crate::core::keyspace::{SLOTS, hash_tag, slot};

/// The slots of some keys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Slots {
    /// The slot of the queue's tag.
    pub home: Option<u16>,
    /// How many keys there are.
    pub keys: u64,
    /// How many slots they fall into.
    pub slots: u64,
    /// The slots, in order; of more than [`Slots::MOST`] one for each stretch that a picture could not tell apart.
    pub used: Vec<SlotUse>,
}

/// A slot that keys fall into, or a stretch of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotUse {
    /// The slot.
    pub slot: u16,
    /// The hash tag of its first key, in braces, or that key where it has no tag; as it may be shown.
    pub tag: String,
    /// How many slots of a stretch keys fall into; else one.
    pub slots: u64,
    /// How many keys.
    pub keys: u64,
    /// The first of them, as they may be shown. The others are counted only.
    pub names: Vec<String>,
}

impl Slots {
    /// How many slots are listed, the queue's own aside: a picture a thousand pixels wide shows no more.
    pub const MOST: u16 = 512;
    /// How many keys are named, of all slots together: the queue's own come first.
    pub const NAMED: usize = 200;
    /// How many characters of a name are kept.
    pub const WIDTH: usize = 100;

    /// The slots of the keys that the connections of a report touched; of all keys, where no connection is in scope.
    pub fn of(facts: &Facts, options: &Options, report: &Report) -> Self {
        let queue = report.subject.queue.as_deref();
        let mut scope = judged_connections(facts, options, queue, report.subject.db);
        if scope.is_empty() {
            scope = facts.connections.iter().collect();
        }
        let home = queue.map(|queue| slot(queue.as_bytes()));
        let sorted = sorted(facts, &scope);
        let (keys, slots) = (sorted.iter().map(|(.., keys)| keys.len() as u64).sum(), sorted.len() as u64);
        let sorted = thinned(sorted, home);
        let mut room = Self::NAMED;
        let mut used: Vec<SlotUse> =
            sorted.iter().map(|(slot, slots, keys)| unnamed(facts, *slot, *slots, keys)).collect();
        let own = used.iter().position(|used| Some(used.slot) == home);
        let others = (0..used.len()).filter(|index| Some(*index) != own);
        for index in own.into_iter().chain(others) {
            let names = sorted[index].2.iter().take(room).map(|key| clipped(facts.keys.name(*key)));
            used[index].names = names.collect();
            room -= used[index].names.len();
        }
        Self { home, keys, slots, used }
    }
}

/// The first of some slots, how many they are, and their keys in order of first appearance.
type Sorted = Vec<(u16, u64, Vec<KeyId>)>;

fn sorted(facts: &Facts, scope: &[&Connection]) -> Sorted {
    let mut known = vec![false; facts.keys.len()];
    let mut all: Sorted = (0..SLOTS).map(|slot| (slot, 1, Vec::new())).collect();
    for touch in scope.iter().flat_map(|connection| &connection.touches).filter(|touch| !touch.kind.pattern) {
        let key = touch.kind.key;
        if !std::mem::replace(&mut known[key.index()], true) {
            all[usize::from(slot(facts.keys.name(key)))].2.push(key);
        }
    }
    all.retain(|(.., keys)| !keys.is_empty());
    all
}

/// No more slots than can be told apart; the queue's own stays by itself.
fn thinned(sorted: Sorted, home: Option<u16>) -> Sorted {
    if sorted.len() <= usize::from(Slots::MOST) {
        return sorted;
    }
    let stretch = |slot: u16| slot / (SLOTS / Slots::MOST);
    let mut kept: Sorted = Vec::new();
    for (slot, _, mut keys) in sorted {
        match kept.last_mut() {
            Some((last, slots, others))
                if stretch(*last) == stretch(slot) && Some(slot) != home && Some(*last) != home =>
            {
                *slots += 1;
                others.append(&mut keys);
            }
            _ => kept.push((slot, 1, keys)),
        }
    }
    kept
}

fn unnamed(facts: &Facts, slot: u16, slots: u64, keys: &[KeyId]) -> SlotUse {
    let first = keys.first().map(|key| facts.keys.name(*key)).unwrap_or_default();
    SlotUse { slot, tag: tag(first), slots, keys: keys.len() as u64, names: Vec::new() }
}

fn tag(key: &[u8]) -> String {
    hash_tag(key).map_or_else(|| clipped(key), |tag| format!("{{{}}}", clipped(tag)))
}

/// A name as it may be shown: some of its bytes are enough for that.
fn clipped(name: &[u8]) -> String {
    const BYTES: usize = Slots::WIDTH * 4;
    short(&shown(&name[..name.len().min(BYTES)]), Slots::WIDTH).into_owned()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::Slots;
    use crate::core::facts::{Facts, LogIntake};
    use crate::core::judge::{Options, judge};
    use crate::core::keyspace::slot;
    use crate::core::profile::EMQ_1;

    fn facts(keys: impl Iterator<Item = String>) -> Facts {
        let mut log = String::new();
        for key in keys {
            let _ = writeln!(log, "1.000001 [0 a:1] \"GET\" \"{key}\"");
        }
        let mut intake = LogIntake::new(&EMQ_1);
        intake.feed(log.as_bytes());
        intake.finish()
    }

    fn slots(facts: &Facts) -> Slots {
        let options = Options::default();
        Slots::of(facts, &options, &judge(facts, &options).0[0])
    }

    #[test]
    fn each_key_counts_once_and_lies_in_its_slot() {
        let keys = ["emq:{q}:wait", "emq:{q}:meta", "emq:{q}:wait", "bull:q:id"].map(str::to_owned);
        let Slots { home, keys, slots, used } = slots(&facts(keys.into_iter()));
        assert_eq!((home, keys, slots), (Some(slot(b"q")), 3, 2));
        let own = used.iter().find(|used| Some(used.slot) == home).expect("the queue's slot");
        assert_eq!(
            (own.tag.as_str(), own.names.as_slice()),
            ("{q}", ["emq:{q}:wait", "emq:{q}:meta"].map(str::to_owned).as_slice())
        );
        let other = used.iter().find(|used| Some(used.slot) != home).expect("the other");
        assert_eq!((other.slot, other.tag.as_str()), (slot(b"bull:q:id"), "bull:q:id"));
    }

    #[test]
    fn of_many_slots_no_more_are_listed_than_can_be_told_apart_and_all_are_counted() {
        let keys = (0..5000).map(|n| format!("k{n}")).chain((0..300).map(|n| format!("emq:{{q}}:{n}")));
        let Slots { home, keys, slots, used } = slots(&facts(keys));
        assert_eq!(keys, 5300);
        assert!(slots > 4000 && used.len() <= usize::from(Slots::MOST) + 2, "{slots} {}", used.len());
        assert_eq!(used.iter().map(|used| used.keys).sum::<u64>(), keys);
        assert_eq!(used.iter().map(|used| used.slots).sum::<u64>(), slots);
        assert!(used.iter().any(|used| Some(used.slot) == home && used.names.len() == Slots::NAMED));
        assert_eq!(used.iter().map(|used| used.names.len()).sum::<usize>(), Slots::NAMED);
        assert!(used.is_sorted_by_key(|used| used.slot));
    }

    #[test]
    fn a_log_without_a_queue_shows_all_its_keys_and_long_ones_cut() {
        let Slots { home, keys, used, .. } = slots(&facts(["x".repeat(5000)].into_iter()));
        assert_eq!((home, keys), (None, 1));
        assert_eq!(used[0].names[0].chars().count(), Slots::WIDTH);
    }
}
