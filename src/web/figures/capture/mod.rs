//! The capture bench: a reader's MONITOR log or capture, and what the five assertions say of it.
//!
//! What is said is what `emq-conform check` says of the trace. It is computed in a worker, which reads the input piece by piece and has
//! a module of its own: an input may be large, and the page goes on meanwhile. What stands before any script runs was judged by the same
//! core while the page was built.

mod address;
mod command;
pub mod input;
mod keys;
mod outcomes;
pub mod state;
mod view;
pub mod worker;

pub(super) use outcomes::decides;

use wasm_bindgen::JsValue;
use yew::prelude::*;

use crate::web::address::{Address, Asked, Host};
use crate::web::components::{Copied, Copy};
use crate::web::judged::Judged;
use crate::web::worker::Heard;
use input::Brought;
use state::{Action, Next, Pending, State};
use worker::{Judge, News, Question};

/// The examples: their files, and what they are.
pub const EXAMPLES: [(&str, &str); 5] = [
    ("payments.json", "v2: one job, the probe’s runtime"),
    ("echomq-2.4.2-roundtrip.monitor.log", "EchoMQ 2.x: one job, a MONITOR log"),
    ("echomq-2.4.2-retry.monitor.log", "EchoMQ 2.x: a job that is tried again"),
    ("bullmq-5.65.1-bull.capture.json", "BullMQ: one job, its own prefix"),
    ("bullmq-5.65.1-emq.capture.json", "BullMQ: one job, prefix emq"),
];

/// Where the page has them.
pub const FOLDER: &str = "captures/";

/// What can be copied.
const OFFERS: [&str; 3] = ["markdown", "JSON", "command"];

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// What the first example came to.
    pub judged: Judged,
    /// Whether the controls work.
    pub alive: bool,
    /// What the page does for it.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        self.alive == other.alive && self.judged == other.judged
    }
}

/// What the figure is told.
#[derive(Debug)]
pub enum Message {
    /// A choice of the reader's.
    Do(Action),
    /// An input of the reader's.
    Bring(Brought),
    /// The reader has come to the bench.
    Near,
    /// Copy one of what can be copied.
    Copy(usize),
    /// What came of copying.
    Copied(Copied),
    /// Put away what could not be copied.
    Close,
    /// From the worker.
    Heard(Heard),
}

/// The figure.
pub struct Bench {
    pub(in crate::web) state: State,
    judge: Option<Judge>,
    /// The input's number and what the worker reads.
    input: u32,
    content: JsValue,
    /// What the reader brought last: an example may have taken its place.
    own: Option<Brought>,
    /// The whole reports of what was judged last, as JSON and as markdown: the worker's own strings.
    pub(in crate::web) reports: Option<(JsValue, JsValue)>,
    /// What is to be copied as soon as there are reports.
    due: Option<usize>,
    copy: Copy,
    address: Address,
}

impl Component for Bench {
    type Message = Asked<Message>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        Self {
            state: State::new(context.props().judged.clone()),
            judge: None,
            input: 0,
            content: JsValue::UNDEFINED,
            own: None,
            reports: None,
            due: None,
            copy: Copy::default(),
            address: Address::new(context.props().host.clone()),
        }
    }

    fn update(&mut self, context: &Context<Self>, asked: Asked<Message>) -> bool {
        let message = match asked {
            Asked::Do(message) => message,
            Asked::Take(state, own) => {
                self.follow(context, &state, own.as_deref());
                return true;
            }
        };
        match message {
            Message::Near => {
                self.judge(context).start();
                return false;
            }
            Message::Do(action) => {
                if let Action::Example(index) = action {
                    self.take(path(index));
                }
                self.act(context, action, false);
            }
            Message::Bring(Brought::Unfit(why)) => {
                self.state.reduce(Action::Trouble(why));
            }
            Message::Bring(brought) => {
                self.own = Some(brought.clone());
                let (action, input) = brought.parts();
                self.take(input);
                let typed = matches!(action, Action::Type(_));
                self.act(context, action, typed);
            }
            Message::Copy(index) => self.copy(context, index),
            Message::Copied(copied) => self.copy.heard(copied),
            Message::Close => self.copy.close(),
            Message::Heard(heard) => match self.judge(context).heard(heard) {
                None => return false,
                Some(news) => self.hear(context, news),
            },
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        view::view(self, context.props().alive, context.link())
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.copy.select();
        self.address.tell(self.state.address());
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(judge) = &mut self.judge {
            judge.stop();
        }
    }
}

