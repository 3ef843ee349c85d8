//! A connection, as far as it is known whether it belongs.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// A connection that is known, by those of its commands that are held back too.
pub(super) type Known = Rc<RefCell<Member>>;

/// The connection.
pub(super) struct Member {
    pub(super) standing: Standing,
    /// It has asked for the server's counts as this tool does.
    pub(super) counts: bool,
    /// Its commands that were left out, and when the last of them came.
    pub(super) left_out: u64,
    pub(super) left_last: Instant,
    /// When its last command came.
    pub(super) last: Instant,
    /// Since when it is to be asked about: what was asked before says nothing of that.
    pub(super) since: Instant,
}

/// Whether it belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody knows yet.
    #[default]
    Open,
    /// It belongs.
    In,
    /// It belonged, and was greeted anew: it may be another.
    Asked,
    /// It was gone before anybody could say.
    Gone,
    /// It does not; it may still come to.
    Out,
}

impl Member {
    /// One that has done nothing yet.
    pub(super) fn new(now: Instant) -> Known {
        Rc::new(RefCell::new(Self {
            standing: Standing::Open,
            counts: false,
            left_out: 0,
            left_last: now,
            last: now,
            since: now,
        }))
    }
}
