//! The events of several servers as one sequence: in the order of the servers' clocks, and a script's behind its call.
//!
//! Each server shows its own in order. So an event may go once every other server has shown something later. One that shows
//! nothing is asked for a sign of life; one that does not give it is waited for a moment only, as are clocks that differ.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::filter::size;
use super::scope::is_call;
use crate::core::capture::{Event, Origin};

/// How long an event waits for other servers, and for a script of theirs to end; how many wait, and how many bytes of them.
const HOLD: Duration = Duration::from_secs(1);
const SCRIPT: Duration = Duration::from_secs(5);
const MOST: usize = 65_536;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Puts events in order.
#[derive(Debug, Default)]
pub(super) struct Merger {
    queues: Vec<Queue>,
    /// Whose script call went last: what its script does goes next.
    calling: Option<usize>,
    held: usize,
    bytes: usize,
}

/// What a server has shown and did not go yet.
#[derive(Debug, Default)]
struct Queue {
    events: VecDeque<(Instant, Event)>,
    /// The time of its last line, by its clock.
    heard: u64,
    /// Its last line was a script's, or called one: the next may belong to that.
    in_script: bool,
    is_live: bool,
}

impl Merger {
    /// One more server.
    pub(super) fn add(&mut self) {
        self.queues.push(Queue::default());
    }

    /// A server is heard from now on, or is not heard any more.
    pub(super) fn set_live(&mut self, server: usize, is_live: bool) {
        self.queues[server].is_live = is_live;
        self.queues[server].in_script = false;
    }

    /// A server has shown this, whether it is to go or not.
    pub(super) fn heard(&mut self, server: usize, event: &Event) {
        let queue = &mut self.queues[server];
        queue.heard = event.time;
        queue.in_script = event.origin == Origin::Script || is_call(event);
    }

    /// Takes in an event that is to go.
    pub(super) fn push(&mut self, server: usize, event: Event, now: Instant) {
        self.held += 1;
        self.bytes += size(&event);
        self.queues[server].events.push_back((now, event));
    }

    /// Whether events wait while a server shows nothing.
    pub(super) fn waits_for(&self, server: usize) -> bool {
        self.held > 0 && self.queues[server].events.is_empty()
    }

    /// Whether events of a server wait.
    pub(super) fn holds(&self, server: usize) -> bool {
        !self.queues[server].events.is_empty()
    }

    /// The next event that may go, with its server; `all` waits for nothing.
    pub(super) fn pop(&mut self, now: Instant, all: bool) -> Option<(usize, Event)> {
        let all = all || self.held > MOST || self.bytes > MOST_BYTES;
        let first = self.first()?;
        let (since, event) = self.queues[first].events.front()?;
        let waited = now.saturating_duration_since(*since);
        match self.calling.filter(|&server| self.goes_on(server)) {
            Some(server) if !self.queues[server].events.is_empty() => self.take(server),
            Some(_) if !all && waited < SCRIPT => None,
            None if !all && waited < HOLD && self.is_behind(first, event.time) => None,
            _ => self.take(first),
        }
    }

    /// The next event, as long as some of a server wait that nobody hears any more: they go now, with what came before them.
    pub(super) fn release(&mut self, now: Instant, server: usize) -> Option<(usize, Event)> {
        self.holds(server).then(|| self.pop(now, true)).flatten()
    }

    /// The server whose next event is the earliest.
    fn first(&self) -> Option<usize> {
        let next = |(server, queue): (usize, &Queue)| Some((queue.events.front()?.1.time, server));
        self.queues.iter().enumerate().filter_map(next).min().map(|(_, server)| server)
    }

    /// Whether a server's next event belongs to the script call that went last, or may.
    fn goes_on(&self, server: usize) -> bool {
        let queue = &self.queues[server];
        match queue.events.front() {
            Some((_, event)) => event.origin == Origin::Script,
            None => queue.is_live && queue.in_script,
        }
    }

    /// Whether another server may still show something earlier.
    fn is_behind(&self, server: usize, time: u64) -> bool {
        let behind = |queue: &Queue| queue.is_live && queue.events.is_empty() && queue.heard < time;
        self.queues.iter().enumerate().any(|(other, queue)| other != server && behind(queue))
    }

