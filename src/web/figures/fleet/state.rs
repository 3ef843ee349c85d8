//! The figure's state and what changes it: pure, so that every way through the figure can be tested natively.

use std::rc::Rc;

use super::run::Run;
use super::shown::{Shown, Walked};
use crate::core::fleet::phases::{Act, Side};
use crate::core::report::Verdict;
use crate::web::components::Guesses;
use crate::web::keys::Walk;

/// How many phases a round trip has.
pub const COUNT: usize = Act::ALL.len();

/// The figure's state.
#[derive(Debug)]
pub struct State {
    /// The run.
    pub run: Rc<Run>,
    /// Who adds, and who takes and completes: places in the run's list.
    pub pair: (usize, usize),
    /// How far the walk has come: so many phases. `None` when all are shown at once.
    pub walked: Option<usize>,
    /// What the reader said of the phases before they were shown.
    pub guesses: Guesses<COUNT>,
    /// The phase that the reader looks at.
    pub selection: Option<usize>,
    /// The cell of the matrix that Tab reaches.
    pub reached: (usize, usize),
    /// The pair as it is drawn; `None` where nothing ran.
    pub shown: Option<Shown>,
}

/// What a reader can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// What every figure knows.
    Walk(Walk),
    /// Choose one of the two.
    Choose(Side, usize),
    /// Choose both.
    Pick(usize, usize),
    /// Change them for each other.
    Swap,
    /// Say what the next phase comes to.
    Guess(Verdict),
    /// Look at a phase, or no longer.
    Look(usize),
    /// The focus has come to a cell of the matrix.
    Reach(usize, usize),
}

impl From<Walk> for Action {
    fn from(asked: Walk) -> Self {
        Self::Walk(asked)
    }
}

impl State {
    /// The first pair that met, with its whole way: what a reader sees first, and without JavaScript.
    pub fn new(run: Rc<Run>) -> Self {
        let pair = run.first();
        Self {
            shown: Shown::of(&run, pair),
            run,
            pair,
            walked: None,
            guesses: Guesses::NONE,
            selection: None,
            reached: pair,
        }
    }

    /// How many phases are shown.
    pub fn come_to(&self) -> usize {
        self.walked.unwrap_or(COUNT)
    }

    /// The phase that the next step shows; none where all are shown, or nothing ran.
    pub fn next(&self) -> Option<usize> {
        (self.shown.is_some() && self.come_to() < COUNT).then(|| self.come_to())
    }

    /// A phase, once the walk has come to it.
    pub fn phase(&self, index: usize) -> Option<&Walked> {
        self.shown.as_ref()?.phases.get(index).filter(|_| index < self.come_to())
    }

    /// The phase that the reader looks at.
    pub fn looked_at(&self) -> Option<(usize, &Walked)> {
        let index = self.selection?;
        Some((index, self.phase(index)?))
    }

    /// `reference → node-iovalkey`.
    pub fn pair_words(&self) -> String {
        format!("{} → {}", self.run.name(self.pair.0), self.run.name(self.pair.1))
    }

    /// Shows a pair, a walk that has come so far, and a phase that it has come to; of these what there is.
    pub(super) fn turn_to(&mut self, pair: (usize, usize), walked: Option<usize>, selection: Option<usize>) {
        self.pick(pair.0, pair.1);
        if self.shown.is_some() {
            self.walked = walked;
            self.selection = selection.filter(|index| *index < self.come_to());
        }
    }

    fn walk(&mut self, to: usize) {
        self.walked = Some(to);
        self.selection = to.checked_sub(1);
    }

    fn pick(&mut self, producer: usize, consumer: usize) {
        let last = self.run.runtimes.len().saturating_sub(1);
        self.pair = (producer.min(last), consumer.min(last));
        self.reached = self.pair;
        self.shown = Shown::of(&self.run, self.pair);
        self.walked = None;
        self.guesses = Guesses::NONE;
        self.selection = None;
    }

