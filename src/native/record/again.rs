//! Coming back to a server: tried over and over in a thread of its own, since others are heard meanwhile.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use redis::Connection;

use super::aside::{Answer, Aside, Ask, Client};
use super::listing;
use crate::core::witness::libraries::Listed;
use crate::native::runtime::link::Sent;
use crate::native::server::connection::io_kind;
use crate::native::server::engine::server_info;
use crate::native::server::recorder::{Ear, Heard};
use crate::native::server::{Snapshot, Target, Trouble, snapshot};

/// The pause after a try that failed.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that is recorded, from this moment on.
pub(super) struct Opened {
    pub(super) ear: Ear,
    /// It has been asked for its counts.
    pub(super) aside: Aside,
    pub(super) sent: Sent,
    /// Who was connected before anything was heard, and when that was asked, where it was and the server tells.
    pub(super) clients: Option<(Vec<Client>, Instant)>,
    /// What libraries of functions it had before, where that was asked.
    pub(super) before: Option<Before>,
}

/// What a server told before anything was heard.
pub(super) struct Before {
    /// Its counts: those of the first question that is heard say whether anything has changed libraries meanwhile.
    pub(super) counts: Snapshot,
    /// Its libraries after that, where it tells.
    pub(super) libraries: Option<Vec<Listed>>,
}

/// What is asked of a server before anything is heard.
#[derive(Clone, Copy)]
pub(super) struct Asks {
    pub(super) clients: bool,
    pub(super) libraries: bool,
}

impl Opened {
    /// Connects twice; what is heard goes out under `number`.
    pub(super) fn open(target: &Target, asks: Asks, number: u64, out: &SyncSender<Heard>) -> Result<Self, Trouble> {
        let mut opening = Opening::new(target, asks);
        let (aside, sent) = opening.aside()?;
        opening.with(aside, sent, number, out)
    }
}

/// What a try came to.
pub(super) struct Try {
    /// Nothing where the server is no primary of its cluster.
    pub(super) outcome: Result<Option<Opened>, Trouble>,
    /// The commands of the tool's own that the server ran, or may have, before MONITOR could show them.
    pub(super) unseen: Vec<&'static str>,
    /// How many connections it made.
    pub(super) connections: u64,
}

/// Tries until it succeeds, or the server says that it never will. It ends when this is dropped.
pub(super) struct Again {
    tries: Receiver<Try>,
    is_over: Arc<AtomicBool>,
}

impl Again {
    /// Begins; of a cluster only a primary is opened.
    pub(super) fn start(
        target: Target,
        (in_cluster, asks_clients): (bool, bool),
        number: u64,
        out: SyncSender<Heard>,
    ) -> Self {
        let (send, tries) = mpsc::channel();
        let is_over = Arc::<AtomicBool>::default();
        let ended = Arc::clone(&is_over);
        thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                // What libraries it has is asked when it is heard: what was known before the break may be so still.
                let mut opening = Opening::new(&target, Asks { clients: asks_clients, libraries: false });
                let outcome = opening.open(in_cluster, number, &out);
                let is_last = outcome.as_ref().err().is_none_or(refuses);
                if send.send(Try { outcome, unseen: opening.unseen, connections: opening.connections }).is_err()
                    || is_last
                {
                    return;
                }
                thread::sleep(PAUSE);
            }
        });
        Self { tries, is_over }
    }

    /// What the next try came to, if it has.
    pub(super) fn hear(&self) -> Option<Try> {
        self.tries.try_recv().ok()
    }

    /// What the next try comes to, for whoever has heard already that one succeeded.
    pub(super) fn wait(&self) -> Option<Try> {
        self.tries.recv().ok()
    }
}

impl Drop for Again {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Whether a server will say the same however often it is asked.
pub(super) fn refuses(trouble: &Trouble) -> bool {
    trouble.cause.kind() == redis::ErrorKind::AuthenticationFailed
        || matches!(trouble.cause.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"))
}

/// A try, and what it has sent so far.
struct Opening<'t> {
    target: &'t Target,
    asks: Asks,
    unseen: Vec<&'static str>,
    connections: u64,
    before: Option<Before>,
}

impl<'t> Opening<'t> {
    fn new(target: &'t Target, asks: Asks) -> Self {
        Self { target, asks, unseen: Vec::new(), connections: 0, before: None }
    }

    /// Of a cluster, only a primary is opened.
    fn open(&mut self, in_cluster: bool, number: u64, out: &SyncSender<Heard>) -> Result<Option<Opened>, Trouble> {
        let (mut aside, sent) = self.aside()?;
        if !in_cluster {
            return self.with(aside, sent, number, out).map(Some);
        }
        aside.ask(Ask::View);
        self.unseen.extend(["cluster|slots", "cluster|nodes"]);
        match aside.wait(self.target.patience()) {
            Some(Answer::View(Some(view))) if view.is_primary => self.with(aside, sent, number, out).map(Some),
            Some(Answer::View(_)) => Ok(None),
            Some(Answer::Broken(trouble)) => Err(trouble),
            _ => Err(late(self.target, "ask for the nodes of the cluster (CLUSTER SLOTS, CLUSTER NODES)")),
        }
    }

