//! The figure's state and what changes it: pure, so that every way through the figure can be tested natively.

use std::rc::Rc;

use super::shown::{Fit, Place, Shown, fits};
use crate::core::assertions;
use crate::core::capture::breaks::Break;
use crate::core::report::{AssertionReport, Evidence, Verdict};
use crate::web::components::Guesses;
use crate::web::keys::Walk;
use crate::web::offer::Offer;

/// How many assertions there are.
pub const COUNT: usize = assertions::ALL.len();

/// What the reader looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// The whole.
    None,
    /// An assertion, from 0; its evidence is lit.
    Assertion(usize),
    /// A line of the capture; the assertions it is evidence for are lit.
    Line(Place),
}

/// The figure's state.
#[derive(Debug)]
pub struct State {
    /// What can be chosen.
    pub offers: Rc<[Offer]>,
    /// Which capture is shown.
    pub chosen: usize,
    /// What breaking each rule would show on it.
    pub fits: [Fit; Break::ALL.len()],
    /// Which rule is broken.
    pub broken: Option<Break>,
    /// How far the walk has come: so many are asserted. `None` when all were asserted at once.
    pub walked: Option<usize>,
    /// What the reader said of the verdicts before they were shown.
    pub guesses: Guesses<COUNT>,
    /// What the reader looks at.
    pub selection: Selection,
    /// Whether the evidence of the selected assertion is open.
    pub open: bool,
    /// The piece of evidence of the selected assertion that the reader went to.
    pub pointed: Option<usize>,
    /// The number of the line that Tab reaches.
    pub reached: usize,
    /// A text form that is taken once its capture is there.
    pub(super) awaited: Option<String>,
    /// The capture as it is drawn, or why there is none.
    pub shown: Result<Shown, String>,
}

/// What a reader can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Assert the next one.
    Step,
    /// Take the last one back.
    Back,
    /// Assert the first, and no other.
    First,
    /// Walk to the last.
    Last,
    /// Assert all at once.
    All,
    /// Begin again: nothing broken, nothing asserted.
    Reset,
    /// Show another capture.
    Choose(usize),
    /// Break a rule, or none.
    Break(Option<Break>),
    /// Say what the next one will come to.
    Guess(Verdict),
    /// Look at an assertion and open its evidence; close it if it is open.
    Toggle(usize),
    /// Open the evidence of the assertion that is selected, or of the last one asserted.
    Open,
    /// Close what is open.
    Close,
    /// Go to a piece of evidence of the selected assertion.
    Point(usize),
    /// Look at a line.
    Select(Place),
    /// The focus has come to a line, by its number.
    Reach(usize),
}

impl From<Walk> for Action {
    fn from(asked: Walk) -> Self {
        match asked {
            Walk::Step => Self::Step,
            Walk::Back => Self::Back,
            Walk::First => Self::First,
            Walk::Last => Self::Last,
            Walk::All => Self::All,
            Walk::Reset => Self::Reset,
            Walk::Open => Self::Open,
            Walk::Close => Self::Close,
        }
    }
}

impl State {
    /// All asserted, nothing selected: what a reader sees first, and without JavaScript.
    pub fn new(offers: Rc<[Offer]>) -> Self {
        Self {
            shown: judge(&offers, 0, None),
            fits: fitting(&offers, 0),
            offers,
            chosen: 0,
            broken: None,
            walked: None,
            guesses: Guesses::NONE,
            selection: Selection::None,
            open: false,
            pointed: None,
            reached: 0,
            awaited: None,
        }
    }

    /// How many are asserted.
    pub fn asserted(&self) -> usize {
        self.walked.unwrap_or(COUNT)
    }

    /// The assertion whose verdict the next step shows; none where all are shown.
    pub fn next(&self) -> Option<usize> {
        (self.shown.is_ok() && self.asserted() < COUNT).then(|| self.asserted())
    }

    /// Whether the evidence of an assertion is open.
    pub fn is_open(&self, index: usize) -> bool {
        self.open && self.selection == Selection::Assertion(index)
    }

