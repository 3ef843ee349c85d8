//! The inspector of the v1 flaw, over what was recorded.

use std::rc::Rc;

use web_sys::Element;

use super::placed::Placed;
use crate::core::flaw::anchors::{PART_NAMES, PARTS};
use crate::web::address::Host;
use crate::web::figures::script::report;
use crate::web::figures::script::worker::Form;
use crate::web::figures::v1_flaw::flaw::Flaw;
use crate::web::figures::v1_flaw::status::about;
use crate::web::figures::v1_flaw::{Inspector, Props};
use crate::web::offer::ANOTHER;

/// The figure in its place.
pub type Figure = Placed<Inspector>;

impl Figure {
    /// Draws the figure over a packed recording, and the reports on the first script, one for each policy.
    ///
    /// # Errors
    /// These are not such files.
    pub fn mount(place: Element, flaw: &[u8], judged: &[u8], host: Host) -> Result<Self, String> {
        let (Some(flaw), Some(judged)) = (Flaw::unpack(flaw), report::read(judged)) else {
            return Err(ANOTHER.to_owned());
        };
        let props = Props { flaw: Rc::new(flaw), judged: judged.into(), alive: true, host: Some(host) };
        Ok(Self::put(place, props))
    }

    /// The verdict's word on the script that is called, and whether the strictest policy accepts it, once both are known.
    pub fn verdict(&self) -> Option<(String, &'static str)> {
        let figure = self.shown()?;
        let file = figure.state.file().filter(|_| figure.state.pending.is_none())?;
        Some((file.verdict.clone(), file.judged().word()))
    }

    /// Why there will be no verdict, where there will be none.
    pub fn failed(&self) -> Option<String> {
        let figure = self.shown()?;
        figure.state.pending.clone().filter(|_| figure.state.analysed == figure.wanted)
    }

    /// The steps that are shown: the name of each, its verdict where it comes to one, and what it says.
    pub fn steps(&self) -> Vec<[String; 3]> {
        let Some(figure) = self.shown() else { return Vec::new() };
        let state = &figure.state;
        let said = (0..state.come_to()).map(|step| {
            let (anchor, part) = (step / PARTS, step % PARTS);
            let verdict = state.verdict(step).map_or("", |verdict| verdict.word());
            [format!("{}-{}", PART_NAMES[part], anchor + 1), verdict.to_owned(), about(state, step)]
        });
        said.collect()
    }

    /// The report on the script that is called, as `emq-conform lint --format json` prints it; `first` is that on the first, which no
    /// worker was asked about. Nothing while it is being analysed.
    pub fn report(&self, first: String) -> Option<String> {
        let figure = self.shown()?;
        figure.state.file().filter(|_| figure.state.pending.is_none())?;
        let answered = figure.analyzer.as_ref().and_then(|analyzer| analyzer.form(Form::Json, 0)?.as_string());
        answered.or((figure.state.analysed == 0).then_some(first))
    }
}
