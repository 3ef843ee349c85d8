//! The bench's state and what changes it: pure, so that every way through it can be tested natively.

use std::rc::Rc;

use yew::AttrValue;

use super::EXAMPLES;
use super::command::command;
use crate::core::bytes::short;
use crate::core::policy::Policy;
use crate::web::components::{Foretell, PredictFirst};
use crate::web::judged::{Judged, Queue};

/// How large an input may be, in bytes: what a browser judges while somebody waits.
pub const LIMIT: u64 = 8 * 1024 * 1024;

/// How many characters the text area takes: of more than that only the name is shown, since a browser is slow to lay them out.
pub const SHORT: u32 = 32 * 1024;

/// How long a file's name may be that the report and the command line say.
const NAME: usize = 80;

/// The profiles to choose from, beside the one that is recognised.
pub const PROFILES: [&str; 2] = ["emq.1", "echomq-2.x"];

/// The bench's state.
#[derive(Debug)]
pub struct State {
    /// The example that is judged.
    pub example: Option<usize>,
    /// What the input is called.
    pub name: String,
    /// How large it is, where it is the reader's own.
    pub size: Option<u64>,
    /// What stands in the text area.
    pub text: AttrValue,
    /// The profile that the reader chose.
    pub profile: Option<usize>,
    /// The policy.
    pub policy: usize,
    /// The queue that the reader chose: a place among those known.
    pub queue: Option<usize>,
    /// The queues of the input, as long as none was chosen.
    pub known: Vec<Queue>,
    /// What was judged last.
    pub judged: Rc<Judged>,
    /// What that was called.
    pub about: String,
    /// What is waited for, or why there is nothing to wait for.
    pub pending: Option<Pending>,
    /// Whether the reader says first what it comes to.
    pub first: PredictFirst,
}

/// What the figure waits for, or why there is nothing to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// It is being read: so many bytes of so many.
    Reading(u64, u64),
    /// It cannot be judged here.
    Trouble(String),
}

/// What the reader and the worker do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Take an example.
    Example(usize),
    /// Put a text into the text area.
    Type(AttrValue),
    /// Give a file, or a text that is too long for the text area: its name, and its size in bytes.
    Give(String, u64),
    /// Choose a profile; the first is the one that is recognised.
    Profile(usize),
    /// Choose a policy.
    Policy(usize),
    /// Choose a queue; the first is each one seen.
    Queue(usize),
    /// So many bytes of so many are read.
    Read(u64, u64),
    /// It is judged; the text is that of an example.
    Judged(Box<Judged>, Option<AttrValue>),
    /// It cannot be judged here.
    Trouble(String),
    /// Say first what it comes to.
    Foretell(Foretell),
}

/// What is to be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Rest,
    /// The input is another, and is to be judged.
    Judge,
    /// The input is the same, and is to be judged by other rules.
    Again,
    /// What is being judged is not wanted any more.
    Stop,
}

impl State {
    /// The first example with its verdict: what a reader sees first, and without JavaScript.
    pub fn new(judged: Judged) -> Self {
        let name = EXAMPLES[0].0.to_owned();
        Self {
            example: Some(0),
            about: name.clone(),
            name,
            size: None,
            text: AttrValue::default(),
            profile: None,
            policy: 0,
            queue: None,
            known: known(&judged),
            judged: Rc::new(judged),
            pending: None,
            first: PredictFirst::default(),
        }
    }

