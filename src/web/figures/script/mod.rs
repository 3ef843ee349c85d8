//! The script bench: a reader's Lua script, and which keys its source says it can touch.
//!
//! What is said is what `emq-conform lint` says. It is computed in a worker, which has a module of its own: a script can be made to need
//! more stack than a browser has. What stands before any script runs was judged by the same core while the page was built.

mod address;
pub mod code;
mod compare;
pub mod examples;
mod findings;
mod lines;
mod open;
pub mod report;
mod source;
mod state;
mod view;
pub mod worker;

pub(super) use findings::{decides, found};
pub(super) use view::{conforms, none, verdicts};

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlTextAreaElement};
use yew::html::Scope;
use yew::prelude::*;

use crate::web::address::{Address, Asked, Host};
use crate::web::components::{Copied, Copy, chosen};
use crate::web::follow::{follow, holds_focus};
use crate::web::paint::Paint;
use crate::web::worker::Heard;
use code::Code;
use report::File;
use state::{ANALYSING, Action, State};
use worker::{Analyzer, Form, News};

/// The examples: their names, which say how many keys a caller passes where they end in a number, and what they are.
pub const EXAMPLES: [(&str, &str); 8] = [
    ("v1-style.lua", "v1: keys put together in the script"),
    ("claim-4.lua", "v2: every key declared"),
    ("rate-limit-1.lua", "a rate limiter"),
    ("unlock-1.lua", "a lock given back"),
    ("queue-functions.lua", "a library of functions"),
    ("either-2.lua", "tricky, and declared"),
    ("transfer-3.lua", "trickier, and declared"),
    ("any-command-1.lua", "a command that depends on data"),
];

/// What can be copied: the forms of the report, as the worker gives them, and the command that says the same.
const COPIES: [&str; 3] = ["markdown", "JSON", "command"];

/// What a script of the reader's own is called.
const OWN: &str = "script.lua";

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The texts of the examples.
    pub texts: Rc<[AttrValue]>,
    /// What the first of them came to, under each policy.
    pub judged: Rc<[File]>,
    /// Its tokens.
    pub paint: Paint,
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
pub enum Message {
    /// Something that changes what the bench knows.
    Do(Action),
    /// The reader wrote in the text area; whether over all of the script, of which a part stood there.
    Typed(bool),
    /// The reader has come to the bench.
    Near,
    /// Opens a file.
    File(web_sys::File),
    /// Copies one of `COPIES`.
    Copy(usize),
    /// What came of it.
    Copied(Copied),
    /// Puts what could not be copied away.
    Close,
    /// From the worker.
    Heard(Heard),
}

/// The figure.
pub struct Bench {
    state: State,
    analyzer: Option<Analyzer>,
    area: NodeRef,
    over_all: open::OverAll,
    pane: NodeRef,
    /// The line that was brought into sight last.
    followed: Option<(usize, usize)>,
    copy: Copy,
    /// Whether the focus was in the findings before they were drawn anew.
    was_in_findings: bool,
    /// What is to be copied once it is there.
    wanted: Option<(usize, Form)>,
    address: Address,
}

