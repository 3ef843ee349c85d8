//! Facts: what a capture shows, reduced to what the assertions ask about.
//!
//! A log may have a billion lines and a queue a few thousand keys. Facts grow with distinct keys, commands, scripts and
//! connections, their names and the values of versions, never with lines as such: the same key touched in the same way again only
//! raises a count.

mod calls;
mod classes;
pub mod collector;
pub(crate) mod connections;
pub mod keys;
pub mod log;
mod opening;
mod touches;
pub mod version;

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;

use crate::core::capture::{Engine, Source};
use crate::core::commands::{Access, calls_a_script};
use crate::core::policy::Declaration;

pub(crate) use calls::script_id;
pub use classes::Classes;
pub use collector::Collector;
pub use keys::{KeyId, KeyTable};
pub use log::LogIntake;
pub(crate) use touches::Touches;
pub use version::{VersionFact, VersionOf, VersionWhat};

/// Where in a capture something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The event.
    pub seq: u64,
    /// Its line, where the capture was a log.
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}"),
            None => write!(f, "event {}", self.seq),
        }
    }
}

/// A script or function, by its index among [`Facts::scripts`].
pub type ScriptId = usize;

/// What makes two touches the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TouchKind {
    /// The key, or the pattern that stands for keys.
    pub key: KeyId,
    /// Whether `key` is a pattern: SORT's BY and GET read every key that theirs matches.
    pub pattern: bool,
    /// The command's name in capitals, `HSET`.
    pub command: &'static str,
    /// Whether it may write the key, by the engine's flags.
    pub access: Access,
    /// Whether all it may do is remove the key or elements of it, as a tear-down does.
    pub removes: bool,
    /// The script it ran in.
    pub script: Option<ScriptId>,
    /// How the key relates to what the script's call declared; `None` for what a client does itself.
    pub declaration: Option<Declaration>,
    /// What the key starts with, where it is no element of KEYS: the longest element of KEYS, or value of ARGV with its tag.
    pub root: Option<KeyId>,
}

impl TouchKind {
    /// Whether a call passes the key to its script, which may then read and write it: the call itself does neither.
    pub fn is_declaration(&self) -> bool {
        calls_a_script(self.command)
    }
}

/// One way in which one key was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Which key, by what, how.
    pub kind: TouchKind,
    /// Where first.
    pub first: Place,
    /// Where last.
    pub last: Place,
    /// How often.
    pub count: u64,
}

/// Something counted, and where it stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Where first.
    pub first: Place,
    /// How often.
    pub count: u64,
}

impl Counted {
    /// One of them.
    fn once(first: Place) -> Self {
        Self { first, count: 1 }
    }
}

/// A command that removes all keys of a database, or of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flush {
    /// The command.
    pub command: &'static str,
    /// The database; `None` for all of them.
    pub db: Option<u32>,
    /// Where last.
    pub last: Place,
}

/// What one client connection did, its scripts included.
#[derive(Debug, Clone, Default)]
pub struct Connection {
    /// Its address.
    pub address: Option<String>,
    /// The names it gave itself by CLIENT SETNAME.
    pub names: Vec<String>,
    /// How many commands, those of its scripts included.
    pub commands: u64,
    /// How many script calls.
    pub calls: u64,
    /// Every way in which it touched a key, in order of first appearance.
    pub touches: Vec<Touch>,
    /// What it did to version fields.
    pub versions: Vec<VersionFact>,
    /// Where it last removed whole databases, or put another in one's place.
    pub flushed: Vec<Flush>,
    /// Commands that name a pattern or a channel, or reach the whole keyspace, and no key.
    pub keyless: BTreeMap<String, Counted>,
    /// Commands whose keys cannot be told, and why.
    pub opaque: BTreeMap<String, Counted>,
}

/// A script or function as the capture names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptName {
    /// SHA-1 in lower-case hex, or the function's name.
    pub id: String,
    /// The name its runtime gives it, where known.
    pub name: Option<String>,
}

