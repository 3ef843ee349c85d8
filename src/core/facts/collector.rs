//! The collector: events in, one by one, facts out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use super::keys::Index;
use super::opening::Opening;
use super::{
    Connection, Counted, Facts, Flush, KeyId, Place, Problem, ScriptId, ScriptName, Touch, TouchKind, Unseen,
    VersionFact, VersionWhat, count, version,
};
use crate::core::bytes::{Arg, shown};
use crate::core::capture::{Capture, Event, Origin, Script};
use crate::core::commands::{
    Command, KeyError, KeyFlags, OperandKeys, Role, ScriptCall, ScriptKind, command, operand_keys, script_call,
};
use crate::core::keyspace::{classify, hash_tag};
use crate::core::policy::Declaration;
use crate::core::profile::Profile;

/// How many commands without keys are told apart by what they name; beyond that only the command counts.
const KEYLESS_KEPT: usize = 32;

/// How many databases' flushes are told apart for one connection; beyond that, one counts for every database.
const FLUSHED_KEPT: usize = 64;

/// Reduces events to [`Facts`].
#[derive(Debug)]
pub struct Collector {
    profile: &'static Profile,
    facts: Facts,
    /// By address; the index of what has none stands apart.
    connection_index: Index,
    without_address: Option<usize>,
    /// The connection that was looked for last.
    latest: usize,
    script_index: Index,
    /// Where each connection's touches stand in its list.
    touch_index: HashMap<(usize, TouchKind), usize>,
    script_names: BTreeMap<String, Script>,
    /// How far each connection has come with the version.
    openings: Vec<Opening>,
    call: Option<Call>,
}

/// The script call whose lines are being read.
#[derive(Debug)]
struct Call {
    seq: u64,
    /// Who called it, and so whose its lines are.
    connection: usize,
    script: ScriptId,
    keys: BTreeSet<Vec<u8>>,
    /// One of its KEYS is left out of the capture: it may declare any key.
    hides_keys: bool,
    /// The values of ARGV that carry the tag of one of `keys`.
    bases: BTreeSet<Vec<u8>>,
}

impl Collector {
    /// A collector that has seen nothing.
    pub fn new(profile: &'static Profile) -> Self {
        Self {
            profile,
            facts: Facts::default(),
            connection_index: Index::new(),
            without_address: None,
            latest: 0,
            script_index: Index::new(),
            touch_index: HashMap::new(),
            script_names: BTreeMap::new(),
            openings: Vec::new(),
            call: None,
        }
    }

    /// Takes in a whole capture.
    pub fn capture(profile: &'static Profile, capture: &Capture) -> Facts {
        let mut collector = Self::new(profile);
        collector.script_names.clone_from(&capture.scripts);
        for event in &capture.events {
            // A capture may have other lines between a call and what its script ran; a log never has.
            if let Some(call) = event.call
                && collector.call.as_ref().is_none_or(|current| current.seq != call)
                && let Ok(at) = capture.events.binary_search_by_key(&call, |event| event.seq)
                && let Some(call) = capture.events.get(at)
            {
                collector.open_call(call, &call.args());
            }
            collector.push(event);
        }
        collector.finish_with(capture)
    }

    /// All that was learnt, and what a capture says beside its events.
    pub fn finish_with(self, capture: &Capture) -> Facts {
        let profile = self.profile;
        let mut facts = self.finish();
        facts.profile.clone_from(&capture.profile);
        facts.queue.clone_from(&capture.queue);
        facts.engine.clone_from(&capture.engine);
        facts.source.clone_from(&capture.source);
        facts.unseen.dropped = capture.dropped;
        facts.reads = capture.reads.iter().filter_map(|read| version::replied(profile, read)).collect();
        facts
    }

