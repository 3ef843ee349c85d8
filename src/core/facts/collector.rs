//! The collector: events in, one by one, facts out.

use super::calls::{Call, Scripts, script_id};
use super::connections::{self, Connections, is};
use super::touches::{Touches, cannot_be_told, has_hidden_key, named};
use super::version::{self, Versions};
use super::{Counted, Facts, Place, Problem, TouchKind, Unseen, count};
use crate::core::capture::{Capture, Event, Origin};
use crate::core::commands::{Command, KeyFlags, OperandKeys, command, operand_keys, script_call};
use crate::core::profile::Profile;

/// Reduces events to [`Facts`].
#[derive(Debug)]
pub struct Collector {
    profile: &'static Profile,
    facts: Facts,
    connections: Connections,
    scripts: Scripts,
    touches: Touches,
    versions: Versions,
    /// The script call whose lines are being read.
    call: Option<Call>,
}

impl Collector {
    /// A collector that has seen nothing.
    pub fn new(profile: &'static Profile) -> Self {
        Self {
            profile,
            facts: Facts::default(),
            connections: Connections::new(),
            scripts: Scripts::new(),
            touches: Touches::default(),
            versions: Versions::new(),
            call: None,
        }
    }

    /// Takes in a whole capture.
    pub fn capture(profile: &'static Profile, capture: &Capture) -> Facts {
        let mut collector = Self::new(profile);
        collector.scripts.names.clone_from(&capture.scripts);
        for event in &capture.events {
            // A capture may have other lines between a call and what its script ran; a log never has.
            if let Some(call) = event.call
                && collector.call.as_ref().is_none_or(|current| current.seq != call)
                && let Ok(at) = capture.events.binary_search_by_key(&call, |event| event.seq)
                && let Some(call) = capture.events.get(at)
            {
                collector.open_call(call, &call.args());
            }
            collector.push(event);
        }
        collector.finish_with(capture)
    }

    /// All that was learnt, and what a capture says beside its events.
    pub fn finish_with(self, capture: &Capture) -> Facts {
        let profile = self.profile;
        let mut facts = self.finish();
        facts.profile.clone_from(&capture.profile);
        facts.queue.clone_from(&capture.queue);
        facts.engine.clone_from(&capture.engine);
        facts.source.clone_from(&capture.source);
        facts.unseen.dropped = capture.dropped;
        facts.reads = capture.reads.iter().filter_map(|read| version::replied(profile, read)).collect();
        facts
    }

    /// Takes in the next event.
    pub fn push(&mut self, event: &Event) {
        let args = event.args();
        let place = Place { seq: event.seq, line: event.line };
        let at = match &self.call {
            Some(call) if event.origin == Origin::Script && event.call == Some(call.seq) => call.connection,
            _ => self.connection(event.client.as_deref()),
        };
        self.facts.connections[at].commands += 1;
        match event.origin {
            Origin::Client => {
                if matches!(args[..], [word, ..] if is(word, b"QUIT")) {
                    self.connections.forget(event.client.as_deref());
                }
                self.facts.connections[at].calls += u64::from(self.open_call(event, &args));
            }
            Origin::Script if self.is_inside(event) => {}
            Origin::Script => self.facts.unseen.orphans.get_or_insert(Counted { first: place, count: 0 }).count += 1,
        }
        let known = command(&args);
        self.connections.learn_name(at, &mut self.facts.connections[at], &args);
        connections::learn(&mut self.facts.connections[at], known, &args, event.db, place);
        let found = operand_keys(&args);
        let both = known.zip(found.as_ref().ok());
        let connection = &mut self.facts.connections[at];
        self.versions.learn(self.profile, (at, connection), event, place, both);
        let name = known.map(Command::name).unwrap_or_default();
        match found {
            Ok(found) if has_hidden_key(&found, &event.argv) => {
                count(&mut connection.opaque, format!("{name} (its key is left out)"), Counted::once(place));
            }
            Ok(found) => self.touch(at, event, &args, name, &found),
            Err(error) if cannot_be_told(&error, &event.argv) => {
                count(&mut connection.opaque, named(&args), Counted::once(place));
            }
            Err(_) => {}
        }
    }

