//! Records all primaries of a cluster at once, each through a MONITOR of its own.
//!
//! Their lines become one log, in the order of the servers' clocks; what a script ran stays behind its call. A node that goes
//! away while it is recorded (a crash, a failover that it does not survive) leaves a gap, which is said: the others' lines count.

use std::time::Duration;

use redis::Connection;

use super::connection::Target;
use super::recorder::{self, RecordError, Recorder};
use super::trouble::Trouble;

/// Recordings that run.
pub struct Primaries {
    nodes: Vec<Node>,
}

struct Node {
    target: Target,
    recorder: Recorder,
    control: Connection,
    address: String,
}

/// A node whose recording is not whole.
#[derive(Debug)]
pub struct Gap {
    /// The node's URL, without a password.
    pub node: String,
    /// Why.
    pub why: RecordError,
}

/// How long the lines of a node may take that takes no marker any more.
const LATE: Duration = Duration::from_secs(1);

impl Primaries {
    /// Starts recording on each; returns when all have confirmed it.
    pub fn start(targets: &[Target]) -> Result<Self, Trouble> {
        let start = |target: &Target| {
            let (control, address) = target.connect_named()?;
            Ok(Node { target: target.clone(), recorder: Recorder::start(target)?, control, address })
        };
        Ok(Self { nodes: targets.iter().map(start).collect::<Result<_, Trouble>>()? })
    }

    /// The addresses of our own connections: what they send is no traffic.
    pub fn own(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.address.clone()).collect()
    }

    /// Ends all recordings with a marker. `line` gets every line but the markers', in order; the gaps are returned.
    pub fn finish(self, marker: &str, patience: Duration, mut line: impl FnMut(&str)) -> Vec<Gap> {
        let (mut logs, mut gaps) = (Vec::new(), Vec::new());
        for mut node in self.nodes {
            let mut lines = Vec::new();
            let told = recorder::mark(&mut node.control, marker)
                .map_err(node.target.trouble("mark the end of the recording (ECHO)"))
                .map_err(RecordError::Broken);
            // Without a marker there is no end to wait for, but what came before still counts.
            let patience = if told.is_ok() { patience } else { patience.min(LATE) };
            let ended = node.recorder.finish(marker, patience, |line| lines.push(line.to_owned()));
            gaps.extend(told.and(ended).err().map(|why| Gap { node: node.target.shown().to_owned(), why }));
            logs.push(lines);
        }
        merge(&logs, &mut line);
        gaps
    }
}

/// Several logs as one, in the order of their times; of the same time, in the order of the logs.
///
/// A line without a time of its own and one that a script ran go with the line before: a call and its script stay together.
pub fn merge(logs: &[Vec<String>], line: &mut impl FnMut(&str)) {
    let mut blocks: Vec<(Time, usize, &[String])> = Vec::new();
    for (log, mut rest) in logs.iter().map(Vec::as_slice).enumerate() {
        while let Some(first) = rest.first() {
            let more = rest.iter().skip(1).take_while(|line| time(line).is_none() || line.contains(" lua] \"")).count();
            let (block, after) = rest.split_at(1 + more);
            blocks.push((time(first).unwrap_or_default(), log, block));
            rest = after;
        }
    }
    // Stable: what one server wrote keeps its order.
    blocks.sort_by_key(|(time, log, _)| (*time, *log));
    blocks.iter().flat_map(|(_, _, block)| *block).for_each(|text| line(text));
}

/// Seconds and microseconds.
type Time = (u64, u64);

fn time(line: &str) -> Option<Time> {
    let (seconds, micros) = line.split(' ').next()?.split_once('.')?;
    Some((seconds.parse().ok()?, micros.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn a_call_and_its_script_stay_together() {
        let log = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let one = log(&[r#"1.000001 [0 a:1] "EVAL""#, r#"1.000009 [0 lua] "GET""#, r#"1.000010 [0 a:1] "PING""#]);
        let two = log(&[r#"1.000002 [0 b:1] "GET""#, r#"9.000000 [0 b:1] "GET""#, r#"10.000000 [0 b:1] "GET""#]);
        let mut order = Vec::new();
        merge(&[one.clone(), two.clone()], &mut |line: &str| order.push(line.to_owned()));
        assert_eq!(order, [&one[..2], &two[..1], &one[2..], &two[1..]].concat());
    }
}
