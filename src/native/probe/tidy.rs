//! Leaves a shared server as it was: refuses a queue in use, and removes what the probe made, and nothing else.
//!
//! Another client may have come to the queue meanwhile, so whole keys are removed only where their names were minted by
//! this run; from the lists only this run's job is taken, and the version only if this run wrote it.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, ConnectionLike, RedisError};

use super::error::ProbeError;
use super::ledger::{Ledger, Written};
use super::redirect::Follower;
use crate::core::bytes::shown;
use crate::native::runtime::wire::Wire;
use crate::native::server::{Target, Trouble};

/// Refuses a queue that has keys on the server.
pub(super) fn refuse_used(
    target: &Target,
    connection: &mut impl ConnectionLike,
    wire: Wire,
    queue: &str,
) -> Result<(), ProbeError> {
    let pattern = format!("{}*", wire.profile().base(queue));
    let mut cursor = 0_u64;
    loop {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(1000);
        let page = scan.query(connection).map_err(target.trouble(format!("look whether queue {queue} is in use")));
        let (next, keys): (u64, Vec<Vec<u8>>) = page?;
        if let Some(key) = keys.first() {
            let key = shown(key).into_owned();
            return Err(ProbeError::InUse { queue: queue.to_owned(), key, server: target.shown().to_owned() });
        }
        if next == 0 {
            return Ok(());
        }
        cursor = next;
    }
}

/// Removes what the probe is about to make, while none of it is there: who may not do that finds out before anything is written.
pub(super) fn rehearse(
    target: &Target,
    connection: &mut impl ConnectionLike,
    wire: Wire,
    queue: &str,
    job: &str,
) -> Result<(), ProbeError> {
    for words in wire.rehearsal(queue, job) {
        let removed = command(&words).exec(connection);
        removed.map_err(target.trouble("try what will remove the job afterwards; nothing was written"))?;
    }
    Ok(())
}

/// The longest time that the end of a probe may take: more than a server needs, less than a person waits who pressed
/// Ctrl-C.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// Keys that may remain, and why.
pub(super) type Left = (Vec<String>, Trouble);

/// What there is to remove, and where.
#[derive(Clone)]
pub(super) struct Tidy {
    target: Target,
    wire: Wire,
    queue: String,
    job: String,
    ledger: Ledger,
}

impl Tidy {
    pub(super) fn new(target: &Target, wire: Wire, queue: &str, job: &str, ledger: &Ledger) -> Self {
        let (target, ledger) = (target.clone(), ledger.clone());
        Self { target, wire, queue: queue.to_owned(), job: job.to_owned(), ledger }
    }

    /// Ends the runtime's own connections on the server, which drops what they sent and it has not run yet.
    ///
    /// True when none of them can run anything any more; a user may lack the right to do this.
    pub(super) fn cut_off(&self, end: Instant) -> bool {
        if self.ledger.clients().is_empty() {
            return true;
        }
        let this = self.clone();
        let cut = move || {
            let mut connection = this.connect(end).ok()?;
            let kill = |id: &String| redis::cmd("CLIENT").arg("KILL").arg("ID").arg(id).exec(&mut connection);
            this.ledger.clients().iter().map(kill).all(|killed| killed.is_ok()).then_some(())
        };
        within(end, cut).flatten().is_some()
    }

    /// Removes what this run made. With `quiet`, none of its commands can still be on their way.
    pub(super) fn finish(self, end: Instant, quiet: bool) -> Result<(), Left> {
        if !self.ledger.made_something() {
            return Ok(());
        }
        let (this, all) = (self.clone(), self.keys());
        match within(end, move || this.remove_twice(end)) {
            Some(Ok(())) if !quiet => Err((all, self.no_answer())),
            Some(outcome) => outcome,
            None => Err((all, self.no_answer())),
        }
    }

    /// Twice: the second time finds nothing, or something came after the first. The version goes last, for a queue that is used
    /// after that has none.
    fn remove_twice(&self, end: Instant) -> Result<(), Left> {
        let connection = self.connect(end).map_err(|trouble| (self.keys(), trouble))?;
        let mut follower = Follower::new(self.target(), connection);
        let mut left = self.remove_job(&mut follower).or_else(|| self.remove_job(&mut follower));
        // Once it is removed, nobody looks for it again: that would be use of a queue that has no version.
        let version = match self.remove_version(&mut follower) {
            Ok(false) => self.remove_version(&mut follower),
            outcome => outcome,
        };
        self.note(&mut left, self.version_key(), version.map(drop));
        left.map_or(Ok(()), Err)
    }

    fn remove_job(&self, follower: &mut Follower) -> Option<Left> {
        let mut left: Option<Left> = None;
        let jobs = if self.ledger.job_added() { self.of_the_job() } else { Vec::new() };
        for words in jobs {
            let outcome = follower.query(&command(&words));
            self.note(&mut left, words[1].clone(), outcome);
        }
        left
    }

    fn of_the_job(&self) -> Vec<Vec<String>> {
        self.wire.without(&self.queue, &self.job)
    }

    fn version_key(&self) -> String {
        self.wire.version_read(&self.queue).swap_remove(1)
    }

    /// A version that this run may have written is its own if nobody else was there; says whether one was removed.
    fn remove_version(&self, follower: &mut Follower) -> Result<bool, RedisError> {
        let written = self.ledger.version_written();
        if written == Written::No {
            return Ok(false);
        }
        let found: Option<Vec<u8>> = follower.query(&command(&self.wire.version_read(&self.queue)))?;
        match found {
            Some(found) if found == self.wire.writes().as_bytes() => {}
            _ => return Ok(false),
        }
        if written == Written::Perhaps && !self.ledger.was_alone() {
            return Err((redis::ErrorKind::Client, "nobody can tell whether this run wrote its version").into());
        }
        follower.query(&command(&self.wire.version_remove(&self.queue)))
    }

    fn note(&self, left: &mut Option<Left>, key: String, outcome: Result<(), RedisError>) {
        match outcome {
            Ok(()) => {}
            // Somebody has made it anew as something else: what this run put there is gone.
            Err(error) if error.code() == Some("WRONGTYPE") => {}
            Err(cause) => {
                let trouble = || (Vec::new(), self.target().trouble("remove what the probe made")(cause));
                left.get_or_insert_with(trouble).0.push(key);
            }
        }
    }

    /// The keys that may hold something of this run.
    fn keys(&self) -> Vec<String> {
        let job = self.of_the_job().into_iter().map(|mut words| words.swap_remove(1));
        let version = Some(self.version_key()).filter(|_| self.ledger.version_written() != Written::No);
        job.filter(|_| self.ledger.job_added()).chain(version).collect()
    }

    /// Over a new connection: the ones at hand may be what broke.
    fn connect(&self, end: Instant) -> Result<Connection, Trouble> {
        let rest = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        self.target().with_patience(rest).connect()
    }

    /// Where the queue is: a node of a cluster knows nothing of another's clients and keys.
    fn target(&self) -> Target {
        self.ledger.home().unwrap_or_else(|| self.target.clone())
    }

    fn no_answer(&self) -> Trouble {
        let late = std::io::Error::from(std::io::ErrorKind::TimedOut);
        self.target().trouble("remove what the probe made")(late.into())
    }
}

fn command(words: &[String]) -> redis::Cmd {
    redis::cmd(&words[0]).arg(&words[1..]).to_owned()
}

/// What `work` gives, unless it takes longer: a server may hang anywhere.
fn within<T: Send + 'static>(end: Instant, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || drop(send.send(work())));
    receive.recv_timeout(end.saturating_duration_since(Instant::now())).ok()
}
