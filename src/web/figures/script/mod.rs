//! The script bench: a reader's Lua script, and which keys its source says it can touch.
//!
//! What is said is what `emq-conform lint` says. It is computed in a worker, which has a module of its own: a script can be made to need
//! more stack than a browser has. What stands before any script runs was judged by the same core while the page was built.

mod address;
pub mod code;
mod compare;
mod findings;
mod lines;
mod open;
pub mod report;
mod source;
mod state;
mod view;
pub mod worker;

pub(super) use view::verdicts;

use std::rc::Rc;

use web_sys::{Element, Event, HtmlTextAreaElement};
use yew::html::Scope;
use yew::prelude::*;

use crate::web::address::{Address, Asked, Host};
use crate::web::components::{Copied, Copy, chosen};
use crate::web::follow::follow;
use crate::web::paint::Paint;
use crate::web::worker::Heard;
use code::Code;
use report::File;
use state::{Action, State};
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
    pane: NodeRef,
    /// The line that was brought into sight last.
    followed: Option<(usize, usize)>,
    copy: Copy,
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
            pane: NodeRef::default(),
            followed,
            copy: Copy::default(),
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
                    self.analyze(context);
                }
                self.address.took(understood);
                return true;
            }
        };
        match message {
            Message::Near => {
                if self.analyzer.is_none() {
                    self.analyze(context);
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
                false
            }
            Message::Copied(copied) => {
                self.copy.heard(copied);
                true
            }
            Message::Close => {
                self.copy.forget();
                true
            }
            Message::Do(action) => {
                self.copy.forget();
                self.wanted = None;
                if let (Action::TooMuch(_), Some(area)) = (&action, self.area.cast::<HtmlTextAreaElement>()) {
                    // Before anybody reads it, or lays it out.
                    area.set_value(&self.state.source.shown());
                }
                if self.state.act(action, &context.props().texts) {
                    self.analyze(context);
                }
                true
            }
            Message::Heard(heard) => {
                let Some(news) = self.analyzer(context).heard(heard) else { return false };
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
    fn analyzer(&mut self, context: &Context<Self>) -> &mut Analyzer {
        let heard = || context.link().callback(|heard| Asked::Do(Message::Heard(heard)));
        self.analyzer.get_or_insert_with(|| Analyzer::new(&heard(), context.props().host.clone()))
    }

    fn analyze(&mut self, context: &Context<Self>) {
        self.analyzer(context);
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.want_bytes(self.state.name.clone(), self.state.source.bytes());
        }
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
            // What was built with the page stands there already; now it can be copied too.
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
            News::TooMuch => self.state.fail("this script needs more than a browser gives"),
            News::Missing(why) => self.state.fail(&format!("the analyzer could not be loaded ({why})")),
        }
    }
}

/// A callback for a list of choices.
fn on_choice(link: &Scope<Bench>, action: fn(usize) -> Action) -> Callback<Event> {
    link.batch_callback(move |event: Event| chosen(&event).map(action).map(Message::Do).map(Asked::Do))
}
