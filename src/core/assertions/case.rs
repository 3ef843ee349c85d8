//! The case an assertion looks at: one queue, and all that the connections in scope did.

use crate::core::facts::{
    Classes, Connection, Facts, Flush, ScriptName, Touch, Touches, VersionFact, VersionOf, in_order, summed,
};
use crate::core::keyspace::KeyClass;
use crate::core::policy::Policy;
use crate::core::profile::Profile;
use crate::core::report::words::counted;
use crate::core::scope::Scopes;

/// What a queue is held to.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'o> {
    /// The grammar and where the version stands.
    pub profile: &'static Profile,
    /// When a key counts as declared.
    pub policy: Policy,
    /// What the version must read.
    pub expected_version: &'o str,
    /// How many places are listed for a failure.
    pub failures_kept: usize,
}

/// One queue, and all that the connections in scope did.
#[derive(Debug)]
pub struct Case<'f> {
    /// What it is held to.
    pub rules: Rules<'f>,
    /// The queue.
    pub queue: &'f str,
    /// Its database.
    pub db: u32,
    /// Every way in which a key was touched, in order of first appearance.
    pub touches: Vec<Touch>,
    /// What the traffic shows of the queue's version.
    pub versions: Vec<&'f VersionFact>,
    /// What was read aside of the queue's version.
    pub reads: Vec<&'f VersionFact>,
    /// What removed all keys of the queue's database, whoever sent it.
    pub flushed: Vec<&'f Flush>,
    /// How many script calls.
    pub calls: u64,
    /// The server was private and empty at the start, and all of its traffic is here.
    pub from_the_start: bool,
    facts: &'f Facts,
    classes: &'f Classes<'f>,
    blind_spot: Option<String>,
}

impl<'f> Case<'f> {
    /// The case of a queue over the connections in scope. A queue's keys in another database are another queue's.
    ///
    /// What concerns every queue is in `scopes`: the connections that did anything of that kind, in the order of all.
    pub(crate) fn new(
        rules: Rules<'f>,
        queue: &'f str,
        db: u32,
        facts: &'f Facts,
        scope: &[&'f Connection],
        scopes: &'f Scopes<'f>,
    ) -> Self {
        let (classes, for_all) = (scopes.classes(), scopes.for_all());
        let of_queue = |fact: &&VersionFact| fact.of.covers(queue) && fact.db.is_none_or(|of| of == db);
        // What is said of the whole deployment counts whoever said it.
        let is_inside = |one: &&Connection| {
            // Those in scope stand in the order of all, and so in memory.
            let place = std::ptr::from_ref(*one);
            scope.binary_search_by_key(&place, |inside| std::ptr::from_ref(*inside)).is_ok()
        };
        let others = for_all.iter().copied().filter(|one| !is_inside(one));
        let others = others.flat_map(|other| &other.versions).filter(|fact| fact.of == VersionOf::Deployment);
        let own = scope.iter().flat_map(|connection| &connection.versions);
        let blind_spot = blind_spot(facts, scope);
        let here =
            |touch: &Touch| facts.keys.db(touch.kind.key) == db || classes.of(touch.kind.key).queue() != Some(queue);
        let flushed = for_all.iter().flat_map(|connection| &connection.flushed);
        Self {
            rules,
            queue,
            db,
            touches: merged(scope, here),
            flushed: flushed.filter(|flush| flush.db.is_none_or(|of| of == db)).collect(),
            versions: own.chain(others).filter(of_queue).collect(),
            reads: facts.reads.iter().filter(of_queue).collect(),
            calls: scope.iter().map(|connection| connection.calls).sum(),
            from_the_start: facts.source.private && blind_spot.is_none(),
            facts,
            classes,
            blind_spot,
        }
    }

    /// The bytes of a touched key.
    pub fn key(&self, touch: &Touch) -> &'f [u8] {
        self.facts.keys.name(touch.kind.key)
    }

