//! The worker that judges: it starts when it is first needed, has one input at a time, and is ended when it falls silent.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, window};
use yew::prelude::*;

use crate::web::address::Host;

/// How long the reader must have stopped typing, in milliseconds.
const PAUSE: i32 = 250;
/// How long the worker may say nothing while it judges.
const PATIENCE: i32 = 20_000;

/// What the worker has to say.
#[derive(Debug)]
pub enum Heard {
    /// Its answer, or anything else it sent.
    Message(JsValue),
    /// It ended by itself.
    Ended,
    /// Some time has passed.
    Tick,
}

/// What came of it.
#[derive(Debug)]
pub enum News {
    /// So many bytes of so many are read.
    Read(u64, u64),
    /// It is judged: what is drawn of it, its reports as JSON and as markdown, and the text of an example.
    Judged(String, JsValue, JsValue, Option<String>),
    /// The input cannot be read or judged, and why.
    Refused(String),
    /// The input needs more than a browser gives.
    TooMuch,
    /// The judge cannot be had, and why.
    Missing(String),
}

/// What is to be judged, and how.
#[derive(Debug, Clone)]
pub struct Question {
    /// The input's number: the worker keeps the last one it read.
    pub input: u32,
    /// What the report calls it.
    pub name: String,
    /// A blob, or the path of an example.
    pub content: JsValue,
    /// The profile; nothing for the one that is recognised.
    pub profile: Option<&'static str>,
    /// The policy.
    pub policy: &'static str,
    /// The queue, and its database.
    pub queue: Option<(String, Option<u32>)>,
}

impl Question {
    fn message(&self, run: u32) -> Array {
        let word = |word: Option<&str>| word.map_or(JsValue::UNDEFINED, JsValue::from);
        let queue = self.queue.as_ref();
        let db = queue.and_then(|(_, db)| *db);
        [
            run.into(),
            self.input.into(),
            self.name.as_str().into(),
            self.content.clone(),
            word(self.profile),
            self.policy.into(),
            word(queue.map(|(name, _)| name.as_str())),
            db.map_or(JsValue::UNDEFINED, JsValue::from),
        ]
        .iter()
        .collect()
    }
}

/// The worker, and what it was asked.
pub struct Judge {
    hear: Closure<dyn FnMut(MessageEvent)>,
    end: Closure<dyn FnMut(JsValue)>,
    tick: Closure<dyn FnMut()>,
    host: Option<Host>,
    worker: Option<Worker>,
    ready: bool,
    asked: bool,
    wanted: Option<Question>,
    run: u32,
    timer: Option<i32>,
}

impl Judge {
    /// None runs yet.
    pub fn new(heard: &Callback<Heard>, host: Option<Host>) -> Self {
        let (hear, end, tick) = (heard.clone(), heard.clone(), heard.clone());
        Self {
            hear: Closure::new(move |event: MessageEvent| hear.emit(Heard::Message(event.data()))),
            end: Closure::new(move |_| end.emit(Heard::Ended)),
            tick: Closure::new(move || tick.emit(Heard::Tick)),
            host,
            worker: None,
            ready: false,
            asked: false,
            wanted: None,
            run: 0,
            timer: None,
        }
    }

    /// Starts the worker, if none runs.
    pub fn start(&mut self) {
        if self.worker.is_some() {
            return;
        }
        let Some(worker) = self.host.as_ref().map(|host| host.open("emq-judge")) else { return };
        worker.set_onmessage(Some(function(&self.hear)));
        worker.set_onerror(Some(function(&self.end)));
        self.worker = Some(worker);
    }

    /// Has an input judged, in place of any other; what is being typed once the reader pauses.
    pub fn want(&mut self, question: Question, typed: bool) {
        self.wanted = Some(question);
        if self.asked {
            self.stop();
        }
        self.start();
        self.wait(if typed { PAUSE } else { 0 });
    }

    /// Wants nothing judged any more.
    pub fn forget(&mut self) {
        self.wanted = None;
        if self.asked {
            self.stop();
        }
    }

    /// Takes in what was heard.
    pub fn heard(&mut self, heard: Heard) -> Option<News> {
        match heard {
            Heard::Message(data) if data.as_f64().is_some() => {
                self.ready = true;
                self.send();
                None
            }
            Heard::Message(data) => {
                if let Some(why) = data.as_string() {
                    self.stop();
                    return Some(News::Missing(why));
                }
                self.answer(&Array::from(&data))
            }
            Heard::Ended if self.asked => Some(self.too_much()),
            Heard::Ended => {
                self.stop();
                Some(News::Missing("its files did not come".to_owned()))
            }
            Heard::Tick => {
                self.timer = None;
                if self.asked {
                    return Some(self.too_much());
                }
                self.send();
                self.worker.is_none().then(|| News::Missing("it does not start".to_owned()))
            }
        }
    }

    fn answer(&mut self, answer: &Array) -> Option<News> {
        if !self.asked || answer.get(0).as_f64() != Some(f64::from(self.run)) {
            return None;
        }
        let word = answer.get(1).as_string().unwrap_or_default();
        if word == "read" {
            self.wait(PATIENCE);
            return Some(News::Read(number(&answer.get(2)), number(&answer.get(3))));
        }
        if word == "trap" {
            // The module's memory is not to be trusted any more.
            return Some(self.too_much());
        }
        self.asked = false;
        self.rest();
        let said = answer.get(2).as_string().unwrap_or_default();
        Some(match word.as_str() {
            "judged" => News::Judged(said, answer.get(3), answer.get(4), answer.get(5).as_string()),
            _ => News::Refused(said),
        })
    }

    /// Asks, where the worker is there and the reader has paused.
    fn send(&mut self) {
        let (Some(worker), true, None) = (&self.worker, self.ready, self.timer) else { return };
        let Some(question) = self.wanted.take() else { return };
        self.run += 1;
        self.asked = worker.post_message(&question.message(self.run)).is_ok();
        self.wait(PATIENCE);
    }

    fn too_much(&mut self) -> News {
        self.stop();
        News::TooMuch
    }

    /// Ends the worker; the next input gets another.
    pub fn stop(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
        (self.ready, self.asked) = (false, false);
        self.rest();
    }

    fn wait(&mut self, time: i32) {
        self.rest();
        self.timer = window().and_then(|window| {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(function(&self.tick), time).ok()
        });
    }

    fn rest(&mut self) {
        if let (Some(timer), Some(window)) = (self.timer.take(), window()) {
            window.clear_timeout_with_handle(timer);
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
fn number(value: &JsValue) -> u64 {
    value.as_f64().unwrap_or_default() as u64
}

fn function<T: ?Sized>(closure: &Closure<T>) -> &Function {
    closure.as_ref().unchecked_ref()
}
