//! The practice set: scripts and captures that the lesson has not shown, for a reader to say of each whether it conforms.
//!
//! The verdict on one is computed when the reader commits to one or asks: of a script by the worker of the script bench, of a capture
//! by that of the capture bench. What each came to when the page was built stands in it for who has no JavaScript, and prints.

mod address;
pub mod answer;
pub mod set;
pub mod state;
mod status;
mod view;

#[cfg(test)]
pub(super) mod fixture {
    //! The set as the page is built with it, for tests.

    use std::fs;

    use super::answer::Answer;
    use super::set::{QUEUE, SET, Unseen, is_script};
    use super::state::State;
    use crate::web::analyzer;
    use crate::web::api::Reader;
    use crate::web::figures::script::report;

    pub(crate) fn set() -> Vec<Unseen> {
        let unseen = SET.iter().enumerate().map(|(index, (name, _))| {
            let text = fs::read_to_string(format!("fixtures/practice/{name}")).expect("a fixture");
            let built = if is_script(index) {
                let reports = analyzer::judge(text.as_bytes(), name).reports;
                Answer::of_script(&report::read(reports.as_bytes()).expect("reports")).expect("an answer")
            } else {
                let options = format!(r#"{{"source":"{name}","queue":"{QUEUE}"}}"#);
                let mut reader = Reader::new(&options).expect("a reader");
                reader.feed(text.as_bytes()).expect("a log");
                let input = reader.end().expect("an input");
                Answer::of_capture(&input.judge(&options).expect("a judgement").judged(None))
            };
            Unseen { text, built }
        });
        unseen.collect()
    }

    pub(crate) fn state() -> State {
        State::new(set().into(), None)
    }
}

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::core::policy::Policy;
use crate::core::profile::EMQ_1;
use crate::web::address::{Address, Asked, Host};
use crate::web::components::guess;
use crate::web::figures::capture::input::blob;
use crate::web::figures::capture::worker::{self as capture, Judge, Question};
use crate::web::figures::script::report;
use crate::web::figures::script::worker::{self as script, Analyzer};
use crate::web::follow::bring;
use crate::web::keys::walk;
use crate::web::worker::Heard;
use answer::Answer;
use set::{QUEUE, SET, Unseen, is_script};
use state::{Action, State};

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The set.
    pub set: Rc<[Unseen]>,
    /// The one that the reader opened before the figure lived.
    pub open: Option<usize>,
    /// Whether the controls work.
    pub alive: bool,
    /// The page, where there is one.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.set, &other.set) && self.alive == other.alive
    }
}

/// What reaches the figure.
#[derive(Debug)]
pub enum Message {
    /// The reader did something.
    Do(Action),
    /// The worker for scripts did.
    Script(Heard),
    /// The worker for captures did.
    Capture(Heard),
}

/// The figure: its state, its workers with what each was asked last, and what was last drawn open.
pub struct Practice {
    state: State,
    analyzer: Option<Analyzer>,
    judge: Option<Judge>,
    script: Option<usize>,
    capture: Option<usize>,
    root: NodeRef,
    opened: Option<usize>,
    address: Address,
}

impl Component for Practice {
    type Message = Asked<Message>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let Props { set, open, host, .. } = context.props();
        let state = State::new(Rc::clone(set), *open);
        Self {
            opened: state.open,
            state,
            analyzer: None,
            judge: None,
            script: None,
            capture: None,
            root: NodeRef::default(),
            address: Address::new(host.clone()),
        }
    }

    fn update(&mut self, context: &Context<Self>, asked: Asked<Message>) -> bool {
        let happened = match asked {
            Asked::Take(text, _) => {
                let understood = self.state.take(&text);
                self.address.took(understood);
                None
            }
            Asked::Do(Message::Do(action)) => Some(action),
            Asked::Do(Message::Script(heard)) => match self.heard_script(context, heard) {
                None => return false,
                action => action,
            },
            Asked::Do(Message::Capture(heard)) => match self.heard_capture(context, heard) {
                None => return false,
                action => action,
            },
        };
        if let Some(action) = happened {
            self.state.reduce(action);
        }
        self.ask(context);
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        view::view(&self.state, context.props().alive, &self.root, context.link())
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.address.tell(self.state.text());
        if std::mem::replace(&mut self.opened, self.state.open) == self.state.open {
            return;
        }
        let Some(root) = self.root.cast::<Element>() else { return };
        let find = |wanted| root.query_selector(wanted).ok().flatten();
        let Some(open) = find("[data-item][open] > summary") else { return };
        bring(&open, None);
        // Who walks along the titles goes with what opens.
        if let (Some(_), Some(open)) = (find("[data-item] > summary:focus"), open.dyn_ref::<HtmlElement>()) {
            let _ = open.focus();
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.stop();
        }
        if let Some(judge) = &mut self.judge {
            judge.stop();
        }
    }
}

