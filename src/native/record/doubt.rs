//! Whether an address was another connection's before: what that did there is no loss.

use std::time::{Duration, Instant};

use super::whose::is_of;

/// What of the commands that came too early may have been another connection's, which had the address before.
#[derive(Debug, Default)]
pub(super) struct Doubts(Vec<Doubt>);

/// Commands at one address.
#[derive(Debug)]
pub(super) struct Doubt {
    pub(super) connection: String,
    /// How many were left out, and when the last of them came.
    pub(super) left_out: u64,
    pub(super) left_last: Instant,
    /// Since when it is asked about.
    pub(super) since: Instant,
}

/// A connection is younger than something only where it is by more than this: the server counts whole seconds.
const BLUR: Duration = Duration::from_secs(2);

/// When a connection that was so many seconds old when that was asked began, at the earliest that counts.
pub(super) fn begun(age: Option<u64>, asked: Instant) -> Option<Instant> {
    asked.checked_sub(Duration::from_secs(age?).saturating_add(BLUR))
}

impl Doubts {
    pub(super) fn add(&mut self, doubt: Doubt) {
        self.0.push(doubt);
    }

    /// Whether there is one that is not older than this.
    pub(super) fn are_fresh(&self, age: Duration) -> bool {
        self.0.iter().any(|doubt| doubt.since.elapsed() < age)
    }

    /// Takes in when the connection at an address began, as that was asked; gives how many commands were another's, once.
    pub(super) fn settle(&mut self, connection: &str, asked: Instant, begun: Option<Instant>) -> u64 {
        let is_settled = |doubt: &mut Doubt| {
            doubt.connection == connection && doubt.since <= asked && begun.is_some_and(|begun| begun > doubt.left_last)
        };
        self.0.extract_if(.., is_settled).map(|doubt| doubt.left_out).sum()
    }

    /// Who was not in a server's list is gone: nobody can say any more how old it was.
    pub(super) fn give_up(&mut self, server: Option<&str>, asked: Instant) {
        self.0.retain(|doubt| doubt.since > asked || !is_of(&doubt.connection, server));
    }
}