    /// Takes in the next event.
    pub fn push(&mut self, event: &Event) {
        let at = match &self.call {
            Some(call) if event.origin == Origin::Script && event.call == Some(call.seq) => call.connection,
            _ => self.connection(event.client.as_deref()),
        };
        let place = Place { seq: event.seq, line: event.line };
        let args = event.args();
        self.facts.connections[at].commands += 1;
        if event.origin == Origin::Client && matches!(args[..], [word, ..] if is(word, b"QUIT")) {
            self.forget(event.client.as_deref());
        }
        if event.origin == Origin::Client && self.open_call(event, &args) {
            self.facts.connections[at].calls += 1;
        }
        // Another call that came between, as from another node, must not be taken for its caller.
        let inside = event.origin == Origin::Script
            && event.call.is_some()
            && event.call == self.call.as_ref().map(|call| call.seq);
        if event.origin == Origin::Script && !inside {
            self.facts.unseen.orphans.get_or_insert(Counted { first: place, count: 0 }).count += 1;
        }
        let connection = &mut self.facts.connections[at];
        learn_name(connection, &args);
        let known = command(&args);
        let name = known.map(Command::name).unwrap_or_default();
        learn_flush(connection, name, &args, event.db, place);
        if known.is_some_and(|known| matches!(known.role(), Role::Channels | Role::Keyspace)) {
            let few = connection.keyless.len() < KEYLESS_KEPT;
            let label = if few { keyless_label(name, &args) } else { name.to_owned() };
            count(&mut connection.keyless, label, Counted::once(place));
        }
        let found = operand_keys(&args);
        if let Some(fact) = version_fact(self.profile, event, place, known.zip(found.as_ref().ok())) {
            let which = learn_version(connection, fact);
            if self.profile.settles_version {
                self.openings[at].saw(&connection.versions[which].what, which);
            }
        }
        match found {
            Ok(found) if has_hidden_key(&found, &event.argv) => {
                count(&mut connection.opaque, format!("{name} (its key is left out)"), Counted::once(place));
            }
            Ok(found) => {
                // A client's command is no script's, whatever call stands before it.
                let call = self.call.as_ref().filter(|call| inside || call.seq == event.seq);
                let script = call.map(|call| call.script);
                let keys = found.keys.iter().map(|key| (args[key.index], key.flags, false));
                let patterns =
                    found.patterns.iter().map(|pattern| (pattern.key(args[pattern.index]), KeyFlags::READ, true));
                for (key, flags, pattern) in keys.chain(patterns) {
                    self.settle(at, key);
                    let (declaration, root) =
                        if inside { self.declaration(event.db, key, pattern) } else { (None, None) };
                    let kind = TouchKind {
                        key: self.facts.keys.intern(event.db, key),
                        pattern,
                        command: name,
                        access: flags.access(),
                        removes: flags.only_removes(),
                        script,
                        declaration,
                        root,
                    };
                    self.touch(at, kind, place);
                }
            }
            Err(error) => {
                if cannot_be_told(&error, &event.argv) {
                    count(&mut connection.opaque, named(&args), Counted::once(place));
                }
            }
        }
    }

    /// Takes in a line that could not be read.
    pub fn problem(&mut self, problem: Problem) {
        self.call = None;
        let unseen = &mut self.facts.unseen;
        unseen.damaged += 1;
        if unseen.problems.len() < Unseen::KEPT {
            unseen.problems.push(problem);
        }
    }

    /// Takes in the log's last line where it ends in the middle.
    pub fn cut_end(&mut self, problem: Problem) {
        self.facts.unseen.cut_end = Some(problem);
    }

    /// All that was learnt.
    pub fn finish(self) -> Facts {
        self.facts
    }

    fn connection(&mut self, client: Option<&str>) -> usize {
        // Most lines are of the connection that the line before was of.
        if self.facts.connections.get(self.latest).is_some_and(|connection| connection.address.as_deref() == client) {
            return self.latest;
        }
        self.latest = self.connection_at(client);
        self.latest
    }

