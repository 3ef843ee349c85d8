//! The worker that judges captures and logs.

use js_sys::Array;
use wasm_bindgen::prelude::*;
use yew::prelude::*;

use crate::web::address::Host;
use crate::web::worker::{Came, Heard, Job, PAUSE};

/// How long the worker may say nothing while it judges, in milliseconds.
const PATIENCE: i32 = 20_000;

/// What came of it.
#[derive(Debug)]
pub enum News {
    /// So many bytes of so many are read.
    Read(u64, u64),
    /// It is judged: what is drawn of it; where they were wanted its reports as JSON and as markdown; and the text of an example.
    Judged(String, Option<(JsValue, JsValue)>, Option<String>),
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
    /// Whether the whole reports are wanted too.
    pub all: bool,
}

impl Question {
    fn message(&self) -> Array {
        let word = |word: Option<&str>| word.map_or(JsValue::UNDEFINED, JsValue::from);
        let queue = self.queue.as_ref();
        let db = queue.and_then(|(_, db)| *db);
        [
            self.input.into(),
            self.name.as_str().into(),
            self.content.clone(),
            word(self.profile),
            self.policy.into(),
            word(queue.map(|(name, _)| name.as_str())),
            db.map_or(JsValue::UNDEFINED, JsValue::from),
            self.all.into(),
        ]
        .iter()
        .collect()
    }
}

/// The worker.
pub struct Judge(Job);

impl Judge {
    /// None runs yet.
    pub fn new(heard: &Callback<Heard>, host: Option<Host>) -> Self {
        Self(Job::new("emq-judge", PATIENCE, heard, host))
    }

    /// Starts the worker, if none runs.
    pub fn start(&mut self) {
        self.0.start();
    }

    /// Ends the worker; the next input gets another.
    pub fn stop(&mut self) {
        self.0.stop();
    }

    /// Has an input judged, in place of any other; what is being typed once the reader pauses.
    pub fn want(&mut self, question: &Question, typed: bool) {
        self.0.want(question.message(), if typed { PAUSE } else { 0 });
    }

    /// Wants nothing judged any more.
    pub fn forget(&mut self) {
        self.0.forget();
    }

    /// Takes in what was heard.
    pub fn heard(&mut self, heard: Heard) -> Option<News> {
        Some(match self.0.heard(heard)? {
            Came::Answer(answer) => self.answer(&answer),
            Came::TooMuch => News::TooMuch,
            Came::Missing(why) => News::Missing(why),
        })
    }

    fn answer(&mut self, answer: &Array) -> News {
        let said = || answer.get(2).as_string().unwrap_or_default();
        match answer.get(1).as_string().as_deref() {
            Some("read") => {
                self.0.goes_on();
                News::Read(number(&answer.get(2)), number(&answer.get(3)))
            }
            Some("trap") => {
                // The module's memory is not to be trusted any more.
                self.stop();
                News::TooMuch
            }
            Some("judged") => {
                self.0.answered();
                let reports = (answer.get(3), answer.get(4));
                let reports = Some(reports).filter(|(json, markdown)| json.is_string() && markdown.is_string());
                News::Judged(said(), reports, answer.get(5).as_string())
            }
            _ => {
                self.0.answered();
                News::Refused(said())
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
fn number(value: &JsValue) -> u64 {
    value.as_f64().unwrap_or_default() as u64
}
