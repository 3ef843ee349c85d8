//! Which connection did something, and what a command tells of it beside its keys.

use super::keys::Index;
use super::{Connection, Counted, Flush, Place, count};
use crate::core::bytes::shown;
use crate::core::commands::{Command, Role};

/// How many commands without keys are told apart by what they name; beyond that only the command counts.
const KEYLESS_KEPT: usize = 32;

/// How many databases' flushes are told apart for one connection; beyond that, one counts for every database.
const FLUSHED_KEPT: usize = 64;

/// Where the connections of an input stand in their list.
#[derive(Debug)]
pub(super) struct Connections {
    /// By address; the index of what has none stands apart.
    index: Index,
    without_address: Option<usize>,
    /// The names that connections have, each with the connection's place before it.
    names: Index,
    /// The connection that was looked for last.
    latest: usize,
}

impl Connections {
    /// None was seen yet.
    pub(super) fn new() -> Self {
        Self { index: Index::new(), without_address: None, names: Index::new(), latest: 0 }
    }

    /// The place of a client's connection among `all`, where a new one is added.
    pub(super) fn of(&mut self, client: Option<&str>, all: &mut Vec<Connection>) -> usize {
        // Most lines are of the connection that the line before was of.
        if all.get(self.latest).is_some_and(|connection| connection.address.as_deref() == client) {
            return self.latest;
        }
        self.latest = self.look_up(client, all);
        self.latest
    }

    fn look_up(&mut self, client: Option<&str>, all: &mut Vec<Connection>) -> usize {
        let known = match client {
            Some(address) => self.index.get(address.as_bytes()).copied(),
            None => self.without_address,
        };
        if let Some(at) = known {
            return at;
        }
        let at = all.len();
        all.push(Connection { address: client.map(str::to_owned), ..Connection::default() });
        match client {
            Some(address) => drop(self.index.insert(address.as_bytes().into(), at)),
            None => self.without_address = Some(at),
        }
        at
    }

    /// What comes from this address from now on is another connection; those of a unix socket share one, and others of them
    /// go on.
    pub(super) fn forget(&mut self, client: Option<&str>) {
        if let Some(address) = client.filter(|address| !address.starts_with("unix:")) {
            self.index.remove(address.as_bytes());
            self.latest = usize::MAX;
        }
    }

    /// Takes in the name that a command gives the connection that stands at `at`.
    pub(super) fn learn_name(&mut self, at: usize, connection: &mut Connection, args: &[&[u8]]) {
        let Some(name) = given_name(args) else { return };
        if self.names.insert([&at.to_be_bytes(), name].concat().into(), at).is_none() {
            connection.names.push(shown(name).into_owned());
        }
    }
}

/// Takes in what a command tells of its connection: whole databases that it removed, and commands that name no key.
pub(super) fn learn(
    connection: &mut Connection,
    known: Option<&'static Command>,
    args: &[&[u8]],
    db: u32,
    place: Place,
) {
    let Some(known) = known else { return };
    learn_flush(connection, known.name(), args, db, place);
    if matches!(known.role(), Role::Channels | Role::Keyspace) {
        let few = connection.keyless.len() < KEYLESS_KEPT;
        let label = if few { keyless_label(known.name(), args) } else { known.name().to_owned() };
        count(&mut connection.keyless, label, Counted::once(place));
    }
}

/// The name that a command gives its connection.
pub(crate) fn given_name<'a>(args: &[&'a [u8]]) -> Option<&'a [u8]> {
    match args {
        [client, setname, name] if is(client, b"CLIENT") && is(setname, b"SETNAME") => Some(*name),
        [hello, _version, options @ ..] if is(hello, b"HELLO") => name_among(options),
        _ => None,
    }
}

/// Among the options of HELLO, of which AUTH has a user and a password that may be called anything.
fn name_among<'a>(options: &[&'a [u8]]) -> Option<&'a [u8]> {
    match options {
        [auth, _user, _password, rest @ ..] if is(auth, b"AUTH") => name_among(rest),
        [setname, name, rest @ ..] if is(setname, b"SETNAME") => name_among(rest).or(Some(*name)),
        _ => None,
    }
}

pub(super) fn is(word: &[u8], name: &[u8]) -> bool {
    word.eq_ignore_ascii_case(name)
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

#[cfg(test)]
mod tests {
    use super::given_name;

    #[test]
    fn a_password_is_no_name() {
        let check = |line: &str, name: Option<&str>| {
            let args: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
            assert_eq!(given_name(&args), name.map(str::as_bytes), "{line}");
        };
        check("HELLO 3 AUTH setname PASSWORD", None);
        check("HELLO 3 AUTH ann setname", None);
        check("HELLO 3 AUTH setname PASSWORD SETNAME w", Some("w"));
        check("hello 3 setname w auth setname PASSWORD", Some("w"));
        check("HELLO 3 AUTH setname", None);
        check("HELLO 3", None);
        check("CLIENT SETNAME w", Some("w"));
    }
}
