//! Predict first: before a step shows a verdict the reader may say what it will be, and learns after it why that was right or not.
//!
//! A figure keeps [`Guesses`] in its state, draws [`predict`] beside its Step, and puts [`said`] into its status line and
//! [`hindsight`] into its details. Nobody counts anything: a step works without a guess, and a guess is gone with the figure.

use web_sys::MouseEvent;
use yew::prelude::*;

use super::{element, text, text_in};
use crate::core::report::Verdict;

/// What a reader can say, in the order of the buttons, each with its key.
const CHOICES: [(Verdict, &str); 3] = [(Verdict::Pass, "P"), (Verdict::Fail, "F"), (Verdict::Indeterminate, "I")];

/// What the reader said of each of so many verdicts, before it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guesses<const N: usize>([Option<Verdict>; N]);

impl<const N: usize> Guesses<N> {
    /// Nothing was said.
    pub const NONE: Self = Self([None; N]);

    /// What was said of one.
    pub fn of(&self, index: usize) -> Option<Verdict> {
        self.0.get(index).copied().flatten()
    }

    /// Says it of one; the same again takes it back.
    pub fn say(&mut self, index: usize, verdict: Verdict) {
        if let Some(guess) = self.0.get_mut(index) {
            *guess = if *guess == Some(verdict) { None } else { Some(verdict) };
        }
    }
}

/// The verdict that a key stands for while the figure has the focus.
pub fn guess(key: &str) -> Option<Verdict> {
    CHOICES.into_iter().find(|(_, own)| own.eq_ignore_ascii_case(key)).map(|(verdict, _)| verdict)
}

/// Draws the three buttons under what they are about: what the next step shows, or why there is nothing to say now.
///
/// They stay in the tab order when there is nothing to say, as the other buttons do.
pub fn predict(
    next: Result<&str, &str>,
    guess: Option<Verdict>,
    alive: bool,
    say: &dyn Fn(Verdict) -> Callback<MouseEvent>,
) -> Html {
    let idle = next.is_err();
    let about = match next {
        Ok(next) => format!("{ASKED}{next}"),
        Err(why) => why.to_owned(),
    };
    let choices = CHOICES.into_iter().map(|(verdict, key)| {
        let pressed = if guess == Some(verdict) { "true" } else { "false" };
        html! {
            <button type="button" class="emq-button emq-guess" aria-keyshortcuts={key} title={key} aria-pressed={pressed}
                disabled={!alive} aria-disabled={idle.then_some("true")} onclick={say(verdict)}>{ verdict.word() }</button>
        }
    });
    html! {
        <div class="emq-predict" role="group" aria-label={about.clone()}>
            <span class="emq-next" aria-hidden="true">{ about }</span>{ for choices }
        </div>
    }
}

const ASKED: &str = "you say of ";

/// What a status line adds to a verdict's word: `, as you said`, `, where you said fail`.
pub fn said(guess: Option<Verdict>, came_to: Verdict) -> String {
    match guess {
        None => String::new(),
        Some(guess) if guess == came_to => ", as you said".to_owned(),
        Some(guess) => format!(", where you said {}", guess.word()),
    }
}

/// Why the reader was right or not: `word` is what the figure calls the verdict, `decided` what it rests on.
pub fn hindsight(guess: Verdict, came_to: Verdict, word: &str, decided: &str) -> Html {
    let joined = if guess == came_to { "and" } else { "but" };
    let verdict = text_in("b", "", &format!("You said {}, {joined} it is {word}.", guess.word()));
    element("p", "emq-hindsight", vec![verdict, text(&format!(" What decides it: {decided}"))])
}

#[cfg(test)]
mod tests {
    use super::{Guesses, guess, said};
    use crate::core::report::Verdict;

    #[test]
    fn a_guess_is_changed_and_taken_back() {
        let mut guesses = Guesses::<2>::NONE;
        guesses.say(1, Verdict::Pass);
        guesses.say(1, Verdict::Fail);
        assert_eq!((guesses.of(0), guesses.of(1)), (None, Some(Verdict::Fail)));
        guesses.say(1, Verdict::Fail);
        guesses.say(2, Verdict::Fail);
        assert_eq!((guesses, guesses.of(2)), (Guesses::NONE, None));
    }

    #[test]
    fn a_key_stands_for_a_verdict_and_a_verdict_is_held_against_what_was_said() {
        assert_eq!(
            (guess("p"), guess("F"), guess("i")),
            (Some(Verdict::Pass), Some(Verdict::Fail), Some(Verdict::Indeterminate))
        );
        assert!(guess("a").is_none() && guess("Enter").is_none() && guess("").is_none());
        assert_eq!(said(Some(Verdict::Pass), Verdict::Pass), ", as you said");
        assert_eq!(said(Some(Verdict::Fail), Verdict::Pass), ", where you said fail");
        assert_eq!(said(None, Verdict::Pass), "");
    }
}
