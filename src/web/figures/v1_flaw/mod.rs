//! The v1 flaw: what the course points at in v1's code, what follows from it, and what mends it.
//!
//! The script is ours, with the two lines that matter. Where its keys come from is what `emq-conform lint` finds in it, while the
//! page is built and again in a worker when the reader chooses another; what servers say of a call was recorded from real ones.

mod address;
mod anchors;
mod called;
mod controls;
pub use crate::core::flaw;
mod heading;
pub mod packed;
mod picture;
pub mod state;
pub(in crate::web) mod status;
mod way;
mod words;

#[cfg(test)]
pub(super) mod fixture {
    //! The recording, for tests.

    use std::fs;
    use std::rc::Rc;

    use super::flaw::{Flaw, PASSES};
    use super::state::State;
    use crate::web::analyzer;
    use crate::web::figures::script::report::{self, File};

    pub(crate) fn flaw() -> Flaw {
        let read = |name: &str| fs::read_to_string(format!("fixtures/{name}")).expect("a fixture");
        let texts = ["flaw/take-2.lua", "flaw/take-2.lua", "flaw/passed-4.lua", "scripts/claim-4.lua"].map(read);
        Flaw::read(read("flaw/recorded.json").as_bytes(), read("flaw/bullmq.json").as_bytes(), texts.into())
            .expect("a recording")
    }

    /// What a script comes to, as the worker says it.
    pub(crate) fn judged(passes: usize, text: &str) -> Vec<File> {
        let reports = analyzer::judge(text.as_bytes(), PASSES[passes].0).reports;
        report::read(reports.as_bytes()).expect("reports")
    }

    pub(crate) fn state() -> State {
        let flaw = flaw();
        let judged = judged(0, &flaw.texts[0]);
        State::new(Rc::new(flaw), judged.into())
    }
}

use std::mem::replace;
use std::rc::Rc;

use web_sys::Element;
use yew::html::Scope;
use yew::prelude::*;

use crate::web::address::{Address, Asked, Host};
use crate::web::components::{guess, stale};
use crate::web::figures::script;
use crate::web::figures::script::report::{self, File};
use crate::web::figures::script::worker::{Analyzer, News};
use crate::web::follow::{bring, follow};
use crate::web::keys::{Walk, on_key, walk};
use crate::web::worker::Heard;
use anchors::anchors;
use called::called;
use controls::{controls, keys};
use flaw::Flaw;
use heading::heading;
use picture::picture;
use state::{Action, State};
use way::Way;

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// What is shown.
    pub flaw: Rc<Flaw>,
    /// What the first script came to, under each policy.
    pub judged: Rc<[File]>,
    /// Whether the controls work.
    pub alive: bool,
    /// The page, where there is one.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.flaw, &other.flaw) && self.alive == other.alive
    }
}

/// What reaches the figure.
#[derive(Debug)]
pub enum Message {
    /// The reader did something.
    Do(Action),
    /// The worker did.
    Heard(Heard),
}

impl From<Walk> for Message {
    fn from(asked: Walk) -> Self {
        Self::Do(Action::Walk(asked))
    }
}

/// The figure: its state, the worker, and what it must know of the document.
pub struct Inspector {
    pub(in crate::web) state: State,
    pub(in crate::web) analyzer: Option<Analyzer>,
    /// Whose analysis is shown or on its way.
    pub(in crate::web) wanted: usize,
    /// The pane with the script.
    pane: NodeRef,
    /// What was last drawn: whose script, the anchor that is looked at, and how far the walk had come.
    subject: (usize, Option<usize>, Option<usize>),
    /// Whether the reader did something that is not drawn yet.
    asked: bool,
    address: Address,
}