    fn take(&mut self, server: usize) -> Option<(usize, Event)> {
        let (_, event) = self.queues[server].events.pop_front()?;
        self.held -= 1;
        self.bytes -= size(&event);
        if event.origin == Origin::Client {
            self.calling = is_call(&event).then_some(server);
        }
        Some((server, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    fn event(line: &str) -> Event {
        Reader::new().line(line.as_bytes()).expect("a line").expect("a command")
    }

    fn servers(count: usize) -> Merger {
        let mut merger = Merger::default();
        for server in 0..count {
            merger.add();
            merger.set_live(server, true);
        }
        merger
    }

    fn hear(merger: &mut Merger, server: usize, line: &str, now: Instant) {
        let event = event(line);
        merger.heard(server, &event);
        merger.push(server, event, now);
    }

    fn pop(merger: &mut Merger, now: Instant, all: bool) -> Vec<u64> {
        std::iter::from_fn(|| merger.pop(now, all)).map(|(_, event)| event.time % 1_000_000).collect()
    }

    #[test]
    fn one_server_is_never_waited_for() {
        let (mut merger, now) = (servers(1), Instant::now());
        hear(&mut merger, 0, r#"1.000001 [0 a:1] "EVAL" "x" "0""#, now);
        assert_eq!(pop(&mut merger, now, false), [1]);
    }

    #[test]
    fn an_event_goes_when_the_others_have_come_as_far() {
        let (mut merger, now) = (servers(2), Instant::now());
        hear(&mut merger, 0, r#"1.000005 [0 a:1] "GET" "k""#, now);
        assert!(pop(&mut merger, now, false).is_empty() && merger.waits_for(1) && !merger.waits_for(0));
        hear(&mut merger, 1, r#"1.000003 [0 b:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now, false), [3]);
        merger.heard(1, &event(r#"1.000006 [0 own:1] "PING""#));
        assert_eq!(pop(&mut merger, now, false), [5]);
    }

    #[test]
    fn nobody_is_waited_for_any_longer_than_a_moment_or_when_gone() {
        let (mut merger, now) = (servers(2), Instant::now());
        hear(&mut merger, 0, r#"1.000005 [0 a:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now + HOLD, false), [5]);
        hear(&mut merger, 0, r#"1.000006 [0 a:1] "GET" "k""#, now);
        merger.set_live(1, false);
        assert_eq!(pop(&mut merger, now, false), [6]);
    }

    /// What comes later elsewhere still waits for its place, and a script's lines for its end.
    #[test]
    fn one_server_that_is_gone_takes_none_of_the_others_with_it() {
        let (mut merger, now) = (servers(3), Instant::now());
        for (server, line) in [
            (0, r#"1.000004 [0 a:1] "GET" "k""#),
            (1, r#"1.000005 [0 b:1] "GET" "k""#),
            (0, r#"1.000006 [0 a:1] "EVAL" "x" "0""#),
            (0, r#"1.000009 [0 a:1] "GET" "k""#),
        ] {
            hear(&mut merger, server, line, now);
        }
        merger.set_live(1, false);
        let gone: Vec<_> = std::iter::from_fn(|| merger.release(now, 1)).map(|(_, event)| event.time).collect();
        assert_eq!(gone, [1_000_004, 1_000_005]);
        assert!(pop(&mut merger, now, false).is_empty());
        hear(&mut merger, 2, r#"1.000007 [0 c:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now, false), [6, 7]);
    }

    #[test]
    fn a_script_stays_behind_its_call_however_late_it_shows() {
        let (mut merger, now) = (servers(2), Instant::now());
        hear(&mut merger, 0, r#"1.000001 [0 a:1] "EVAL" "x" "0""#, now);
        hear(&mut merger, 1, r#"1.000002 [0 b:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now, false), [1]);
        hear(&mut merger, 0, r#"1.000009 [0 lua] "GET" "k""#, now);
        hear(&mut merger, 1, r#"1.000010 [0 b:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now, false), [9]);
        merger.heard(0, &event(r#"1.000011 [0 own:1] "PING""#));
        assert_eq!(pop(&mut merger, now, false), [2, 10]);
        hear(&mut merger, 0, r#"1.000020 [0 a:1] "EVAL" "x" "0""#, now);
        hear(&mut merger, 1, r#"1.000021 [0 b:1] "GET" "k""#, now);
        assert_eq!(pop(&mut merger, now, false), [20]);
        assert_eq!(pop(&mut merger, now + SCRIPT, false), [21]);
    }

    #[test]
    fn no_more_waits_than_the_limit_says() {
        let (mut merger, now) = (servers(2), Instant::now());
        for _ in 0..MOST {
            merger.push(0, event(r#"1.000005 [0 a:1] "GET" "k""#), now);
        }
        assert!(merger.pop(now, false).is_none());
        merger.push(0, event(r#"1.000005 [0 a:1] "GET" "k""#), now);
        assert_eq!((pop(&mut merger, now, false).len(), merger.held), (1, MOST));
    }
}
