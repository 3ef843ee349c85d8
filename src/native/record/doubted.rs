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

    /// The counts up to a place are compared, and may hide that libraries were changed.
    pub(super) fn compared(&mut self, place: u64, hides: bool) {
        let is_before = |(_, (first, _)): &(String, (u64, u64))| *first <= place;
        let (before, behind) = std::mem::take(&mut self.open).into_iter().partition::<Vec<_>, _>(is_before);
        self.open.extend(behind);
        for (function, (_, last)) in before {
            if hides && self.doubted.len() < MOST {
                self.doubted.insert(function.clone());
            } else {
                self.doubts_all |= hides;
            }
            if last > place {
                self.open.insert(function, (place + 1, last));
            }
        }
        self.doubts_all |= hides && std::mem::take(&mut self.is_crowded);
    }

    /// The server is connected to anew.
    pub(super) fn again(self) -> Self {
        Self { doubted: self.doubted, doubts_all: self.doubts_all, ..Self::default() }
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
        assert_eq!(["f", "g", "h", "i"].map(|function| calls.doubts(function)), [false, true, true, false]);
        // What came behind that place is compared next.
        calls.compared(10, true);
        assert!(calls.doubts("i") && calls.open.is_empty());
        let mut again = calls.again();
        again.call("j", 1);
        again.compared(2, false);
        assert!(again.doubts("g") && !again.doubts("j"));
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
