//! When a server is asked what libraries of functions it has, and to which of its lines an answer belongs.

use std::time::{Duration, Instant};

use crate::core::capture::Event;
use crate::core::witness::libraries::{Libraries, Listed};
use crate::native::record::aside::Ask;
use crate::native::record::listing::Asker;

/// No more often than this is it asked, nor again before where an answer, or its question's line, does not come.
const EVERY: Duration = Duration::from_millis(200);

/// What is asked, and what came of it.
pub(in crate::native::record) struct Inventory {
    asker: Asker,
    /// The server does not tell, or is not to be asked.
    is_closed: bool,
    /// What is there may be another since this place of its lines; and up to there it has told.
    changed: Option<u64>,
    last: Option<Instant>,
    number: u64,
    /// The last question's line and its answer.
    line: Option<(u64, u64)>,
    answer: Option<(u64, Vec<Listed>)>,
}

impl Inventory {
    pub(super) fn new() -> Self {
        let (asker, changed) = (Asker::new(), Some(0));
        Self { asker, is_closed: false, changed, last: None, number: 0, line: None, answer: None }
    }

    /// It is not to be asked.
    pub(in crate::native::record) fn close(&mut self) {
        self.is_closed = true;
    }

    /// What was there before a place may be there no more.
    pub(in crate::native::record) fn doubt(&mut self, place: u64) {
        self.changed = self.changed.max(Some(place));
    }

    /// A question, where one is due; at the end of a recording at once.
    pub(in crate::native::record) fn ask(&mut self, at_once: bool) -> Option<Ask> {
        let is_early = self.last.is_some_and(|last| last.elapsed() < EVERY);
        if self.is_closed || self.changed.is_none() || (is_early && !at_once) {
            return None;
        }
        self.last = Some(Instant::now());
        self.number += 1;
        Some(Ask::Libraries(self.number, self.asker.words(self.number)))
    }

    /// Takes in a line, at its place, which is the tool's own or not; gives what it has told of a place, if that is known now.
    pub(super) fn line(&mut self, event: &Event, is_own: bool) -> Option<(u64, Vec<Listed>)> {
        if Libraries::may_change(&event.argv) {
            self.doubt(event.seq);
        }
        let number = self.asker.number(event).filter(|_| is_own)?;
        self.line = Some((number, event.seq));
        self.pair()
    }

    /// The same for an answer.
    pub(in crate::native::record) fn answer(
        &mut self,
        number: u64,
        listed: Option<Vec<Listed>>,
    ) -> Option<(u64, Vec<Listed>)> {
        match listed {
            Some(listed) => self.answer = Some((number, listed)),
            None => self.is_closed = true,
        }
        self.pair()
    }

    fn pair(&mut self) -> Option<(u64, Vec<Listed>)> {
        let (number, place) = self.line?;
        let (_, listed) = self.answer.take_if(|(answer, _)| *answer == number)?;
        self.changed.take_if(|changed| *changed <= place);
        Some((place, listed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    fn line(reader: &mut Reader, words: &[String]) -> Event {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        reader.line(format!("1.000000 [0 a:1] {}", words.join(" ")).as_bytes()).expect("a line").expect("a command")
    }

    fn asked(inventory: &mut Inventory) -> Option<(u64, Vec<String>)> {
        match inventory.ask(true)? {
            Ask::Libraries(number, words) => Some((number, words.to_vec())),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_belongs_to_the_line_of_its_own_question() {
        let (mut inventory, mut reader) = (Inventory::new(), Reader::new());
        let load = ["FUNCTION", "LOAD", "x"].map(str::to_owned);
        let (first, unshown) = asked(&mut inventory).expect("it is due");
        // That one runs in a pause, and stands in no line.
        assert_eq!(inventory.answer(first, Some(vec![])), None);
        let (second, words) = asked(&mut inventory).expect("nothing is known yet");
        assert_ne!(unshown, words);
        assert_eq!(inventory.line(&line(&mut reader, &load), false), None);
        let question = line(&mut reader, &words);
        assert_eq!(inventory.line(&question, false), None, "another's, in the same words");
        assert_eq!(inventory.line(&question, true), None);
        assert_eq!(inventory.line(&line(&mut reader, &load), false), None);
        assert_eq!(inventory.answer(second, Some(vec![])), Some((question.seq, vec![])));
        // What came behind it is not told yet.
        let (third, words) = asked(&mut inventory).expect("it is due");
        let question = line(&mut reader, &words);
        assert_eq!(inventory.answer(third, Some(vec![])), None);
        assert_eq!(inventory.line(&question, true), Some((question.seq, vec![])));
        assert!(asked(&mut inventory).is_none(), "all is known");
        inventory.doubt(question.seq);
        let (fourth, _) = asked(&mut inventory).expect("it is due");
        assert_eq!(inventory.answer(fourth, None), None);
        assert!(asked(&mut inventory).is_none(), "it does not tell");
    }
}
