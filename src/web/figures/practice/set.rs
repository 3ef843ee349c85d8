//! The scripts and captures that the lesson has not shown, and how the page loads them.

use super::answer::Answer;
use crate::web::packed::{Packer, Unpacker};

/// How many there are.
pub const COUNT: usize = 9;

/// Each by its file in `fixtures/practice`, and what it does; never what it comes to.
pub const SET: [(&str, &str); COUNT] = [
    ("release-1.lua", "gives a lock back"),
    ("remind-1.lua", "notes that a job is late"),
    ("store-1.lua", "adds a job that comes as JSON"),
    ("archive-3.lua", "puts a job aside"),
    ("drain.log", "a job is added, and a list looked at"),
    ("import.log", "a job comes from another system"),
    ("lock.log", "a job is added and locked"),
    ("add.log", "a job is added"),
    ("forward.log", "a job goes on"),
];

/// The queue that the captures are judged for.
pub const QUEUE: &str = "payments";

/// Whether one is a script; the others are captures.
pub fn is_script(index: usize) -> bool {
    SET.get(index).is_some_and(|(name, _)| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "lua"))
}

/// One of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Unseen {
    /// The script, or the log.
    pub text: String,
    /// What it came to when the page was built: for a reader without scripts, and for paper.
    pub built: Answer,
}

/// Packs them for the page, as [captures](crate::web::packed) are.
pub fn pack(set: &[Unseen]) -> Vec<u8> {
    let mut out = Packer::default();
    out.list(set.iter(), |out, Unseen { text, built }| {
        out.bytes(text.as_bytes());
        built.pack(out);
    });
    out.into_bytes()
}

/// Unpacks them; `None` for bytes that nothing was packed into.
pub fn unpack(bytes: &[u8]) -> Option<Vec<Unseen>> {
    let mut rest = Unpacker::new(bytes);
    let set = rest.list(|rest| Some(Unseen { text: rest.text()?, built: Answer::unpack(rest)? }))?;
    (rest.is_empty() && set.len() == COUNT).then_some(set)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::set;
    use super::{SET, is_script, pack, unpack};

    #[test]
    fn what_is_packed_comes_out_the_same_and_damage_is_noticed() {
        let set = set();
        let packed = pack(&set);
        for length in (0..packed.len()).step_by(31) {
            assert_eq!(unpack(&packed[..length]), None, "cut at {length}");
        }
        assert_eq!(unpack(&packed), Some(set));
    }

    #[test]
    fn there_are_at_least_four_of_each() {
        let scripts = (0..SET.len()).filter(|index| is_script(*index)).count();
        assert!(scripts >= 4 && SET.len() - scripts >= 4, "{scripts} scripts");
    }
}
