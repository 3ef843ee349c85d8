//! The fleet figure, over the recorded run.

use std::rc::Rc;

use web_sys::Element;
use yew::AppHandle;

use crate::core::fleet::phases::Act;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::{Reports, Verdict, json};
use crate::web::address::{Asked, Host};
use crate::web::figures::fleet::run::Run;
use crate::web::figures::fleet::state::Action;
use crate::web::figures::fleet::{Fleet, Props};
use crate::web::keys::walk;
use crate::web::offer::ANOTHER;

/// The figure in its place.
#[derive(Debug)]
pub struct Figure(AppHandle<Fleet>);

impl Figure {
    /// Draws the figure over a packed run.
    ///
    /// # Errors
    /// Nothing was packed into the file.
    pub fn mount(place: Element, run: &[u8], host: Host) -> Result<Self, String> {
        let run = Run::unpack(run).ok_or_else(|| ANOTHER.to_owned())?;
        let props = Props { run: Rc::new(run), alive: true, host: Some(host) };
        Ok(Self(yew::Renderer::<Fleet>::with_root_and_props(place, props).render()))
    }

    /// Gives it a state to take, in the form of `docs/address.md`.
    pub fn take(&self, state: String) {
        self.0.send_message(Asked::Take(state, None));
    }

    /// Does what a key does while the figure has the focus.
    pub fn press(&self, key: &str) {
        if let Some(asked) = walk(key) {
            self.0.send_message(Asked::Do(Action::Walk(asked)));
        }
    }

    /// What the pair that is shown came to: as a report's verdict and as the fleet's, who adds, and who takes.
    pub fn verdict(&self) -> Option<[String; 4]> {
        let figure = self.0.get_component()?;
        let (run, (producer, consumer)) = (&figure.state.run, figure.state.pair);
        let came_to = run.verdict(producer, consumer);
        let word = match came_to {
            FleetVerdict::Pass => Verdict::Pass,
            FleetVerdict::Fail => Verdict::Fail,
            FleetVerdict::NotSupported | FleetVerdict::Indeterminate | FleetVerdict::NotRun => Verdict::Indeterminate,
        };
        let all = [word.word(), came_to.word(), run.name(producer), run.name(consumer)];
        Some(all.map(str::to_owned))
    }

    /// The phases that are shown: the name of each, its verdict, and why.
    pub fn shown(&self) -> Vec<[String; 3]> {
        let Some(figure) = self.0.get_component() else { return Vec::new() };
        let state = &figure.state;
        let phases = Act::ALL.iter().enumerate().filter_map(|(index, act)| Some((act, state.phase(index)?)));
        let said = phases.map(|(act, walked)| {
            [act.word().replace(' ', "-"), walked.as_verdict().word().to_owned(), walked.reason()]
        });
        said.collect()
    }

    /// The report on the recording that it shows, as `emq-conform check --format json` prints it; nothing where nothing ran.
    pub fn report(&self) -> Option<String> {
        let figure = self.0.get_component()?;
        let shown = figure.state.shown.as_ref()?;
        Some(json::render(&Reports(vec![shown.report.clone()])))
    }

    /// Takes the figure away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