    fn connection_at(&mut self, client: Option<&str>) -> usize {
        let known = match client {
            Some(address) => self.connection_index.get(address.as_bytes()).copied(),
            None => self.without_address,
        };
        if let Some(at) = known {
            return at;
        }
        let at = self.facts.connections.len();
        self.facts.connections.push(Connection { address: client.map(str::to_owned), ..Connection::default() });
        self.openings.push(Opening::default());
        match client {
            Some(address) => drop(self.connection_index.insert(address.as_bytes().into(), at)),
            None => self.without_address = Some(at),
        }
        at
    }

    /// What comes from this address from now on is another connection; those of a unix socket share one, and others of them
    /// go on.
    fn forget(&mut self, client: Option<&str>) {
        if let Some(address) = client.filter(|address| !address.starts_with("unix:")) {
            self.connection_index.remove(address.as_bytes());
            self.latest = usize::MAX;
        }
    }

    /// Opens the script call that an event is; another command leaves the one before it open, for a slow script lets
    /// others in. Says whether there was one.
    fn open_call(&mut self, event: &Event, args: &[&[u8]]) -> bool {
        let Some(found) = script_call(args) else { return false };
        let keys = &args[found.keys.clone()];
        let tags = set(keys.iter().filter_map(|key| hash_tag(key)));
        let connection = self.connection(event.client.as_deref());
        let tagged = |arg: &&&[u8]| hash_tag(arg).is_some_and(|tag| tags.contains(tag));
        self.call = Some(Call {
            seq: event.seq,
            connection,
            script: self.script(script_id(&found, args)),
            keys: set(keys.iter().copied()),
            hides_keys: event.argv[found.keys.clone()].iter().any(|key| key.known().is_none()),
            bases: set(args[found.args.clone()].iter().filter(tagged).copied()),
        });
        true
    }

    fn script(&mut self, id: String) -> ScriptId {
        if let Some(&at) = self.script_index.get(id.as_bytes()) {
            return at;
        }
        let at = self.facts.scripts.len();
        let name = self.script_names.get(&id).and_then(|script| script.name.clone());
        let name = name.map(|name| shown(name.as_bytes()).into_owned());
        self.script_index.insert(id.as_bytes().into(), at);
        self.facts.scripts.push(ScriptName { id, name });
        at
    }

    /// A connection that touches a queue after it has opened stands by the version that it offered.
    fn settle(&mut self, at: usize, key: &[u8]) {
        let Opening::AskedAgain(offer) = self.openings[at] else { return };
        if classify(self.profile, &[], key).queue().is_none() {
            return;
        }
        self.openings[at] = Opening::Nothing;
        let connection = &mut self.facts.connections[at];
        let fact = connection.versions[offer].clone();
        if let VersionWhat::Offered(value) = fact.what {
            learn_version(connection, VersionFact { what: VersionWhat::Settled(value), ..fact });
        }
    }

    /// How a key that a script touched relates to what its call declared, and what it is rooted in.
    fn declaration(&mut self, db: u32, key: &[u8], pattern: bool) -> (Option<Declaration>, Option<KeyId>) {
        // A pattern is no key, so no KEYS element can declare what it matches.
        let Some(call) = self.call.as_ref().filter(|_| !pattern) else { return (Some(Declaration::Undeclared), None) };
        if call.keys.contains(key) {
            return (Some(Declaration::Element), None);
        }
        if call.hides_keys {
            return (None, None);
        }
        let rooted = longest_start(key, &call.keys).map(|root| (Declaration::Rooted, root));
        let found = rooted.or_else(|| longest_start(key, &call.bases).map(|root| (Declaration::SlotRooted, root)));
        match found {
            Some((how, root)) => (Some(how), Some(self.facts.keys.intern(db, root))),
            None => (Some(Declaration::Undeclared), None),
        }
    }

    fn touch(&mut self, at: usize, kind: TouchKind, place: Place) {
        let touches = &mut self.facts.connections[at].touches;
        let index = *self.touch_index.entry((at, kind)).or_insert_with(|| {
            touches.push(Touch { kind, first: place, last: place, count: 0 });
            touches.len() - 1
        });
        touches[index].count += 1;
        touches[index].last = place;
    }
}