    /// The outcome of an assertion, once it is asserted.
    pub fn outcome(&self, index: usize) -> Option<&AssertionReport> {
        let shown = self.shown.as_ref().ok()?;
        shown.report.assertions.get(index).filter(|_| index < self.asserted())
    }

    /// Everything asserted so far, in order.
    pub fn outcomes(&self) -> impl Iterator<Item = (usize, &AssertionReport)> {
        (0..self.asserted()).filter_map(|index| Some((index, self.outcome(index)?)))
    }

    /// The lines that are lit: the evidence of the selected assertion, or the selected line.
    pub fn lit(&self) -> Vec<Place> {
        match (self.selection, &self.shown) {
            (Selection::Assertion(index), Ok(shown)) => {
                let evidence = self.outcome(index).map_or(&[][..], |outcome| &outcome.evidence);
                evidence.iter().filter_map(|evidence| shown.place(evidence)).collect()
            }
            (Selection::Line(place), _) => vec![place],
            _ => Vec::new(),
        }
    }

    /// The piece of evidence that the reader went to.
    pub fn pointed_at(&self) -> Option<&Evidence> {
        let Selection::Assertion(index) = self.selection else { return None };
        self.outcome(index)?.evidence.get(self.pointed?)
    }

    /// Its line.
    pub fn pointed_place(&self) -> Option<Place> {
        self.shown.as_ref().ok()?.place(self.pointed_at()?)
    }

    /// The line that the capture pane keeps in sight.
    pub fn followed(&self) -> Option<Place> {
        let changed = || self.shown.as_ref().ok()?.changed.first().copied();
        self.pointed_place().or_else(|| self.lit().into_iter().min()).or_else(changed)
    }

    /// More of what is offered has come, or why it does not; whatever is shown already stays.
    pub fn came(&mut self, offers: Rc<[Offer]>) {
        self.offers = offers;
        if let Some(text) = self.awaited.take() {
            self.take(&text);
        }
        if self.shown.is_err() {
            self.fit();
            self.shown = judge(&self.offers, self.chosen, self.broken);
        }
    }

    /// A rule is broken, or stays broken, where that shows something of the capture that is chosen.
    fn fit(&mut self) {
        self.fits = fitting(&self.offers, self.chosen);
        self.broken = self.broken.filter(|broken| self.fits[broken.aim()] == Fit::Shows);
    }

    fn walk(&mut self, to: usize) {
        self.walked = Some(to);
        self.pointed = None;
        self.open = to > 0;
        self.selection = to.checked_sub(1).map_or(Selection::None, Selection::Assertion);
    }

    /// Shows a capture, with a rule broken in it or none, and a walk that has come so far.
    pub(super) fn turn_to(&mut self, chosen: usize, broken: Option<Break>, walked: Option<usize>) {
        (self.chosen, self.broken, self.walked) = (chosen, broken, walked);
        self.fit();
        self.rejudge();
    }

    fn rejudge(&mut self) {
        self.guesses = Guesses::NONE;
        self.shown = judge(&self.offers, self.chosen, self.broken);
        self.catch();
    }

    /// Looks at an assertion that does not hold: the one that the broken rule is aimed at, else the first.
    fn catch(&mut self) {
        let aim = self.broken.map(Break::aim);
        let caught = self.outcomes().filter(|(_, outcome)| outcome.verdict != Verdict::Pass).map(|(index, _)| index);
        let caught = caught.min_by_key(|index| Some(*index) != aim);
        self.pointed = None;
        self.open = caught.is_some();
        self.selection = caught.map_or(Selection::None, Selection::Assertion);
    }
}