impl ScriptName {
    /// What to call it: its name, or the first eight digits of its SHA-1.
    pub fn shown(&self) -> &str {
        let digest = self.id.len() == 40 && self.id.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.name.as_deref().unwrap_or(if digest { &self.id[..8] } else { &self.id })
    }
}

/// A line or event that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// The byte in it, from 1.
    pub byte: u64,
    /// What is wrong there.
    pub why: String,
}

/// What could not be seen, so that "every key" cannot be said.
#[derive(Debug, Clone, Default)]
pub struct Unseen {
    /// Lines that could not be read, the first [`Unseen::KEPT`] of them.
    pub problems: Vec<Problem>,
    /// How many lines could not be read.
    pub damaged: u64,
    /// The log's last line is cut short: nothing is missing before it, so this alone takes nothing from a verdict.
    pub cut_end: Option<Problem>,
    /// The capture is cut short, and with it what its recorder would have said of what it lost.
    pub cut_capture: bool,
    /// Commands of scripts whose call the capture does not have: nobody can say what was declared for them.
    pub orphans: Option<Counted>,
    /// Commands the recorder says that it lost.
    pub dropped: u64,
}

impl Unseen {
    /// How many problems are kept in words; the others are counted.
    pub const KEPT: usize = 20;

    /// What was missing already when the input was read, of which its commands alone do not tell.
    pub fn carry(&mut self, read: Self) {
        let Self { problems, damaged, cut_end, cut_capture, orphans: _, dropped } = read;
        (self.problems, self.damaged, self.cut_end) = (problems, damaged, cut_end);
        self.cut_capture |= cut_capture;
        self.dropped = self.dropped.max(dropped);
    }

    /// The capture ends in the middle of this line.
    pub fn cut_short(&mut self, line: u64) {
        self.cut_capture = true;
        self.problems.push(Problem { line, byte: 1, why: "the capture is cut short here".to_owned() });
    }
}

/// All that is known of a capture.
#[derive(Debug, Default)]
pub struct Facts {
    /// The profile the capture says it was recorded under.
    pub profile: Option<String>,
    /// The queue the capture says it is about.
    pub queue: Option<String>,
    /// The server.
    pub engine: Option<Engine>,
    /// How the capture came to be.
    pub source: Source,
    /// Every key that was touched, and every root of one.
    pub keys: KeyTable,
    /// Every script that was called.
    pub scripts: Vec<ScriptName>,
    /// Who did what.
    pub connections: Vec<Connection>,
    /// What the recorder read aside about versions.
    pub reads: Vec<VersionFact>,
    /// What could not be seen.
    pub unseen: Unseen,
}

/// What was counted over several connections, by name.
pub fn summed(
    connections: &[&Connection],
    counts: fn(&Connection) -> &BTreeMap<String, Counted>,
) -> BTreeMap<String, Counted> {
    let mut sums = BTreeMap::new();
    for (name, one) in connections.iter().flat_map(|connection| counts(connection)) {
        count(&mut sums, name.clone(), *one);
    }
    sums
}

/// Adds to what is counted under a name.
fn count(counts: &mut BTreeMap<String, Counted>, name: String, more: Counted) {
    let sum = counts.entry(name).or_insert(Counted { count: 0, ..more });
    sum.first = sum.first.min(more.first);
    sum.count += more.count;
}

/// Things in the order of their places in the input; those of one place stay as they are.
///
/// The places are sorted, not the things: each kind of thing would bring a sort of its own into the page.
pub fn in_order<T: Copy>(things: &[T], place: impl Fn(&T) -> Place) -> Vec<T> {
    // By a heap: the sort of a slice is three of them, and the page has no other.
    let order: BinaryHeap<(Place, usize)> = things.iter().map(place).zip(0..).collect();
    order.into_sorted_vec().into_iter().map(|(_, at)| things[at]).collect()
}
