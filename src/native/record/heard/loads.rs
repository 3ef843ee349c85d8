//! How many of the commands that load libraries have failed, against how many of those that were heard must have.

use std::collections::BTreeMap;

use super::Failed;
use crate::core::bytes::Arg;
use crate::core::witness::libraries::{Digest, Listed, Load};

/// So many commands that change libraries are told apart from one comparison to the next.
const MOST: usize = 10_000;

/// What has changed libraries since the last time it was told how many loads failed.
#[derive(Debug, Default)]
pub(super) struct Loads {
    noted: Vec<Noted>,
    /// There were more.
    is_overrun: bool,
}

/// A command that changed libraries, or may have.
#[derive(Debug)]
struct Noted {
    place: u64,
    is_load: bool,
    /// What it came to, where it loads a library that can be kept.
    load: Option<Load>,
    /// The server has told of that library since.
    is_told: bool,
}

/// What the counts of failed commands come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counts {
    /// All that was taken for loaded was.
    Settled,
    /// Some of it was not, or may not have been.
    Contested,
    /// None of it was.
    Refused,
    SayNothing,
}

impl Loads {
    pub(super) fn note(&mut self, place: u64, argv: &[Arg], load: Option<Load>) {
        if self.noted.len() < MOST {
            self.noted.push(Noted { place, is_load: is_load(argv), load, is_told: false });
        } else {
            self.is_overrun = true;
        }
    }

    /// The server is connected to anew: what was heard before comes before every place.
    pub(super) fn again(&mut self) {
        self.noted.iter_mut().for_each(|noted| noted.place = 0);
    }

    /// The server has told of these: a library that was loaded once was not refused then. Of one that was loaded more often, nobody
    /// knows when it was taken.
    pub(super) fn confirm(&mut self, listed: &[Listed]) {
        let mut times: BTreeMap<Digest, u64> = listed.iter().map(|one| (one.digest(), 0)).collect();
        let taken = |noted: &Noted| match &noted.load {
            Some(Load::Taken { digest, .. }) => Some(*digest),
            _ => None,
        };
        for digest in self.noted.iter().filter_map(taken) {
            times.entry(digest).and_modify(|times| *times += 1);
        }
        for noted in &mut self.noted {
            noted.is_told |= taken(noted).is_some_and(|digest| times.get(&digest) == Some(&1));
        }
    }

    /// Takes in how many have failed up to a place. Where there are more than must have, nobody knows which: what was taken for loaded
    /// may never have been, and what was called may have run what was there before.
    pub(super) fn compare(&mut self, place: u64, failed: Failed) -> Counts {
        let Failed::Counted(failed, hides) = failed else { return Counts::SayNothing };
        let compared: Vec<Noted> = self.noted.extract_if(.., |noted| noted.place <= place).collect();
        let is_overrun = std::mem::take(&mut self.is_overrun);
        let must = if hides { 0 } else { must_fail(&compared) };
        let is_open = compared.iter().any(|noted| matches!(noted.load, Some(Load::Again | Load::Taken { .. })));
        let all = compared.iter().filter(|noted| noted.is_load).count() as u64;
        let counts = match failed {
            Some(failed) if failed > must && failed == all && !hides && !is_overrun => Counts::Refused,
            // Where something was lost, what must have failed is not known either. Fewer failures than must have been say that what was
            // taken for there was not.
            Some(failed) if is_overrun || failed != must => Counts::Contested,
            None if is_overrun || is_open => Counts::Contested,
            Some(_) if !hides => Counts::Settled,
            _ => Counts::SayNothing,
        };
        if matches!(counts, Counts::Contested | Counts::Refused) {
            for noted in compared.iter().filter(|noted| !noted.is_told) {
                let Some(Load::Taken { library, .. }) = &noted.load else { continue };
                library.upgrade().into_iter().for_each(|library| library.refuse());
            }
        }
        counts
    }
}

/// Whether a command that may change libraries loads one.
pub(super) fn is_load(argv: &[Arg]) -> bool {
    argv.get(1).is_some_and(|what| what.as_slice().eq_ignore_ascii_case(b"LOAD"))
}

/// How many of these must have failed.
fn must_fail(noted: &[Noted]) -> u64 {
    let loads = || noted.iter().map(|noted| noted.load.as_ref());
    let count = |is_it: fn(&Load) -> bool| loads().flatten().filter(|load| is_it(load)).count();
    let taken = count(|load| matches!(load, Load::Taken { .. }));
    // Many may load the same texts. Where nothing else changes and none takes another's place, one that fails does so each time; and
    // where it was taken, all but the first fail.
    let is_new = |load: &Load| !matches!(load, Load::Taken { is_new: false, .. });
    let fail_again = loads().all(|load| load.is_some_and(|load| taken <= 1 || is_new(load)));
    let again = if fail_again { count(|load| matches!(load, Load::Again)) } else { 0 };
    (count(|load| matches!(load, Load::Refused)) + again) as u64
}
