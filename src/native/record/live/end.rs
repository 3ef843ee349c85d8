//! How a recording ends: everything up to the last answers is heard, and the counts are compared once more.

use std::time::{Duration, Instant};

use super::{Live, Progress, Sink, TICK};
use crate::core::report::words::counted;
use crate::native::record::aside::Ask;
use crate::native::record::error::RecordError;
use crate::native::record::filter::HELD;
use crate::native::record::node::{Hearing, Node, Session};

/// How long a server is tried again that is lost at the end.
const AGAIN: Duration = Duration::from_secs(5);

impl Live<'_> {
    /// Hears the recording to its end, with the last answers; `tell` hears how far it is, many times a second. A server that cannot
    /// be asked any more is no failure here: what is recorded is recorded.
    ///
    /// # Errors
    /// A sink that takes no more.
    pub fn finish(&mut self, sink: &mut dyn Sink, tell: &mut dyn FnMut(&Progress)) -> Result<(), RecordError> {
        self.versions.begin_end();
        if !self.nodes.iter().any(Node::is_up) {
            // Somebody stops it while no server is heard: its counts say what was missed, if it is there again in a moment.
            self.nodes.iter_mut().for_each(Node::begin_end);
            if self.nodes.iter().all(|node| matches!(node.hearing, Hearing::Left)) {
                (self.note)("no server was heard any more at the end of the recording");
                self.is_uncompared = true;
            }
        }
        // First to where the lines are now: what they show is still to be asked about.
        if self.filter.asks() {
            self.nodes.iter_mut().for_each(|node| node.ask(Ask::Clients));
        }
        if self.view.is_some() {
            let now = self.ledger.moment(self.numbering.last());
            self.nodes.iter_mut().filter_map(Node::session).for_each(|session| session.ask_view(now));
        }
        self.nodes.iter_mut().for_each(Node::ask_snapshot);
        self.hear_out(sink, tell)?;
        if self.filter.asks() {
            // What was asked before a line was read says nothing of its client.
            self.nodes.iter_mut().for_each(|node| node.ask(Ask::Clients));
            self.nodes.iter_mut().for_each(Node::ask_snapshot);
            self.hear_out(sink, tell)?;
        }
        self.emit_all(sink)?;
        self.ask_last();
        self.hear_out(sink, tell)?;
        self.give_up(sink)
    }

    /// Ends where no server is there any more.
    ///
    /// # Errors
    /// A sink that takes no more.
    pub fn give_up(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        (0..self.nodes.len()).for_each(|at| self.tell_unheard(at));
        self.ledger.end();
        self.emit_all(sink)?;
        let away = (0..self.nodes.len()).filter(|at| matches!(self.nodes[*at].hearing, Hearing::Away(_)));
        away.for_each(|at| self.setup.texts.left(at));
        self.setup.texts.end();
        self.filter.absent().iter().for_each(|absent| (self.note)(absent));
        if self.filter.early > 0 {
            (self.note)(&format!(
                "{} came more than {} s before it was known that the connection belongs, and count as lost",
                counted(self.filter.early, "command"),
                HELD.as_secs()
            ));
        }
        if self.filter.of_scripts > 0 {
            let what = counted(self.filter.of_scripts, "command");
            (self.note)(&format!(
                "scripts of others ran {what} that every queue is held to; without their calls they count as lost"
            ));
        }
        Ok(())
    }

    fn emit_all(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.merge(true);
        self.hand_on(sink, true)
    }

    /// The last questions; the counts come last, for their line ends the recording.
    fn ask_last(&mut self) {
        for queue in self.versions.unclear() {
            (self.note)(&format!("queue {queue} lies in several databases: its version was not read aside"));
        }
        self.versions.begin_end();
        self.ask_versions();
        let called: Vec<String> = self.setup.texts.called().cloned().collect();
        if !called.is_empty() {
            let db = u32::try_from(self.setup.target.db()).unwrap_or_default();
            let question: Vec<String> = ["SCRIPT", "EXISTS"].into_iter().map(str::to_owned).chain(called).collect();
            self.nodes.iter_mut().for_each(|node| node.ask(Ask::Read(db, question.clone())));
        }
        self.nodes.iter_mut().for_each(Node::ask_snapshot);
    }

    /// Hears each server up to its last answer and the line of that, or to where it can be heard no more.
    fn hear_out(&mut self, sink: &mut dyn Sink, tell: &mut dyn FnMut(&Progress)) -> Result<(), RecordError> {
        self.nodes.iter_mut().filter_map(Node::session).for_each(Session::begin_end);
        loop {
            self.hear_lines_of_the_end(sink)?;
            tell(&self.progress());
            let mut is_open = false;
            for at in 0..self.nodes.len() {
                is_open |= self.is_open(at, sink)?;
            }
            if !is_open {
                return Ok(());
            }
        }
    }

    fn hear_lines_of_the_end(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        let heard = self.rest.take().or_else(|| self.lines.recv_timeout(TICK).ok());
        let Some((number, heard)) = heard else { return Ok(()) };
        let Some(at) = self.nodes.iter().position(|node| node.number == number) else { return Ok(()) };
        // It may have been opened a moment ago.
        while !self.nodes[at].is_up() && self.hear_try(at, true) {}
        if !self.nodes[at].is_up() {
            return Ok(());
        }
        match heard {
            Ok(lines) => {
                let mut lines = lines.into_iter();
                while let Some(line) = lines.next() {
                    self.line(at, &line, sink)?;
                    // What comes behind belongs to what is asked next, if anything is.
                    if self.nodes[at].session().is_none_or(|session| session.is_settled()) {
                        self.rest = Some((number, Ok(lines.collect())));
                        break;
                    }
                }
            }
            Err(trouble) => self.lose_at_end(at, &trouble.to_string(), sink)?,
        }
        Ok(())
    }

    /// A connection breaks while a server is heard to its end: it is tried again, for a moment and once, for its counts say how much
    /// was missed.
    fn lose_at_end(&mut self, at: usize, why: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        if self.nodes[at].lost_at_end.is_some() {
            return self.cut_short(at, why, sink);
        }
        self.nodes[at].lost_at_end = Some(Instant::now());
        self.lose(at, why, sink)
    }

    /// Whether a server that was lost at the end may still come back.
    fn may_come_back(&mut self, at: usize) -> bool {
        let Some(since) = self.nodes[at].lost_at_end else { return false };
        while self.hear_try(at, false) {}
        if !matches!(self.nodes[at].hearing, Hearing::Away(_)) {
            self.is_uncompared |= self.nodes[at].is_refused;
            return self.nodes[at].is_up();
        }
        if since.elapsed() < AGAIN.min(self.setup.patience) {
            return true;
        }
        self.say(at, "the end of the recording could not be compared with the server's counts: it did not come back");
        self.is_uncompared = true;
        self.leave(at);
        false
    }

    /// Whether something of a server is still to come.
    fn is_open(&mut self, at: usize, sink: &mut dyn Sink) -> Result<bool, RecordError> {
        if matches!(self.nodes[at].hearing, Hearing::Away(_)) && !self.may_come_back(at) {
            return Ok(false);
        }
        let why = match self.hear_answers(at) {
            Err(trouble) => {
                self.lose_at_end(at, &trouble.to_string(), sink)?;
                return Ok(!matches!(self.nodes[at].hearing, Hearing::Left));
            }
            Ok(()) if matches!(self.nodes[at].hearing, Hearing::Away(_)) => return Ok(true),
            Ok(()) if self.nodes[at].session().is_none_or(|session| session.is_settled()) => return Ok(false),
            Ok(()) => {
                self.nodes[at].session().into_iter().for_each(Session::ask_again_where_unshown);
                self.nodes[at].cannot_end(self.setup.patience)
            }
        };
        if let Some(why) = &why {
            self.cut_short(at, why, sink)?;
        }
        Ok(why.is_none())
    }

    /// A server cannot be heard to the end.
    fn cut_short(&mut self, at: usize, why: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.hand_on_before_gap(at, sink)?;
        self.say(at, &format!("the end of the recording could not be compared with the server's counts: {why}"));
        self.is_uncompared = true;
        self.ledger.breaks(at, self.numbering.last(), why.to_owned());
        self.leave(at);
        Ok(())
    }
}