impl State {
    /// Does what the reader asked for.
    pub fn reduce(&mut self, action: Action) {
        self.awaited = None;
        match action {
            Action::Step => self.walk(self.walked.map_or(1, |walked| (walked + 1).min(COUNT))),
            Action::Back => self.walk(self.asserted().saturating_sub(1)),
            Action::First => self.walk(1),
            Action::Last => self.walk(COUNT),
            Action::All => {
                self.walked = None;
                self.catch();
            }
            Action::Reset => {
                self.broken = None;
                self.rejudge();
                self.walk(0);
            }
            Action::Choose(index) => {
                self.chosen = index.min(self.offers.len().saturating_sub(1));
                self.fit();
                self.rejudge();
            }
            Action::Break(broken) => {
                self.broken = broken;
                self.fit();
                self.rejudge();
            }
            Action::Guess(verdict) => {
                if let Some(next) = self.next() {
                    self.guesses.say(next, verdict);
                }
            }
            Action::Toggle(index) => {
                if self.is_open(index) {
                    return self.reduce(Action::Close);
                }
                self.open = true;
                self.selection = Selection::Assertion(index);
                self.pointed = None;
            }
            Action::Open => {
                if !matches!(self.selection, Selection::Assertion(_)) {
                    // Of a walk the one it has come to; of all at once the first.
                    self.selection = Selection::Assertion(self.walked.unwrap_or(1).saturating_sub(1));
                }
                self.open = true;
            }
            Action::Close => {
                self.open = false;
                self.selection = Selection::None;
                self.pointed = None;
            }
            Action::Point(index) => self.pointed = Some(index),
            Action::Select(place) => {
                let again = self.selection == Selection::Line(place);
                self.selection = if again { Selection::None } else { Selection::Line(place) };
                self.open = false;
                self.pointed = None;
            }
            Action::Reach(line) => self.reached = line,
        }
    }
}

fn fitting(offers: &[Offer], chosen: usize) -> [Fit; Break::ALL.len()] {
    offers.get(chosen).map_or([Fit::Shows; Break::ALL.len()], fits)
}

