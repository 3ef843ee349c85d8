//! Which queues a recording has seen, and what their versions read: MONITOR shows no replies, so they are asked for aside.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::bytes::Bytes;
use crate::core::capture::{Event, Read, Reply};
use crate::core::commands::{Access, Role, command, operand_keys};
use crate::core::facts::version;
use crate::core::keyspace::classify;
use crate::core::profile::{Profile, VersionAt};

/// More queues than this are no longer asked about.
const MOST: usize = 1000;
/// No more values of one version are kept: a few that differ are evidence enough.
const MOST_VALUES: usize = 16;

/// A command that reads a version, and the database to send it in.
pub(super) type Question = (u32, Vec<String>);

/// Queues, and the answers about each.
#[derive(Debug)]
pub(super) struct Versions {
    profile: &'static Profile,
    /// The only queue to ask about, where one is named.
    only: Option<String>,
    queues: BTreeMap<String, Place>,
    /// By question.
    answers: BTreeMap<Vec<Bytes>, Answers>,
    /// The questions that are on their way: none of them is asked again meanwhile.
    asked: BTreeSet<Question>,
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
        Self { profile, only, queues, answers: BTreeMap::new(), asked: BTreeSet::new() }
    }

    /// Takes in a command; gives what to ask now: it has shown a queue for the first time, or written a version of which no value
    /// is known.
    pub(super) fn look(&mut self, event: &Event) -> Vec<Question> {
        let args = event.args();
        let Ok(found) = operand_keys(&args) else { return Vec::new() };
        // A script call only passes its keys on.
        let writes = command(&args).is_some_and(|command| command.role() == Role::Keys);
        let mut questions = BTreeSet::new();
        for key in &found.keys {
            let name = args[key.index];
            let queue = classify(self.profile, &[], name).queue();
            if self.only.as_deref().is_some_and(|only| queue.is_some_and(|queue| queue != only)) {
                continue;
            }
            let is_new = queue.is_some_and(|queue| self.has_come(queue, event.db));
            let is_written = writes && key.flags.access() == Access::Write && version::is_at(self.profile, name);
            if is_new || (is_written && self.lacks_value(name)) {
                // A version that is no queue's is each one's.
                questions.extend(queue.map_or_else(|| self.all(), |queue| self.about(queue).into_iter().collect()));
            }
        }
        questions.into_iter().filter(|question| self.asked.insert(question.clone())).collect()
    }

    /// Notes where a queue was seen; says whether it is to be asked about for that.
    fn has_come(&mut self, queue: &str, db: u32) -> bool {
        match self.queues.get(queue).copied() {
            Some(Place::In(known)) if known == db => false,
            // A queue that is named stands where it is first seen.
            Some(Place::In(_)) if self.only.is_some() && self.answers.is_empty() => {
                self.queues.insert(queue.to_owned(), Place::In(db));
                true
            }
            Some(Place::In(_)) => {
                self.queues.insert(queue.to_owned(), Place::Several);
                let words = self.question(queue).iter().map(|word| word.as_str().into()).collect::<Vec<Bytes>>();
                self.answers.remove(&words);
                false
            }
            None if self.queues.len() < MOST => {
                self.queues.insert(queue.to_owned(), Place::In(db));
                true
            }
            Some(Place::Several) | None => false,
        }
    }

    /// All there is to ask, each once, whether it is on its way or not.
    pub(super) fn ask_all(&mut self) -> BTreeSet<Question> {
        let all = self.all();
        self.asked.clone_from(&all);
        all
    }

    fn all(&self) -> BTreeSet<Question> {
        self.queues.keys().filter_map(|queue| self.about(queue)).collect()
    }

    /// What to ask about a queue, where its database is known.
    fn about(&self, queue: &str) -> Option<Question> {
        let Place::In(db) = *self.queues.get(queue)? else { return None };
        Some((db, self.question(queue)))
    }

    /// A question is not on its way any more, whatever came of it.
    pub(super) fn is_back(&mut self, words: &[String]) {
        self.asked.retain(|(_, asked)| asked != words);
    }

    /// A connection broke: some questions may never come back.
    pub(super) fn forget_asked(&mut self) {
        self.asked.clear();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;
    use crate::core::profile::{ECHOMQ_2X, EMQ_1};

    /// How many questions each of these commands gives reason for.
    fn asked(versions: &mut Versions, commands: &[&str]) -> Vec<usize> {
        let look = |words: &&str| {
            let words: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
            let line = format!("1.000000 [0 a:1] {}", words.join(" "));
            versions.look(&Reader::new().line(line.as_bytes()).expect("a line").expect("a command")).len()
        };
        commands.iter().map(look).collect()
    }

    fn answer(versions: &mut Versions, queue: &str, reply: Reply) {
        let words = versions.question(queue);
        versions.is_back(&words);
        versions.answered(Read { argv: words.iter().map(|word| word.as_str().into()).collect(), reply });
    }

    #[test]
    fn each_queue_is_asked_about_for_itself() {
        let mut versions = Versions::new(&EMQ_1, None, 0);
        for number in 0..=MOST {
            let calls = [format!("LLEN emq:{{q{number}}}:wait"), format!("LLEN emq:{{q{number}}}:active")];
            let expected = [usize::from(number < MOST), 0];
            assert_eq!(asked(&mut versions, &calls.each_ref().map(String::as_str)), expected, "{number}");
        }
        assert_eq!(versions.ask_all().len(), MOST);
    }

    #[test]
    fn a_version_that_was_written_is_asked_for_until_it_is_known() {
        let mut versions = Versions::new(&EMQ_1, None, 0);
        let write = "HSET emq:{q}:meta version 1";
        assert_eq!(asked(&mut versions, &[write, write, "LLEN emq:{p}:wait"]), [1, 0, 1]);
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["EVALSHA x 1 emq:{q}:meta", "HGET emq:{q}:meta version", write]), [0, 0, 1]);
        answer(&mut versions, "q", Reply::Text("1".into()));
        assert_eq!(asked(&mut versions, &[write]), [0]);
    }

    #[test]
    fn another_queue_than_the_one_named_gives_no_reason() {
        let mut versions = Versions::new(&EMQ_1, Some("q".into()), 0);
        assert_eq!(versions.ask_all().len(), 1);
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["HSET emq:{p}:meta version 1", "LLEN emq:{p}:wait"]), [0, 0]);
        assert_eq!(asked(&mut versions, &["HSET emq:{q}:meta version 1"]), [1]);
    }

    #[test]
    fn a_version_that_is_everybodys_is_asked_for_once() {
        let mut versions = Versions::new(&ECHOMQ_2X, None, 0);
        let commands = ["ZCARD emq:{q}:pending", "ZCARD emq:{p}:pending", "SET {emq}:version 1"];
        assert_eq!(asked(&mut versions, &commands), [1, 0, 0]);
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["SET {emq}:version 1"]), [1]);
    }
}
