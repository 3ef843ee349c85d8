//! What the bench knows, and what becomes of it: pure, without the worker, the clipboard or the text area.

use std::rc::Rc;

use yew::AttrValue;

use super::address::Choice;
use super::code::{Code, Mark};
use super::report::{File, Finding};
use super::source::{Source, TooLarge};
use super::{EXAMPLES, OWN, Props};
use crate::core::lua::limits::MAX_SOURCE;
use crate::core::policy::Policy;
use crate::web::components::{Foretell, PredictFirst};

/// What the reader does.
#[derive(Debug)]
pub enum Action {
    /// Takes an example.
    Example(usize),
    /// Changes what stands in the text area.
    Type(String),
    /// Writes over all of a script, of which a part stands there.
    Write(String),
    /// Wants to put more into the text area than a script may have: so many letters.
    TooMuch(usize),
    /// Opens a file that is too large: its name, and how many bytes it has.
    TooLarge(String, usize),
    /// Opens a file: its name, and its bytes or why they could not be had.
    Open(String, Result<Vec<u8>, String>),
    /// Goes to another part of a long script.
    Part(Part),
    /// Takes one of the three readings.
    Policy(usize),
    /// Looks at a finding, and a line of its way.
    Select(usize, usize),
    /// Says first what the script comes to.
    Foretell(Foretell),
}

/// What is said while a script is analysed.
pub(super) const ANALYSING: &str = "analysing…";

/// A part of a long script.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// The one before.
    Earlier,
    /// The one after.
    Later,
    /// Where the line is that is looked at.
    Looked,
}

/// What the bench knows.
#[derive(Debug)]
pub(super) struct State {
    /// The script, its name, and which example it is.
    pub(super) source: Source,
    pub(super) name: AttrValue,
    pub(super) example: Option<usize>,
    /// What the reader wrote or opened last, and its name, while an example stands there.
    own: Option<(AttrValue, Source)>,
    /// What is wrong with what the reader last wanted to put in.
    pub(super) refused: Option<String>,
    pub(super) policy: usize,
    /// The script that was analysed last, its name, and what it came to.
    pub(super) code: Code,
    pub(super) judged: Rc<[File]>,
    /// A finding, and a line of its way.
    pub(super) selection: Option<(usize, usize)>,
    pub(super) marks: Vec<Mark>,
    /// What the figure waits for, or why there is nothing to wait for.
    pub(super) pending: Option<String>,
    pub(super) first: PredictFirst,
}

impl State {
    /// The first example, as it was judged when the page was built.
    pub(super) fn new(props: &Props) -> Self {
        let text = props.texts.first().cloned().unwrap_or_default();
        let mut state = Self {
            source: Source::new(text.as_bytes().to_vec()).unwrap_or_default(),
            name: AttrValue::Static(EXAMPLES[0].0),
            example: Some(0),
            own: None,
            refused: None,
            policy: 0,
            code: Code::new(text.as_bytes().to_vec(), props.paint.clone()),
            judged: Rc::clone(&props.judged),
            selection: None,
            marks: Vec::new(),
            pending: None,
            first: PredictFirst::default(),
        };
        state.open();
        state
    }

    /// Does it, and says whether there is something to analyse.
    pub(super) fn act(&mut self, action: Action, texts: &[AttrValue]) -> bool {
        self.refused = None;
        match action {
            Action::Example(index) => {
                let (Some((name, _)), Some(text)) = (EXAMPLES.get(index), texts.get(index)) else { return false };
                self.keep();
                self.example = Some(index);
                self.take((*name).into(), "the example", Source::new(text.as_bytes().to_vec()))
            }
            Action::Type(shown) => {
                let written = self.source.edit(&shown);
                self.written(written)
            }
            Action::Write(shown) => {
                let written = self.source.write(&shown);
                self.written(written)
            }
            Action::TooMuch(letters) => self.refuse(TooLarge(letters).message("what you put in")),
            Action::TooLarge(name, bytes) => self.refuse(TooLarge(bytes).message(&super::lines::visible(&name))),
            Action::Open(name, Ok(bytes)) => {
                let (shown, name) = (named(&name), name);
                let source = Source::new(bytes);
                if source.is_ok() {
                    (self.example, self.own) = (None, None);
                }
                self.take(shown.into(), &super::lines::visible(&name), source)
            }
            Action::Open(name, Err(why)) => {
                self.refuse(format!("{} could not be read: {why}", super::lines::visible(&name)))
            }
            Action::Part(part) => {
                match part {
                    Part::Earlier => self.source.earlier(),
                    Part::Later => self.source.later(),
                    Part::Looked => self.source.go_to(self.selection.map_or(1, |(_, line)| line)),
                }
                false
            }
            Action::Policy(policy) => {
                self.policy = policy.min(Policy::ALL.len() - 1);
                self.first.otherwise();
                self.open();
                false
            }
            Action::Select(finding, line) => {
                self.look(Some((finding, line)));
                false
            }
            Action::Foretell(does) => {
                self.first.take(does);
                self.open();
                false
            }
        }
    }