/// The longest of some roots that a key starts with, the empty one aside.
///
/// What the key starts with stands before it in order; where the nearest root before it is no start of it, only what both
/// have in common can still be. So a call with many KEYS costs no more than a few look-ups.
fn longest_start<'r>(key: &[u8], roots: &'r BTreeSet<Vec<u8>>) -> Option<&'r [u8]> {
    let mut start = key;
    while !start.is_empty() {
        let nearest = roots.range::<[u8], _>((Bound::Unbounded, Bound::Included(start))).next_back();
        let root = nearest.filter(|root| !root.is_empty())?;
        if start.starts_with(root) {
            return Some(root);
        }
        let common = start.iter().zip(root).take_while(|(a, b)| a == b).count();
        start = &start[..common];
    }
    None
}

/// What a script is known by: its SHA-1, or a function's name.
pub(crate) fn script_id(call: &ScriptCall, args: &[&[u8]]) -> String {
    let text = args.get(call.index).copied().unwrap_or_default();
    match call.kind {
        // No script is empty where its call runs; the capture leaves this one out.
        _ if text.is_empty() => "a script that is left out".to_owned(),
        ScriptKind::Source => sha1_smol::Sha1::from(text).digest().to_string(),
        ScriptKind::Sha1 => shown(text).to_ascii_lowercase(),
        ScriptKind::Function => shown(text).into_owned(),
    }
}

fn learn_name(connection: &mut Connection, args: &[&[u8]]) {
    let name = match args {
        [client, setname, name] if is(client, b"CLIENT") && is(setname, b"SETNAME") => Some(name),
        [hello, options @ ..] if is(hello, b"HELLO") => {
            options.windows(2).find(|pair| is(pair[0], b"SETNAME")).map(|pair| &pair[1])
        }
        _ => None,
    };
    if let Some(name) = name {
        let name = shown(name).into_owned();
        if !connection.names.contains(&name) {
            connection.names.push(name);
        }
    }
}

fn is(word: &[u8], name: &[u8]) -> bool {
    word.eq_ignore_ascii_case(name)
}

fn version_fact(
    profile: &Profile,
    event: &Event,
    place: Place,
    known: Option<(&Command, &OperandKeys)>,
) -> Option<VersionFact> {
    let (of, key, what) = version::observed(profile, &event.argv, known)?;
    let command = event.argv[0].to_string().to_ascii_uppercase();
    Some(VersionFact { of, key, db: Some(event.db), what, command, first: Some(place), last: Some(place) })
}

/// Keeps a fact, or the last place of one that is known, and says at which index.
fn learn_version(connection: &mut Connection, fact: VersionFact) -> usize {
    let is_same = |known: &VersionFact| known.of == fact.of && known.db == fact.db && known.what == fact.what;
    let versions = &mut connection.versions;
    if let Some(at) = versions.iter().position(is_same) {
        versions[at].last = fact.last;
        return at;
    }
    versions.push(fact);
    versions.len() - 1
}

