//! What a figure says, apart from how it is written: blocks of lines, lines of words that each have a role.
//!
//! Every word is made harmless as it comes in ([`Words`]), so that no writer can forget to: what would act on a terminal, hide or
//! turn the text around is escaped as everywhere else. What is not of that type is a text of the program's own.

use crate::core::bytes::{drawable, short};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::Verdict;
use crate::core::report::slots::Slots;

/// A figure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Figure {
    /// Its name, the word a user types.
    pub kind: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What in it is stated, and what was measured.
    pub origins: Vec<Words>,
    /// What it shows.
    pub body: Vec<Block>,
    /// What it shows in one sentence, for who does not see it.
    pub status: Words,
}

/// A part of a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The head of what follows, and what is said of it aside.
    Head(Words, Words),
    /// Lines below each other.
    Lines(Vec<Line>),
    /// Keys at their places among a cluster's slots.
    Slots(Slots),
    /// Code, with the way of a key drawn over it.
    Code(Vec<CodeLine>),
    /// A table.
    Table(Table),
    /// Two halves: beside each other where there is room, else the first above the second.
    Beside(Vec<Block>, Vec<Block>),
}

/// A line, which may be too long for one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its verdict, drawn as a shape before it.
    pub tone: Option<Tone>,
    /// Its number, or whatever stands before it in a column.
    pub number: Words,
    /// How deep it lies in what stands above it.
    pub depth: usize,
    /// What it says.
    pub words: Words,
    /// Whether it is what the figure points at.
    pub lit: bool,
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeLine {
    /// Its number; nothing where lines were left out, and where it is a word about them.
    pub number: Option<usize>,
    /// The code, in the roles of its tokens.
    pub words: Words,
    /// The steps that stand in it.
    pub steps: Vec<Step>,
    /// Whether the way goes on above it, and below it.
    pub way: (bool, bool),
}

/// A step of a key's way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// What is said of it.
    pub says: Words,
    /// Where it starts, in columns of the line, and how many it takes.
    pub start: usize,
    /// How many columns it takes.
    pub width: usize,
    /// Whether it is the last: what the call gets.
    pub is_last: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it is.
    pub caption: &'static str,
    /// The heads of the columns; the first is that of the heads of the rows.
    pub heads: Vec<Words>,
    /// The rows: their heads, and the cells.
    pub rows: Vec<(Words, Vec<Cell>)>,
}

/// A cell of a table: a verdict and its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The shape.
    pub tone: Tone,
    /// The word.
    pub word: &'static str,
}

/// What a mark means; each has a shape of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A disc with a tick.
    Pass,
    /// A square with a cross.
    Fail,
    /// A diamond with a question mark.
    Doubt,
    /// A box with a bar.
    Lacking,
    /// An empty ring: nothing is known, or nothing said yet.
    Open,
}

impl Tone {
    /// The mark where there are letters only.
    pub fn mark(self) -> char {
        match self {
            Self::Pass => Verdict::Pass.mark(),
            Self::Fail => Verdict::Fail.mark(),
            Self::Doubt => Verdict::Indeterminate.mark(),
            Self::Lacking => FleetVerdict::NotSupported.mark(),
            Self::Open => FleetVerdict::NotRun.mark(),
        }
    }

    /// The role of its word.
    pub fn role(self) -> Role {
        match self {
            Self::Pass => Role::Pass,
            Self::Fail => Role::Fail,
            Self::Doubt => Role::Doubt,
            Self::Lacking | Self::Open => Role::Strong,
        }
    }
}

impl From<Verdict> for Tone {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::Indeterminate => Self::Doubt,
        }
    }
}

impl From<FleetVerdict> for Tone {
    fn from(verdict: FleetVerdict) -> Self {
        match verdict {
            FleetVerdict::Pass => Self::Pass,
            FleetVerdict::Fail => Self::Fail,
            FleetVerdict::Indeterminate => Self::Doubt,
            FleetVerdict::NotSupported => Self::Lacking,
            FleetVerdict::NotRun => Self::Open,
        }
    }
}

/// What some words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Text.
    #[default]
    Plain,
    /// What counts in it.
    Strong,
    /// What matters less.
    Quiet,
    /// What a machine says or is told.
    Code,
    /// A key.
    Key,
    /// A key that its call does not declare.
    Undeclared,
    /// What was stated, or measured: the word that says so.
    Origin,
    /// Of what passes.
    Pass,
    /// Of what fails.
    Fail,
    /// Of what cannot be told.
    Doubt,
    /// A comment in a script.
    Comment,
    /// A string in a script.
    Text,
    /// A number in a script.
    Digits,
    /// A word of the language.
    Keyword,
    /// KEYS or ARGV.
    Input,
    /// What calls the engine.
    Call,
}