impl Component for Inspector {
    type Message = Asked<Message>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let Props { flaw, judged, .. } = context.props();
        let state = State::new(Rc::clone(flaw), Rc::clone(judged));
        let address = Address::new(context.props().host.clone());
        Self {
            state,
            analyzer: None,
            wanted: 0,
            pane: NodeRef::default(),
            subject: (0, None, None),
            asked: false,
            address,
        }
    }

    fn update(&mut self, context: &Context<Self>, asked: Asked<Message>) -> bool {
        let message = match asked {
            Asked::Do(message) => message,
            Asked::Take(state, _) => {
                let understood = self.state.take(&state);
                self.address.took(understood);
                self.want(context);
                return true;
            }
        };
        match message {
            Message::Do(action) => {
                self.asked = true;
                self.state.reduce(action);
                self.want(context);
            }
            Message::Heard(heard) => match self.analyzer(context).heard(heard) {
                None => return false,
                Some(News::Reports(reports)) => match report::read(reports.as_bytes()) {
                    Some(judged) => self.state.analysed(judged),
                    None => self.fail("the analyzer’s answer is not one of this page’s"),
                },
                Some(News::TooMuch) => self.fail("the analyzer did not come to an end"),
                Some(News::Missing(why)) => self.fail(&format!("the analyzer could not be loaded ({why})")),
            },
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let part = Part { state: &self.state, alive: context.props().alive, pane: &self.pane, link: context.link() };
        let onkeydown = part
            .link
            .batch_callback(|event: KeyboardEvent| on_key(&event, action).map(|action| Asked::Do(Message::Do(action))));
        let alone = if part.alive { "" } else { ALONE };
        html! {
            <div class={stale("emq-figure emq-v1-flaw", self.state.pending.is_some())} role="group" aria-labelledby="emq-v1-flaw-title" aria-describedby="emq-v1-flaw-keys"
                tabindex={part.alive.then_some("0")} {onkeydown}>
                { heading(&part) }
                { controls(&part) }
                { keys() }
                { verdicts(&self.state) }
                { picture(&part) }
                { called(&part) }
                { anchors(&part) }
                <p class="emq-status" role="status" aria-live="polite">{ status::status(&self.state) }{ alone }</p>
            </div>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.address.tell(self.state.text());
        let subject = (self.state.analysed, self.state.selection, self.state.walked);
        let (was, asked) = (replace(&mut self.subject, subject), replace(&mut self.asked, false));
        let Some(pane) = self.pane.cast::<Element>().filter(|_| was != subject) else { return };
        let line = Way::of(&self.state).and_then(|way| way.anchor(self.state.selection?));
        match line {
            Some(line) => follow(&pane, &format!("line-{line}")),
            None => pane.set_scroll_top(0),
        }
        // What a step shows may lie below the screen.
        if let (Some(anchor), true) = (self.state.selection, asked && (was.1 != subject.1 || was.2 != subject.2)) {
            let row = format!(".emq-anchors > li:nth-child({})", anchor + 1);
            let figure = pane.closest(".emq-figure").ok().flatten();
            if let Some(row) = figure.and_then(|figure| figure.query_selector(&row).ok().flatten()) {
                bring(&row, None);
            }
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.stop();
        }
    }
}

impl Inspector {
    fn analyzer(&mut self, context: &Context<Self>) -> &mut Analyzer {
        let new = || Analyzer::new(&context.link().callback(Message::Heard), context.props().host.clone());
        self.analyzer.get_or_insert_with(new)
    }

    /// Has the script of the chosen call analysed, where it is another one.
    fn want(&mut self, context: &Context<Self>) {
        let passes = self.state.choice.passes;
        let wanted = replace(&mut self.wanted, passes);
        if self.state.analysed == passes {
            // What stands there is of this one: neither another answer, should it come, nor that there is none would be of any use.
            if wanted != passes {
                self.analyzer(context).stop();
            }
            self.state.pending = None;
            return;
        }
        if wanted == passes {
            return;
        }
        let (name, text) = self.state.script();
        let text = text.to_owned();
        self.state.pending = Some("analysing…".to_owned());
        self.analyzer(context).want(name, text.as_bytes(), false);
    }

    fn fail(&mut self, why: &str) {
        // With the next that the reader does it is tried again.
        self.wanted = self.state.analysed;
        let (name, _) = self.state.script();
        self.state.pending = Some(format!(
            "{why}: `emq-conform lint {name}` on your machine can. The lines above are those that were analysed last"
        ));
    }
}

fn action(key: &str) -> Option<Action> {
    walk(key).map(Action::Walk).or_else(|| guess(key).map(Action::Guess))
}

/// What the analysis says, and what each policy makes of it.
fn verdicts(state: &State) -> Html {
    if state.pending.is_some() { script::none() } else { script::verdicts(state.file(), &state.judged) }
}

/// What every part of the figure is given.
struct Part<'f> {
    state: &'f State,
    alive: bool,
    pane: &'f NodeRef,
    link: &'f Scope<Inspector>,
}

impl Part<'_> {
    /// A callback for a button.
    fn on<E>(&self, action: Action) -> Callback<E> {
        self.link.callback(move |_| Message::Do(action))
    }
}

/// What the status line adds while no script has run.
const ALONE: &str = " · judged when this page was built; stepping needs JavaScript and WebAssembly";
