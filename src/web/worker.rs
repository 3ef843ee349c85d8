//! A worker of the page: it starts when it is first needed, has one question at a time, and is ended when it takes too long, when it
//! traps, or when a newer question comes.
//!
//! What it is asked and what it answers is a list each, whose first element is the question's number; a number alone says that it is
//! ready, a text alone why it cannot be had. What stands in the lists is for the figure to know.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, window};
use yew::Callback;

use super::address::Host;

/// How long the reader must have stopped typing, in milliseconds.
pub const PAUSE: i32 = 250;

/// How long its files may take to come once it is asked something, in milliseconds.
const START: i32 = 30_000;

/// What reaches the figure; each with the number of what it is about, since it may come late.
#[derive(Debug)]
pub enum Heard {
    /// Its answer, or anything else it sent.
    Message(u32, JsValue),
    /// It ended by itself.
    Ended(u32),
    /// Some time has passed.
    Tick(u32),
}

/// What that comes to.
#[derive(Debug)]
pub enum Came {
    /// An answer, or a part of it, to what was asked last.
    Answer(Array),
    /// What was asked needs more than a browser gives.
    TooMuch,
    /// The worker cannot be had, and why.
    Missing(String),
}

/// The worker, and what it was asked.
pub struct Job {
    /// The worker's name in the page.
    name: &'static str,
    /// How long it may say nothing while it is asked, in milliseconds.
    patience: i32,
    hear: Closure<dyn FnMut(MessageEvent)>,
    end: Closure<dyn FnMut(JsValue)>,
    tick: Closure<dyn FnMut()>,
    host: Option<Host>,
    worker: Option<Worker>,
    ready: bool,
    asked: bool,
    wanted: Option<Array>,
    run: u32,
    timer: Option<i32>,
    /// Whether the reader has paused, and the worker is still starting.
    late: bool,
    /// Which worker, and which timer, is the present one.
    workers: Rc<Cell<u32>>,
    timers: Rc<Cell<u32>>,
}

impl Job {
    /// None runs yet.
    pub fn new(name: &'static str, patience: i32, heard: &Callback<Heard>, host: Option<Host>) -> Self {
        let (workers, timers) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        // The number is that of the moment in which it happens.
        let [hear, end, tick] = [&workers, &workers, &timers].map(|number| (heard.clone(), Rc::clone(number)));
        Self {
            name,
            patience,
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
            late: false,
            workers,
            timers,
        }
    }

    /// Starts the worker, if none runs.
    pub fn start(&mut self) {
        if self.worker.is_some() {
            return;
        }
        let Some(worker) = self.host.as_ref().map(|host| host.open(self.name)) else { return };
        worker.set_onmessage(Some(function(&self.hear)));
        worker.set_onerror(Some(function(&self.end)));
        self.worker = Some(worker);
    }

    /// Asks something in place of anything else, after so many milliseconds.
    pub fn want(&mut self, question: Array, pause: i32) {
        self.forget();
        self.wanted = Some(question);
        self.start();
        self.wait(pause);
    }

    /// Wants nothing any more.
    pub fn forget(&mut self) {
        self.wanted = None;
        if self.asked {
            self.stop();
        }
    }

    /// Takes in what was heard.
    pub fn heard(&mut self, heard: Heard) -> Option<Came> {
        match heard {
            Heard::Message(worker, _) | Heard::Ended(worker) if worker != self.workers.get() => None,
            Heard::Tick(timer) if timer != self.timers.get() => None,
            Heard::Message(_, data) if data.as_f64().is_some() => {
                self.ready = true;
                if self.late {
                    self.rest();
                }
                self.send();
                None
            }
            Heard::Message(_, data) => {
                if let Some(why) = data.as_string() {
                    self.stop();
                    return Some(Came::Missing(why));
                }
                let answer = Array::from(&data);
                (self.asked && answer.get(0).as_f64() == Some(f64::from(self.run))).then_some(Came::Answer(answer))
            }
            Heard::Ended(_) if self.asked => Some(self.too_much()),
            Heard::Ended(_) => {
                self.stop();
                Some(Came::Missing("its files did not come".to_owned()))
            }
            Heard::Tick(_) => {
                self.timer = None;
                if self.asked {
                    return Some(self.too_much());
                }
                self.send();
                if self.worker.is_none() {
                    return Some(Came::Missing("it does not start".to_owned()));
                }
                self.wanted.as_ref()?;
                if self.late {
                    self.stop();
                    return Some(Came::Missing("its files did not come in time".to_owned()));
                }
                self.wait(START);
                self.late = true;
                None
            }
        }
    }

    /// An answer was whole: the worker has nothing to do.
    pub fn answered(&mut self) {
        self.asked = false;
        self.rest();
    }

    /// A part of an answer came: the worker is at it, and has its time anew.
    pub fn goes_on(&mut self) {
        self.wait(self.patience);
    }

    /// Asks, where the worker is there and the reader has paused.
    fn send(&mut self) {
        let (Some(worker), true, None) = (&self.worker, self.ready, self.timer) else { return };
        let Some(question) = self.wanted.take() else { return };
        self.run += 1;
        question.unshift(&self.run.into());
        self.asked = worker.post_message(&question).is_ok();
        if self.asked {
            self.wait(self.patience);
        } else {
            self.stop();
            self.wait(0);
        }
    }

    fn too_much(&mut self) -> Came {
        self.stop();
        Came::TooMuch
    }

    /// Ends the worker; the next question gets another.
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
        self.late = false;
        self.timers.set(self.timers.get().wrapping_add(1));
        if let (Some(timer), Some(window)) = (self.timer.take(), window()) {
            window.clear_timeout_with_handle(timer);
        }
    }
}

fn function<T: ?Sized>(closure: &Closure<T>) -> &Function {
    closure.as_ref().unchecked_ref()
}
