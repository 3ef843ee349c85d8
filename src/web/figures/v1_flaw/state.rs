//! The figure's state and what changes it: pure, so that every way through the figure can be tested natively.

use std::rc::Rc;

use super::flaw::anchors::{self, ANCHORS, PARTS};
use super::flaw::{Choice, FASTER, Flaw, NAMES, PASSES};
use crate::core::report::Verdict;
use crate::web::components::Guesses;
use crate::web::figures::script::report::File;
use crate::web::keys::Walk;

/// How many steps the walk has.
pub const COUNT: usize = ANCHORS * PARTS;

/// The figure's state.
#[derive(Debug)]
pub struct State {
    /// What is shown.
    pub flaw: Rc<Flaw>,
    /// The call that the reader has chosen.
    pub choice: Choice,
    /// How far the walk has come: so many steps. `None` when all are shown at once.
    pub walked: Option<usize>,
    /// The anchor that the reader looks at.
    pub selection: Option<usize>,
    /// What the reader said of each step before it was shown.
    pub guesses: Guesses<COUNT>,
    /// Whose script was analysed last: a place in [`PASSES`].
    pub analysed: usize,
    /// What it came to, under each policy.
    pub judged: Rc<[File]>,
    /// What the figure waits for, or why there is nothing to wait for.
    pub pending: Option<String>,
}

/// What a reader can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// What every figure knows.
    Walk(Walk),
    /// Choose what is passed.
    Passes(usize),
    /// Choose how keys are named.
    Names(usize),
    /// Choose whether somebody was faster.
    Faster(usize),
    /// Look at an anchor, or no longer.
    Look(usize),
    /// Say what the next step will come to.
    Guess(Verdict),
}

impl State {
    /// v1's call, with all that follows: what a reader sees first, and without JavaScript.
    pub fn new(flaw: Rc<Flaw>, judged: Rc<[File]>) -> Self {
        Self {
            flaw,
            judged,
            choice: Choice::default(),
            walked: None,
            selection: None,
            guesses: Guesses::NONE,
            analysed: 0,
            pending: None,
        }
    }

    /// How many steps are shown.
    pub fn come_to(&self) -> usize {
        self.walked.unwrap_or(COUNT)
    }

    /// Whether a part of an anchor is shown.
    pub fn is_shown(&self, anchor: usize, part: usize) -> bool {
        anchor * PARTS + part < self.come_to()
    }

    /// What a step comes to.
    pub fn verdict(&self, step: usize) -> Option<Verdict> {
        anchors::verdict(&self.flaw, self.choice, step / PARTS, step % PARTS)
    }

