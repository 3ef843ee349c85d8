//! What the capture bench draws of a judgement, as JSON between the module that judges and the one that draws.
//!
//! A report may be as large as its input; a figure shows the beginning of each list and says how much more there is, and no text is
//! longer than somebody reads. Written natively too, for the example that stands in the page before any script runs.

use serde::{Deserialize, Serialize};

use crate::core::bytes::{short, shown};
use crate::core::capture::SourceKind;
use crate::core::capture::content::Content;
use crate::core::facts::Facts;
use crate::core::judge::{Options, holds, old_queues};
use crate::core::likeness::recognised;
use crate::core::profile::Profile;
use crate::core::report::slots::Slots;
use crate::core::report::words::{besides, counted, engine, how};
use crate::core::report::{AssertionReport, Evidence, Report, Reports, Verdict};

/// How many queues are listed, and how many of the old line.
const QUEUES: usize = 100;
/// How many places are listed for what fails or is open, and for what passes.
const PLACES: usize = 20;
const OF_A_PASS: usize = 4;
/// How many notes are listed.
const NOTES: usize = 12;
/// How many characters are kept of a sentence, and of a key.
const SENTENCE: usize = 600;
const KEY: usize = 120;
/// And of a queue's name, which is no longer than 128 where it may be asked for.
const NAME: usize = 160;

/// An input, judged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Judged {
    /// What the input is: `a MONITOR log`, `a capture taken by a probe`.
    pub kind: String,
    /// From which server, where it says.
    pub engine: Option<String>,
    /// The profile it was judged by.
    pub profile: String,
    /// The profile it looks like.
    pub recognised: String,
    /// The policy.
    pub policy: String,
    /// What all queues come to.
    pub verdict: String,
    /// The queues that were judged.
    pub queues: Vec<Queue>,
    /// How many more were.
    pub more_queues: u64,
    /// Queues that nothing was judged of, or that are not listed, and that somebody may ask for: those that only keys of the old keyspace
    /// name, and the one that was wanted.
    pub old_queues: Vec<String>,
    /// Which of the queues the rest is about.
    pub at: usize,
    /// The five assertions.
    pub assertions: Vec<Asserted>,
    /// What a reader should know besides.
    pub besides: Vec<String>,
    /// Where its keys lie.
    pub slots: Slots,
}

/// A queue that was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Its name; nothing where the input shows none.
    pub name: Option<String>,
    /// The database it lies in.
    pub db: u32,
    /// Whether somebody may ask for it by its name.
    pub may_be_asked: bool,
    /// What it comes to.
    pub verdict: String,
}

/// An assertion's outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asserted {
    /// Its id.
    pub id: String,
    /// What holds, in a few words.
    pub title: String,
    /// What it comes to.
    pub verdict: String,
    /// One sentence with its count.
    pub summary: String,
    /// What to change, or what settles it.
    pub help: Option<String>,
    /// What it leaves open.
    pub notes: Vec<String>,
    /// Where it shows.
    pub evidence: Vec<Place>,
    /// How much more there is.
    pub more: u64,
}

/// A place that shows something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// `line 12`, `event 6`, `read aside`.
    pub at: String,
    /// The command.
    pub command: String,
    /// The key, as it may be shown.
    pub key: Option<String>,
    /// ` (write)`: what the command may do to the key.
    pub how: String,
    /// What this place shows.
    pub why: String,
}

/// The verdict that a word stands for.
pub fn verdict(word: &str) -> Verdict {
    let all = [Verdict::Pass, Verdict::Fail];
    all.into_iter().find(|verdict| verdict.word() == word).unwrap_or(Verdict::Indeterminate)
}

