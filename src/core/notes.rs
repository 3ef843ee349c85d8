//! What a report says besides its verdicts: what the input holds that was not judged, and what tells that it was judged by the wrong rules.

use super::bytes::shown;
use super::facts::{Classes, Connection, Facts};
use super::judge::{MOST_QUEUES, Options, Scope, Seen, old_queues};
use super::keyspace::KeyClass;
use super::likeness::other_profile;
use super::report::model::{AssertionReport, Verdict};

/// Makes ready to say something of each queue of an input: what all of its reports need is looked up once.
pub type Notes = for<'f> fn(&'f Facts, &'f Options, &'f Seen, &'f Classes<'f>) -> Box<Noted<'f>>;

/// What the report on a queue says besides its verdicts, by the connections that are judged and what the assertions came to.
pub type Noted<'f> = dyn Fn(Option<&str>, &[&Connection], &[AssertionReport]) -> Vec<String> + 'f;

/// All that there is to say.
pub fn notes<'f>(facts: &'f Facts, options: &'f Options, seen: &'f Seen, classes: &'f Classes<'f>) -> Box<Noted<'f>> {
    let likeness = other_profile(facts, options.profile);
    Box::new(move |queue, scope, assertions| {
        let mut notes = queues(facts, options, queue, seen);
        notes.extend(elsewhere(options, queue, seen));
        notes.extend(absent(facts, options));
        notes.extend(old(facts, options, queue));
        let version_is_open = assertions.iter().any(|one| one.id == "version" && one.verdict != Verdict::Pass);
        let other = || version_is_open.then(|| other_line(options, queue, scope, classes)).flatten();
        notes.extend(likeness(scope).or_else(other));
        notes.extend(unread(facts));
        notes
    })
}

/// Nothing at all, too many queues, or others than the one that is judged.
fn queues(facts: &Facts, options: &Options, queue: Option<&str>, seen: &Seen) -> Vec<String> {
    let mut notes = Vec::new();
    if facts.connections.is_empty() && facts.unseen.damaged == 0 {
        notes.push("the input holds no command".to_owned());
    }
    if options.queue.is_none() && facts.queue.is_none() && seen.len() > MOST_QUEUES {
        notes.push(format!("the input holds {} queues; the first {MOST_QUEUES} are judged: name others", seen.len()));
    }
    let is_held = |queue: &str| seen.range((queue.to_owned(), 0)..).next().is_some_and(|(held, _)| held == queue);
    if queue.is_some_and(|queue| !is_held(queue)) {
        let mut others: Vec<&str> = seen.iter().map(|(queue, _)| queue.as_str()).collect();
        others.dedup();
        notes.push(match others.as_slice() {
            [] => "the input holds no key of any queue's new keyspace".to_owned(),
            others => format!("the input holds other queues: {}", some(others)),
        });
    }
    notes
}

/// The databases that hold the queue, where the one that was asked for does not.
fn elsewhere(options: &Options, queue: Option<&str>, seen: &Seen) -> Option<String> {
    let wanted = options.db?;
    let of = seen.iter().filter(|(held, _)| queue.is_none_or(|queue| queue == held));
    let places: Vec<String> = of.clone().map(|(held, db)| format!("{held} in database {db}")).collect();
    if places.is_empty() || of.clone().any(|(_, db)| *db == wanted) {
        return None;
    }
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    Some(format!("nothing of it lies in database {wanted}; the input holds {}", some(&places)))
}

/// The connections that were asked for and that nobody had.
fn absent(facts: &Facts, options: &Options) -> Vec<String> {
    let Scope::Clients(wanted) = &options.scope else { return Vec::new() };
    let called =
        |connection: &Connection, name| connection.address.as_ref() == Some(name) || connection.names.contains(name);
    let absent = wanted.iter().filter(|name| !facts.connections.iter().any(|connection| called(connection, name)));
    let says = absent.map(|name| {
        let known: Vec<&str> = facts.connections.iter().filter_map(|one| one.address.as_deref()).collect();
        let known = if known.is_empty() { "none with an address".to_owned() } else { some(&known) };
        format!("no connection has the address or name {}; the input holds {known}", shown(name.as_bytes()))
    });
    says.collect()
}

/// The queues of the old keyspace, where no other is judged.
fn old(facts: &Facts, options: &Options, queue: Option<&str>) -> Option<String> {
    let old = if queue.is_none() { old_queues(facts, options) } else { Seen::new() };
    let names: Vec<&str> = old.iter().map(|(name, _)| name.as_str()).collect();
    (!names.is_empty()).then(|| format!("keys of the old keyspace name {}: judge one with --queue", some(&names)))
}

/// A queue of the old line whose name was put in braces has keys of the new shape: its types can give it away.
fn other_line(options: &Options, queue: Option<&str>, scope: &[&Connection], classes: &Classes<'_>) -> Option<String> {
    let mut touches = scope.iter().flat_map(|connection| &connection.touches);
    let (queue, kind) = touches.find_map(|touch| match classes.of(touch.kind.key) {
        KeyClass::OtherType { queue: of, kind } if Some(*of) == queue => Some((*of, *kind)),
        _ => None,
    })?;
    let base = options.profile.base(queue);
    Some(format!(
        "{base}{kind} has the shape of this profile and a type of another line: this may be another profile's queue, or a 1.x \
         deployment of a queue whose name is braced"
    ))
}

/// What of the input could not be read.
fn unread(facts: &Facts) -> Vec<String> {
    let mut notes = Vec::new();
    if facts.source.unfinished {
        notes.push(UNFINISHED.to_owned());
    }
    if let Some(cut) = &facts.unseen.cut_end {
        notes.push(format!("the log ends inside line {}: that line was not judged", cut.line));
    }
    if facts.unseen.damaged > facts.unseen.problems.len() as u64 {
        notes.push(format!("{} lines could not be read; the first are listed", facts.unseen.damaged));
    }
    notes
}

const UNFINISHED: &str = "this recording did not end properly: its recorder was stopped, or still records; what came later is not \
    in it, and what was lost before is not known to the end";

/// A few of some names.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}
