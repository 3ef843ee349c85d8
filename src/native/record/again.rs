//! Coming back to a server: tried over and over in a thread of its own, since others are heard meanwhile.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use super::aside::{Answer, Aside, Ask};
use crate::native::runtime::link::Sent;
use crate::native::server::recorder::{Ear, Heard};
use crate::native::server::{Target, Trouble};

/// The pause after a try that failed.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that is recorded, from this moment on.
pub(super) struct Opened {
    pub(super) ear: Ear,
    /// It has been asked for its counts.
    pub(super) aside: Aside,
    pub(super) sent: Sent,
}

impl Opened {
    /// Connects twice; what is heard goes out under `number`.
    pub(super) fn open(target: &Target, number: u64, out: &SyncSender<Heard>) -> Result<Self, Trouble> {
        let sent = Sent::default();
        Self::with(Aside::connect(target, &sent)?, sent, target, number, out)
    }

    fn with(
        mut aside: Aside,
        sent: Sent,
        target: &Target,
        number: u64,
        out: &SyncSender<Heard>,
    ) -> Result<Self, Trouble> {
        let ear = Ear::open(target, number, out)?;
        aside.ask(Ask::Snapshot);
        Ok(Self { ear, aside, sent })
    }
}

/// What a try came to; nothing where the server is no primary of its cluster.
pub(super) type Try = Result<Option<Opened>, Trouble>;

/// Tries until it succeeds, or the server says that it never will. It ends when this is dropped.
pub(super) struct Again {
    tries: Receiver<Try>,
    is_over: Arc<AtomicBool>,
}

impl Again {
    /// Begins; of a cluster only a primary is opened.
    pub(super) fn start(target: Target, in_cluster: bool, number: u64, out: SyncSender<Heard>) -> Self {
        let (send, tries) = mpsc::channel();
        let is_over = Arc::<AtomicBool>::default();
        let ended = Arc::clone(&is_over);
        thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let one = open(&target, in_cluster, number, &out);
                let is_last = one.as_ref().err().is_none_or(refuses);
                if send.send(one).is_err() || is_last {
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

/// The commands of a try that MONITOR does not show, as the server counts them.
pub(super) fn unseen(target: &Target, in_cluster: bool) -> Vec<&'static str> {
    // The recorder's connection and the one aside greet each the server.
    let greeting = target.greeting();
    let view: &[&'static str] = if in_cluster { &["cluster|slots", "cluster|nodes"] } else { &[] };
    [greeting.as_slice(), greeting.as_slice(), view].concat()
}

/// Whether a server will say the same however often it is asked.
pub(super) fn refuses(trouble: &Trouble) -> bool {
    trouble.cause.kind() == redis::ErrorKind::AuthenticationFailed
        || matches!(trouble.cause.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"))
}

fn open(target: &Target, in_cluster: bool, number: u64, out: &SyncSender<Heard>) -> Try {
    if !in_cluster {
        return Opened::open(target, number, out).map(Some);
    }
    let sent = Sent::default();
    let mut aside = Aside::connect(target, &sent)?;
    aside.ask(Ask::View);
    match aside.wait(target.patience()) {
        Some(Answer::View(Some(view))) if view.is_primary => Opened::with(aside, sent, target, number, out).map(Some),
        Some(Answer::View(_)) => Ok(None),
        Some(Answer::Broken(trouble)) => Err(trouble),
        _ => {
            let late = io::Error::from(io::ErrorKind::TimedOut);
            Err(target.trouble("ask for the nodes of the cluster (CLUSTER SLOTS, CLUSTER NODES)")(late.into()))
        }
    }
}
