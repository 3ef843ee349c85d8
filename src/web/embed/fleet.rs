//! The fleet figure, over the recorded run.

use std::rc::Rc;

use web_sys::Element;

use super::placed::Placed;
use crate::core::fleet::phases::Act;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::{Reports, Verdict, json};
use crate::web::address::Host;
use crate::web::figures::fleet::run::Run;
use crate::web::figures::fleet::{Fleet, Props};
use crate::web::offer::ANOTHER;

/// The figure in its place.
pub type Figure = Placed<Fleet>;

impl Figure {
    /// Draws the figure over a packed run.
    ///
    /// # Errors
    /// Nothing was packed into the file.
    pub fn mount(place: Element, run: &[u8], host: Host) -> Result<Self, String> {
        let run = Run::unpack(run).ok_or_else(|| ANOTHER.to_owned())?;
        let props = Props { run: Rc::new(run), alive: true, host: Some(host) };
        Ok(Self::put(place, props))
    }

    /// What the pair that is shown came to: as a report's verdict and as the fleet's, who adds, and who takes.
    pub fn verdict(&self) -> Option<[String; 4]> {
        let figure = self.shown()?;
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

    /// The names of all runtimes in the run.
    pub fn names(&self) -> Vec<String> {
        let Some(figure) = self.shown() else { return Vec::new() };
        figure.state.run.runtimes.iter().map(|runtime| runtime.name.clone()).collect()
    }

    /// The phases that are shown: the name of each, its verdict, and why.
    pub fn steps(&self) -> Vec<[String; 3]> {
        let Some(figure) = self.shown() else { return Vec::new() };
        let state = &figure.state;
        let phases = Act::ALL.iter().enumerate().filter_map(|(index, act)| Some((act, state.phase(index)?)));
        let said = phases.map(|(act, walked)| {
            [act.word().replace(' ', "-"), walked.as_verdict().word().to_owned(), walked.reason()]
        });
        said.collect()
    }

    /// The report on the recording that it shows, as `emq-conform check --format json` prints it; nothing where nothing ran.
    pub fn report(&self) -> Option<String> {
        let figure = self.shown()?;
        let shown = figure.state.shown.as_ref()?;
        Some(json::render(&Reports(vec![shown.report.clone()])))
    }
}