/// Words in their order, each with its role.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words(Vec<(Role, String)>);

/// No run of words is longer, in characters: a figure is for reading.
const LONGEST: usize = 600;
/// And no key.
const LONGEST_KEY: usize = 120;

impl Words {
    /// Words without a role.
    pub fn plain(text: &str) -> Self {
        Self::default().and(Role::Plain, text)
    }

    /// One run of words.
    pub fn of(role: Role, text: &str) -> Self {
        Self::default().and(role, text)
    }

    /// Where a statement comes from: `stated` by the course, or `measured`.
    pub fn origin(word: &str) -> Self {
        Self::of(Role::Origin, word)
    }

    /// These words and more.
    #[must_use]
    pub fn and(mut self, role: Role, text: &str) -> Self {
        self.push(role, text);
        self
    }

    /// Adds words; what could act on a terminal, hide or turn the text around is escaped, and what is too long is cut.
    pub fn push(&mut self, role: Role, text: &str) {
        let most = if matches!(role, Role::Key | Role::Undeclared) { LONGEST_KEY } else { LONGEST };
        // Escapes make a text longer: it is cut before, and again.
        let text = drawable(&short(text, most)).replace(is_unfit, "\u{fffd}");
        let text = short(&text, most);
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((last, said)) if *last == role && !matches!(role, Role::Key | Role::Undeclared) => {
                said.push_str(&text);
            }
            _ => self.0.push((role, text.into_owned())),
        }
    }

    /// A verdict's word and what is said of it: `pass · 6 of 6 keys`.
    pub fn verdict(tone: Tone, word: &str, says: &str) -> Self {
        let words = Self::of(tone.role(), word);
        if says.is_empty() { words } else { words.and(Role::Plain, &format!(" · {says}")) }
    }

    /// Each run.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &str)> {
        self.0.iter().map(|(role, text)| (*role, text.as_str()))
    }

    /// The same words, the role of which says what to make of each text.
    pub(super) fn map(&self, change: impl Fn(Role, &str) -> String) -> Self {
        Self(self.iter().map(|(role, text)| (role, change(role, text))).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them without their roles.
    pub fn text(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// What XML has no place for, and no terminal a glyph.
fn is_unfit(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

impl Line {
    /// A line that says this.
    pub fn new(words: Words) -> Self {
        Self { words, ..Self::default() }
    }

    /// A quiet line.
    pub fn quiet(text: &str) -> Self {
        Self::new(Words::of(Role::Quiet, text))
    }

    /// With a verdict before it.
    #[must_use]
    pub fn toned(self, tone: Tone) -> Self {
        Self { tone: Some(tone), ..self }
    }

    /// Deeper by so much.
    #[must_use]
    pub fn below(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    /// With a number before it.
    #[must_use]
    pub fn numbered(self, number: &str) -> Self {
        Self { number: Words::of(Role::Quiet, number), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, LONGEST_KEY, Role, Words};

    #[test]
    fn no_word_comes_in_that_could_do_harm() {
        let words = Words::plain("a\u{1b}[2J\0\u{202e}b\u{ffff}\u{1fffe}\n");
        assert_eq!(words.text(), "a\\x1b[2J\\x00\\xe2\\x80\\xaeb\u{fffd}\u{fffd}\\n");
    }

    #[test]
    fn long_words_are_cut_also_where_escapes_made_them_long() {
        let longest = |role, text: &str| Words::of(role, &text.repeat(9_000)).text().chars().count();
        assert_eq!([longest(Role::Plain, "x"), longest(Role::Plain, "\0")], [LONGEST; 2]);
        assert_eq!([longest(Role::Key, "é"), longest(Role::Undeclared, "\u{202e}")], [LONGEST_KEY; 2]);
    }

    #[test]
    fn words_of_one_role_are_one_but_keys_are_each_a_key() {
        let words =
            Words::plain("a").and(Role::Plain, "b").and(Role::Key, "k").and(Role::Key, "l").and(Role::Quiet, "");
        assert_eq!(words.iter().collect::<Vec<_>>(), [(Role::Plain, "ab"), (Role::Key, "k"), (Role::Key, "l")]);
    }
}
