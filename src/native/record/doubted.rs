//! Calls of functions whose libraries may have changed unheard before them: under CLIENT PAUSE a command runs without a line, and only the
//! next comparison of the counts shows that.

use std::collections::{BTreeMap, BTreeSet};

/// So many functions are told apart.
const MOST: usize = 10_000;

/// The functions that a server was called for.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The places of the first and the last call since the last comparison.
    open: BTreeMap<String, (u64, u64)>,
    doubted: BTreeSet<String>,
    /// There were more, and so it is of them, or may be.
    is_crowded: bool,
    doubts_all: bool,
}

impl Calls {
    /// A function is called.
    pub(super) fn call(&mut self, function: &str, place: u64) {
        if let Some((_, last)) = self.open.get_mut(function) {
            *last = place;
        } else if self.open.len() < MOST {
            self.open.insert(function.to_owned(), (place, place));
        } else {
            self.is_crowded = true;
        }
    }

    /// The counts up to a place are compared, and may hide that libraries were changed. Calls behind it went by what was taken for true
    /// before it.
    pub(super) fn compared(&mut self, place: u64, hides: bool) {
        if hides {
            self.doubt();
        }
        self.open.retain(|_, (first, last)| {
            *first = (*first).max(place + 1);
            *last > place
        });
    }

    /// The server is connected to anew: what it was called for before is compared later, if it ever is.
    pub(super) fn again(mut self, may_be_whole: bool) -> Self {
        if !may_be_whole {
            self.doubt();
            self.open.clear();
        }
        self.open.values_mut().for_each(|places| *places = (0, 0));
        self
    }

    fn doubt(&mut self) {
        self.doubts_all |= std::mem::take(&mut self.is_crowded);
        for function in self.open.keys() {
            if self.doubted.len() < MOST {
                self.doubted.insert(function.clone());
            } else {
                self.doubts_all = true;
            }
        }
    }

    /// Whether that is so of a function.
    pub(super) fn doubts(&self, function: &str) -> bool {
        self.doubts_all || self.doubted.contains(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_before_a_comparison_that_hides_changes_are_doubted() {
        let mut calls = Calls::default();
        calls.call("f", 1);
        calls.compared(5, false);
        calls.call("g", 6);
        calls.call("h", 7);
        calls.call("g", 9);
        calls.call("i", 9);
        calls.compared(8, true);
        assert_eq!(["f", "g", "h", "i"].map(|function| calls.doubts(function)), [false, true, true, true]);
        // What came behind that place is compared next.
        assert_eq!(calls.open.keys().collect::<Vec<_>>(), ["g", "i"]);
        calls.call("k", 10);
        calls.compared(10, true);
        assert!(calls.doubts("k") && calls.open.is_empty());
        let mut again = calls.again(true);
        again.call("j", 1);
        again.compared(2, false);
        assert!(again.doubts("g") && !again.doubts("j"));
    }

    #[test]
    fn what_was_called_before_a_break_is_compared_behind_it() {
        for (may_be_whole, hides, is_doubted) in [(true, true, true), (true, false, false), (false, false, true)] {
            let mut calls = Calls::default();
            calls.call("f", 7);
            let mut again = calls.again(may_be_whole);
            again.compared(1, hides);
            assert_eq!(again.doubts("f"), is_doubted, "{may_be_whole}, {hides}");
        }
    }

    #[test]
    fn of_more_than_are_told_apart_all_are() {
        let mut calls = Calls::default();
        (0..=MOST).for_each(|number| calls.call(&number.to_string(), 1));
        assert_eq!(calls.open.len(), MOST);
        calls.compared(2, true);
        assert!(calls.doubts("another"));
    }
}