impl Practice {
    fn analyzer(&mut self, context: &Context<Self>) -> &mut Analyzer {
        let heard = || context.link().callback(|heard| Asked::Do(Message::Script(heard)));
        self.analyzer.get_or_insert_with(|| Analyzer::new(&heard(), context.props().host.clone()))
    }

    fn judge(&mut self, context: &Context<Self>) -> &mut Judge {
        let heard = || context.link().callback(|heard| Asked::Do(Message::Capture(heard)));
        self.judge.get_or_insert_with(|| Judge::new(&heard(), context.props().host.clone()))
    }

    /// Has the one judged that is to be judged now. One that it takes the place of is asked about again when it is opened.
    fn ask(&mut self, context: &Context<Self>) {
        let Some(index) = self.state.due() else { return };
        let (name, text) = (SET[index].0, self.state.set[index].text.clone());
        if is_script(index) {
            if self.script.replace(index) != Some(index) {
                self.analyzer(context).want(name, text.as_bytes(), false);
            }
        } else if self.capture.replace(index) != Some(index) {
            let question = Question {
                // The worker keeps what it read by its number.
                input: u32::try_from(index).unwrap_or_default() + 1,
                name: name.to_owned(),
                content: blob(&text.as_str().into()).map_or(JsValue::UNDEFINED, JsValue::from),
                profile: Some(EMQ_1.id),
                policy: Policy::default().id(),
                queue: Some((QUEUE.to_owned(), None)),
                all: false,
            };
            self.judge(context).want(&question, false);
        }
    }

    fn heard_script(&mut self, context: &Context<Self>, heard: Heard) -> Option<Action> {
        let news = self.analyzer(context).heard(heard)?;
        let index = self.script.take()?;
        let answer = match news {
            script::News::Reports(reports) => {
                let judged = report::read(reports.as_bytes());
                judged.and_then(|judged| Answer::of_script(&judged)).ok_or_else(|| FOREIGN.to_owned())
            }
            script::News::TooMuch => Err("the analyzer did not come to an end".to_owned()),
            script::News::Missing(why) => Err(format!("the analyzer could not be loaded ({why})")),
        };
        Some(told(index, answer, "lint"))
    }

    fn heard_capture(&mut self, context: &Context<Self>, heard: Heard) -> Option<Action> {
        let news = self.judge(context).heard(heard)?;
        if let capture::News::Read(..) = news {
            return None;
        }
        let index = self.capture.take()?;
        let answer = match news {
            capture::News::Judged(judged, ..) => match serde_json::from_slice(judged.as_bytes()) {
                Ok(judged) => Ok(Answer::of_capture(&judged)),
                Err(_) => Err(FOREIGN.to_owned()),
            },
            capture::News::Refused(why) => Err(why),
            capture::News::Missing(why) => Err(format!("the judge could not be loaded ({why})")),
            _ => Err("the judge did not come to an end".to_owned()),
        };
        Some(told(index, answer, "check --queue payments"))
    }
}

const FOREIGN: &str = "the worker’s answer is not one of this page’s";

fn told(index: usize, answer: Result<Answer, String>, command: &str) -> Action {
    match answer {
        Ok(answer) => Action::Told(index, answer),
        Err(why) => {
            let name = SET[index].0;
            Action::Trouble(index, format!("{why}: `emq-conform {command} fixtures/practice/{name}` can"))
        }
    }
}

fn action(key: &str) -> Option<Action> {
    walk(key).map(Action::Walk).or_else(|| guess(key).map(Action::Guess))
}
