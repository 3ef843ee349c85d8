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

    /// What an assertion is called on the wire that is shown.
    pub fn title(&self, index: usize) -> &'static str {
        let judged = self.shown.as_ref().ok().and_then(|shown| shown.report.assertions.get(index));
        judged.map_or(assertions::ALL[index].about().title, |judged| judged.title)
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
mod tests;