    /// Does what the reader asked for.
    pub fn reduce(&mut self, action: Action) {
        match action {
            Action::Choose(Side::Producer, index) => self.pick(index, self.pair.1),
            Action::Choose(Side::Consumer, index) => self.pick(self.pair.0, index),
            Action::Pick(producer, consumer) => self.pick(producer, consumer),
            Action::Swap => self.pick(self.pair.1, self.pair.0),
            Action::Guess(verdict) => {
                if let Some(next) = self.next() {
                    self.guesses.say(next, verdict);
                }
            }
            Action::Reach(row, column) => self.reached = (row, column),
            Action::Walk(Walk::Close) => self.selection = None,
            // Where nothing ran there is no way to walk.
            Action::Walk(_) | Action::Look(_) if self.shown.is_none() => {}
            Action::Look(index) if self.selection == Some(index) => self.selection = None,
            Action::Look(index) => {
                if index >= self.come_to() {
                    self.walked = Some(index + 1);
                }
                self.selection = Some(index);
            }
            Action::Walk(Walk::Step) => self.walk(self.walked.map_or(1, |walked| (walked + 1).min(COUNT))),
            Action::Walk(Walk::Back) => self.walk(self.come_to().saturating_sub(1)),
            Action::Walk(Walk::First) => self.walk(1),
            Action::Walk(Walk::Last) => self.walk(COUNT),
            Action::Walk(Walk::Reset) => {
                self.guesses = Guesses::NONE;
                self.walk(0);
            }
            Action::Walk(Walk::All) => {
                self.walked = None;
                self.selection = None;
            }
            // Of a walk the one it has come to; of all at once the first.
            Action::Walk(Walk::Open) => {
                if self.come_to() > 0 {
                    self.selection = self.selection.or(Some(self.walked.unwrap_or(1).saturating_sub(1)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::fixture;
    use super::super::run::Run;
    use super::super::status::status;
    use super::{Action, COUNT, State};
    use crate::core::fleet::phases::Side;
    use crate::core::fleet::verdict::FleetVerdict;
    use crate::core::report::Verdict;
    use crate::web::keys::Walk;

    fn after(actions: &[Action]) -> State {
        let mut state = State::new(Rc::new(fixture::run()));
        for action in actions {
            state.reduce(*action);
        }
        state
    }

    fn step() -> Action {
        Action::Walk(Walk::Step)
    }

    #[test]
    fn it_opens_with_a_pair_that_met_and_its_whole_way() {
        let state = after(&[]);
        assert_ne!(state.pair.0, state.pair.1);
        assert_eq!((state.come_to(), state.selection), (COUNT, None));
        assert_eq!(
            status(&state),
            "4 of 4 · reference → node-iovalkey · pass: 13 payloads crossed, equal as JSON, 13 of them as bytes"
        );
    }

    #[test]
    fn it_walks_from_the_first_phase_to_the_last_and_back() {
        let first = after(&[step()]);
        assert_eq!((first.come_to(), first.selection), (1, Some(0)));
        assert!(status(&first).starts_with("1 of 4 · reference → node-iovalkey · add: pass: row emq:{fleet}:"));
        assert_eq!(after(&[step(); 9]).come_to(), COUNT);
        let back = after(&[Action::Walk(Walk::First), Action::Walk(Walk::Back), Action::Walk(Walk::Back)]);
        assert_eq!((back.come_to(), back.selection), (0, None));
        assert_eq!(status(&back), "0 of 4 · reference → node-iovalkey · nothing stepped yet");
        let last = after(&[Action::Walk(Walk::Last)]);
        assert_eq!(status(&last), "4 of 4 · reference → node-iovalkey · take again: pass: no job waits or is held");
        assert_eq!(after(&[Action::Walk(Walk::Reset), Action::Walk(Walk::All)]).walked, None);
        assert_eq!(after(&[Action::Walk(Walk::Back)]).come_to(), COUNT - 1);
    }

    #[test]
    fn what_was_said_before_a_step_is_held_against_what_it_shows() {
        let guess = |verdict| Action::Guess(verdict);
        let reset = Action::Walk(Walk::Reset);
        let said = after(&[reset, guess(Verdict::Fail)]);
        assert_eq!(status(&said), "0 of 4 · reference → node-iovalkey · nothing stepped yet · you say of add: fail");
        let wrong = after(&[reset, guess(Verdict::Fail), step()]);
        assert!(status(&wrong).contains("add: pass, where you said fail: row emq:{fleet}:"), "{}", status(&wrong));
        let right = after(&[reset, guess(Verdict::Pass), step()]);
        assert!(status(&right).contains("add: pass, as you said: row emq:{fleet}:"), "{}", status(&right));
        for other in [reset, Action::Swap] {
            assert_eq!(after(&[reset, guess(Verdict::Fail), other]).guesses.of(0), None);
        }
        assert_eq!(after(&[guess(Verdict::Fail)]).next(), None);
        // Who does not come to a phase is told that nothing tells.
        let bullmq = fixture::run().runtimes.iter().position(|one| one.name.contains("bullmq")).expect("it is there");
        let pair = Action::Pick(bullmq, bullmq);
        let never = |act: usize| after(&[pair]).shown.and_then(|shown| Some(shown.phases.get(act)?.verdict));
        let act = (0..COUNT).find(|act| never(*act) == Some(FleetVerdict::NotRun));
        if let Some(act) = act {
            let way = [&[pair, reset][..], &vec![step(); act], &[guess(Verdict::Indeterminate), step()]].concat();
            assert!(status(&after(&way)).contains("not-run, as you said"), "{}", status(&after(&way)));
        }
    }

    #[test]
    fn a_phase_opens_and_closes() {
        assert_eq!(after(&[Action::Look(2)]).selection, Some(2));
        assert_eq!(after(&[Action::Look(2), Action::Look(2)]).selection, None);
        assert_eq!(after(&[Action::Look(2), Action::Walk(Walk::Close)]).selection, None);
        assert_eq!(after(&[Action::Walk(Walk::Open)]).selection, Some(0));
        assert_eq!(after(&[Action::Walk(Walk::Reset), Action::Walk(Walk::Open)]).selection, None);
        let ahead = after(&[Action::Walk(Walk::Reset), Action::Look(2)]);
        assert_eq!((ahead.come_to(), ahead.selection), (3, Some(2)));
    }

    #[test]
    fn both_directions_are_recorded_each_for_itself() {
        let there = after(&[]);
        let back = after(&[Action::Swap]);
        assert_eq!(back.pair, (there.pair.1, there.pair.0));
        let capture = |state: &State| {
            state.run.cell(state.pair.0, state.pair.1).and_then(|cell| Some(cell.trip.as_ref()?.capture.clone()))
        };
        assert!(capture(&back).is_some() && capture(&there) != capture(&back));
        assert!(status(&back).contains("node-iovalkey → reference · pass"), "{}", status(&back));
    }

    #[test]
    fn the_judgement_of_each_recording_is_that_of_its_run() {
        let run = Rc::new(fixture::run());
        let met: Vec<_> = run.cells.iter().filter(|cell| cell.trip.is_some()).collect();
        assert_eq!(met.len(), 9);
        for cell in met {
            let state = after(&[Action::Pick(cell.producer, cell.consumer)]);
            let shown = state.shown.as_ref().expect("it met");
            // Of a runtime that fails, what crossed and what the assertions say both count.
            let phases = FleetVerdict::of_all(shown.phases.iter().map(|walked| walked.verdict));
            let passes = phases == FleetVerdict::Pass && shown.report.verdict == Verdict::Pass;
            assert_eq!(passes, cell.verdict == FleetVerdict::Pass, "{}", state.pair_words());
            let strange = shown.keys.iter().any(|row| !row.own);
            assert_eq!(strange, !cell.keys.is_empty(), "{}", state.pair_words());
            for (walked, act) in shown.phases.iter().zip(super::Act::ALL) {
                assert_eq!(walked.checks.len(), act.checks().len(), "{}", state.pair_words());
                // What was not asked left no commands, and what passed left some.
                let tried = walked.verdict != FleetVerdict::NotRun;
                assert_eq!(!walked.phase.steps.is_empty(), tried, "{} {}", state.pair_words(), act.word());
            }
        }
    }

    #[test]
    fn a_pair_that_did_not_meet_says_so_and_is_no_way_to_walk() {
        let elixir = fixture::run().runtimes.iter().position(|one| one.name == "echomq-elixir").expect("it is there");
        let nothing =
            "reference → echomq-elixir · not-run: nothing to run: echomq-elixir: claims v2, not verified here";
        for action in [step(), Action::Look(1), Action::Walk(Walk::Open), Action::Walk(Walk::All)] {
            let state = after(&[Action::Choose(Side::Producer, 0), Action::Choose(Side::Consumer, elixir), action]);
            assert!(state.shown.is_none() && state.selection.is_none());
            assert_eq!(status(&state), nothing);
        }
        assert_eq!(after(&[Action::Pick(99, 99)]).pair, (5, 5));
        let nobody = State::new(Rc::new(Run::default()));
        assert!(nobody.shown.is_none() && status(&nobody).contains("not-run"), "{}", status(&nobody));
    }
}