    /// The connection that asks.
    fn aside(&mut self) -> Result<(Aside, Sent), Trouble> {
        let mut connection = self.greeted(self.target.connect())?;
        self.unseen.push("client|info");
        let client = self.target.ask_name(&mut connection)?;
        let mark = self.mark(&mut connection)?;
        if self.asks.libraries {
            self.before = self.there_before(&mut connection)?;
        }
        let sent = Sent::default();
        Ok((Aside::over(connection, client.address, mark, self.target, &sent), sent))
    }

    /// What tells the question for counts from another recorder's: on a unix socket both have one name.
    fn mark(&mut self, connection: &mut Connection) -> Result<Option<String>, Trouble> {
        if !self.target.is_unix_socket() {
            return Ok(None);
        }
        self.unseen.push("info");
        match self.target.within_patience(connection, server_info) {
            Ok(info) => Ok((!info.is_redis_before_7()).then(snapshot::mark)),
            // The question for its counts says so.
            Err(error) if error.code() == Some("NOPERM") => Ok(None),
            Err(error) => Err(self.target.trouble("ask what it is (INFO)")(error)),
        }
    }

    /// What the server has; nothing where it does not say.
    fn there_before(&self, connection: &mut Connection) -> Result<Option<Before>, Trouble> {
        let before = self.target.within_patience(connection, |connection| {
            let counts = Snapshot::take(connection, None)?;
            let libraries = match listing::ask(connection, &listing::ALL) {
                Err(error) if error.code().is_none() => return Err(error),
                answer => answer.ok().flatten().or_else(|| (counts.libraries == Some(0)).then(Vec::new)),
            };
            Ok(Before { counts, libraries })
        });
        match before {
            Ok(before) => Ok(Some(before)),
            Err(error) if error.code().is_some() => Ok(None),
            Err(error) => Err(self.target.trouble("ask what it has (INFO, FUNCTION LIST)")(error)),
        }
    }

    fn with(&mut self, mut aside: Aside, sent: Sent, number: u64, out: &SyncSender<Heard>) -> Result<Opened, Trouble> {
        let clients = if self.asks.clients { self.clients(&mut aside)? } else { None };
        let ear = self.greeted(Ear::open(self.target, number, out))?;
        aside.ask(Ask::Snapshot);
        Ok(Opened { ear, aside, sent, clients, before: self.before.take() })
    }

    /// Who is there before: one that has gone when it is asked next was perhaps named, and nobody heard it.
    fn clients(&self, aside: &mut Aside) -> Result<Option<(Vec<Client>, Instant)>, Trouble> {
        aside.ask(Ask::Clients);
        match aside.wait(self.target.patience()) {
            Some(Answer::Clients(clients, asked)) => Ok(clients.map(|clients| (clients, asked))),
            Some(Answer::Broken(trouble)) => Err(trouble),
            _ => Err(late(self.target, "ask who is connected (CLIENT LIST)")),
        }
    }

    /// Notes what a connection said at first, as far as that came to the server.
    fn greeted<T>(&mut self, outcome: Result<T, Trouble>) -> Result<T, Trouble> {
        let said = self.target.greeting();
        let ran = match &outcome {
            Ok(_) => said.len(),
            Err(trouble) => match came_there(trouble) {
                // The last of what is said is a PING, and what is refused is not counted.
                Came::Refused => said.len() - 1,
                Came::Perhaps => said.len(),
                Came::Never => 0,
            },
        };
        self.connections += u64::from(ran > 0);
        self.unseen.extend(&said[..ran]);
        outcome
    }
}

fn late(target: &Target, tried: &str) -> Trouble {
    target.trouble(tried)(io::Error::from(io::ErrorKind::TimedOut).into())
}

/// How far something came that was said to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    Never,
    Perhaps,
    Refused,
}

/// A wait for a connection that is over has timed out; a wait for an answer would have blocked.
fn came_there(trouble: &Trouble) -> Came {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof, WouldBlock};
    match io_kind(&trouble.cause) {
        Some(WouldBlock | UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe) => Came::Perhaps,
        Some(_) => Came::Never,
        None if trouble.cause.code().is_some() => Came::Refused,
        None => Came::Perhaps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::server::url::Access;

    #[test]
    fn what_never_came_to_a_server_is_told_apart() {
        let target = Target::parse("valkey://127.0.0.1:1", Access::default(), PAUSE).expect("a URL");
        let came = |kind: io::ErrorKind| came_there(&target.trouble("connect")(io::Error::from(kind).into()));
        for kind in [io::ErrorKind::ConnectionRefused, io::ErrorKind::TimedOut, io::ErrorKind::HostUnreachable] {
            assert_eq!(came(kind), Came::Never, "{kind}");
        }
        for kind in [io::ErrorKind::WouldBlock, io::ErrorKind::UnexpectedEof, io::ErrorKind::ConnectionReset] {
            assert_eq!(came(kind), Came::Perhaps, "{kind}");
        }
        let refused = redis::parse_redis_value(b"-BUSY x\r\n").and_then(redis::Value::extract_error);
        assert_eq!(came_there(&target.trouble("connect")(refused.expect_err("a refusal"))), Came::Refused);
        assert_eq!(target.connect().map_err(|trouble| came_there(&trouble)).err(), Some(Came::Never));
    }
}
