//! The worker that analyses: it starts when it is first needed, has one text at a time, and is ended when it takes too long.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Function, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, window};
use yew::prelude::*;

use crate::core::policy::Policy;
use crate::web::address::Host;
use crate::web::paint::Paint;

/// How long the reader must have stopped typing, in milliseconds.
const PAUSE: i32 = 250;
/// How long an analysis may take.
const PATIENCE: i32 = 10_000;

/// What the worker has to say; each with the number of what it is about, since it may come late.
#[derive(Debug)]
pub enum Heard {
    /// Its answer, or anything else it sent.
    Message(u32, JsValue),
    /// It ended by itself.
    Ended(u32),
    /// Some time has passed.
    Tick(u32),
}

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

/// The worker, and what it was asked.
pub struct Analyzer {
    hear: Closure<dyn FnMut(MessageEvent)>,
    end: Closure<dyn FnMut(JsValue)>,
    tick: Closure<dyn FnMut()>,
    host: Option<Host>,
    worker: Option<Worker>,
    ready: bool,
    asked: bool,
    wanted: Option<(AttrValue, JsValue)>,
    run: u32,
    timer: Option<i32>,
    /// Which worker, and which timer, is the present one.
    workers: Rc<Cell<u32>>,
    timers: Rc<Cell<u32>>,
    answer: Array,
}

/// A form in which the whole report came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As `--format markdown` has it.
    Markdown,
    /// As `--format json` has it.
    Json,
}

impl Analyzer {
    /// None runs yet.
    pub fn new(heard: &Callback<Heard>, host: Option<Host>) -> Self {
        let (workers, timers) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        // The number is that of the moment in which it happens.
        let [hear, end, tick] = [&workers, &workers, &timers].map(|number| (heard.clone(), Rc::clone(number)));
        Self {
            hear: Closure::new(move |event: MessageEvent| hear.0.emit(Heard::Message(hear.1.get(), event.data()))),
            end: Closure::new(move |_| end.0.emit(Heard::Ended(end.1.get()))),
            tick: Closure::new(move || tick.0.emit(Heard::Tick(tick.1.get()))),
            host,
            worker: None,
            ready: false,
            asked: false,
            wanted: None,
            run: 0,
            timer: None,
            workers,
            timers,
            answer: Array::new(),
        }
    }

    /// Starts the worker, if none runs.
    pub fn start(&mut self) {
        if self.worker.is_some() {
            return;
        }
        let Some(worker) = self.host.as_ref().map(|host| host.open("emq-analyzer")) else { return };
        worker.set_onmessage(Some(function(&self.hear)));
        worker.set_onerror(Some(function(&self.end)));
        self.worker = Some(worker);
    }

    /// Has a text analysed once the reader pauses; it takes the place of any other.
    pub fn want(&mut self, name: impl Into<AttrValue>, text: impl AsRef<str>) {
        self.want_bytes(name, text.as_ref().as_bytes());
    }

    /// The same for bytes, which need be no text.
    pub fn want_bytes(&mut self, name: impl Into<AttrValue>, bytes: &[u8]) {
        self.wanted = Some((name.into(), Uint8Array::from(bytes).into()));
        if self.asked {
            self.stop();
        }
        self.start();
        self.wait(PAUSE);
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
        match heard {
            Heard::Message(worker, _) | Heard::Ended(worker) if worker != self.workers.get() => None,
            Heard::Tick(timer) if timer != self.timers.get() => None,
            Heard::Message(_, data) if data.as_f64().is_some() => {
                self.ready = true;
                self.send();
                None
            }
            Heard::Message(_, data) => {
                if let Some(why) = data.as_string() {
                    self.stop();
                    return Some(News::Missing(why));
                }
                let answer = Array::from(&data);
                if !self.asked || answer.get(0).as_f64() != Some(f64::from(self.run)) {
                    return None;
                }
                let Some(reports) = answer.get(1).as_string() else { return Some(self.too_much()) };
                self.answer = answer;
                self.asked = false;
                self.rest();
                Some(News::Reports(reports))
            }
            Heard::Ended(_) if self.asked => Some(self.too_much()),
            Heard::Ended(_) => {
                self.stop();
                Some(News::Missing("its files did not come".to_owned()))
            }
            Heard::Tick(_) => {
                self.timer = None;
                if self.asked {
                    return Some(self.too_much());
                }
                self.send();
                self.worker.is_none().then(|| News::Missing("it does not start".to_owned()))
            }
        }
    }

    /// Asks, where the worker is there and the reader has paused.
    fn send(&mut self) {
        let (Some(worker), true, None) = (&self.worker, self.ready, self.timer) else { return };
        let Some((name, text)) = self.wanted.take() else { return };
        self.run += 1;
        let question = Array::of3(&self.run.into(), &name.as_str().into(), &text);
        self.asked = worker.post_message(&question).is_ok();
        self.wait(PATIENCE);
    }

    fn too_much(&mut self) -> News {
        self.stop();
        News::TooMuch
    }

    /// Ends the worker; the next text gets another.
    pub fn stop(&mut self) {
        self.workers.set(self.workers.get().wrapping_add(1));
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
        self.timers.set(self.timers.get().wrapping_add(1));
        if let (Some(timer), Some(window)) = (self.timer.take(), window()) {
            window.clear_timeout_with_handle(timer);
        }
    }
}

fn function<T: ?Sized>(closure: &Closure<T>) -> &Function {
    closure.as_ref().unchecked_ref()
}
