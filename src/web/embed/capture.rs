//! The capture bench, over an author's capture or log, or an example.

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::placed::Placed;
use crate::web::address::Host;
use crate::web::figures::capture::input::Brought;
use crate::web::figures::capture::state::{Action, Pending};
use crate::web::figures::capture::{Bench, Message, Props};
use crate::web::judged::Judged;

/// How many of an input's queues are named where there is not the one that is asked for.
const NAMED: usize = 12;

/// The figure in its place.
pub type Figure = Placed<Bench>;

impl Figure {
    /// Puts the bench into its place. It shows nothing that was judged until it is given a state to take.
    pub fn mount(place: Element, host: Host) -> Self {
        let props = Props { judged: Judged::default(), alive: true, host: Some(host) };
        Self::put(place, props)
    }

    /// Gives it an author's input, a blob: under a name, or as the text that it is.
    pub fn bring(&self, name: String, size: u64, text: Option<String>, blob: JsValue) {
        let brought = match text {
            Some(text) => Brought::Short(text.into(), blob),
            None => Brought::Large(name, size, blob),
        };
        self.ask(Message::Bring(brought));
    }

    /// Judges one queue of the input alone.
    ///
    /// # Errors
    /// The input shows no such queue.
    pub fn choose(&self, queue: &str) -> Result<(), String> {
        let bench = self.shown().ok_or("it is not there")?;
        let known = || bench.state.known.iter().map(|known| known.name.as_deref().unwrap_or_default());
        let Some(place) = known().position(|name| name == queue) else {
            let name = &bench.state.name;
            let names: Vec<&str> = known().take(NAMED).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let others = if known().count() > NAMED { " and others" } else { "" };
            return Err(format!("{name} shows no queue {queue}: it shows {names}{others}"));
        };
        self.ask(Message::Do(Action::Queue(place + 1)));
        Ok(())
    }

    /// The verdict of all queues; of the queue that is shown its name, and each assertion's id and verdict. Nothing while it is
    /// being judged.
    pub fn verdict(&self) -> Option<Vec<String>> {
        let bench = self.shown()?;
        if bench.state.pending.is_some() {
            return None;
        }
        let judged = &bench.state.judged;
        let queue = judged.queues.get(judged.at).and_then(|queue| queue.name.clone());
        let mut said = vec![judged.verdict.clone(), queue.unwrap_or_default()];
        said.extend(judged.assertions.iter().flat_map(|one| [one.id.clone(), one.verdict.clone()]));
        Some(said)
    }

    /// Why there will be no verdict, where there will be none.
    pub fn failed(&self) -> Option<String> {
        match &self.shown()?.state.pending {
            Some(Pending::Trouble(why)) => Some(why.clone()),
            _ => None,
        }
    }

    /// The report, as `emq-conform check --witness trace --format json` prints it, where the worker was asked for it.
    pub fn report(&self) -> Option<String> {
        let bench = self.shown()?;
        bench.reports.as_ref().filter(|_| bench.state.pending.is_none())?.0.as_string()
    }
}
