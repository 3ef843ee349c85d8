//! Witnesses of `declared` beside the trace: the scripts' own text, and a server that was asked to refuse.
//!
//! The judge hears the trace: what a run touched. Whoever has more calls [`hear`] on its reports. A further witness can make
//! `declared` fail and never makes it pass: nothing seen is not a pass, whatever a text promises. Each is reported for
//! itself, and where they disagree the report says why that can be.
//!
//! The page does not link this: it shows the trace.

pub mod calls;
mod combine;
pub mod libraries;
pub mod refusals;
mod source;

use crate::core::facts::Facts;
use crate::core::judge::Options;
use crate::core::report::model::{Reports, Verdict, Witness};
use crate::core::scope::Scopes;
pub use calls::{Called, Calls};
use combine::combine;
pub use refusals::{OnNode, Outcome, Refusal, Replay, Replayed};
use source::Texts;

/// Which further witnesses are heard.
#[derive(Debug, Default)]
pub struct Witnesses<'w> {
    /// The scripts' text is analysed. That needs as much stack as [`STACK`](crate::core::lua::limits::STACK) says.
    pub source: bool,
    /// What a server that allows a script its KEYS alone refused.
    pub engine: Option<&'w Replay>,
    /// What cluster nodes refused that own one queue's slot alone.
    pub cluster: &'w [OnNode],
}

/// What a further witness says.
struct Heard {
    witness: Witness,
    /// For a failure, what to change.
    help: Option<String>,
}

/// How many places a witness lists for itself.
const PLACES: usize = 20;

/// Adds to each report what further witnesses say, and lets it count.
///
/// `facts` and `options` are those that the reports were made from, `calls` what was learnt of the same events.
///
/// ```
/// use echomq_conformance::core::capture::json;
/// use echomq_conformance::core::facts::Collector;
/// use echomq_conformance::core::judge::{Options, judge};
/// use echomq_conformance::core::report::Verdict;
/// use echomq_conformance::core::witness::{Calls, Witnesses, hear};
///
/// let capture = json::parse(br#"{"format": "emq-capture/1", "queue": "q", "events": [
///     {"seq": 1, "origin": "client", "argv": ["EVAL",
///         "if ARGV[1] then redis.call('GET', ARGV[1]) end return redis.call('GET', KEYS[1])", "1", "emq:{q}:wait"]},
///     {"seq": 2, "origin": "script", "call": 1, "argv": ["GET", "emq:{q}:wait"]}]}"#)?;
/// let options = Options::default();
/// let facts = Collector::capture(options.profile, &capture);
/// let mut reports = judge(&facts, &options);
/// assert_eq!(reports.0[0].assertions[3].verdict, Verdict::Pass);
/// hear(&mut reports, &facts, &options, &Calls::of(&capture), &Witnesses { source: true, ..Witnesses::default() });
/// assert_eq!(reports.0[0].assertions[3].verdict, Verdict::Fail);
/// # Ok::<(), echomq_conformance::core::capture::json::JsonError>(())
/// ```
pub fn hear(reports: &mut Reports, facts: &Facts, options: &Options, calls: &Calls, witnesses: &Witnesses<'_>) {
    let (mut texts, scopes) = (Texts::new(calls, options.policy), Scopes::new(facts, options));
    for report in &mut reports.0 {
        let (queue, db) = (report.subject.queue.clone(), report.subject.db);
        let scope = scopes.of(queue.as_deref(), db).0;
        let scope: Vec<Option<&str>> = scope.iter().map(|connection| connection.address.as_deref()).collect();
        let called = calls.by(&scope);
        let declared = report.assertions.iter_mut().find(|assertion| assertion.id == "declared");
        if let Some(declared) = declared.filter(|_| !called.is_empty()) {
            let mut heard = Vec::new();
            heard.extend(witnesses.source.then(|| source::hear(&mut texts, &called)));
            heard.extend(witnesses.engine.map(|replay| refusals::hear(replay, &called, &scope)));
            combine(declared, heard, options.failures_kept);
        }
        let node = witnesses.cluster.iter().find(|node| Some(&node.queue) == queue.as_ref());
        if let Some(heard) = node.and_then(|node| refusals::hear_slots(node, &scope)) {
            let hashtag = report.assertions.iter_mut().find(|assertion| assertion.id == "hashtag");
            if let Some(hashtag) = hashtag {
                combine(hashtag, vec![heard], options.failures_kept);
            }
        }
        report.verdict = Verdict::of_all(report.assertions.iter().map(|assertion| assertion.verdict));
    }
}

/// A few of some names.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}
