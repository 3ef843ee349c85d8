//! The worker that analyses scripts.

use js_sys::{Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use yew::prelude::*;

use crate::core::policy::Policy;
use crate::web::address::Host;
use crate::web::paint::Paint;
use crate::web::worker::{Came, Heard, Job, PAUSE};

/// How long an analysis may take, in milliseconds.
const PATIENCE: i32 = 10_000;

/// What came of it.
#[derive(Debug)]
pub enum News {
    /// The reports, one for each policy. What else came with them the analyzer keeps: [`Analyzer::paint`], [`Analyzer::form`].
    Reports(String),
    /// The script needs more than a browser gives.
    TooMuch,
    /// The analysis cannot be had, and why.
    Missing(String),
}

/// A form in which the whole report came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As `--format markdown` has it.
    Markdown,
    /// As `--format json` has it.
    Json,
}

/// The worker, and its last answer.
pub struct Analyzer {
    job: Job,
    answer: Array,
}

impl Analyzer {
    /// None runs yet.
    pub fn new(heard: &Callback<Heard>, host: Option<Host>) -> Self {
        Self { job: Job::new("emq-analyzer", PATIENCE, heard, host), answer: Array::new() }
    }

    /// Starts the worker, if none runs.
    pub fn start(&mut self) {
        self.job.start();
    }

    /// Ends the worker; the next text gets another.
    pub fn stop(&mut self) {
        self.job.stop();
    }

    /// Has a script analysed in place of any other; what is being typed once the reader pauses.
    pub fn want(&mut self, name: impl Into<AttrValue>, script: &[u8], typed: bool) {
        let question = Array::of2(&name.into().as_str().into(), &Uint8Array::from(script));
        self.job.want(question, if typed { PAUSE } else { 0 });
    }

    /// The tokens of the text that was analysed last.
    pub fn paint(&self) -> Paint {
        let numbers = self.answer.get(3).dyn_into::<Uint32Array>();
        Paint::from_numbers(numbers.map(|numbers| numbers.to_vec()).unwrap_or_default())
    }

    /// The whole report on the text that was analysed last, if there was one.
    pub fn form(&self, form: Form, policy: usize) -> Option<JsValue> {
        let forms = self.answer.get(2).dyn_into::<Array>().ok()?;
        let place = form as usize * Policy::ALL.len() + policy;
        Some(forms.get(u32::try_from(place).ok()?)).filter(JsValue::is_string)
    }

    /// Takes in what was heard.
    pub fn heard(&mut self, heard: Heard) -> Option<News> {
        Some(match self.job.heard(heard)? {
            Came::Answer(answer) => {
                let Some(reports) = answer.get(1).as_string() else {
                    self.stop();
                    return Some(News::TooMuch);
                };
                self.answer = answer;
                self.job.answered();
                News::Reports(reports)
            }
            Came::TooMuch => News::TooMuch,
            Came::Missing(why) => News::Missing(why),
        })
    }
}
