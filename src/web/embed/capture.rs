//! The capture bench, over an author's capture or log, or an example.

use wasm_bindgen::JsValue;
use web_sys::Element;
use yew::AppHandle;

use crate::web::address::{Asked, Host};
use crate::web::figures::capture::input::Brought;
use crate::web::figures::capture::state::{Action, Pending};
use crate::web::figures::capture::{Bench, Message, Props};
use crate::web::judged::Judged;

/// The figure in its place.
pub struct Figure(AppHandle<Bench>);

impl Figure {
    /// Puts the bench into its place. It shows nothing that was judged until it is given a state to take.
    pub fn mount(place: Element, host: Host) -> Self {
        let props = Props { judged: Judged::default(), alive: true, host: Some(host) };
        Self(yew::Renderer::<Bench>::with_root_and_props(place, props).render())
    }

    /// Gives it an author's input, a blob: under a name, or as the text that it is.
    pub fn bring(&self, name: String, size: u64, text: Option<String>, blob: JsValue) {
        let brought = match text {
            Some(text) => Brought::Short(text.into(), blob),
            None => Brought::Large(name, size, blob),
        };
        self.0.send_message(Asked::Do(Message::Bring(brought)));
    }

    /// Gives it a state to take, in the form of `docs/address.md`.
    pub fn take(&self, state: String) {
        self.0.send_message(Asked::Take(state, None));
    }

    /// Judges one queue of the input alone.
    ///
    /// # Errors
    /// The input shows no such queue.
    pub fn choose(&self, queue: &str) -> Result<(), String> {
        let bench = self.0.get_component().ok_or("it is not there")?;
        let known = || bench.state.known.iter().map(|known| known.name.as_deref().unwrap_or_default());
        let Some(place) = known().position(|name| name == queue) else {
            let name = &bench.state.name;
            let names: Vec<&str> = known().collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!("{name} shows no queue {queue}: it shows {names}"));
        };
        self.0.send_message(Asked::Do(Message::Do(Action::Queue(place + 1))));
        Ok(())
    }

    /// The verdict of all queues; of the queue that is shown its name, and each assertion's id and verdict. Nothing while it is
    /// being judged.
    pub fn verdict(&self) -> Option<Vec<String>> {
        let bench = self.0.get_component()?;
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
        match &self.0.get_component()?.state.pending {
            Some(Pending::Trouble(why)) => Some(why.clone()),
            _ => None,
        }
    }

    /// The report, as `emq-conform check --witness trace --format json` prints it, where the worker was asked for it.
    pub fn report(&self) -> Option<String> {
        let bench = self.0.get_component()?;
        bench.reports.as_ref().filter(|_| bench.state.pending.is_none())?.0.as_string()
    }

    /// Takes the bench away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