    /// The next step, where it comes to something that can be foretold; else why not.
    pub fn next(&self) -> Result<usize, &'static str> {
        match self.walked {
            None => Err("Reset, then predict"),
            Some(COUNT..) => Err("all is shown"),
            Some(step) if step % PARTS == 0 => Err("next comes an anchor"),
            Some(step) => Ok(step),
        }
    }

    /// What the script that was analysed came to under the strictest policy.
    pub fn file(&self) -> Option<&File> {
        self.judged.first()
    }

    /// The name and the text of the script that the chosen call runs.
    pub fn script(&self) -> (&'static str, &str) {
        let (name, _) = PASSES[self.choice.passes];
        (name, self.flaw.texts.get(self.choice.passes).map_or("", String::as_str))
    }

    /// Takes what an analysis of the chosen script came to.
    pub fn analysed(&mut self, judged: Vec<File>) {
        self.judged = judged.into();
        self.analysed = self.choice.passes;
        self.pending = None;
    }

    fn walk(&mut self, to: usize) {
        self.walked = Some(to);
        self.selection = to.checked_sub(1).map(|step| step / PARTS);
    }

    /// What was foretold was foretold of another call.
    fn choose(&mut self, choice: Choice) {
        self.choice = choice;
        self.guesses = Guesses::NONE;
    }

    /// Shows a call, how far a walk has come, and an anchor, where that is shown by then.
    pub fn turn_to(&mut self, choice: Choice, walked: Option<usize>, selection: Option<usize>) {
        self.choose(choice);
        self.walked = walked.map(|walked| walked.min(COUNT));
        self.selection = selection.filter(|anchor| *anchor < ANCHORS && self.is_shown(*anchor, 0));
    }

    /// Does what the reader asked for.
    pub fn reduce(&mut self, action: Action) {
        match action {
            Action::Passes(index) => self.choose(Choice { passes: index.min(PASSES.len() - 1), ..self.choice }),
            Action::Names(index) => self.choose(Choice { names: index.min(NAMES.len() - 1), ..self.choice }),
            Action::Faster(index) => self.choose(Choice { raced: index.min(FASTER.len() - 1) == 1, ..self.choice }),
            Action::Guess(verdict) => {
                if let Ok(step) = self.next() {
                    self.guesses.say(step, verdict);
                }
            }
            Action::Look(anchor) if self.selection == Some(anchor) => self.selection = None,
            Action::Look(anchor) => {
                let anchor = anchor.min(ANCHORS - 1);
                if !self.is_shown(anchor, 0) {
                    self.walked = Some(anchor * PARTS + 1);
                }
                self.selection = Some(anchor);
            }
            Action::Walk(Walk::Step) => self.walk(self.walked.map_or(1, |walked| (walked + 1).min(COUNT))),
            Action::Walk(Walk::Back) => self.walk(self.come_to().saturating_sub(1)),
            Action::Walk(Walk::First) => self.walk(1),
            Action::Walk(Walk::Last) => self.walk(COUNT),
            Action::Walk(Walk::Reset) => {
                self.choose(Choice::default());
                self.walk(0);
            }
            Action::Walk(Walk::All) => {
                self.walked = None;
                self.selection = None;
            }
            // Of a walk the anchor it has come to; of all at once the first.
            Action::Walk(Walk::Open) => {
                if self.come_to() > 0 {
                    let here = self.walked.map_or(0, |walked| walked.saturating_sub(1) / PARTS);
                    self.selection = self.selection.or(Some(here));
                }
            }
            Action::Walk(Walk::Close) => self.selection = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::fixture::{judged, state};
    use super::super::flaw::{Choice, NAMES, PASSES, SERVERS};
    use super::super::status::status;
    use super::{Action, COUNT, State};
    use crate::core::report::Verdict;
    use crate::web::keys::Walk;

    fn after(actions: &[Action]) -> State {
        let mut state = state();
        state.flaw = Rc::new(super::Flaw { mended: (6, "declared".to_owned()), own: (6, 6), ..(*state.flaw).clone() });
        for action in actions {
            state.reduce(*action);
        }
        state
    }

    const STEP: Action = Action::Walk(Walk::Step);
    const RESET: Action = Action::Walk(Walk::Reset);

    #[test]
    fn it_opens_with_v1s_call_and_all_that_follows() {
        let state = after(&[]);
        assert_eq!((state.come_to(), state.selection), (COUNT, None));
        assert_eq!(
            status(&state),
            "12 of 12 · take-2.lua · undeclared · alone: takes it · restricted: refuses it halfway · cluster: refuses it before it runs"
        );
    }

    #[test]
    fn it_walks_each_anchor_to_what_follows_and_what_mends_it() {
        let mut state = after(&[RESET]);
        let mut said = vec![status(&state)];
        for _ in 0..COUNT {
            state.reduce(STEP);
            said.push(status(&state).replacen("take-2.lua · undeclared · ", "", 1));
        }
        assert_eq!(
            said,
            [
                "0 of 12 · take-2.lua · undeclared · nothing stepped yet",
                "1 of 12 · anchor 1: moveToActive-11.lua:148",
                "2 of 12 · consequence 1: pass: standalone: takes it",
                "3 of 12 · resolution 1: pass: claim-4.lua is declared",
                "4 of 12 · anchor 2: moveToActive-11.lua:162",
                "5 of 12 · consequence 2: fail: restricted: refuses it halfway, and emq:payments:01:lock is not there",
                "6 of 12 · resolution 2: pass: restricted: takes it",
                "7 of 12 · anchor 3: scripts.ex:256",
                "8 of 12 · consequence 3: fail: cluster: refuses it before it runs",
                "9 of 12 · resolution 3: pass: cluster: takes it",
                "10 of 12 · anchor 4: 24–26 of the 50",
                "11 of 12 · consequence 4: pass: 25 of 50 scripts are undeclared",
                "12 of 12 · resolution 4: pass: 6 of 6 scripts declare every key",
            ]
        );
        state.reduce(STEP);
        assert_eq!((state.come_to(), state.selection), (COUNT, Some(3)));
        state.reduce(Action::Walk(Walk::Back));
        state.reduce(Action::Walk(Walk::First));
        state.reduce(Action::Walk(Walk::Back));
        assert_eq!((state.come_to(), state.selection), (0, None));
        state.reduce(Action::Walk(Walk::Open));
        assert_eq!(state.selection, None, "nothing is shown yet");
        state.reduce(Action::Walk(Walk::All));
        assert_eq!((state.walked, state.selection), (None, None));
    }

    #[test]
    fn another_call_is_another_answer_and_the_walk_stays() {
        let said = |actions: &[Action]| {
            let status = status(&after(&[&[RESET], actions, &[STEP; 5]].concat()));
            status.split(": ").skip(1).collect::<Vec<_>>().join(": ")
        };
        let halfway = |key: &str| format!("fail: restricted: refuses it halfway, and {key} is not there");
        assert_eq!(said(&[]), halfway("emq:payments:01:lock"));
        assert_eq!(said(&[Action::Names(1)]), halfway("emq:{payments}:01:lock"));
        assert_eq!(said(&[Action::Passes(1)]), "pass: restricted: takes it");
        assert_eq!(said(&[Action::Passes(1), Action::Faster(1)]), halfway("emq:payments:02:lock"));
        assert_eq!(
            said(&[Action::Passes(2), Action::Faster(1)]),
            "fail: restricted: takes it, and emq:payments:02:lock is not there"
        );
        assert_eq!(said(&[Action::Passes(3), Action::Faster(1)]), "pass: restricted: takes it");
        let reset = after(&[Action::Passes(9), Action::Names(9), Action::Faster(9), RESET]);
        assert_eq!(reset.choice, super::Choice::default());
    }

    #[test]
    fn what_was_said_of_a_step_is_held_against_it() {
        let say = Action::Guess(Verdict::Fail);
        let state = after(&[say, RESET, say, STEP, say, STEP]);
        assert!(status(&state).contains("consequence 1: pass, where you said fail: standalone"), "{}", status(&state));
        let right = after(&[RESET, STEP, STEP, STEP, STEP, say, STEP]);
        assert!(status(&right).contains("consequence 2: fail, as you said: restricted"), "{}", status(&right));
        let other = after(&[RESET, STEP, say, Action::Names(1), STEP]);
        assert!(!status(&other).contains("you said"), "{}", status(&other));
        assert_eq!(after(&[]).next(), Err("Reset, then predict"));
    }

    #[test]
    fn an_anchor_is_looked_at_with_enter_and_no_more_with_escape() {
        let look = |actions: &[Action]| after(actions).selection;
        assert_eq!(look(&[Action::Walk(Walk::Open)]), Some(0));
        assert_eq!(look(&[Action::Look(2)]), Some(2));
        assert_eq!(look(&[Action::Look(2), Action::Look(2)]), None);
        assert_eq!(look(&[Action::Look(2), Action::Walk(Walk::Close)]), None);
        let early = after(&[RESET, Action::Look(2)]);
        assert_eq!((early.come_to(), early.selection), (7, Some(2)));
    }

    #[test]
    fn where_versions_of_the_server_say_different_things_they_come_to_the_same() {
        let flaw = super::super::fixture::flaw();
        let choices = (0..PASSES.len()).flat_map(|passes| (0..NAMES.len()).map(move |names| (passes, names)));
        let choices = choices.flat_map(|(passes, names)| [false, true].map(|raced| Choice { passes, names, raced }));
        for choice in choices {
            for (server, _) in SERVERS.iter().enumerate() {
                let said = flaw.said(choice, server);
                assert!(!said.is_empty(), "{choice:?}");
                assert!(
                    said.iter().all(|one| one.outcome() == said[0].outcome() && one.is_well() == said[0].is_well()),
                    "{choice:?}"
                );
            }
        }
    }

    #[test]
    fn an_analysis_is_of_the_script_that_was_chosen() {
        let mut state = after(&[Action::Passes(3)]);
        state.pending = Some("analysing…".to_owned());
        // What servers say is known meanwhile, what the script before came to is not this one's.
        assert!(
            status(&state).starts_with("12 of 12 · claim-4.lua: analysing… · alone: takes it"),
            "{}",
            status(&state)
        );
        let (name, text) = state.script();
        assert_eq!(name, PASSES[3].0);
        let judged = judged(3, text);
        state.analysed(judged);
        assert!(
            status(&state).starts_with("12 of 12 · claim-4.lua · declared · alone: takes it"),
            "{}",
            status(&state)
        );
    }

    #[test]
    fn no_order_of_keys_and_clicks_breaks_it() {
        use Walk::{All, Back, Close, First, Last, Open, Reset, Step};
        let walks = [Step, Back, First, Last, All, Reset, Open, Close].map(Action::Walk);
        let more = [
            Action::Passes(9),
            Action::Names(2),
            Action::Faster(1),
            Action::Look(9),
            Action::Look(1),
            Action::Guess(Verdict::Pass),
        ];
        let all: Vec<Action> = walks.into_iter().chain(more).collect();
        let first = after(&[]);
        for one in &all {
            for other in &all {
                for third in &all {
                    let mut state = State::new(Rc::clone(&first.flaw), Rc::clone(&first.judged));
                    for action in [one, other, third] {
                        state.reduce(*action);
                    }
                    assert!(state.come_to() <= COUNT && !status(&state).is_empty());
                }
            }
        }
    }
}
