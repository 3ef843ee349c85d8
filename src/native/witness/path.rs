//! The path that a script took: its commands and their keys, whatever the values. A replay took the recorded path or another.

use std::collections::BTreeMap;

use crate::core::capture::monitor::Reader;
use crate::core::capture::{Event, Origin};
use crate::core::commands::{Command, command, operand_keys};

/// One command of a script and the keys it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    name: String,
    /// Its operand keys.
    pub(super) keys: Vec<Vec<u8>>,
    /// Patterns of keys that the command reads besides.
    pub(super) patterns: Vec<Vec<u8>>,
}

impl Step {
    pub(super) fn of(event: &Event) -> Self {
        let args = event.args();
        let name = command(&args).map(Command::name).map_or_else(
            || String::from_utf8_lossy(args.first().copied().unwrap_or_default()).to_ascii_uppercase(),
            str::to_owned,
        );
        let found = operand_keys(&args).unwrap_or_default();
        let of = |index: usize| args.get(index).copied().unwrap_or_default();
        Self {
            name,
            keys: found.keys.iter().map(|key| of(key.index).to_vec()).collect(),
            patterns: found.patterns.iter().map(|pattern| pattern.key(of(pattern.index)).to_vec()).collect(),
        }
    }
}

/// What the replay's own recording shows: the path of each call that a user of its KEYS made, by the call's number.
pub(super) struct Paths {
    reader: Reader,
    caller: String,
    current: Option<u64>,
    /// The paths; a call without commands has an empty one.
    pub(super) taken: BTreeMap<u64, Vec<Step>>,
    /// Lines that could not be read.
    pub(super) lost: bool,
}

/// What the caller says before each call.
pub(super) fn announcement(seq: u64) -> String {
    format!("emq-call-{seq}")
}

impl Paths {
    /// Paths of the calls of a connection, by its address.
    pub(super) fn of(caller: String) -> Self {
        Self { reader: Reader::new(), caller, current: None, taken: BTreeMap::new(), lost: false }
    }

    pub(super) fn line(&mut self, line: &str) {
        let event = match self.reader.line(line.as_bytes()) {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(_) => {
                self.lost = true;
                return;
            }
        };
        if event.origin == Origin::Script {
            if let Some(steps) = self.current.and_then(|seq| self.taken.get_mut(&seq)) {
                steps.push(Step::of(&event));
            }
            return;
        }
        if event.client.as_ref() != Some(&self.caller) {
            self.current = None;
        } else if let [echo, word] = event.args().as_slice()
            && echo.eq_ignore_ascii_case(b"ECHO")
            && let Some(seq) = std::str::from_utf8(word).ok().and_then(|word| word.strip_prefix("emq-call-"))
        {
            self.current = seq.parse().ok();
            self.taken.extend(self.current.map(|seq| (seq, Vec::new())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_what_the_caller_s_script_ran() {
        let mut paths = Paths::of("a:1".to_owned());
        for line in [
            r#"1.000001 [0 a:1] "ECHO" "emq-call-7""#,
            r#"1.000002 [0 a:1] "EVAL" "s" "0""#,
            r#"1.000003 [0 lua] "get" "k""#,
            r#"1.000004 [0 b:2] "EVAL" "s" "0""#,
            r#"1.000005 [0 lua] "GET" "other""#,
            r#"1.000006 [0 a:1] "ECHO" "emq-call-9""#,
        ] {
            paths.line(line);
        }
        assert_eq!(paths.taken.keys().collect::<Vec<_>>(), [&7, &9]);
        assert_eq!(paths.taken[&7], [Step { name: "GET".into(), keys: vec![b"k".to_vec()], patterns: vec![] }]);
        assert!(paths.taken[&9].is_empty() && !paths.lost);
    }
}