    /// Takes in what happened, and says what is to be done.
    pub fn reduce(&mut self, action: Action) -> Next {
        match action {
            Action::Example(index) => {
                let Some((name, _)) = EXAMPLES.get(index) else { return Next::Rest };
                self.example = Some(index);
                self.text = AttrValue::default();
                self.begin((*name).to_owned(), None)
            }
            Action::Type(text) => {
                let name = if text.trim_start().starts_with('{') { "pasted.json" } else { "pasted.log" };
                let size = text.len() as u64;
                self.example = None;
                self.text = text;
                self.begin(name.to_owned(), Some(size))
            }
            Action::Give(name, size) => {
                self.example = None;
                self.text = AttrValue::default();
                self.begin(short(&name, NAME).into_owned(), Some(size))
            }
            Action::Profile(index) => {
                self.profile = index.checked_sub(1).filter(|index| *index < PROFILES.len());
                self.queue = None;
                self.again()
            }
            Action::Policy(index) => {
                self.policy = index.min(Policy::ALL.len() - 1);
                self.again()
            }
            Action::Queue(index) => {
                self.queue = index.checked_sub(1).filter(|index| *index < self.known.len());
                self.again()
            }
            Action::Read(read, of) => {
                self.pending = Some(Pending::Reading(read, of));
                Next::Rest
            }
            Action::Judged(judged, text) => {
                if self.queue.is_none() {
                    self.known = known(&judged);
                }
                self.judged = Rc::new(*judged);
                self.about.clone_from(&self.name);
                self.pending = None;
                if let (Some(text), Some(_)) = (text, self.example) {
                    self.text = text;
                }
                Next::Rest
            }
            Action::Trouble(why) => {
                self.pending = Some(Pending::Trouble(why));
                Next::Rest
            }
            Action::Foretell(does) => {
                self.first.take(does);
                Next::Rest
            }
        }
    }

    /// Another input.
    fn begin(&mut self, name: String, size: Option<u64>) -> Next {
        self.name = name;
        self.size = size;
        self.queue = None;
        self.known.clear();
        self.first.another();
        let bytes = size.unwrap_or_default();
        if bytes > LIMIT {
            self.pending = Some(Pending::Trouble(format!(
                "{}: {} is more than the {} that this page takes: `emq-conform check` on your machine takes any size",
                self.name,
                megabytes(bytes),
                megabytes(LIMIT)
            )));
            return Next::Stop;
        }
        self.pending = Some(Pending::Reading(0, bytes));
        Next::Judge
    }

    /// The same input by other rules; one that was refused stays so.
    fn again(&mut self) -> Next {
        if self.is_too_large() {
            return Next::Rest;
        }
        self.first.otherwise();
        self.pending = Some(Pending::Reading(0, self.size.unwrap_or_default()));
        Next::Again
    }

    fn is_too_large(&self) -> bool {
        self.size.is_some_and(|size| size > LIMIT)
    }

    /// The profile that the reader chose; `None` for the one that is recognised.
    pub fn profile(&self) -> Option<&'static str> {
        self.profile.map(|index| PROFILES[index])
    }

    /// The policy's word.
    pub fn policy(&self) -> &'static str {
        Policy::ALL[self.policy].id()
    }

    /// The queue that the reader chose, with its database where it lies in several.
    pub fn queue(&self) -> Option<(&str, Option<u32>)> {
        let queue = self.known.get(self.queue?)?;
        let places = self.known.iter().filter(|other| other.name == queue.name).count();
        Some((queue.name.as_deref()?, (places > 1).then_some(queue.db)))
    }

    /// The command line that does the same on the reader's own machine.
    pub fn command(&self) -> String {
        let recognised = if self.about == self.name { self.judged.recognised.as_str() } else { PROFILES[0] };
        command(&self.name, self.profile().unwrap_or(recognised), self.policy(), self.queue())
    }
}

/// The queues that somebody may ask for: those that were judged, and those of the old keyspace that were not.
fn known(judged: &Judged) -> Vec<Queue> {
    let seen = judged.queues.iter().filter(|queue| queue.may_be_asked).cloned();
    let old = judged.old_queues.iter().map(|name| Queue {
        name: Some(name.clone()),
        db: 0,
        may_be_asked: true,
        verdict: String::new(),
    });
    seen.chain(old).collect()
}