    /// What the reader writes is no example any more; a file keeps its name.
    fn written(&mut self, written: Result<(), TooLarge>) -> bool {
        match written {
            Ok(()) => {
                self.own = None;
                if self.example.take().is_some() {
                    self.name = OWN.into();
                }
                self.wait()
            }
            Err(too_large) => self.refuse(too_large.message("what you put in")),
        }
    }

    /// Keeps what the reader wrote: an example takes its place.
    fn keep(&mut self) {
        if self.example.is_none() {
            self.own = Some((self.name.clone(), std::mem::take(&mut self.source)));
        }
    }

    /// What of it is in the page's address.
    pub(super) fn choice(&self) -> Choice {
        Choice { example: self.example, policy: self.policy }
    }

    /// Takes a text form, and the reader's own text where there is one; else what they wrote here last stands in for it. Says whether all
    /// was understood, and whether there is something to analyse.
    pub(super) fn take_choice(&mut self, text: &str, own: Option<String>, texts: &[AttrValue]) -> (bool, bool) {
        let (choice, understood) = Choice::read(text);
        if choice.policy != self.policy {
            self.act(Action::Policy(choice.policy), texts);
        }
        if choice.example.is_some() {
            let is_other = choice.example != self.example;
            return (understood, is_other && self.act(Action::Example(choice.example.unwrap_or(0)), texts));
        }
        let own = own.map(|text| (AttrValue::Static(OWN), Source::new(text.into_bytes())));
        let kept = || self.example.and(self.own.take()).map(|(name, source)| (name, Ok(source)));
        let own = own.or_else(kept);
        match own {
            Some((_, Ok(source))) if self.example.is_none() && self.source.bytes() == source.bytes() => {
                (understood, false)
            }
            Some((name, source)) => {
                let is_taken = source.is_ok();
                if is_taken {
                    self.example = None;
                }
                (understood && is_taken, self.take(name, "the link’s text", source))
            }
            None if self.example.is_none() => (understood, false),
            None => (false, self.example != Some(0) && self.act(Action::Example(0), texts)),
        }
    }

    fn take(&mut self, name: AttrValue, what: &str, source: Result<Source, TooLarge>) -> bool {
        match source {
            Ok(source) => {
                (self.name, self.source) = (name, source);
                self.wait()
            }
            Err(too_large) => self.refuse(too_large.message(what)),
        }
    }

    fn refuse(&mut self, why: String) -> bool {
        self.refused = Some(why);
        false
    }

    fn wait(&mut self) -> bool {
        self.pending = Some(ANALYSING.to_owned());
        self.first.another();
        true
    }

    /// Takes what the script came to.
    pub(super) fn judge(&mut self, judged: Vec<File>, code: Code) {
        (self.judged, self.code, self.pending) = (judged.into(), code, None);
        self.open();
    }

    /// Says why there is no verdict on the script.
    pub(super) fn fail(&mut self, why: &str) {
        self.pending = Some(format!(
            "{why}: `emq-conform lint` on your machine can. What stands above is the last that was analysed"
        ));
    }

    /// The first finding is the one that is looked at.
    fn open(&mut self) {
        let first = self.file().and_then(|file| file.findings.first());
        self.look(first.map(|finding| (0, finding.line)));
    }

    /// Nothing is looked at while the reader has yet to say what will be found.
    fn look(&mut self, selection: Option<(usize, usize)>) {
        self.selection = selection.filter(|_| !self.first.veils());
        self.marks = self.finding().map(|finding| self.code.marks(finding)).unwrap_or_default();
    }

    /// What the script came to under the policy that is chosen.
    pub(super) fn file(&self) -> Option<&File> {
        self.judged.get(self.policy)
    }

    /// The finding that is looked at.
    pub(super) fn finding(&self) -> Option<&Finding> {
        self.file()?.findings.get(self.selection?.0)
    }

    /// The policy's word.
    pub(super) fn policy(&self) -> &'static str {
        Policy::ALL[self.policy].id()
    }

    /// The command that says the same on the reader's machine.
    pub(super) fn command(&self) -> String {
        let name = quoted(&self.name);
        let named =
            if self.name.starts_with('-') { format!("--stdin-name={name}") } else { format!("--stdin-name {name}") };
        format!("emq-conform lint {named} --policy {} - < {name}", self.policy())
    }
}

