//! Which queues a recording has seen, and what their versions read: MONITOR shows no replies, so they are asked for aside.

use std::collections::BTreeMap;

use crate::core::bytes::Bytes;
use crate::core::capture::{Event, Read, Reply};
use crate::core::commands::{Access, operand_keys};
use crate::core::facts::version;
use crate::core::keyspace::classify;
use crate::core::profile::{Profile, VersionAt};

/// More queues than this are no longer asked about.
const MOST: usize = 1000;
/// No more values of one version are kept: a few that differ are evidence enough.
const MOST_VALUES: usize = 16;

/// Queues, and the answers about each.
#[derive(Debug)]
pub(super) struct Versions {
    profile: &'static Profile,
    /// The only queue to ask about, where one is named.
    only: Option<String>,
    queues: BTreeMap<String, Place>,
    /// By question.
    answers: BTreeMap<Vec<Bytes>, Answers>,
}

/// What was answered to one question.
#[derive(Debug, Default)]
struct Answers {
    /// Every value that stood there, in order.
    values: Vec<Read>,
    /// The last answer, where it is no value.
    none: Option<Read>,
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
        Self { profile, only, queues, answers: BTreeMap::new() }
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
                Some(Place::In(_)) if self.only.is_some() && self.answers.is_empty() => {
                    self.queues.insert(queue.to_owned(), Place::In(event.db));
                    changed = true;
                }
                Some(Place::In(_)) => {
                    self.queues.insert(queue.to_owned(), Place::Several);
                    let words = self.question(queue).iter().map(|word| word.as_str().into()).collect::<Vec<Bytes>>();
                    self.answers.remove(&words);
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
        !self
            .answers
            .iter()
            .any(|(words, answers)| words.get(1).is_some_and(|at| at.0 == key) && answers.none.is_none())
    }

    /// Keeps every value that stood there, for each is evidence, and that nothing does where that is the last answer: before
    /// anything was written it is none.
    pub(super) fn answered(&mut self, read: Read) {
        let words: Vec<String> = read.argv.iter().map(ToString::to_string).collect();
        if !self.queues.keys().any(|queue| self.question(queue) == words) {
            return;
        }
        let Answers { values, none } = self.answers.entry(read.argv.clone()).or_default();
        if !matches!(read.reply, Reply::Text(_)) {
            *none = Some(read);
            return;
        }
        *none = None;
        if values.last() != Some(&read) {
            // The last of too many takes the place of the one before.
            values.truncate(MOST_VALUES - 1);
            values.push(read);
        }
    }

    /// The answers, those about a queue in the order in which they came.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Read> {
        self.answers.values().flat_map(|answers| answers.values.iter().chain(&answers.none))
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
