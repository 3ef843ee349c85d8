//! The figure's state and what changes it: pure, so that every way through the figure can be tested natively.

use std::rc::Rc;

use yew::Reducible;

use super::shown::{Place, Shown};
use crate::core::assertions;
use crate::core::capture::breaks::Break;
use crate::core::report::{AssertionReport, Verdict};
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
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// What can be chosen.
    pub offers: Rc<[Offer]>,
    /// Which capture is shown.
    pub chosen: usize,
    /// Which rule is broken.
    pub broken: Option<Break>,
    /// How far the walk has come: so many are asserted. `None` when all were asserted at once.
    pub walked: Option<usize>,
    /// What the reader looks at.
    pub selection: Selection,
    /// Whether the evidence of the selected assertion is open.
    pub open: bool,
    /// The piece of evidence that the reader went to.
    pub pointed: Option<Place>,
    /// The capture as it is drawn, or why there is none.
    pub shown: Rc<Result<Shown, String>>,
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
    /// Look at an assertion and open its evidence; close it if it is open.
    Toggle(usize),
    /// Open the evidence of the assertion that is selected, or of the last one asserted.
    Open,
    /// Close what is open.
    Close,
    /// Go to a piece of evidence.
    Point(Place),
    /// Look at a line.
    Select(Place),
}

impl State {
    /// All asserted, nothing selected: what a reader sees first, and without JavaScript.
    pub fn new(offers: Rc<[Offer]>) -> Self {
        let shown = Rc::new(judge(&offers, 0, None));
        let (broken, walked, pointed) = (None, None, None);
        Self { offers, chosen: 0, broken, walked, selection: Selection::None, open: false, pointed, shown }
    }

    /// How many are asserted.
    pub fn asserted(&self) -> usize {
        self.walked.unwrap_or(COUNT)
    }

    /// The outcome of an assertion, once it is asserted.
    pub fn outcome(&self, index: usize) -> Option<&AssertionReport> {
        let shown = self.shown.as_ref().as_ref().ok()?;
        shown.report.assertions.get(index).filter(|_| index < self.asserted())
    }

    /// Everything asserted so far, in order.
    pub fn outcomes(&self) -> impl Iterator<Item = (usize, &AssertionReport)> {
        (0..self.asserted()).filter_map(|index| Some((index, self.outcome(index)?)))
    }

    /// The lines that are lit: the evidence of the selected assertion, or the selected line.
    pub fn lit(&self) -> Vec<Place> {
        match (self.selection, self.shown.as_ref()) {
            (Selection::Assertion(index), Ok(shown)) => {
                let evidence = self.outcome(index).map_or(&[][..], |outcome| &outcome.evidence);
                evidence.iter().filter_map(|evidence| shown.place(evidence)).collect()
            }
            (Selection::Line(place), _) => vec![place],
            _ => Vec::new(),
        }
    }

    /// The line that the capture pane keeps in sight.
    pub fn followed(&self) -> Option<Place> {
        self.pointed.or_else(|| self.lit().into_iter().min())
    }

    fn walk(&mut self, to: usize) {
        self.walked = Some(to);
        self.pointed = None;
        self.open = to > 0;
        self.selection = to.checked_sub(1).map_or(Selection::None, Selection::Assertion);
    }

    fn rejudge(&mut self) {
        self.shown = Rc::new(judge(&self.offers, self.chosen, self.broken));
        self.catch();
    }

    /// Looks at the first assertion that does not hold.
    fn catch(&mut self) {
        let caught = self.outcomes().find(|(_, outcome)| outcome.verdict != Verdict::Pass).map(|(index, _)| index);
        self.pointed = None;
        self.open = caught.is_some();
        self.selection = caught.map_or(Selection::None, Selection::Assertion);
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            Action::Step => next.walk(self.walked.map_or(1, |walked| (walked + 1).min(COUNT))),
            Action::Back => next.walk(self.asserted().saturating_sub(1)),
            Action::First => next.walk(1),
            Action::Last => next.walk(COUNT),
            Action::All => {
                next.walked = None;
                next.catch();
            }
            Action::Reset => {
                next.broken = None;
                next.rejudge();
                next.walk(0);
            }
            Action::Choose(index) => {
                next.chosen = index.min(self.offers.len().saturating_sub(1));
                next.rejudge();
            }
            Action::Break(broken) => {
                next.broken = broken;
                next.rejudge();
            }
            Action::Toggle(index) => {
                next.open = !(self.open && self.selection == Selection::Assertion(index));
                next.selection = Selection::Assertion(index);
                next.pointed = None;
            }
            Action::Open => {
                let last = self.asserted().saturating_sub(1);
                next.selection = match self.selection {
                    Selection::Assertion(index) => Selection::Assertion(index),
                    Selection::None | Selection::Line(_) => {
                        Selection::Assertion(if self.walked.is_none() { 0 } else { last })
                    }
                };
                next.open = true;
            }
            Action::Close => {
                next.open = false;
                next.selection = Selection::None;
                next.pointed = None;
            }
            Action::Point(place) => next.pointed = Some(place),
            Action::Select(place) => {
                let again = self.selection == Selection::Line(place);
                next.selection = if again { Selection::None } else { Selection::Line(place) };
                next.open = false;
                next.pointed = None;
            }
        }
        Rc::new(next)
    }
}

fn judge(offers: &[Offer], chosen: usize, broken: Option<Break>) -> Result<Shown, String> {
    offers.get(chosen).map_or_else(|| Err("this page offers no capture".to_owned()), |offer| Shown::of(offer, broken))
}