impl Judged {
    /// What is drawn of some reports: all queues, and of the first that is as bad as all together the rest. A queue that is wanted is among
    /// those that may be asked for, however many there are, if the input has it.
    pub fn of(facts: &Facts, content: Content, options: &Options, reports: &Reports, wanted: Option<&str>) -> Self {
        let worst = reports.verdict();
        let at = reports.0.iter().position(|report| report.verdict == worst).unwrap_or_default();
        let mut all = Self {
            kind: kind(content, facts.source.kind).to_owned(),
            engine: facts.engine.as_ref().map(|known| clipped(&engine(known))),
            profile: options.profile.id.to_owned(),
            recognised: recognised(facts).id.to_owned(),
            policy: options.policy.id().to_owned(),
            verdict: worst.word().to_owned(),
            queues: reports.0.iter().take(QUEUES).map(|report| queue(report, options.profile)).collect(),
            more_queues: reports.0.len().saturating_sub(QUEUES) as u64,
            old_queues: old(facts, options, reports),
            at: at.min(QUEUES),
            ..Self::default()
        };
        if let Some(report) = reports.0.get(at) {
            // A queue beyond those that are listed is listed last.
            if at >= QUEUES {
                all.queues.push(queue(report, options.profile));
                all.more_queues -= 1;
            }
            all.assertions = report.assertions.iter().map(asserted).collect();
            all.besides = some(besides(report));
            if report.out_of_scope.commands > 0 {
                let (commands, connections) = (report.out_of_scope.commands, report.out_of_scope.connections);
                all.besides.push(format!(
                    "not judged: {} of {} that did not touch this queue, or that the recorder left out",
                    counted(commands, "command"),
                    counted(connections, "connection")
                ));
            }
            all.slots = Slots::of(facts, options, report);
        }
        if let Some(wanted) = wanted.filter(|wanted| holds(facts, options, wanted) && !all.names(wanted)) {
            all.old_queues.push(wanted.to_owned());
        }
        all
    }
}

impl Judged {
    /// Whether a queue is among those that may be asked for.
    fn names(&self, queue: &str) -> bool {
        let listed = self.queues.iter().filter_map(|one| one.name.as_ref());
        listed.chain(&self.old_queues).any(|name| name == queue)
    }
}

fn kind(content: Content, kind: SourceKind) -> &'static str {
    match (content, kind) {
        (Content::Log, _) => "a MONITOR log",
        (Content::Json, SourceKind::Probe) => "a capture that a probe took",
        (Content::Json, SourceKind::Record) => "a capture recorded from live traffic",
        (Content::Json, SourceKind::Monitor) => "a capture made from a MONITOR log",
        (Content::Json, SourceKind::Fixture) => "a capture that says of no server",
    }
}

fn queue(report: &Report, profile: &Profile) -> Queue {
    let name = report.subject.queue.as_deref();
    let may_be_asked = name.is_some_and(|name| profile.allows_queue(name.as_bytes()));
    let name = name.map(|name| short(&shown(name.as_bytes()), NAME).into_owned());
    Queue { name, db: report.subject.db, may_be_asked, verdict: report.verdict.word().to_owned() }
}

/// Queues of the old line that nothing was judged of.
fn old(facts: &Facts, options: &Options, reports: &Reports) -> Vec<String> {
    let judged = |name: &String| reports.0.iter().any(|report| report.subject.queue.as_ref() == Some(name));
    let names = old_queues(facts, options).into_iter().map(|(name, _)| name);
    names.filter(|name| !judged(name)).take(QUEUES).collect()
}

fn asserted(assertion: &AssertionReport) -> Asserted {
    let kept = if assertion.verdict == Verdict::Pass { OF_A_PASS } else { PLACES };
    let left = assertion.evidence.len().saturating_sub(kept) as u64;
    Asserted {
        id: assertion.id.to_owned(),
        title: assertion.title.to_owned(),
        verdict: assertion.verdict.word().to_owned(),
        summary: clipped(&assertion.summary),
        help: assertion.help.as_deref().map(clipped),
        notes: some(assertion.notes.clone()),
        evidence: assertion.evidence.iter().take(kept).map(place).collect(),
        more: assertion.more_evidence + left,
    }
}

fn place(evidence: &Evidence) -> Place {
    Place {
        at: match (evidence.line, evidence.seq) {
            (Some(line), _) => format!("line {line}"),
            (None, Some(seq)) => format!("event {seq}"),
            (None, None) => "read aside".to_owned(),
        },
        command: clipped(&evidence.command),
        key: evidence.key.as_ref().map(|key| {
            let key = key.as_slice();
            short(&shown(&key[..key.len().min(KEY * 4)]), KEY).into_owned()
        }),
        how: how(evidence),
        why: clipped(&evidence.why),
    }
}

