//! The lines of a recording made into a capture's events.

use super::error::Stranger;
use super::stranger::Watch;
use crate::core::capture::Event;
use crate::core::capture::monitor::Reader;
use crate::native::record::numbering::Numbering;
use crate::native::record::scope::{Fate, Scope, Sorter};

/// Events in scope, numbered without gaps, and counts of the rest.
pub(in crate::native) struct Recording {
    reader: Reader,
    sorter: Sorter,
    watch: Watch,
    numbering: Numbering,
    pub(in crate::native) events: Vec<Event>,
    /// Commands of other connections.
    pub(in crate::native) left_out: u64,
    /// Lines that could not be read.
    pub(in crate::native) lost: u64,
    /// The first of the others who touched the queue.
    pub(in crate::native) stranger: Option<Stranger>,
}

impl Recording {
    pub(in crate::native) fn new(scope: Scope, watch: Watch) -> Self {
        Self {
            reader: Reader::new(),
            sorter: Sorter::new(scope),
            watch,
            numbering: Numbering::default(),
            events: Vec::new(),
            left_out: 0,
            lost: 0,
            stranger: None,
        }
    }

    pub(in crate::native) fn line(&mut self, line: &str) {
        match self.reader.line(line.as_bytes()) {
            Ok(Some(event)) => self.event(event),
            Ok(None) => {}
            Err(_) => self.lost += 1,
        }
    }

    fn event(&mut self, mut event: Event) {
        match self.sorter.sort(&event) {
            Fate::Kept => {
                self.numbering.number(0, &mut event);
                self.events.push(event);
            }
            Fate::LeftOut => {
                self.left_out += 1;
                self.stranger = self.stranger.take().or_else(|| self.watch.sees(&event));
            }
            Fate::Own => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::EMQ_1;
    use crate::native::record::scope::Senders;

    fn addresses(of: &str) -> Senders {
        Senders::Addresses(vec![of.into()])
    }

    const LOG: [&str; 6] = [
        "1.000000 [0 lua] \"GET\" \"k\"",
        "1.000001 [0 a:1] \"PING\"",
        "1.000002 [0 b:2] \"EVAL\" \"x\" \"0\"",
        "1.000003 [0 lua] \"GET\" \"k\"",
        "1.000004 [0 c:3] \"EVAL\" \"x\" \"0\"",
        "1.000005 [0 lua] \"GET\" \"k\"",
    ];

    fn recording(scope: Scope) -> Recording {
        Recording::new(scope, Watch { profile: &EMQ_1, queue: "q".into(), db: 0 })
    }

    fn only(runtime: &str) -> Scope {
        Scope::Only { runtime: addresses(runtime), own: addresses("a:1") }
    }

    /// Whether the line of a stranger counts as a touch of queue `q`.
    #[track_caller]
    fn check(call: &str, seen: Option<&str>) {
        let mut recording = recording(only("c:3"));
        recording.line(&format!("1.000001 [0 b:2] {call}"));
        let stranger = recording.stranger.map(|stranger| (stranger.client, stranger.command));
        assert_eq!(stranger, seen.map(|command| ("b:2".to_owned(), command.to_owned())), "{call}");
    }

    #[test]
    fn who_touches_the_queue_is_named() {
        check(r#""blmove" "emq:{q}:wait" "emq:{q}:active" "RIGHT" "LEFT" "0""#, Some("BLMOVE emq:{q}:wait"));
        check(r#""GET" "emq:q:wait""#, Some("GET emq:q:wait"));
        check(r#""MGET" "x" "bull:q:id""#, Some("MGET bull:q:id"));
        check(r#""EVAL" "return 1" "1" "emq:{q}:\x1b""#, Some(r"EVAL emq:{q}:\x1b"));
        for other in [r#""GET" "emq:{qq}:wait""#, r#""GET" "bull:qq:id""#, r#""KEYS" "*""#, r#""NOSUCH" "emq:{q}:a""#] {
            check(other, None);
        }
    }

    #[test]
    fn another_database_is_another_queue_and_a_script_is_its_callers() {
        let mut recording = recording(only("c:3"));
        recording.line(r#"1.000001 [1 b:2] "GET" "emq:{q}:wait""#);
        recording.line(r#"1.000002 [0 c:3] "GET" "emq:{q}:wait""#);
        recording.line(r#"1.000003 [0 a:1] "GET" "emq:{q}:wait""#);
        assert_eq!(recording.stranger, None);
        recording.line(r#"1.000004 [0 b:2] "EVAL" "x" "0""#);
        recording.line(r#"1.000005 [0 lua] "GET" "emq:{q}:wait""#);
        assert_eq!(recording.stranger.map(|stranger| stranger.client).as_deref(), Some("b:2"));
    }

    #[test]
    fn scripts_share_the_fate_of_their_callers() {
        let mut recording = recording(only("c:3"));
        for line in LOG {
            recording.line(line);
        }
        let numbers: Vec<_> = recording.events.iter().map(|event| (event.seq, event.call)).collect();
        assert_eq!(numbers, [(1, None), (2, Some(1))]);
        assert_eq!((recording.left_out, recording.lost), (3, 0));
    }

    #[test]
    fn a_private_server_has_everything_but_the_tool() {
        let mut recording = recording(Scope::AllBut(addresses("a:1")));
        for line in LOG {
            recording.line(line);
        }
        assert_eq!((recording.events.len(), recording.left_out), (4, 1));
        recording.line("damaged");
        assert_eq!(recording.lost, 1);
    }
}
