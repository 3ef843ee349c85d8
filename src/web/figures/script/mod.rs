//! The script bench: a reader's Lua script, and which keys its source says it can touch.
//!
//! What is said is what `emq-conform lint` says. It is computed in a worker, which has a module of its own: a script can be made to need
//! more stack than a browser has. What stands before any script runs was judged by the same core while the page was built.

mod address;
mod findings;
pub mod report;
mod view;
pub mod worker;

pub(super) use view::verdicts;

use std::rc::Rc;

use web_sys::{Element, HtmlTextAreaElement};
use yew::html::Scope;
use yew::prelude::*;

use crate::core::policy::Policy;
use crate::web::address::{Address, Asked, Host};
use crate::web::components::chosen;
use crate::web::follow::follow;
use address::Choice;
use report::File;
use worker::{Analyzer, Heard, News};

/// The examples: their names, which say how many keys a caller passes where they end in a number, and what they are.
pub const EXAMPLES: [(&str, &str); 4] = [
    ("v1-style.lua", "v1: keys put together in the script"),
    ("claim-4.lua", "v2: every key declared"),
    ("rate-limit-1.lua", "a rate limiter"),
    ("unlock-1.lua", "a lock given back"),
];

/// What a script of the reader's own is called.
const OWN: &str = "script.lua";

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The texts of the examples.
    pub texts: Rc<[AttrValue]>,
    /// What the first of them came to, under each policy.
    pub judged: Rc<[File]>,
    /// Whether the controls work.
    pub alive: bool,
    /// The page, where there is one.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.texts, &other.texts) && self.alive == other.alive
    }
}

/// What the reader and the worker do.
#[derive(Debug)]
pub enum Action {
    /// An example.
    Example(usize),
    /// A text.
    Type(String),
    /// One of the three readings.
    Policy(usize),
    /// A finding, and a line of its way.
    Select(usize, usize),
    /// The reader has come to the bench.
    Near,
    /// From the worker.
    Heard(Heard),
}

/// The figure.
pub struct Bench {
    /// What stands in the text area, and its name.
    text: AttrValue,
    name: &'static str,
    choice: Choice,
    /// What the reader typed last.
    own: Option<AttrValue>,
    /// The text that was analysed last, and what it came to.
    code: AttrValue,
    judged: Rc<[File]>,
    selection: Option<(usize, usize)>,
    /// What the figure waits for, or why there is nothing to wait for.
    pending: Option<String>,
    analyzer: Option<Analyzer>,
    pane: NodeRef,
    address: Address,
}

impl Component for Bench {
    type Message = Asked<Action>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let Props { texts, judged, .. } = context.props();
        let text = texts.first().cloned().unwrap_or_default();
        let mut bench = Self {
            code: text.clone(),
            text,
            name: EXAMPLES[0].0,
            choice: Choice::OPENS,
            own: None,
            judged: Rc::clone(judged),
            selection: None,
            pending: None,
            analyzer: None,
            pane: NodeRef::default(),
            address: Address::new(context.props().host.clone()),
        };
        bench.open();
        bench
    }

    fn update(&mut self, context: &Context<Self>, asked: Asked<Action>) -> bool {
        let action = match asked {
            Asked::Do(action) => action,
            Asked::Take(state, own) => {
                let understood = self.take(context, &state, own);
                self.address.took(understood);
                return true;
            }
        };
        match action {
            Action::Near => self.analyzer(context).start(),
            Action::Example(index) => self.offer(context, index),
            Action::Type(text) => {
                let text = AttrValue::from(text);
                self.choice.example = None;
                self.own = Some(text.clone());
                self.want(context, OWN, text);
            }
            Action::Policy(policy) => self.choice.policy = policy.min(Policy::ALL.len() - 1),
            Action::Select(finding, line) => self.selection = Some((finding, line)),
            Action::Heard(heard) => match self.analyzer(context).heard(heard) {
                None => return false,
                Some(News::Reports(reports)) => match report::read(reports.as_bytes()) {
                    Some(judged) => {
                        self.judged = judged.into();
                        self.code = self.text.clone();
                        self.pending = None;
                        self.open();
                    }
                    None => self.pending = Some(trouble("the analyzer’s answer is not one of this page’s")),
                },
                Some(News::TooMuch) => {
                    self.pending = Some(trouble("this script needs more than a browser gives"));
                }
                Some(News::Missing(why)) => {
                    self.pending = Some(trouble(&format!("the analyzer could not be loaded ({why})")));
                }
            },
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        view::view(self, context.props().alive, context.link())
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        self.address.tell(self.choice.text());
        if let (Some((_, line)), Some(pane), false) = (self.selection, self.pane.cast::<Element>(), first) {
            follow(&pane, &format!("line-{line}"));
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.stop();
        }
    }
}

impl Bench {
    fn analyzer(&mut self, context: &Context<Self>) -> &mut Analyzer {
        let new = || Analyzer::new(&context.link().callback(Action::Heard), context.props().host.clone());
        self.analyzer.get_or_insert_with(new)
    }

    /// Shows an example, where there is one of that number.
    fn offer(&mut self, context: &Context<Self>, index: usize) {
        if let (Some((name, _)), Some(text)) = (EXAMPLES.get(index), context.props().texts.get(index)) {
            self.choice.example = Some(index);
            self.want(context, name, text.clone());
        }
    }

    fn want(&mut self, context: &Context<Self>, name: &'static str, text: AttrValue) {
        self.name = name;
        self.text = text.clone();
        self.pending = Some("analysing…".to_owned());
        self.analyzer(context).want(name, text);
    }

    /// The first finding is the one that is looked at.
    fn open(&mut self) {
        self.selection = self.file().and_then(|file| file.findings.first()).map(|finding| (0, finding.line));
    }

    /// What the text came to under the policy that is chosen.
    fn file(&self) -> Option<&File> {
        self.judged.get(self.choice.policy)
    }

    /// The policy's word.
    fn policy(&self) -> &'static str {
        Policy::ALL[self.choice.policy].id()
    }
}

fn trouble(why: &str) -> String {
    format!("{why}: `emq-conform lint` on your machine can. What stands above is the last that was analysed")
}

/// A callback for a list of choices.
fn on_choice(link: &Scope<Bench>, action: fn(usize) -> Action) -> Callback<Event> {
    link.batch_callback(move |event: Event| chosen(&event).map(action).map(Asked::Do))
}

/// A callback for the text area.
fn on_text(link: &Scope<Bench>) -> Callback<InputEvent> {
    link.batch_callback(|event: InputEvent| {
        event.target_dyn_into::<HtmlTextAreaElement>().map(|area| Asked::Do(Action::Type(area.value())))
    })
}