    /// Whether an event is of the script whose call is open. Another call that came between, as from another node, must not be
    /// taken for its caller.
    fn is_inside(&self, event: &Event) -> bool {
        let open = self.call.as_ref().map(|call| call.seq);
        event.origin == Origin::Script && event.call.is_some() && event.call == open
    }

    /// Takes in the keys that a command touched.
    fn touch(&mut self, at: usize, event: &Event, args: &[&[u8]], command: &'static str, found: &OperandKeys) {
        let inside = self.is_inside(event);
        // A client's command is no script's, whatever call stands before it.
        let call = self.call.as_ref().filter(|call| inside || call.seq == event.seq);
        let place = Place { seq: event.seq, line: event.line };
        let connection = &mut self.facts.connections[at];
        let keys = found.keys.iter().map(|key| (args[key.index], key.flags, false));
        let patterns = found.patterns.iter().map(|pattern| (pattern.key(args[pattern.index]), KeyFlags::READ, true));
        for (key, flags, pattern) in keys.chain(patterns) {
            self.versions.settle(self.profile, at, connection, key);
            let (declaration, root) = call
                .filter(|_| inside)
                .map_or((None, None), |call| call.declaration(&mut self.facts.keys, event.db, key, pattern));
            let kind = TouchKind {
                key: self.facts.keys.intern(event.db, key),
                pattern,
                command,
                access: flags.access(),
                removes: flags.only_removes(),
                script: call.map(|call| call.script),
                declaration,
                root,
            };
            self.touches.add(at, kind, place, &mut connection.touches);
        }
    }

    /// Takes in a line that could not be read.
    pub fn problem(&mut self, problem: Problem) {
        self.call = None;
        let unseen = &mut self.facts.unseen;
        unseen.damaged += 1;
        if unseen.problems.len() < Unseen::KEPT {
            unseen.problems.push(problem);
        }
    }

    /// Takes in the log's last line where it ends in the middle.
    pub fn cut_end(&mut self, problem: Problem) {
        self.facts.unseen.cut_end = Some(problem);
    }

    /// All that was learnt.
    pub fn finish(self) -> Facts {
        self.facts
    }

    fn connection(&mut self, client: Option<&str>) -> usize {
        let at = self.connections.of(client, &mut self.facts.connections);
        self.versions.grow(self.facts.connections.len());
        at
    }

    /// Opens the script call that an event is; another command leaves the one before it open, for a slow script lets
    /// others in. Says whether there was one.
    fn open_call(&mut self, event: &Event, args: &[&[u8]]) -> bool {
        let Some(found) = script_call(args) else { return false };
        let connection = self.connection(event.client.as_deref());
        let script = self.scripts.of(script_id(&found, args), &mut self.facts.scripts);
        self.call = Some(Call::new(&found, event, args, connection, script));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Collector;
    use crate::core::capture::{Event, Origin};
    use crate::core::profile::EMQ_1;

    /// As it may come live from several servers; of a whole capture the right call is known.
    #[test]
    fn what_a_script_does_is_not_held_against_the_keys_of_another_call() {
        let event = |seq, origin, call, words: &str| {
            let (client, argv) = (Some("a:1".to_owned()), words.split(' ').map(Into::into).collect());
            Event { seq, line: None, time: seq, client, db: 0, origin, call, argv }
        };
        let mut collector = Collector::new(&EMQ_1);
        collector.push(&event(1, Origin::Client, None, "FCALL f 1 a"));
        collector.push(&event(2, Origin::Client, None, "FCALL g 1 b"));
        collector.push(&event(3, Origin::Script, Some(1), "GET a"));
        collector.push(&event(4, Origin::Script, Some(2), "GET b"));
        let orphans = collector.finish().unseen.orphans.expect("one");
        assert_eq!((orphans.count, orphans.first.seq), (1, 3));
    }
}
