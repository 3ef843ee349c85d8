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
    /// The questions that are on their way, and whether a write was seen meanwhile: then one that brings no value is asked once more.
    asked: BTreeMap<Question, bool>,
    /// At the end of the recording, what was asked since: traffic that goes on makes each answer old, and so each question is asked
    /// once more at most.
    at_end: Option<BTreeSet<Question>>,
    /// How often the answers have changed.
    changes: u64,
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
    /// In none yet: it was named, and is asked about in this database.
    Named(u32),
    /// In this database.
    In(u32),
    /// In several: a capture's reads do not say of which they speak.
    Several,
}

impl Versions {
    /// Nothing seen yet; a queue that is named is asked about in `db` until it is seen.
    pub(super) fn new(profile: &'static Profile, only: Option<String>, db: u32) -> Self {
        let queues = only.iter().map(|queue| (queue.clone(), Place::Named(db))).collect();
        Self { profile, only, queues, answers: BTreeMap::new(), asked: BTreeMap::new(), at_end: None, changes: 0 }
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
            let is_written =
                writes && key.flags.access() == Access::Write && version::may_change(self.profile, &event.argv, name);
            // Looked at before the write makes an answer old: that nothing stood there after a value is to be asked for anew.
            let is_unknown = is_written && self.lacks_value(name);
            if is_written {
                self.was_written(name);
            }
            if is_new || is_unknown {
                // A version that is no queue's is each one's.
                questions.extend(queue.map_or_else(|| self.all(), |queue| self.about(queue).into_iter().collect()));
            }
        }
        questions.retain(|question| !self.asked.contains_key(question) && self.may_ask(question));
        self.asked.extend(questions.iter().map(|question| (question.clone(), false)));
        questions.into_iter().collect()
    }

    /// What was answered before says no more that nothing stands at the key.
    fn was_written(&mut self, key: &[u8]) {
        for ((_, words), is_old) in &mut self.asked {
            *is_old |= words.get(1).is_some_and(|at| at.as_bytes() == key);
        }
        for (words, answers) in &mut self.answers {
            if words.get(1).is_some_and(|at| at.0 == key) {
                self.changes += u64::from(answers.none.take().is_some());
            }
        }
    }

    /// Notes where a queue was seen; says whether it is to be asked about for that.
    fn has_come(&mut self, queue: &str, db: u32) -> bool {
        match self.queues.get(queue).copied() {
            Some(Place::Named(asked)) => {
                self.queues.insert(queue.to_owned(), Place::In(db));
                if asked != db {
                    // What was answered is of another database.
                    self.answers.clear();
                    self.changes += 1;
                }
                asked != db
            }
            Some(Place::In(known)) if known == db => false,
            Some(Place::In(_)) => {
                self.queues.insert(queue.to_owned(), Place::Several);
                let words = self.question(queue).iter().map(|word| word.as_str().into()).collect::<Vec<Bytes>>();
                self.changes += u64::from(self.answers.remove(&words).is_some());
                false
            }
            None if self.queues.len() < MOST => {
                self.queues.insert(queue.to_owned(), Place::In(db));
                true
            }
            Some(Place::Several) | None => false,
        }
    }

    /// From here on, each question is asked once at most beside those of [`ask_all`](Self::ask_all), however old its answer is.
    pub(super) fn begin_end(&mut self) {
        self.at_end = Some(BTreeSet::new());
    }

    fn may_ask(&mut self, question: &Question) -> bool {
        self.at_end.as_mut().is_none_or(|asked| asked.insert(question.clone()))
    }

    /// All there is to ask, each once, whether it is on its way or not.
    pub(super) fn ask_all(&mut self) -> BTreeSet<Question> {
        let all = self.all();
        self.asked = all.iter().map(|question| (question.clone(), false)).collect();
        all
    }

    fn all(&self) -> BTreeSet<Question> {
        self.queues.keys().filter_map(|queue| self.about(queue)).collect()
    }

    /// What to ask about a queue, where its database is known.
    fn about(&self, queue: &str) -> Option<Question> {
        match *self.queues.get(queue)? {
            Place::Named(db) | Place::In(db) => Some((db, self.question(queue))),
            Place::Several => None,
        }
    }

    /// A question is not on its way any more, and this came of it, if anything did; gives it where it is to be asked once more: what
    /// stood there before a write was nothing.
    pub(super) fn is_back(&mut self, question: Question, read: Option<Read>) -> Option<Question> {
        let was_written = self.asked.remove(&question).unwrap_or_default();
        let is_value = read.as_ref().is_some_and(|read| matches!(read.reply, Reply::Text(_)));
        let is_old = was_written && !is_value && self.may_ask(&question);
        let is_wanted = self.queues.keys().any(|queue| self.about(queue).as_ref() == Some(&question));
        if let Some(read) = read.filter(|_| is_wanted && !is_old) {
            self.answered(read);
        }
        if is_old {
            self.asked.insert(question.clone(), false);
        }
        is_old.then_some(question)
    }

    /// A question cannot be asked now.
    pub(super) fn is_not_asked(&mut self, question: &Question) {
        self.asked.remove(question);
    }

    /// A connection broke: some questions may never come back.
    pub(super) fn forget_asked(&mut self) {
        self.asked.clear();
    }

    /// Whether no answer so far has told what stands at the key.
    fn lacks_value(&self, key: &[u8]) -> bool {
        let is_known = |answers: &Answers| !answers.values.is_empty() && answers.none.is_none();
        !self.answers.iter().any(|(words, answers)| words.get(1).is_some_and(|at| at.0 == key) && is_known(answers))
    }

    /// Keeps every value that stood there, for each is evidence, and that nothing does where that is the last answer: before
    /// anything was written it is none.
    fn answered(&mut self, read: Read) {
        let Answers { values, none } = self.answers.entry(read.argv.clone()).or_default();
        if !matches!(read.reply, Reply::Text(_)) {
            self.changes += u64::from(none.as_ref() != Some(&read));
            *none = Some(read);
            return;
        }
        let is_new = values.last() != Some(&read);
        self.changes += u64::from(none.take().is_some() || is_new);
        if is_new {
            // The last of too many takes the place of the one before.
            values.truncate(MOST_VALUES - 1);
            values.push(read);
        }
    }

    /// The answers, those about a queue in the order in which they came.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Read> {
        self.answers.values().flat_map(|answers| answers.values.iter().chain(&answers.none))
    }

    /// How often they have changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
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
        assert_eq!(back(versions, queue, reply), None);
    }

    fn back(versions: &mut Versions, queue: &str, reply: Reply) -> Option<Question> {
        let question = versions.about(queue).expect("it is asked about");
        let read = Read { argv: question.1.iter().map(|word| word.as_str().into()).collect(), reply };
        versions.is_back(question, Some(read))
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
        assert_eq!(asked(&mut versions, &[write, "LLEN emq:{p}:wait"]), [1, 1]);
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["EVALSHA x 1 emq:{q}:meta", "HGET emq:{q}:meta version", write]), [0, 0, 1]);
        answer(&mut versions, "q", Reply::Text("1".into()));
        assert_eq!(asked(&mut versions, &[write]), [0]);
    }

    /// A client looks, and writes before the answer to what that gave reason for is heard.
    #[test]
    fn what_was_answered_before_a_write_says_nothing_of_what_it_wrote() {
        let mut versions = Versions::new(&EMQ_1, None, 0);
        let (read, write) = ("HGET emq:{q}:meta version", "HSETNX emq:{q}:meta version 1");
        assert_eq!(asked(&mut versions, &[read, write, write]), [1, 0, 0]);
        let again = back(&mut versions, "q", Reply::Nil(()));
        assert_eq!((again.map(|(db, _)| db), versions.reads().count()), (Some(0), 0));
        answer(&mut versions, "q", Reply::Text("1".into()));
        assert_eq!((asked(&mut versions, &[write]), versions.reads().count()), (vec![0], 1));
        // One that was heard before the write is old with it.
        assert_eq!(asked(&mut versions, &["HGET emq:{p}:meta version"]), [1]);
        answer(&mut versions, "p", Reply::Nil(()));
        assert_eq!(versions.reads().count(), 2);
        assert_eq!((asked(&mut versions, &["HSET emq:{p}:meta version 1"]), versions.reads().count()), (vec![1], 1));
    }

    #[test]
    fn a_value_is_none_the_less_known_for_a_write() {
        let mut versions = Versions::new(&EMQ_1, None, 0);
        let write = "HSETNX emq:{q}:meta version 1";
        assert_eq!(asked(&mut versions, &[write, write]), [1, 0]);
        answer(&mut versions, "q", Reply::Text("1".into()));
        assert_eq!((versions.ask_all().len(), asked(&mut versions, &[write])), (1, vec![0]));
        answer(&mut versions, "q", Reply::Text("1".into()));
    }

    /// Whoever goes on to write makes every answer old.
    #[test]
    fn at_the_end_a_question_is_asked_once_more_and_no_more() {
        let remove = "HDEL emq:{q}:meta version";
        let mut versions = Versions::new(&EMQ_1, None, 0);
        assert_eq!(asked(&mut versions, &[remove, remove]), [1, 0]);
        for _ in 0..9 {
            assert!(back(&mut versions, "q", Reply::Nil(())).is_some());
            assert_eq!(asked(&mut versions, &[remove]), [0]);
        }
        for _ in 0..2 {
            versions.begin_end();
            assert_eq!((versions.ask_all().len(), asked(&mut versions, &[remove])), (1, vec![0]));
            assert!(back(&mut versions, "q", Reply::Nil(())).is_some());
            assert_eq!(asked(&mut versions, &[remove]), [0]);
            answer(&mut versions, "q", Reply::Nil(()));
            assert_eq!((asked(&mut versions, &[remove]), versions.asked.len()), (vec![0], 0));
        }
    }

    /// The value was written and removed: that nothing stands there is forgotten only until it is asked for anew.
    #[test]
    fn a_write_of_another_field_says_nothing_of_the_version() {
        let mut versions = Versions::new(&EMQ_1, None, 0);
        assert_eq!(asked(&mut versions, &["HSET emq:{q}:meta version 1"]), [1]);
        answer(&mut versions, "q", Reply::Text("1".into()));
        assert_eq!(versions.ask_all().len(), 1);
        answer(&mut versions, "q", Reply::Nil(()));
        let others = ["HSET emq:{q}:meta paused 1", "HSETNX emq:{q}:meta paused 1", "HDEL emq:{q}:meta paused"];
        assert_eq!((asked(&mut versions, &others), versions.reads().count()), (vec![0; 3], 2));
        assert_eq!(asked(&mut versions, &["HSET emq:{q}:meta paused 1 version 2"]), [1]);
    }

    #[test]
    fn another_queue_than_the_one_named_gives_no_reason() {
        let mut versions = Versions::new(&EMQ_1, Some("q".into()), 0);
        assert_eq!(versions.ask_all().len(), 1);
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["HSET emq:{p}:meta version 1", "LLEN emq:{p}:wait"]), [0, 0]);
        assert_eq!(asked(&mut versions, &["HSET emq:{q}:meta version 1"]), [1]);
    }

    /// It is asked about in the URL's database until it is seen, and that answer is heard first or last.
    #[test]
    fn a_queue_that_is_named_stands_where_it_is_seen() {
        for is_early in [true, false] {
            let mut versions = Versions::new(&EMQ_1, Some("q".into()), 0);
            let first = versions.ask_all().pop_first().expect("a question");
            let nil =
                || Read { argv: first.1.iter().map(|word| word.as_str().into()).collect(), reply: Reply::Nil(()) };
            if is_early {
                assert_eq!(versions.is_back(first.clone(), Some(nil())), None);
            }
            let mut event =
                Reader::new().line(b"1.000000 [3 a:1] \"LLEN\" \"emq:{q}:wait\"").expect("a line").expect("a command");
            assert_eq!(versions.look(&event), [(3, first.1.clone())]);
            if !is_early {
                assert_eq!(versions.is_back(first.clone(), Some(nil())), None);
            }
            assert_eq!((versions.reads().count(), versions.unclear().count()), (0, 0));
            answer(&mut versions, "q", Reply::Text("1".into()));
            assert_eq!(versions.reads().count(), 1);
            event.db = 4;
            assert_eq!(
                (versions.look(&event), versions.reads().count(), versions.unclear().count()),
                (Vec::new(), 0, 1)
            );
        }
    }

    #[test]
    fn a_version_that_is_everybodys_is_asked_for_once() {
        let mut versions = Versions::new(&ECHOMQ_2X, None, 0);
        let commands = ["ZCARD emq:{q}:pending", "ZCARD emq:{p}:pending", "SET {emq}:version 1"];
        assert_eq!(asked(&mut versions, &commands), [1, 0, 0]);
        assert!(back(&mut versions, "q", Reply::Nil(())).is_some(), "it was written meanwhile");
        answer(&mut versions, "q", Reply::Nil(()));
        assert_eq!(asked(&mut versions, &["SET {emq}:version 1"]), [1]);
    }
}