/// What the script of a file is called: its name, if that can be typed.
fn named(name: &str) -> String {
    let is_plain = !name.is_empty() && name.len() <= 255 && super::lines::visible(name) == name && !name.contains('\t');
    if is_plain { name.to_owned() } else { OWN.to_owned() }
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+');
    if name.bytes().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// How much of a script is read from a file: what is larger is refused by its size, unread.
pub(super) fn is_too_large(size: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a mebibyte")]
    let most = MAX_SOURCE as f64;
    size > most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::analyzer::judge;
    use crate::web::figures::script::report::read;

    const TEXT: &str = "local a = KEYS[1] .. ':b'\nredis.call('DEL', a)\nredis.call('DEL', ARGV[1])\n";

    fn state() -> State {
        let judged = judge(TEXT.as_bytes(), EXAMPLES[0].0);
        let files = read(judged.reports.as_bytes()).expect("reports");
        let texts = EXAMPLES.map(|_| AttrValue::from(TEXT));
        let props = Props { texts: Rc::new(texts), judged: files.into(), paint: judged.paint, alive: true, host: None };
        State::new(&props)
    }

    fn act(state: &mut State, action: Action) -> bool {
        state.act(action, &EXAMPLES.map(|(name, _)| name.into()))
    }

    #[test]
    fn with_another_policy_its_own_first_finding_is_looked_at() {
        let mut state = state();
        act(&mut state, Action::Select(1, 3));
        assert_eq!((state.selection, state.marks.len()), (Some((1, 3)), 1));
        assert!(!act(&mut state, Action::Policy(1)));
        assert_eq!(state.selection.map(|(finding, _)| finding), Some(0));
        assert_eq!(state.marks.last().map(|mark| mark.line), state.finding().map(|finding| finding.line));
    }

    #[test]
    fn nothing_is_marked_before_it_was_said_what_will_be_found() {
        use crate::core::report::Verdict;

        let mut state = state();
        act(&mut state, Action::Foretell(Foretell::Want(true)));
        assert_eq!((state.first.veils(), state.selection, state.marks.len()), (true, None, 0));
        act(&mut state, Action::Foretell(Foretell::Say(Verdict::Pass)));
        assert!(!state.first.veils() && state.selection.is_some() && !state.marks.is_empty());
        // Another script is asked about again, another policy is not: its verdict stood there too.
        act(&mut state, Action::Policy(1));
        assert!(!state.first.veils());
        act(&mut state, Action::Type("return 1".to_owned()));
        assert!(state.first.veils());
    }

    #[test]
    fn what_is_refused_changes_nothing_and_is_said_until_something_else_is_done() {
        let mut state = state();
        for action in [
            Action::TooMuch(60_000_000),
            Action::TooLarge("a.lua".to_owned(), MAX_SOURCE + 1),
            Action::Open("a.lua".to_owned(), Ok(vec![b'x'; MAX_SOURCE + 1])),
            Action::Open("a.lua".to_owned(), Err("gone".to_owned())),
        ] {
            assert!(!act(&mut state, action));
            assert!(state.refused.is_some() && state.pending.is_none());
            assert_eq!((state.source.shown().as_str(), state.example), (TEXT, Some(0)));
        }
        assert!(act(&mut state, Action::Type("return 1".to_owned())));
        assert_eq!((state.refused.is_some(), state.example, state.name.as_str()), (false, None, OWN));
    }

    #[test]
    fn a_file_keeps_its_name_while_it_is_changed_if_it_can_be_typed() {
        let mut state = state();
        for (name, known, command) in [
            ("a-2.lua", "a-2.lua", "emq-conform lint --stdin-name a-2.lua --policy strict - < a-2.lua"),
            ("it's.lua", "it's.lua", r"emq-conform lint --stdin-name 'it'\''s.lua' --policy strict - < 'it'\''s.lua'"),
            ("-a.lua", "-a.lua", "emq-conform lint --stdin-name=-a.lua --policy strict - < -a.lua"),
            ("-a b", "-a b", "emq-conform lint --stdin-name='-a b' --policy strict - < '-a b'"),
            ("a\nb", OWN, "emq-conform lint --stdin-name script.lua --policy strict - < script.lua"),
            ("a\u{202e}b", OWN, "emq-conform lint --stdin-name script.lua --policy strict - < script.lua"),
            ("", OWN, "emq-conform lint --stdin-name script.lua --policy strict - < script.lua"),
        ] {
            assert!(act(&mut state, Action::Open(name.to_owned(), Ok(b"return 1".to_vec()))));
            assert!(act(&mut state, Action::Type("return 2".to_owned())));
            assert_eq!((state.name.as_str(), state.command().as_str()), (known, command));
        }
    }
}