impl Component for Bench {
    type Message = Asked<Message>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let state = State::new(context.props());
        let followed = state.selection;
        Self {
            state,
            analyzer: None,
            area: NodeRef::default(),
            over_all: open::OverAll::default(),
            pane: NodeRef::default(),
            followed,
            copy: Copy::default(),
            was_in_findings: false,
            wanted: None,
            address: Address::new(context.props().host.clone()),
        }
    }

    fn update(&mut self, context: &Context<Self>, asked: Asked<Message>) -> bool {
        let message = match asked {
            Asked::Do(message) => message,
            Asked::Take(choice, own) => {
                let (understood, is_other) = self.state.take_choice(&choice, own, &context.props().texts);
                if is_other {
                    self.analyze(context, false);
                }
                self.address.took(understood);
                return true;
            }
        };
        match message {
            Message::Near => {
                if self.analyzer.is_none() {
                    self.analyze(context, false);
                }
                false
            }
            Message::File(file) => {
                open::read(&file, context.link().callback(|action| Asked::Do(Message::Do(action))));
                false
            }
            Message::Copy(index) => {
                let form = match index {
                    0 => Form::Markdown,
                    1 => Form::Json,
                    _ => {
                        let command = self.state.command();
                        Copy::take(
                            COPIES[2],
                            &command.into(),
                            context.link().callback(|copied| Asked::Do(Message::Copied(copied))),
                        );
                        return false;
                    }
                };
                self.wanted = Some((index, form));
                self.copy_wanted(context);
                // What was built with the page has no whole report yet, and the worker may not have come when it was called.
                if self.wanted.is_some() && self.state.pending.is_none() {
                    self.analyze(context, false);
                }
                false
            }
            Message::Copied(copied) => {
                self.copy.heard(copied);
                true
            }
            Message::Close => {
                self.copy.close();
                true
            }
            Message::Typed(all) => {
                let Some(area) = self.area.cast::<HtmlTextAreaElement>() else { return false };
                // What stands there now: one text may come in many events, and all of them before anything is drawn.
                self.act(context, open::typed(&area, all));
                let shown = self.state.source.shown();
                // A part of a long text takes its place before anybody reads it again, or lays it out.
                if area.text_length() as usize > shown.len() || area.value() != shown {
                    area.set_value(&shown);
                }
                true
            }
            Message::Do(action) => {
                self.act(context, action);
                true
            }
            Message::Heard(heard) => {
                let Some(news) = self.analyzer(context).heard(heard) else { return false };
                self.was_in_findings = self.findings().is_some_and(|findings| holds_focus(&findings));
                self.take(context, news);
                self.copy_wanted(context);
                true
            }
        }
    }

    fn view(&self, context: &Context<Self>) -> Html {
        view::view(self, context.props().alive, context.link())
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        self.copy.select();
        self.address.tell(self.state.choice().text());
        if let (true, Some(area)) = (first, self.area.cast::<HtmlTextAreaElement>()) {
            self.over_all.listen(&area);
        }
        if let (true, Some(findings)) = (std::mem::take(&mut self.was_in_findings), self.findings()) {
            // The button that had the focus may be gone.
            if !holds_focus(&findings) {
                _ = findings.focus();
            }
        }
        let selection = self.state.selection;
        if first || selection == self.followed {
            return;
        }
        self.followed = selection;
        if let (Some((_, line)), Some(pane)) = (selection, self.pane.cast::<Element>()) {
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
    /// Does what changes the bench, and has the script analysed where it is another.
    fn act(&mut self, context: &Context<Self>, action: Action) {
        self.copy.forget();
        self.wanted = None;
        let typed = matches!(action, Action::Type(_) | Action::Write(_));
        if self.state.act(action, &context.props().texts) {
            self.analyze(context, typed);
        }
    }

    /// What the script comes to under the policy in force; `None` while that is not known.
    pub fn file(&self) -> Option<&File> {
        self.state.file().filter(|_| self.state.pending.is_none())
    }

    /// Why there will be no verdict on the script, where there will be none.
    pub fn failed(&self) -> Option<&str> {
        self.state.pending.as_deref().filter(|pending| *pending != ANALYSING)
    }

    /// The whole report on it, where the worker gave one.
    pub fn report(&self) -> Option<String> {
        self.file()?;
        self.analyzer.as_ref()?.form(Form::Json, self.state.policy)?.as_string()
    }

    fn analyzer(&mut self, context: &Context<Self>) -> &mut Analyzer {
        let heard = || context.link().callback(|heard| Asked::Do(Message::Heard(heard)));
        self.analyzer.get_or_insert_with(|| Analyzer::new(&heard(), context.props().host.clone()))
    }

    fn analyze(&mut self, context: &Context<Self>, typed: bool) {
        self.analyzer(context);
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.want(self.state.name.clone(), self.state.source.bytes(), typed);
        }
    }

    /// The pane beside the code's.
    fn findings(&self) -> Option<HtmlElement> {
        self.pane.cast::<Element>()?.next_element_sibling()?.dyn_into().ok()
    }

    /// Copies what is wanted, if it is there: a report on the script that stands.
    fn copy_wanted(&mut self, context: &Context<Self>) {
        let (Some((index, form)), None) = (self.wanted, &self.state.pending) else { return };
        let policy = self.state.policy;
        if let Some(text) = self.analyzer(context).form(form, policy) {
            self.wanted = None;
            Copy::take(COPIES[index], &text, context.link().callback(|copied| Asked::Do(Message::Copied(copied))));
        }
    }

    fn take(&mut self, context: &Context<Self>, news: News) {
        if self.state.pending.is_none() {
            // What was built with the page stands there already; now it can be copied too, or not.
            let why = match news {
                News::Reports(_) => return,
                News::TooMuch => TOO_MUCH.to_owned(),
                News::Missing(why) => missing(&why),
            };
            if let Some((index, _)) = self.wanted.take() {
                self.copy.nothing(COPIES[index], &why);
            }
            return;
        }
        match news {
            News::Reports(reports) => match report::read(reports.as_bytes()) {
                Some(judged) => {
                    let code = Code::new(self.state.source.bytes().to_vec(), self.analyzer(context).paint());
                    self.state.judge(judged, code);
                }
                None => self.state.fail("the analyzer’s answer is not one of this page’s"),
            },
            News::TooMuch => self.state.fail(TOO_MUCH),
            News::Missing(why) => self.state.fail(&missing(&why)),
        }
    }
}

const TOO_MUCH: &str = "this script needs more than a browser gives";

fn missing(why: &str) -> String {
    format!("the analyzer could not be loaded ({why})")
}

/// A callback for a list of choices.
fn on_choice(link: &Scope<Bench>, action: fn(usize) -> Action) -> Callback<Event> {
    link.batch_callback(move |event: Event| chosen(&event).map(action).map(Message::Do).map(Asked::Do))
}
