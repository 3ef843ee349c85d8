//! Which servers are heard: one that is lost and comes back, and in a cluster who is a primary now.

use std::io;
use std::time::{Duration, Instant};

use super::{Live, Sink};
use crate::native::record::again::{Again, Opened, refuses};
use crate::native::record::error::RecordError;
use crate::native::record::ledger::{LastKnown, Moment};
use crate::native::record::node::{Hearing, Node, Promoted};
use crate::native::record::scout::{Report, Scout};
use crate::native::server::topology::View;
use crate::native::server::{Target, Trouble};

/// How long a try to connect again may take.
const TRY: Duration = Duration::from_secs(1);

impl Live<'_> {
    /// A server is heard no more; from now on it is tried again.
    pub(super) fn lose(&mut self, at: usize, why: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.hand_on_before_gap(at, sink)?;
        let last = self.numbering.last();
        self.say(at, &format!("the recording broke off after event {last}: {why}"));
        self.ledger.breaks(at, last, why.to_owned());
        self.numbering.skip(at);
        self.open(at);
        Ok(())
    }

    /// What a server has shown came before the gap that begins now: all of it goes, and what is not known to belong by now is not
    /// waited for.
    pub(super) fn hand_on_before_gap(&mut self, at: usize, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.release(at);
        self.hand_on(sink, true)
    }

    /// A server shows nothing more: what it has shown waits for no other.
    fn release(&mut self, at: usize) {
        self.merger.set_live(at, false);
        let now = Instant::now();
        while let Some((at, event)) = self.merger.release(now, at) {
            self.take_in(at, event, now);
        }
    }

    fn open(&mut self, at: usize) {
        self.versions.forget_asked();
        self.numbers += 1;
        let node = &mut self.nodes[at];
        node.number = self.numbers;
        let target = node.target.clone().with_patience(TRY.min(self.setup.patience));
        let how = (self.view.is_some(), self.filter.needs_clients());
        node.lose(Again::start(target, how, self.numbers, self.out.clone()));
    }

    /// Hears what came of all tries.
    pub(super) fn come_back(&mut self) {
        for at in 0..self.nodes.len() {
            while self.hear_try(at, false) {}
        }
        match self.scout.as_ref().map(Scout::hear) {
            Some(Report::Found(view)) => {
                self.scout = None;
                self.see(None, None, *view);
            }
            Some(Report::Nobody) => self.scout = None,
            Some(Report::None) | None => {}
        }
    }

    /// Hears what came of one try, and waits for that if it is known to have come to something; says whether there was one.
    pub(super) fn hear_try(&mut self, at: usize, wait: bool) -> bool {
        let Some(one) = self.nodes[at].came_back(wait) else { return false };
        match one.outcome {
            Ok(Some(opened)) => self.opened(at, opened),
            Ok(None) => self.leave(at),
            Err(trouble) => {
                if refuses(&trouble) {
                    self.say(at, &trouble.to_string());
                    self.nodes[at].is_refused = true;
                    self.leave(at);
                }
                self.trouble = Some(trouble);
            }
        }
        true
    }

    fn opened(&mut self, at: usize, opened: Opened) {
        self.setup.texts.heard_again(at, !self.nodes[at].is_joining);
        self.nodes[at].open(opened);
        self.merger.set_live(at, true);
        if self.nodes[at].is_joining {
            let last = self.numbering.last();
            self.say(at, &format!("a primary now: recorded after event {last}"));
            let since = self.nodes[at].promoted.take().map_or_else(|| self.ledger.moment(last), |node| node.since);
            self.ledger.joins(at, since, JOINED.to_owned());
            self.numbering.skip(at);
        } else {
            self.say(at, "recording again");
        }
        self.greet(at);
        self.ask_versions();
    }

    /// A server is no part of the recording any more.
    pub(super) fn leave(&mut self, at: usize) {
        self.tell_unheard(at);
        self.release(at);
        self.setup.texts.left(at);
        self.ledger.close(at);
        self.versions.forget_asked();
        self.nodes[at].leave();
    }

    /// A node that became the primary of some slots, and was never heard: what it ran is missing.
    pub(super) fn tell_unheard(&mut self, at: usize) {
        let Some(promoted) = self.nodes[at].promoted.take() else { return };
        if !promoted.has_slots || self.ledger.knows(at, Some(promoted.since).filter(|_| promoted.was_replica)) {
            return;
        }
        let last = self.numbering.last();
        self.say(at, &format!("after event {last}: {UNHEARD}"));
        self.ledger.joins(at, promoted.since, UNHEARD.to_owned());
        self.numbering.skip(at);
    }

    /// Takes in how a node sees its cluster, or how somebody does who is not recorded.
    ///
    /// Another's word adds a primary; that a node is none any more is only its own to say, or others' where it says nothing.
    pub(super) fn see(&mut self, from: Option<usize>, asked: Option<Moment>, view: View) {
        if let Some(asked) = asked {
            for replica in &view.replicas {
                self.replicas.entry(replica.shown().to_owned()).or_insert_with(|| LastKnown::at(asked)).see(asked);
            }
        }
        if let Some(session) = from.filter(|_| !view.is_primary).and_then(|at| self.nodes[at].session())
            && session.retire()
        {
            self.say(from.unwrap_or_default(), "no primary any more: what it still runs is not recorded");
        }
        for at in 0..self.nodes.len() {
            let is_listed = view.primaries.iter().any(|primary| primary.shown() == self.nodes[at].target.shown());
            if !is_listed && from != Some(at) {
                self.give_up_on(at);
            }
        }
        for primary in &view.primaries {
            let has_slots = view.topology.primaries().iter().any(|owner| owner.shown() == primary.shown());
            self.join(primary, has_slots);
        }
        self.view = Some(view);
    }

    /// Others say that a node is no primary: it is let go where it does not say otherwise itself.
    fn give_up_on(&mut self, at: usize) {
        match &mut self.nodes[at].hearing {
            Hearing::Away(_) => self.leave(at),
            Hearing::Up(session) => session.give_up_where_silent(),
            Hearing::Left => {}
        }
    }

    /// Records a primary that is not recorded.
    fn join(&mut self, primary: &Target, has_slots: bool) {
        let now = self.ledger.moment(self.numbering.last());
        let at = self.place_of(primary).unwrap_or_else(|| self.add(Node::new(primary.clone(), true)));
        let node = &mut self.nodes[at];
        if matches!(node.hearing, Hearing::Left) && !node.is_refused {
            node.is_joining = true;
            let replica = self.replicas.remove(primary.shown());
            node.promoted = Some(Promoted {
                since: replica.map_or(now, LastKnown::for_sure),
                was_replica: replica.is_some(),
                has_slots,
            });
            self.open(at);
        }
    }

    /// Whether any server is heard.
    ///
    /// # Errors
    /// None is for longer than it may take, or none will be.
    pub(super) fn is_heard(&mut self) -> Result<bool, RecordError> {
        if self.nodes.iter().any(Node::is_up) {
            (self.silent, self.trouble, self.scout) = (None, None, None);
            return Ok(true);
        }
        let since = *self.silent.get_or_insert_with(Instant::now);
        let nobody_tries = self.nodes.iter().all(|node| matches!(node.hearing, Hearing::Left));
        let is_refused = self.trouble.as_ref().is_some_and(refuses);
        if since.elapsed() >= self.setup.patience || (nobody_tries && is_refused) {
            let trouble = self.trouble.take().unwrap_or_else(|| no_answer(&self.setup.target));
            return Err(RecordError::GaveUp { trouble, waited: self.setup.patience });
        }
        self.send_scout();
        Ok(false)
    }

    fn send_scout(&mut self) {
        let replicas = self.view.as_ref().map(|view| view.replicas.clone()).unwrap_or_default();
        if self.scout.is_none() && !replicas.is_empty() {
            let patience = TRY.min(self.setup.patience);
            let replicas = replicas.into_iter().map(|replica| replica.with_patience(patience)).collect();
            self.scout = Some(Scout::send(replicas));
        }
    }
}

fn no_answer(target: &Target) -> Trouble {
    target.trouble("connect")(io::Error::from(io::ErrorKind::TimedOut).into())
}

const UNHEARD: &str =
    "it became a primary of the cluster, and is none any more or could not be reached: what it ran was not heard";
/// Why nobody heard what a server ran before it came to the recording.
const JOINED: &str = "it became a primary of the cluster: what it ran as one before it was recorded was not heard";