fn judge(offers: &[Offer], chosen: usize, broken: Option<Break>) -> Result<Shown, String> {
    offers.get(chosen).map_or_else(|| Err("this page offers no capture".to_owned()), |offer| Shown::of(offer, broken))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::shown::Place;
    use super::super::status::status;
    use super::{Action, COUNT, Selection, State};
    use crate::core::capture::breaks::Break;
    use crate::core::report::Verdict;
    use crate::web::offer::fixture::recordings;
    use crate::web::offer::{Offer, RECORDED};

    const CAPTURE: &str = r#"{"format":"emq-capture/1","profile":"emq.1","queue":"payments","source":{"kind":"probe","private":true},
        "events":[{"seq":1,"origin":"client","argv":["HSET","emq:{payments}:meta","version","echomq:2.0.0"]},
        {"seq":2,"origin":"client","argv":["EVAL","x","2","emq:{payments}:wait","emq:{payments}:01"]},
        {"seq":3,"origin":"script","call":2,"argv":["HSET","emq:{payments}:01","payload","p"]},
        {"seq":4,"origin":"script","call":2,"argv":["LPUSH","emq:{payments}:wait","01"]}]}"#;

    fn after(actions: &[Action]) -> State {
        let mut state = State::new(Rc::from([Offer::from_json("payments", CAPTURE.as_bytes())]));
        for action in actions {
            state.reduce(*action);
        }
        state
    }

    #[test]
    fn it_opens_with_everything_asserted_and_walks_from_the_first() {
        assert_eq!(status(&after(&[])), "5 of 5 · 5 pass");
        let first = after(&[Action::Step]);
        assert_eq!((first.asserted(), first.selection, first.open), (1, Selection::Assertion(0), true));
        assert!(status(&first).starts_with("1 of 5 · keyspace · pass: 3 of 3 keys"), "{}", status(&first));
        assert_eq!(after(&[Action::Step; 9]).asserted(), COUNT);
        assert_eq!(after(&[Action::First, Action::Back, Action::Back]).asserted(), 0);
        assert_eq!(after(&[Action::Back]).asserted(), COUNT - 1);
        assert_eq!(after(&[Action::First, Action::Last]).selection, Selection::Assertion(COUNT - 1));
    }

    #[test]
    fn every_break_is_caught_by_what_it_is_aimed_at() {
        let aimed = [Some("keyspace"), Some("hashtag"), Some("legacy"), Some("declared"), Some("version"), None];
        for (broken, aimed) in Break::ALL.into_iter().zip(aimed) {
            let said = status(&after(&[Action::Break(Some(broken))]));
            let caught =
                said.split(" · ").find_map(|part| part.split_once("caught by ")).map(|(_, ids)| ids.to_owned());
            match aimed {
                Some(id) => assert!(caught.is_some_and(|ids| ids.contains(id)), "{said}"),
                None => assert!(said.contains("nothing can be told"), "{said}"),
            }
            let mended = after(&[Action::Break(Some(broken)), Action::Break(None)]);
            assert_eq!(status(&mended), "5 of 5 · 5 pass");
        }
    }

    #[test]
    fn a_break_opens_the_assertion_it_is_aimed_at() {
        for broken in Break::ALL.into_iter().filter(|broken| broken.aim() < COUNT) {
            let state = after(&[Action::Break(Some(broken))]);
            assert_eq!((state.selection, state.open), (Selection::Assertion(broken.aim()), true), "{}", broken.id());
        }
        assert_eq!(after(&[Action::Break(Some(Break::Empty))]).selection, Selection::Assertion(0));
    }

    #[test]
    fn what_a_break_changed_is_known_and_followed() {
        for broken in Break::ALL {
            let state = after(&[Action::Reset, Action::Break(Some(broken))]);
            let changed = state.shown.as_ref().map(|shown| shown.changed.as_slice()).unwrap_or_default();
            assert_eq!(changed.is_empty(), broken == Break::Empty, "{}", broken.id());
            assert_eq!(state.followed(), changed.first().copied(), "{}", broken.id());
        }
        assert_eq!(after(&[]).followed(), None);
    }

    #[test]
    fn a_break_waits_for_the_assertions() {
        let reset = after(&[Action::Break(Some(Break::Undeclared)), Action::Reset]);
        assert_eq!((reset.asserted(), reset.broken), (0, None));
        let waiting = after(&[Action::Reset, Action::Break(Some(Break::Undeclared))]);
        assert_eq!(status(&waiting), "0 of 5 · changed: an undeclared key · nothing asserted yet");
        let walked = after(&[Action::Reset, Action::Break(Some(Break::Undeclared)), Action::Step]);
        assert!(status(&walked).contains("not caught so far"), "{}", status(&walked));
    }

    #[test]
    fn evidence_opens_lights_up_and_closes() {
        let open = after(&[Action::Toggle(3)]);
        assert!(open.open && !open.lit().is_empty() && open.followed() == open.lit().into_iter().min());
        let closed = after(&[Action::Toggle(3), Action::Toggle(3)]);
        assert_eq!((closed.open, closed.selection), (false, Selection::None));
        assert_eq!(after(&[Action::Open, Action::Close]).selection, Selection::None);
        // The first line lit is what the script did to a key of its call.
        let line = open.lit()[0];
        let pointed = after(&[Action::Toggle(3), Action::Point(1)]);
        assert_eq!(pointed.followed(), Some(Place::Event(4)));
        assert_eq!(status(&pointed), "5 of 5 · declared · line 4: LPUSH …:wait: in KEYS of 11f6ad8e");
        let selected = after(&[Action::Select(line)]);
        assert!(status(&selected).contains("is evidence for declared"), "{}", status(&selected));
        assert_eq!(after(&[Action::Select(line), Action::Select(line)]).selection, Selection::None);
    }

    #[test]
    fn what_was_said_before_a_step_is_held_against_what_it_shows() {
        let said = after(&[Action::Reset, Action::Guess(Verdict::Fail)]);
        assert_eq!(status(&said), "0 of 5 · nothing asserted yet · you say of keyspace: fail");
        let wrong = after(&[Action::Reset, Action::Guess(Verdict::Fail), Action::Step]);
        assert!(
            status(&wrong).starts_with("1 of 5 · keyspace · pass, where you said fail: 3 of 3"),
            "{}",
            status(&wrong)
        );
        let right = after(&[Action::Reset, Action::Guess(Verdict::Pass), Action::Step]);
        assert!(status(&right).starts_with("1 of 5 · keyspace · pass, as you said: 3 of 3"), "{}", status(&right));
        // Taken back, and not said at all, a step says what it always says.
        let plain = status(&after(&[Action::Step]));
        let back = [Action::Reset, Action::Guess(Verdict::Pass), Action::Guess(Verdict::Pass), Action::Step];
        assert_eq!(status(&after(&back)), plain);
        // Of what is shown nothing can be said, and whatever shows something else forgets what was said.
        for before in [&[][..], &[Action::Last]] {
            let state = after(&[before, &[Action::Guess(Verdict::Fail)]].concat());
            assert_eq!((state.next(), status(&state)), (None, status(&after(before))));
        }
        for other in [Action::Reset, Action::Choose(0), Action::Break(None)] {
            let state = after(&[Action::Reset, Action::Guess(Verdict::Fail), other]);
            assert_eq!(state.guesses.of(0), None, "{other:?}");
        }
        let all = after(&[Action::Reset, Action::Guess(Verdict::Fail), Action::All]);
        assert_eq!((all.guesses.of(0), status(&all).as_str()), (Some(Verdict::Fail), "5 of 5 · 5 pass"));
    }

    #[test]
    fn recordings_come_after_the_figure_lives() {
        let fixed = || Offer::from_json("payments", CAPTURE.as_bytes());
        let early: Rc<[Offer]> = std::iter::once(fixed()).chain(RECORDED.iter().map(Offer::awaited)).collect();
        let late: Rc<[Offer]> = std::iter::once(fixed()).chain(recordings()).collect();
        let start = |actions: &[Action]| {
            let mut state = State::new(Rc::clone(&early));
            for action in actions {
                state.reduce(*action);
            }
            state
        };
        // Chosen too early it says so, and is shown as soon as it is there, as far as the reader has walked.
        let mut chosen = start(&[Action::Choose(1)]);
        assert!(status(&chosen).contains("loading"), "{}", status(&chosen));
        chosen.came(Rc::clone(&late));
        assert!(status(&chosen).starts_with("5 of 5 · 5 fail"), "{}", status(&chosen));
        let mut walked = start(&[Action::Choose(3), Action::First]);
        walked.came(Rc::clone(&late));
        assert!(status(&walked).starts_with("1 of 5 · keyspace · pass: 6 of 6"), "{}", status(&walked));
        // What does not come says why; what is shown stays as it is.
        let mut gone = start(&[Action::Choose(1)]);
        gone.came(
            std::iter::once(fixed())
                .chain(RECORDED.iter().map(|one| Offer::missing(one.file, "gone").recording(one)))
                .collect(),
        );
        assert!(status(&gone).contains("captures/bullmq-bull.bin: gone"), "{}", status(&gone));
        let mut elsewhere = start(&[Action::Step, Action::Guess(Verdict::Fail)]);
        let before = status(&elsewhere);
        elsewhere.came(Rc::clone(&late));
        assert_eq!(status(&elsewhere), before);
        // A rule that would show nothing there does not stay broken.
        elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
        for (index, broken) in [(1, None), (4, None)] {
            elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
            elsewhere.reduce(Action::Choose(index));
            assert_eq!(elsewhere.broken, broken);
            elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
            assert_eq!(elsewhere.broken, broken);
            elsewhere.reduce(Action::Choose(0));
        }
        elsewhere.reduce(Action::Break(Some(Break::WrongVersion)));
        elsewhere.reduce(Action::Choose(4));
        assert_eq!(elsewhere.broken, Some(Break::WrongVersion));
    }

    #[test]
    fn a_capture_that_is_none_is_said_and_nothing_else_breaks() {
        let offers = Rc::from([Offer::missing("payments", "the server answered 404")]);
        let mut state = State::new(offers);
        for action in
            [Action::Step, Action::Open, Action::Break(Some(Break::Undeclared)), Action::All, Action::Toggle(4)]
        {
            state.reduce(action);
            assert!(status(&state).contains("the server answered 404"), "{}", status(&state));
        }
        assert!(State::new(Rc::from([])).shown.is_err());
    }
}