/// FLUSHALL and FLUSHDB take every key of a database, versions too; SWAPDB gives it another's. The engine refuses other
/// arguments than its own.
fn learn_flush(connection: &mut Connection, command: &'static str, args: &[&[u8]], db: u32, last: Place) {
    let how = |option: &&[u8]| option.eq_ignore_ascii_case(b"ASYNC") || option.eq_ignore_ascii_case(b"SYNC");
    let flushes: Vec<Option<u32>> = match (command, args.get(1..).unwrap_or_default()) {
        ("FLUSHDB", options) if options.iter().all(how) => vec![Some(db)],
        ("FLUSHALL", options) if options.iter().all(how) => vec![None],
        ("SWAPDB", [one, other]) if one != other => {
            [one, other].into_iter().filter_map(|of| number(of)).map(Some).collect()
        }
        _ => return,
    };
    for db in flushes {
        let db = db.filter(|_| connection.flushed.len() < FLUSHED_KEPT);
        match connection.flushed.iter_mut().find(|flush| flush.command == command && flush.db == db) {
            Some(flush) => flush.last = last,
            None => connection.flushed.push(Flush { command, db, last }),
        }
    }
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Whether a key of the command is one of the values that the capture leaves out.
fn has_hidden_key(found: &OperandKeys, argv: &[Arg]) -> bool {
    let mut indexes = found.keys.iter().map(|key| key.index).chain(found.patterns.iter().map(|pattern| pattern.index));
    indexes.any(|index| matches!(argv[index], Arg::Redacted(_)))
}

/// A command's name as written, quoted where it is nothing.
fn named(args: &[&[u8]]) -> String {
    let name = shown(args.first().copied().unwrap_or_default());
    if name.is_empty() { "\"\"".to_owned() } else { name.into_owned() }
}

/// Inserts one by one: collecting would sort first, and each kind of element brings its own sort into the page.
fn set<'a>(names: impl Iterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
    let mut set = BTreeSet::new();
    set.extend(names.map(<[u8]>::to_vec));
    set
}

/// What a command without keys is called: with the pattern or channel it names.
fn keyless_label(name: &str, args: &[&[u8]]) -> String {
    const LONGEST: usize = 60;
    let words = args.iter().skip(1).take(3).map(|arg| shown(arg));
    let label = words.fold(name.to_owned(), |label, word| label + " " + &word);
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label,
    }
}

/// Whether a command that the extraction refused may have touched keys all the same: one this build does not know ran on a
/// server that does; one with values left out may be short of just the number that matters. Other malformed commands the
/// server refused as well.
fn cannot_be_told(error: &KeyError, argv: &[Arg]) -> bool {
    match error {
        KeyError::UnknownCommand { .. } | KeyError::UnknownSubcommand { .. } => true,
        _ => argv.iter().any(|arg| matches!(arg, Arg::Redacted(_))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Collector, longest_start};
    use crate::core::capture::{Event, Origin};
    use crate::core::profile::EMQ_1;

    /// As it may come live from several servers; of a whole capture the right call is known.
    #[test]
    fn what_a_script_does_is_not_held_against_the_keys_of_another_call() {
        let event = |seq, origin, call, words: &str| {
            let (client, argv) = (Some("a:1".to_owned()), words.split(' ').map(Into::into).collect());
            Event { seq, line: None, time: seq, client, db: 0, origin, call, argv }
        };
        let mut collector = Collector::new(&EMQ_1);
        collector.push(&event(1, Origin::Client, None, "FCALL f 1 a"));
        collector.push(&event(2, Origin::Client, None, "FCALL g 1 b"));
        collector.push(&event(3, Origin::Script, Some(1), "GET a"));
        collector.push(&event(4, Origin::Script, Some(2), "GET b"));
        let orphans = collector.finish().unseen.orphans.expect("one");
        assert_eq!((orphans.count, orphans.first.seq), (1, 3));
    }

    #[test]
    fn a_root_is_found_among_many() {
        let roots: BTreeSet<Vec<u8>> =
            ["", "a", "abd", "abc:", "b", "abcz"].map(|root| root.as_bytes().to_vec()).into();
        for (key, found) in [("abc", true), ("abc:1", true), ("ab", true), ("c", false), ("", false), ("\u{7f}", false)]
        {
            let longest = roots.iter().rfind(|root| !root.is_empty() && key.as_bytes().starts_with(root));
            assert_eq!(longest_start(key.as_bytes(), &roots), longest.map(Vec::as_slice), "{key}");
            assert_eq!(longest.is_some(), found, "{key}");
        }
        let roots = BTreeSet::from([b"emq:{q}:x".to_vec(), b"emq:{q}:".to_vec()]);
        assert_eq!(longest_start(b"emq:{q}:y", &roots), Some(&b"emq:{q}:"[..]));
    }
}