fn some(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(NOTES);
    lines.truncate(NOTES);
    let mut lines: Vec<String> = lines.iter().map(|line| clipped(line)).collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn clipped(sentence: &str) -> String {
    short(sentence, SENTENCE).into_owned()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::{Judged, OF_A_PASS, PLACES, QUEUES};
    use crate::web::api::Reader;

    fn judged(log: &str, options: &str) -> Judged {
        judged_wanting(log, options, None)
    }

    fn judged_wanting(log: &str, options: &str, wanted: Option<&str>) -> Judged {
        let mut reader = Reader::new(options).expect("a reader");
        reader.feed(log.as_bytes()).expect("a log");
        reader.end().and_then(|input| Ok(input.judge(options)?.judged(wanted))).expect("a judgement")
    }

    fn log(keys: impl Iterator<Item = String>) -> String {
        keys.fold("OK\n".to_owned(), |mut log, key| {
            let _ = writeln!(log, "1.000001 [0 a:1] \"GET\" \"{key}\"");
            log
        })
    }

    #[test]
    fn lists_have_a_beginning_and_the_count_of_more() {
        let keys = (0..200).map(|n| format!("bull:q:{n}:{}", "x".repeat(9000)));
        let many = judged(&log(keys.chain(["emq:{q}:wait".to_owned()])), "");
        let lengths = many.assertions.iter().map(|one| (one.verdict.as_str(), one.evidence.len()));
        for (verdict, length) in lengths.clone() {
            assert!(length <= if verdict == "pass" { OF_A_PASS } else { PLACES }, "{verdict}: {length}");
        }
        assert!(lengths.clone().any(|(_, length)| length == PLACES));
        assert!(many.assertions.iter().any(|one| one.more > 100));
        let text = serde_json::to_string(&many).expect("JSON");
        assert!(text.len() < 100_000, "{}", text.len());
        assert_eq!(serde_json::from_str::<Judged>(&text).expect("the same"), many);
    }

    #[test]
    fn of_many_queues_some_are_listed_and_the_one_below_is_among_them() {
        let line = |queue: String, key: &str| format!("1.000001 [0 {queue}:1] \"GET\" \"emq:{{{queue}}}:{key}\"\n");
        let log: String = (0..150).map(|n| line(format!("q{n}"), "wait")).collect();
        let old = "1.000001 [0 zz:1] \"GET\" \"bull:zz:wait\"\n";
        let many = judged(&(log + &line("zz".to_owned(), "wait") + old), "");
        assert_eq!((many.queues.len() as u64 + many.more_queues, many.verdict.as_str()), (151, "fail"));
        let below = &many.queues[many.at];
        assert_eq!((below.name.as_deref(), below.verdict.as_str()), (Some("zz"), "fail"));
        assert!(many.queues.len() <= QUEUES + 1);
    }

    #[test]
    fn a_queue_that_is_wanted_is_named_wherever_the_input_has_it() {
        // More than are listed.
        let new = (0..150).map(|n| format!("emq:{{q{n:03}}}:wait"));
        let old = (0..150).map(|n| format!("bull:old{n:03}:wait"));
        let log = log(new.chain(old));
        for (wanted, is_there) in [("q000", true), ("q149", true), ("old149", true), ("q150", false)] {
            let judged = judged_wanting(&log, "", Some(wanted));
            let listed = judged.queues.iter().filter_map(|queue| queue.name.as_deref());
            let named =
                listed.chain(judged.old_queues.iter().map(String::as_str)).filter(|name| *name == wanted).count();
            assert_eq!(named, usize::from(is_there), "{wanted}");
        }
        // And what is not judged, where the capture is about another.
        let two = r#"{"format":"emq-capture/1","queue":"a","source":{"kind":"fixture"},"events":[{"seq":1,"origin":"client","argv":["GET","emq:{a}:wait"]},{"seq":2,"origin":"client","argv":["GET","emq:{b}:wait"]}]}"#;
        assert_eq!(judged_wanting(two, "", Some("b")).old_queues, ["b"]);
    }

    #[test]
    fn queues_that_only_old_keys_name_are_offered_until_one_is_judged() {
        let log = log(["bull:payments:wait", "bull:mail:wait"].map(str::to_owned).into_iter());
        let first = judged(&log, "");
        assert_eq!((first.queues[0].name.as_deref(), first.queues[0].may_be_asked), (None, false));
        assert_eq!(first.old_queues, ["mail", "payments"]);
        let asked = judged(&log, r#"{"queue":"payments"}"#);
        assert_eq!((asked.queues[0].name.as_deref(), asked.old_queues), (Some("payments"), vec!["mail".to_owned()]));
    }

    #[test]
    fn a_profile_is_recognised_by_what_the_keys_fit() {
        let text = include_str!("../../fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log");
        let wrong = judged(text, "");
        assert_eq!((wrong.profile.as_str(), wrong.recognised.as_str()), ("emq.1", "echomq-2.x"));
        let right = judged(text, r#"{"profile":"echomq-2.x","policy":"slot-rooted"}"#);
        assert_eq!((right.recognised.as_str(), right.verdict.as_str()), ("echomq-2.x", "pass"));
    }
}
