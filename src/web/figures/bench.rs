//! What the benches have in common: the lists over their inputs, and what a key asks for.

use crate::core::policy::Policy;
use crate::web::address::Asked;
use crate::web::components::Foretell;

/// The examples to choose from, by their titles, and the reader's own where it stands there.
pub(super) fn examples(examples: &[(&str, &str)], chosen: Option<usize>) -> Vec<(bool, String)> {
    let titles = examples.iter().enumerate();
    let mut choices: Vec<_> = titles.map(|(index, (_, title))| (chosen == Some(index), (*title).to_owned())).collect();
    if chosen.is_none() {
        choices.push((true, "your own".to_owned()));
    }
    choices
}

/// The policies to choose from.
pub(super) fn policies(chosen: usize) -> Vec<(bool, String)> {
    Policy::ALL.iter().enumerate().map(|(index, policy)| (index == chosen, policy.id().to_owned())).collect()
}

/// What a key asks of a bench: to close what is open, or to say first what its input comes to.
pub(super) fn asked_by<M>(key: &str, close: M, foretell: fn(Foretell) -> M) -> Option<Asked<M>> {
    (key == "Escape").then_some(close).or_else(|| Foretell::of_key(key).map(foretell)).map(Asked::Do)
}
