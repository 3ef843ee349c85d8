//! Whose traffic a report judges: the connections in scope, and how much of the others was left out.
//!
//! An input may hold thousands of queues and of connections, so who touched which queue is written down once.

use super::facts::keys::Index;
use super::facts::{Classes, Connection, Facts, VersionFact, VersionOf};
use super::judge::{Options, Scope};
use super::keyspace::{KeyClass, hash_tag};
use super::report::model::OutOfScope;

/// Who touched which queue.
pub(crate) struct Scopes<'f> {
    facts: &'f Facts,
    options: &'f Options,
    classes: Classes<'f>,
    /// Where the list of those who touched a queue stands in `lists`, by the queue's name.
    index: Index,
    /// The places of connections among all, in order, each with the database in which the queue is meant, or with none where it is any.
    lists: Vec<Vec<(usize, Option<u32>)>>,
    /// The connections that did what concerns every queue.
    for_all: Vec<&'f Connection>,
    /// How many commands all of them sent.
    commands: u64,
}

impl<'f> Scopes<'f> {
    /// Looks at every touch.
    pub(crate) fn new(facts: &'f Facts, options: &'f Options) -> Self {
        let concerns_all = |connection: &&Connection| {
            let is_deployment = |fact: &VersionFact| fact.of == VersionOf::Deployment;
            !connection.flushed.is_empty() || connection.versions.iter().any(is_deployment)
        };
        let mut scopes = Self {
            facts,
            options,
            classes: Classes::new(options.profile, &options.legacy_prefixes, &facts.keys),
            index: Index::new(),
            lists: Vec::new(),
            for_all: facts.connections.iter().filter(concerns_all).collect(),
            commands: 0,
        };
        for (at, connection) in facts.connections.iter().enumerate() {
            scopes.commands += connection.commands;
            for touch in &connection.touches {
                let (key, db) = (facts.keys.name(touch.kind.key), facts.keys.db(touch.kind.key));
                let class = scopes.classes.of(touch.kind.key);
                let old = if let KeyClass::Legacy { queue, .. } = class { Some(*queue) } else { None };
                // In its own keyspace a queue is that of one database; by its tag, or in the old keyspace, it is any.
                let (own, tag) = (class.queue().map(str::as_bytes), hash_tag(key));
                for (name, db) in [(own, Some(db)), (old, None), (tag.filter(|_| tag != own), None)] {
                    if let Some(name) = name {
                        scopes.add(name, (at, db));
                    }
                }
            }
        }
        scopes
    }

    fn add(&mut self, queue: &[u8], who: (usize, Option<u32>)) {
        let known = self.index.get(queue).copied();
        let list = known.unwrap_or(self.lists.len());
        if known.is_none() {
            self.index.insert(queue.into(), list);
            self.lists.push(Vec::new());
        }
        if self.lists[list].last() != Some(&who) {
            self.lists[list].push(who);
        }
    }

    /// The class of every key.
    pub(crate) fn classes(&self) -> &Classes<'f> {
        &self.classes
    }

    /// The connections that did what concerns every queue: they removed whole databases, or did something to a version that is the
    /// deployment's.
    pub(crate) fn for_all(&self) -> &[&'f Connection] {
        &self.for_all
    }

    /// The connections that are judged, in the order of all; none where nothing was seen of the queue, for it is not judged by what
    /// others did, in scope as they may be.
    pub(crate) fn of(&self, queue: Option<&str>, db: u32) -> (Vec<&'f Connection>, OutOfScope) {
        let all = &self.facts.connections;
        let who = queue.map(|queue| self.who(queue.as_bytes(), db)).unwrap_or_default();
        let mut inside: Vec<&Connection> = match &self.options.scope {
            Scope::Auto if !self.facts.source.private => who.iter().map(|at| &all[*at]).collect(),
            Scope::Clients(wanted) => all.iter().filter(|one| is_one_of(one, wanted)).collect(),
            Scope::Auto | Scope::All => all.iter().collect(),
        };
        let outside = OutOfScope {
            connections: (all.len() - inside.len()) as u64,
            commands: self.commands - inside.iter().map(|one| one.commands).sum::<u64>() + self.facts.source.left_out,
        };
        let is_inside = |at: &usize| match &self.options.scope {
            Scope::Clients(wanted) => is_one_of(&all[*at], wanted),
            Scope::Auto | Scope::All => true,
        };
        if !who.iter().any(is_inside) {
            inside.clear();
        }
        (inside, outside)
    }

    /// Who touched a key of the queue: in its keyspace and database, in the old keyspace, or with its tag.
    fn who(&self, queue: &[u8], db: u32) -> Vec<usize> {
        let mut who = Vec::new();
        let list = self.index.get(queue).map_or(&[][..], |list| &self.lists[*list]);
        for &(at, of) in list {
            if of.is_none_or(|of| of == db) && who.last() != Some(&at) {
                who.push(at);
            }
        }
        who
    }
}

fn is_one_of(connection: &Connection, wanted: &[String]) -> bool {
    connection.names.iter().chain(&connection.address).any(|name| wanted.contains(name))
}
