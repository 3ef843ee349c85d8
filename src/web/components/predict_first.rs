//! Predict first, where a figure has no steps: a bench can keep what an input comes to until the reader has said what it will be.
//!
//! A bench keeps a [`PredictFirst`] in its state, calls [`another`](PredictFirst::another) with each input, draws what tells the verdict with
//! [`veiled`](PredictFirst::veiled), and [`asks`](PredictFirst::asks) beside its lists. Nobody counts anything.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{element, guess, hindsight, predict, with};
use crate::core::report::Verdict;

/// Whether the reader wants to say first, and what was said of the input that stands there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PredictFirst {
    wanted: bool,
    told: bool,
    said: Option<Verdict>,
}

/// What the reader does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foretell {
    /// Wants to say first, or not any more.
    Want(bool),
    /// Says what it will be.
    Say(Verdict),
}

impl Foretell {
    /// What a key says, where no text is written.
    pub fn of_key(key: &str) -> Option<Self> {
        guess(key).map(Self::Say)
    }
}

impl PredictFirst {
    /// Takes in what the reader does. What was said stays: the verdict is known now.
    pub fn take(&mut self, does: Foretell) {
        match does {
            Foretell::Want(wanted) => *self = Self { wanted, ..Self::default() },
            Foretell::Say(verdict) if self.veils() => (self.said, self.told) = (Some(verdict), true),
            Foretell::Say(_) => {}
        }
    }

    /// There is another input, of which nothing was said.
    pub fn another(&mut self) {
        (self.said, self.told) = (None, false);
    }

    /// The same input is judged by another rule: what was said was not said of that.
    pub fn otherwise(&mut self) {
        self.said = None;
    }

    /// Whether the verdict is kept back.
    pub fn veils(self) -> bool {
        self.wanted && !self.told
    }

    /// The classes of what tells the verdict: its room is kept, and on paper it is told.
    pub fn veiled(self, classes: &str) -> String {
        let more = if self.veils() { " emq-veiled" } else { "" };
        format!("{classes}{more}")
    }

    /// An element that tells the verdict.
    pub fn element(self, tag: &'static str, class: &str, children: Vec<Html>) -> Html {
        with(tag, &["class"], vec![Some(self.veiled(class).into())], Vec::new(), children)
    }

    /// Draws the wish, the three buttons where it is wanted, and what became of what was said. `about` is what is asked, and nothing can
    /// be said as long as it `is_pending`; `came_to` is the verdict, the figure's word for it, and what decides it.
    pub fn asks(
        self,
        about: &str,
        is_pending: bool,
        came_to: impl FnOnce() -> Option<(Verdict, String, String)>,
        alive: bool,
        on: &Callback<Foretell>,
    ) -> Html {
        let wants = on.clone();
        let onchange = move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                wants.emit(Foretell::Want(input.checked()));
            }
        };
        let wish = html! {
            <label class="emq-choice">
                <input type="checkbox" disabled={!alive} checked={self.wanted} {onchange} />{ " predict first" }
            </label>
        };
        let mut parts = vec![wish];
        if self.wanted {
            let about = match self {
                _ if is_pending => Err("of this one nothing can be said yet"),
                Self { told: true, .. } => Err("it is told; another one is asked about again"),
                _ => Ok(about),
            };
            parts.push(predict(about, self.said, alive, &|verdict| on.reform(move |_| Foretell::Say(verdict))));
        }
        let came_to = || came_to().filter(|_| !is_pending);
        if let Some((said, (came_to, word, decided))) = self.said.zip(came_to()) {
            parts.push(hindsight(said, came_to, &word, &decided));
        }
        element("div", "emq-choices", parts)
    }
}

#[cfg(test)]
mod tests {
    use super::{Foretell, PredictFirst};
    use crate::core::report::Verdict::{Fail, Pass};

    #[test]
    fn a_verdict_is_kept_back_until_it_was_said_and_with_each_input() {
        let mut first = PredictFirst::default();
        assert!(!first.veils());
        first.take(Foretell::Want(true));
        assert_eq!((first.veils(), first.veiled("a").as_str()), (true, "a emq-veiled"));
        first.take(Foretell::Say(Pass));
        // It is known now.
        first.take(Foretell::Say(Fail));
        assert_eq!((first.veils(), first.said, first.veiled("a").as_str()), (false, Some(Pass), "a"));
        first.otherwise();
        assert_eq!((first.veils(), first.said), (false, None));
        first.another();
        assert!(first.veils());
        first.take(Foretell::Want(false));
        assert!(!first.veils());
    }
}
