//! Calls of functions whose libraries may have changed unheard before them: under CLIENT PAUSE a command runs without a line, and only the
//! next comparison of the counts shows that. So calls are told apart by the comparison that they wait for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A stretch of a server's lines of which one comparison says whether something was lost: calls in it may have run other texts than was
/// known then.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch(Arc<AtomicU8>);

/// It is not compared yet.
const OPEN: u8 = 0;
const DOUBTED: u8 = 1;
const CLEAR: u8 = 2;

impl Stretch {
    /// Calls in it may have.
    pub(super) fn is_doubted(&self) -> bool {
        self.0.load(Ordering::Relaxed) == DOUBTED
    }

    fn is_open(&self) -> bool {
        self.0.load(Ordering::Relaxed) == OPEN
    }

    fn set(&self, what: u8) {
        self.0.store(what, Ordering::Relaxed);
    }
}

/// The stretches in which some calls came, as far as they may be doubted.
#[derive(Debug, Default)]
pub(super) struct Within(Vec<Stretch>);

impl Within {
    /// Takes in one more call.
    pub(super) fn add(&mut self, stretch: &Stretch) {
        if self.is_doubted() || self.0.iter().any(|known| Arc::ptr_eq(&known.0, &stretch.0)) {
            return;
        }
        self.0.retain(Stretch::is_open);
        self.0.push(stretch.clone());
    }

    /// Whether some call is.
    pub(super) fn is_doubted(&self) -> bool {
        self.0.iter().any(Stretch::is_doubted)
    }
}

/// A server's stretches that are not compared, by where they begin.
#[derive(Debug)]
pub(super) struct Stretches(VecDeque<(u64, Stretch)>);

impl Default for Stretches {
    fn default() -> Self {
        Self(VecDeque::from([(0, Stretch::default())]))
    }
}

impl Stretches {
    /// What is called from this place on is compared later than what was called before.
    pub(super) fn begin(&mut self, place: u64) {
        let at = self.0.partition_point(|(begun, _)| *begun < place);
        if self.0.get(at).is_none_or(|(begun, _)| *begun > place) {
            self.0.insert(at, (place, Stretch::default()));
        }
    }

    /// The stretch of a place.
    pub(super) fn at(&mut self, place: u64) -> Stretch {
        let found = self.0.iter().rev().find(|(begun, _)| *begun <= place);
        found.or(self.0.front()).map(|(_, stretch)| stretch.clone()).unwrap_or_default()
    }

    /// The counts up to a place are compared, and may hide that libraries were changed. Calls behind it, which have come up to `last`,
    /// went by what was taken for true before it.
    pub(super) fn compared(&mut self, place: u64, last: u64, hides: bool) {
        let until = if hides { last.max(place) } else { place };
        if hides || last <= place {
            self.begin(until + 1);
        }
        while self.0.get(1).is_some_and(|(next, _)| *next <= until + 1) {
            let first = self.0.pop_front();
            first.inspect(|(_, stretch)| stretch.set(if hides { DOUBTED } else { CLEAR }));
        }
    }

    /// The server is connected to anew: what it was called for before is compared later, if it ever is.
    pub(super) fn again(&mut self, may_be_whole: bool) {
        if may_be_whole {
            self.0.iter_mut().for_each(|(begun, _)| *begun = 0);
        } else {
            self.0.drain(..).for_each(|(_, stretch)| stretch.set(DOUBTED));
        }
        self.0.push_back((0, Stretch::default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls at places.
    fn calls(stretches: &mut Stretches, places: &[u64]) -> Vec<Stretch> {
        places.iter().map(|place| stretches.at(*place)).collect()
    }

    fn doubted(calls: &[Stretch]) -> Vec<bool> {
        calls.iter().map(Stretch::is_doubted).collect()
    }

    #[test]
    fn calls_before_a_comparison_that_hides_changes_are_doubted() {
        let mut stretches = Stretches::default();
        let first = calls(&mut stretches, &[1, 5]);
        stretches.begin(6);
        let second = calls(&mut stretches, &[6, 9]);
        stretches.compared(5, 9, false);
        stretches.begin(11);
        let third = calls(&mut stretches, &[10, 12]);
        stretches.compared(10, 12, true);
        assert_eq!(
            (doubted(&first), doubted(&second), doubted(&third)),
            (vec![false; 2], vec![true; 2], vec![true; 2])
        );
        // What comes now goes by what is known now.
        let fourth = calls(&mut stretches, &[13]);
        stretches.begin(15);
        stretches.compared(14, 14, false);
        assert!(!fourth[0].is_doubted() && !fourth[0].is_open() && stretches.0.len() == 1);
    }

    /// Lines may be taken in later than the questions among them are seen.
    #[test]
    fn calls_up_to_each_question_are_told_apart_also_where_several_are_open() {
        let mut stretches = Stretches::default();
        stretches.begin(4);
        stretches.begin(8);
        let early = calls(&mut stretches, &[3, 4, 5]);
        stretches.compared(3, 5, true);
        let later = calls(&mut stretches, &[6, 9]);
        stretches.compared(7, 9, false);
        assert_eq!((doubted(&early), doubted(&later)), (vec![true; 3], vec![false; 2]));
        assert!(!later[0].is_open() && later[1].is_open());
    }

    #[test]
    fn what_was_called_before_a_break_is_compared_behind_it() {
        for (may_be_whole, hides, is_doubted) in [(true, true, true), (true, false, false), (false, false, true)] {
            let mut stretches = Stretches::default();
            let call = stretches.at(7);
            stretches.again(may_be_whole);
            stretches.begin(2);
            let later = stretches.at(2);
            stretches.compared(1, 2, hides);
            assert_eq!((call.is_doubted(), later.is_doubted()), (is_doubted, hides), "{may_be_whole}, {hides}");
        }
    }

    /// Servers of a cluster, of which none is compared yet.
    #[test]
    fn calls_of_several_servers_by_turns_keep_each_stretch_once() {
        let (mut servers, mut within) = ([Stretches::default(), Stretches::default()], Within::default());
        for place in 1..1000 {
            for stretches in &mut servers {
                within.add(&stretches.at(place));
            }
        }
        assert_eq!(within.0.len(), servers.len());
        servers[1].compared(1000, 1000, true);
        assert!(within.is_doubted());
    }

    #[test]
    fn of_calls_without_end_only_those_are_kept_that_are_not_compared() {
        let (mut stretches, mut within) = (Stretches::default(), Within::default());
        for place in 1..1000 {
            within.add(&stretches.at(place));
            stretches.begin(place + 1);
            stretches.compared(place, place, false);
        }
        assert!(within.0.len() <= 2 && stretches.0.len() == 1 && !within.is_doubted());
        within.add(&stretches.at(1000));
        stretches.compared(1000, 1000, true);
        within.add(&stretches.at(1001));
        assert!(within.0.len() <= 2 && within.is_doubted());
    }
}
