//! Which queues a recording has seen, and what their versions read: MONITOR shows no replies, so they are asked for aside.

use std::collections::BTreeMap;

use crate::core::capture::{Event, Read, Reply};
use crate::core::commands::{Access, operand_keys};
use crate::core::facts::version;
use crate::core::keyspace::classify;
use crate::core::profile::{Profile, VersionAt};

/// More queues than this are no longer asked about.
const MOST: usize = 1000;

/// Queues, and the last answer about each.
#[derive(Debug)]
pub(super) struct Versions {
    profile: &'static Profile,
    /// The only queue to ask about, where one is named.
    only: Option<String>,
    queues: BTreeMap<String, Place>,
    reads: BTreeMap<String, Read>,
}

/// Where a queue was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In this database.
    In(u32),
    /// In several: a capture's reads do not say of which they speak.
    Several,
}

impl Versions {
    /// Nothing seen yet; a queue that is named is asked about in `db` until it is seen.
    pub(super) fn new(profile: &'static Profile, only: Option<String>, db: u32) -> Self {
        let queues = only.iter().map(|queue| (queue.clone(), Place::In(db))).collect();
        Self { profile, only, queues, reads: BTreeMap::new() }
    }

    /// Takes in a command; says whether there is something to ask: it has shown a queue for the first time, or written a
    /// version of which no value is known.
    pub(super) fn look(&mut self, event: &Event) -> bool {
        let args = event.args();
        let Ok(found) = operand_keys(&args) else { return false };
        let mut changed = false;
        for key in &found.keys {
            let name = args[key.index];
            if key.flags.access() == Access::Write && version::is_at(self.profile, name) {
                changed |= self.lacks_value(name);
            }
            let Some(queue) = classify(self.profile, &[], name).queue() else { continue };
            if self.only.as_ref().is_some_and(|only| only != queue) {
                continue;
            }
            match self.queues.get(queue).copied() {
                Some(Place::In(db)) if db == event.db => {}
                // A queue that is named stands where it is first seen.
                Some(Place::In(_)) if self.only.is_some() && self.reads.is_empty() => {
                    self.queues.insert(queue.to_owned(), Place::In(event.db));
                    changed = true;
                }
                Some(Place::In(_)) => {
                    self.queues.insert(queue.to_owned(), Place::Several);
                    self.reads.remove(queue);
                }
                None if self.queues.len() < MOST => {
                    self.queues.insert(queue.to_owned(), Place::In(event.db));
                    changed = true;
                }
                Some(Place::Several) | None => {}
            }
        }
        changed
    }

    /// What to ask: the database and the command, a queue's once.
    pub(super) fn questions(&self) -> Vec<(u32, Vec<String>)> {
        let mut questions = Vec::new();
        for (queue, place) in &self.queues {
            let Place::In(db) = *place else { continue };
            let question = (db, self.question(queue));
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
        questions
    }

    /// Whether no answer so far has told what stands at the key.
    fn lacks_value(&self, key: &[u8]) -> bool {
        !self.reads.values().any(|read| read.argv.get(1).is_some_and(|asked| asked.0 == key) && has_value(read))
    }

    /// Keeps the last answer to each question. One that nothing stands there does not replace a value: a queue that was
    /// cleared away had its version while it was used, and the removal itself is in the traffic.
    pub(super) fn answered(&mut self, read: Read) {
        let words: Vec<String> = read.argv.iter().map(ToString::to_string).collect();
        let asked = self.queues.keys().find(|queue| self.question(queue) == words);
        if let Some(queue) = asked.cloned()
            && (has_value(&read) || !self.reads.get(&queue).is_some_and(has_value))
        {
            self.reads.insert(queue, read);
        }
    }

    /// The last answers.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Read> {
        self.reads.values()
    }

    /// Queues that lie in several databases.
    pub(super) fn unclear(&self) -> impl Iterator<Item = &str> {
        self.queues.iter().filter(|(_, place)| **place == Place::Several).map(|(queue, _)| queue.as_str())
    }

    fn question(&self, queue: &str) -> Vec<String> {
        match self.profile.version {
            VersionAt::HashField { kind, field } => {
                vec!["HGET".to_owned(), self.profile.queue_key(queue, kind), field.to_owned()]
            }
            VersionAt::String { key } => vec!["GET".to_owned(), key.to_owned()],
        }
    }
}

fn has_value(read: &Read) -> bool {
    matches!(read.reply, Reply::Text(_))
}