/// `8 MiB`, `58.4 MiB`; less than one in bytes.
pub fn megabytes(bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    match (bytes / MIB, bytes % MIB * 10 / MIB) {
        (0, _) => format!("{bytes} bytes"),
        (whole, 0) if bytes.is_multiple_of(MIB) => format!("{whole} MiB"),
        (whole, tenth) => format!("{whole}.{tenth} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, LIMIT, Next, Pending, State, megabytes};
    use crate::web::judged::{Judged, Queue};

    fn judged(queues: &[(&str, u32)], old: &[&str]) -> Judged {
        let queue = |(name, db): &(&str, u32)| Queue {
            name: Some((*name).to_owned()),
            db: *db,
            may_be_asked: true,
            verdict: "pass".to_owned(),
        };
        let (profile, recognised) = ("emq.1".to_owned(), "emq.1".to_owned());
        let old_queues = old.iter().map(|name| (*name).to_owned()).collect();
        Judged { queues: queues.iter().map(queue).collect(), old_queues, profile, recognised, ..Judged::default() }
    }

    #[test]
    fn an_input_at_the_limit_is_judged_and_one_past_it_is_refused() {
        let mut state = State::new(judged(&[("q", 0)], &[]));
        assert_eq!(state.reduce(Action::Give("a.log".to_owned(), LIMIT)), Next::Judge);
        assert_eq!(state.pending, Some(Pending::Reading(0, LIMIT)));
        assert_eq!(state.reduce(Action::Give("b.log".to_owned(), LIMIT + 1)), Next::Stop);
        let Some(Pending::Trouble(why)) = &state.pending else { panic!("{:?}", state.pending) };
        assert!(why.contains("8 MiB") && why.contains("emq-conform check"), "{why}");
        // What is refused stays refused, whatever else is chosen; the verdict that stands is still of what it says.
        assert_eq!(state.reduce(Action::Policy(1)), Next::Rest);
        assert!(matches!(state.pending, Some(Pending::Trouble(_))));
        assert_eq!((state.about.as_str(), state.name.as_str()), ("payments.json", "b.log"));
        assert_eq!(state.command(), "emq-conform check --witness trace --profile emq.1 --policy rooted b.log");
    }

    #[test]
    fn a_queue_is_chosen_from_all_of_them_and_stays_among_them() {
        let mut state = State::new(judged(&[("a", 0), ("b", 0), ("b", 2)], &["old"]));
        assert_eq!((state.known.len(), state.queue()), (4, None));
        assert_eq!(state.reduce(Action::Queue(1)), Next::Again);
        assert_eq!(state.queue(), Some(("a", None)));
        state.reduce(Action::Judged(Box::new(judged(&[("a", 0)], &[])), None));
        assert_eq!(state.known.len(), 4, "the others are still offered");
        state.reduce(Action::Queue(3));
        assert_eq!(state.queue(), Some(("b", Some(2))));
        state.reduce(Action::Queue(4));
        assert_eq!(state.queue(), Some(("old", None)));
        state.reduce(Action::Queue(9));
        assert_eq!(state.queue(), None);
        // Another profile may see other queues, another input has others.
        state.reduce(Action::Queue(1));
        state.reduce(Action::Profile(2));
        assert_eq!((state.profile(), state.queue()), (Some("echomq-2.x"), None));
    }

    #[test]
    fn what_is_pasted_is_named_by_what_it_looks_like_and_an_example_shows_its_text() {
        let mut state = State::new(judged(&[], &[]));
        assert_eq!(state.reduce(Action::Type(" {\"format\"".into())), Next::Judge);
        assert_eq!((state.name.as_str(), state.example), ("pasted.json", None));
        state.reduce(Action::Judged(Box::default(), Some("late".into())));
        assert_eq!(state.text, " {\"format\"", "an answer to an example that is not there any more");
        state.reduce(Action::Type("OK".into()));
        assert_eq!(state.name, "pasted.log");
        assert_eq!(state.reduce(Action::Example(1)), Next::Judge);
        state.reduce(Action::Judged(Box::default(), Some("the text".into())));
        assert_eq!((state.text.as_str(), state.pending.as_ref()), ("the text", None));
        assert_eq!(state.reduce(Action::Example(99)), Next::Rest);
    }

    #[test]
    fn sizes_are_said_in_mebibytes() {
        assert_eq!(
            ["0 bytes", "8 MiB", "8.0 MiB", "57.2 MiB"],
            [0, LIMIT, LIMIT + 1, 60_000_000].map(megabytes).each_ref().map(String::as_str)
        );
    }
}
