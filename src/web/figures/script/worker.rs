//! The worker that analyses: it starts when it is first needed, has one text at a time, and is ended when it takes too long.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, window};
use yew::prelude::*;

use crate::web::address::Host;

/// How long the reader must have stopped typing, in milliseconds.
const PAUSE: i32 = 250;
/// How long an analysis may take.
const PATIENCE: i32 = 10_000;

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
    /// The reports.
    Reports(String),
    /// The script needs more than a browser gives.
    TooMuch,
    /// The analysis cannot be had, and why.
    Missing(String),
}

/// The worker, and what it was asked.
pub struct Analyzer {
    host: Option<Host>,
    hear: Closure<dyn FnMut(MessageEvent)>,
    end: Closure<dyn FnMut(JsValue)>,
    tick: Closure<dyn FnMut()>,
    worker: Option<Worker>,
    ready: bool,
    asked: bool,
    wanted: Option<(&'static str, AttrValue)>,
    run: u32,
    timer: Option<i32>,
}

impl Analyzer {
    /// None runs yet.
    pub fn new(heard: &Callback<Heard>, host: Option<Host>) -> Self {
        let (hear, end, tick) = (heard.clone(), heard.clone(), heard.clone());
        Self {
            host,
            hear: Closure::new(move |event: MessageEvent| hear.emit(Heard::Message(event.data()))),
            end: Closure::new(move |_| end.emit(Heard::Ended)),
            tick: Closure::new(move || tick.emit(Heard::Tick)),
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
        let Some(worker) = self.host.as_ref().map(|host| host.open("emq-analyzer")) else { return };
        worker.set_onmessage(Some(function(&self.hear)));
        worker.set_onerror(Some(function(&self.end)));
        self.worker = Some(worker);
    }

    /// Has a text analysed once the reader pauses; it takes the place of any other.
    pub fn want(&mut self, name: &'static str, text: AttrValue) {
        self.wanted = Some((name, text));
        if self.asked {
            self.stop();
        }
        self.start();
        self.wait(PAUSE);
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
                let answer = Array::from(&data);
                if !self.asked || answer.get(0).as_f64() != Some(f64::from(self.run)) {
                    return None;
                }
                let Some(reports) = answer.get(1).as_string() else { return Some(self.too_much()) };
                self.asked = false;
                self.rest();
                Some(News::Reports(reports))
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

    /// Asks, where the worker is there and the reader has paused.
    fn send(&mut self) {
        let (Some(worker), true, None) = (&self.worker, self.ready, self.timer) else { return };
        let Some((name, text)) = self.wanted.take() else { return };
        self.run += 1;
        let question = Array::of3(&self.run.into(), &name.into(), &text.as_str().into());
        self.asked = worker.post_message(&question).is_ok();
        self.wait(PATIENCE);
    }

    fn too_much(&mut self) -> News {
        self.stop();
        News::TooMuch
    }

    /// Ends the worker; the next text gets another.
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

fn function<T: ?Sized>(closure: &Closure<T>) -> &Function {
    closure.as_ref().unchecked_ref()
}