    /// The class of a touched key.
    pub fn class(&self, touch: &Touch) -> &'f KeyClass<'f> {
        self.classes.of(touch.kind.key)
    }

    /// What a touched key starts with, where that counts for its declaration.
    pub fn root(&self, touch: &Touch) -> Option<&'f [u8]> {
        touch.kind.root.map(|root| self.facts.keys.name(root))
    }

    /// What to call the script a touch happened in.
    pub fn script(&self, touch: &Touch) -> Option<&'f str> {
        touch.kind.script.and_then(|script| self.facts.scripts.get(script)).map(ScriptName::shown)
    }

    /// How many distinct keys there are among some touches.
    pub fn distinct<'t>(&self, touches: impl IntoIterator<Item = &'t Touch>) -> u64 {
        self.first_of_each_key(touches).len() as u64
    }

    /// The first touch of each key among some, counted with all others of that key: what a pass rests on.
    pub fn first_of_each_key<'t>(&self, touches: impl IntoIterator<Item = &'t Touch>) -> Vec<Touch> {
        // Keys are numbered from 0, so this needs no map.
        let mut places = vec![None; self.facts.keys.len()];
        let mut merged = Vec::new();
        for touch in touches {
            let place = *places[touch.kind.key.index()].get_or_insert(merged.len());
            merge(&mut merged, place, touch);
        }
        merged
    }

    /// Whether any key of the queue was touched: without that, nothing was seen of it.
    pub fn touches_queue(&self) -> bool {
        self.touches.iter().any(|touch| self.class(touch).queue() == Some(self.queue))
    }

    /// Why nothing was seen.
    pub fn nothing_seen(&self) -> String {
        format!("no key of queue {} was touched", self.queue)
    }

    /// What could not be seen, so that nothing can be said of "every key": `None` when all was.
    pub fn blind_spot(&self) -> Option<&str> {
        self.blind_spot.as_deref()
    }
}

fn merged(scope: &[&Connection], here: impl Fn(&Touch) -> bool) -> Vec<Touch> {
    let mut merged = Vec::new();
    let mut places = Touches::default();
    for touch in scope.iter().flat_map(|connection| &connection.touches).filter(|touch| here(touch)) {
        let place = places.place(0, &touch.kind, merged.len());
        merge(&mut merged, place, touch);
    }
    in_order(&merged, |touch| touch.first)
}

/// Counts a touch with those that are the same, the first of which says what it is.
fn merge(merged: &mut Vec<Touch>, place: usize, touch: &Touch) {
    let Some(same) = merged.get_mut(place) else {
        merged.push(*touch);
        return;
    };
    same.count += touch.count;
    same.first = same.first.min(touch.first);
    same.last = same.last.max(touch.last);
}

fn blind_spot(facts: &Facts, scope: &[&Connection]) -> Option<String> {
    let mut spots = Vec::new();
    if facts.unseen.damaged > 0 {
        spots.push(format!("{} could not be read", counted(facts.unseen.damaged, "line")));
    }
    if let Some(orphans) = &facts.unseen.orphans {
        let many = counted(orphans.count, "command");
        spots.push(format!("{many} of scripts came without the call ({})", orphans.first));
    }
    if facts.unseen.dropped > 0 {
        spots.push(format!("the recorder lost {}", counted(facts.unseen.dropped, "command")));
    }
    if facts.unseen.cut_capture {
        spots.push("the capture is cut short before it says what its recorder lost".to_owned());
    }
    if facts.source.unfinished {
        spots.push("the recording did not end properly, and what came later is not in it".to_owned());
    }
    let opaque = summed(scope, |connection| &connection.opaque);
    if !opaque.is_empty() {
        let names: Vec<String> =
            opaque.iter().take(3).map(|(name, counted)| format!("{name} ({})", counted.first)).collect();
        spots.push(format!("the keys of {} cannot be told", names.join(", ")));
    }
    (!spots.is_empty()).then(|| spots.join(" and "))
}
