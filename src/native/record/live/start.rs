//! How a recording begins: every server confirms MONITOR and gives its counts before anything is recorded.

use std::sync::mpsc::{self, SyncSender};
use std::time::{Duration, Instant};

use super::{Live, Setup};
use crate::core::capture::Engine;
use crate::native::record::again::{Asks, Opened};
use crate::native::record::aside::{Answer, Ask};
use crate::native::record::error::RecordError;
use crate::native::record::filter::Filter;
use crate::native::record::heard::{Failed, Told};
use crate::native::record::ledger::{LastKnown, Ledger};
use crate::native::record::merge::Merger;
use crate::native::record::node::Node;
use crate::native::record::numbering::Numbering;
use crate::native::record::versions::Versions;
use crate::native::server::recorder::{AHEAD, Heard};
use crate::native::server::topology::View;
use crate::native::server::{Snapshot, Target, Trouble};
use crate::native::stop::Stop;

impl<'s> Live<'s> {
    /// Starts; returns when each server has confirmed that it records.
    ///
    /// # Errors
    /// A server that cannot be used.
    pub fn start(setup: Setup, stop: &'s Stop, note: &'s dyn Fn(&str)) -> Result<Self, RecordError> {
        let (out, lines) = mpsc::sync_channel(AHEAD);
        let asks = Asks { clients: setup.whose.asks_clients(), libraries: setup.asks_texts };
        let opening = (setup.target.clone(), asks, out.clone());
        let opened =
            stop.wait_for(move || open(&opening.0, opening.1, &opening.2)).map_err(|_| RecordError::StoppedBefore)?;
        let (view, mut nodes) = opened.map_err(|trouble| stopped_or(stop, trouble))?;
        if let Some(view) = &view {
            note(&shown(view));
        }
        let numbers = nodes.len() as u64;
        let engine = first_counts(&mut nodes, &setup, stop, note)?;
        let db = u32::try_from(setup.target.db()).unwrap_or_default();
        let now = Instant::now();
        let listed = view.iter().flat_map(|view| &view.replicas);
        let replicas = listed.map(|replica| (replica.shown().to_owned(), LastKnown::default())).collect();
        let mut live = Self {
            filter: Filter::new(setup.whose.clone(), setup.profile),
            versions: Versions::new(setup.profile, setup.queue.clone(), db),
            setup,
            stop,
            note,
            nodes: Vec::new(),
            view,
            replicas,
            lines,
            rest: None,
            out,
            numbers,
            engine,
            merger: Merger::default(),
            numbering: Numbering::default(),
            ledger: Ledger::default(),
            exists: None,
            events: 0,
            is_closed: false,
            is_uncompared: false,
            begin: now,
            last_event: None,
            quiet: Duration::ZERO,
            last_tick: now,
            last_who: None,
            silent: None,
            trouble: None,
            scout: None,
        };
        for node in nodes {
            let at = live.add(node);
            live.merger.set_live(at, true);
            live.greet(at);
        }
        live.ask_versions();
        Ok(live)
    }

    /// One more server; gives its place.
    pub(super) fn add(&mut self, node: Node) -> usize {
        self.ledger.add(node.name.clone());
        self.merger.add();
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// What is asked of a server as soon as it is heard.
    pub(super) fn greet(&mut self, at: usize) {
        if let Some((clients, asked)) = self.nodes[at].clients.take() {
            self.filter.clients(self.nodes[at].name.as_deref(), &clients, asked);
        }
        if let Some(libraries) = self.nodes[at].libraries_before.take() {
            self.setup.texts.tell(at, 0, Told::All(libraries), Failed::NotAsked);
        }
        if self.filter.needs_clients() {
            self.nodes[at].ask(Ask::Clients);
        }
        let asks = self.setup.asks_texts;
        if let Some(session) = self.nodes[at].session() {
            if asks { session.ask_libraries(true) } else { session.inventory.close() }
        }
    }
}

/// The cluster, where the server is one's, and every server that is recorded, which has confirmed MONITOR.
fn open(target: &Target, asks: Asks, out: &SyncSender<Heard>) -> Result<(Option<View>, Vec<Node>), Trouble> {
    // Before anything is recorded: these questions are no traffic.
    let view = View::of(target)?;
    let mut nodes = servers(target, view.as_ref());
    for (number, node) in (1..).zip(&mut nodes) {
        node.number = number;
        node.open(Opened::open(&node.target, asks, number, out)?);
    }
    Ok((view, nodes))
}

/// A signal may have been what broke it.
fn stopped_or(stop: &Stop, trouble: Trouble) -> RecordError {
    if stop.asked().is_some() { RecordError::StoppedBefore } else { trouble.into() }
}

/// The server itself, or every primary of its cluster.
fn servers(target: &Target, view: Option<&View>) -> Vec<Node> {
    match view {
        Some(view) if !view.primaries.is_empty() => {
            view.primaries.iter().map(|primary| Node::new(primary.clone(), true)).collect()
        }
        _ => vec![Node::new(target.clone(), view.is_some())],
    }
}

fn shown(view: &View) -> String {
    let names: Vec<&str> = view.primaries.iter().map(Target::shown).collect();
    let count = names.len();
    let primaries = if count == 1 { "primary" } else { "primaries" };
    format!("a cluster of {count} {primaries}: {}", names.join(", "))
}

/// Waits for the first counts of each: without them nobody could say what a recording lost. Gives what the first server is.
fn first_counts(nodes: &mut [Node], setup: &Setup, stop: &Stop, note: &dyn Fn(&str)) -> Result<Engine, RecordError> {
    let mut engine = None;
    for node in nodes {
        let first = first_answer(node, setup, stop)?;
        if first.is_replica && node.name.is_none() {
            note("the server is a replica: MONITOR shows the traffic of its primary as one client's");
        }
        let info = &first.info;
        engine.get_or_insert_with(|| Engine { name: info.name.clone(), version: info.version.clone() });
        node.counted(first);
    }
    Ok(engine.unwrap_or_else(|| Engine { name: String::new(), version: String::new() }))
}

fn first_answer(node: &mut Node, setup: &Setup, stop: &Stop) -> Result<Snapshot, RecordError> {
    let end = Instant::now() + setup.patience;
    loop {
        match node.hear_answer() {
            Some(Answer::Snapshot(snapshot)) => return Ok(*snapshot),
            Some(Answer::Broken(trouble)) => return Err(stopped_or(stop, trouble)),
            _ if stop.asked().is_some() => return Err(RecordError::StoppedBefore),
            _ if Instant::now() > end => {
                return Err(RecordError::Silent { server: node.target.shown().to_owned(), waited: setup.patience });
            }
            _ => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}