impl Bench {
    fn judge(&mut self, context: &Context<Self>) -> &mut Judge {
        self.judge
            .get_or_insert_with(|| Judge::new(&context.link().callback(Message::Heard), context.props().host.clone()))
    }

    /// Takes what the page's address says, and a text that a link brought; else what the reader brought last stands in for it.
    fn follow(&mut self, context: &Context<Self>, state: &str, own: Option<&str>) {
        self.due = None;
        let brought = own.and_then(|text| input::text_of(&text.into()));
        if brought.is_some() {
            self.own.clone_from(&brought);
        }
        let own = brought.or_else(|| self.state.example.and(self.own.clone()));
        let (own, input) = own.map(Brought::parts).unzip();
        let (understood, next) = self.state.take(state, own);
        self.address.took(understood);
        match (self.state.example, input) {
            (Some(index), _) => self.take(path(index)),
            (None, Some(input)) => self.take(input),
            (None, None) => {}
        }
        self.go_on(context, next, false);
    }

    /// Another input takes the place of the last.
    fn take(&mut self, content: JsValue) {
        self.input += 1;
        self.content = content;
        self.reports = None;
    }

    fn act(&mut self, context: &Context<Self>, action: Action, typed: bool) {
        self.due = None;
        let next = self.state.reduce(action);
        self.go_on(context, next, typed);
    }

    fn go_on(&mut self, context: &Context<Self>, next: Next, typed: bool) {
        match next {
            Next::Rest => {}
            Next::Judge | Next::Again => self.ask(context, typed),
            Next::Stop => self.judge(context).forget(),
        }
    }

    fn ask(&mut self, context: &Context<Self>, typed: bool) {
        self.reports = None;
        let question = Question {
            input: self.input,
            name: self.state.name.clone(),
            content: if self.input == 0 { path(0) } else { self.content.clone() },
            profile: self.state.profile(),
            policy: self.state.policy(),
            queue: self.state.queue().map(|(name, db)| (name.to_owned(), db)),
            all: self.due.is_some(),
        };
        self.judge(context).want(&question, typed);
    }

    fn hear(&mut self, context: &Context<Self>, news: News) {
        match news {
            News::Read(read, of) => {
                self.state.reduce(Action::Read(read, of));
            }
            News::Judged(judged, reports, text) => match serde_json::from_slice(judged.as_bytes()) {
                Ok(judged) => {
                    self.copy.forget();
                    self.reports = reports;
                    self.state.reduce(Action::Judged(Box::new(judged), text.map(AttrValue::from)));
                    if let Some(index) = self.due.take() {
                        self.copy(context, index);
                    }
                }
                Err(_) => self.trouble("the judge’s answer is not one of this page’s".to_owned()),
            },
            News::Refused(why) => self.trouble(why),
            News::TooMuch => self.trouble("this input needs more than a browser gives".to_owned() + ELSEWHERE),
            News::Missing(why) => self.trouble(format!("the judge could not be loaded ({why}){ELSEWHERE}")),
        }
    }

    /// The core's words often name the input themselves.
    fn trouble(&mut self, why: String) {
        let name = &self.state.name;
        let why = if why.contains(name.as_str()) { why } else { format!("{name}: {why}") };
        self.state.reduce(Action::Trouble(why));
    }

    /// Copies what was judged, once the worker has said all of it.
    fn copy(&mut self, context: &Context<Self>, index: usize) {
        let text = match (index, &self.reports) {
            (2, _) => JsValue::from(self.state.command()),
            (0, Some((_, markdown))) => markdown.clone(),
            (1, Some((json, _))) => json.clone(),
            _ if matches!(self.state.pending, Some(Pending::Trouble(_))) => {
                return self.copy.nothing(OFFERS[index], "");
            }
            _ => {
                // They may be large: they come when somebody wants them, and after what is judged now.
                self.due = Some(index);
                if self.state.pending.is_none() {
                    self.ask(context, false);
                }
                return;
            }
        };
        Copy::take(OFFERS[index], &text, context.link().callback(Message::Copied));
    }
}

/// What to do where a browser cannot.
const ELSEWHERE: &str = ": `emq-conform check` on your machine can";

/// Where the worker finds an example.
fn path(index: usize) -> JsValue {
    EXAMPLES.get(index).map_or(JsValue::UNDEFINED, |(name, _)| format!("{FOLDER}{name}").into())
}
