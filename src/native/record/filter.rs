//! Whose commands go into a recording.
//!
//! A connection may do something before it is known to belong: before it first touches the queue, before it has its name.
//! So commands of connections that are not decided are held back for a moment, all later ones behind them, and go in
//! where their connection turns out to belong. What came earlier than that is counted as lost if it does.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::aside::Client;
use crate::core::capture::Event;
use crate::core::commands::{command, operand_keys};
use crate::core::keyspace::{KeyClass, classify, hash_tag};
use crate::core::profile::Profile;

/// Whose.
#[derive(Clone, Debug)]
pub enum Whose {
    /// Everybody's.
    All,
    /// Those with one of these addresses or names, or of one of these users.
    Picked {
        /// Addresses, or names set by CLIENT SETNAME.
        clients: Vec<String>,
        /// Users of the server.
        users: Vec<String>,
    },
    /// Those that touch a queue, in the new keyspace or in the one that was left.
    Queue {
        /// The grammar of keys.
        profile: &'static Profile,
        /// More prefixes of the old keyspace.
        legacy_prefixes: Vec<Vec<u8>>,
        /// The queue.
        queue: String,
    },
}

/// How long, how many commands and how many bytes of them are held back.
const HELD: Duration = Duration::from_secs(2);
const MOST: usize = 65_536;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Lets the commands pass that belong.
pub(super) struct Filter {
    whose: Whose,
    members: HashMap<String, Member>,
    held: VecDeque<(Instant, usize, Event)>,
    bytes: usize,
    /// The server does not tell who is connected.
    is_untold: bool,
    /// Commands that do not belong.
    pub(super) left_out: u64,
    /// Commands among these that belong all the same: they came too early to be known to, or from a connection that was gone
    /// before anybody could ask whose it was.
    pub(super) early: u64,
}

#[derive(Default)]
struct Member {
    standing: Standing,
    left_out: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Standing {
    /// Nobody knows yet.
    #[default]
    Open,
    /// It belongs.
    In,
    /// It does not; it may still come to.
    Out,
}

impl Filter {
    pub(super) fn new(whose: Whose) -> Self {
        Self {
            whose,
            members: HashMap::new(),
            held: VecDeque::new(),
            bytes: 0,
            is_untold: false,
            left_out: 0,
            early: 0,
        }
    }

    /// Whether somebody must be asked who is who.
    pub(super) fn asks(&self) -> bool {
        self.needs_clients() && self.members.values().any(|one| one.standing == Standing::Open)
    }

    /// Whether CLIENT LIST helps at all.
    pub(super) fn needs_clients(&self) -> bool {
        matches!(self.whose, Whose::Picked { .. }) && !self.is_untold
    }

    /// Nobody tells who is connected; says whether that is news.
    pub(super) fn stop_asking(&mut self) -> bool {
        !std::mem::replace(&mut self.is_untold, true)
    }

    /// Takes in a command that a server ran.
    pub(super) fn push(&mut self, server: usize, event: Event, now: Instant) {
        self.look(&event);
        self.bytes += size(&event);
        self.held.push_back((now, server, event));
    }

    /// Takes in who is connected to a server, which has this name where it is one of several.
    pub(super) fn clients(&mut self, server: Option<&str>, clients: &[Client]) {
        let Whose::Picked { clients: wanted, users } = &self.whose else { return };
        let (wanted, users) = (wanted.clone(), users.clone());
        for client in clients {
            let named = !client.name.is_empty() && wanted.contains(&client.name);
            let belongs = named || wanted.contains(&client.address) || users.contains(&client.user);
            let connection = connection(&client.address, server);
            self.decide(&connection, if belongs { Standing::In } else { Standing::Out });
        }
    }

    /// The next command that may go in, with the server that ran it; `all` holds nothing back any more.
    pub(super) fn pop(&mut self, now: Instant, all: bool) -> Option<(usize, Event)> {
        loop {
            let (since, _, event) = self.held.front()?;
            let waits = !all
                && now.saturating_duration_since(*since) < HELD
                && self.held.len() <= MOST
                && self.bytes <= MOST_BYTES;
            let standing = self.standing(event);
            if standing == Standing::Open && waits {
                return None;
            }
            let (_, server, event) = self.held.pop_front()?;
            self.bytes -= size(&event);
            if standing == Standing::In {
                return Some((server, event));
            }
            self.leave_out(&event, standing);
        }
    }

    fn standing(&self, event: &Event) -> Standing {
        if matches!(self.whose, Whose::All) {
            return Standing::In;
        }
        let member = event.client.as_ref().and_then(|client| self.members.get(client));
        member.map_or(Standing::Open, |member| member.standing)
    }

    fn leave_out(&mut self, event: &Event, standing: Standing) {
        self.left_out += 1;
        let by_user = matches!(&self.whose, Whose::Picked { users, .. } if !users.is_empty());
        if by_user && standing == Standing::Open {
            self.early += 1;
            return;
        }
        if let Some(client) = &event.client {
            self.members.entry(client.clone()).or_default().left_out += 1;
        }
    }

    /// What a command tells of its connection.
    fn look(&mut self, event: &Event) {
        let Some(client) = event.client.as_deref() else { return };
        match &self.whose {
            Whose::All => {}
            Whose::Queue { profile, legacy_prefixes, queue } => {
                if self.members.get(client).is_none_or(|one| one.standing != Standing::In)
                    && touches(profile, legacy_prefixes, queue, event)
                {
                    self.decide(client, Standing::In);
                }
            }
            Whose::Picked { clients, .. } => {
                let wants = |wanted: &String| is_at(client, wanted) || Some(wanted.as_bytes()) == name(event);
                let belongs = clients.iter().any(wants);
                if belongs {
                    self.decide(client, Standing::In);
                } else if !self.members.contains_key(client) || changes_user(event) {
                    self.members.entry(client.to_owned()).or_default().standing = Standing::Open;
                }
            }
        }
    }

    fn decide(&mut self, client: &str, standing: Standing) {
        let member = self.members.entry(client.to_owned()).or_default();
        // Whoever belonged once belongs: a name or a touch is not taken back.
        if member.standing != Standing::In {
            member.standing = standing;
        }
        if member.standing == Standing::In {
            self.early += std::mem::take(&mut member.left_out);
        }
    }
}

/// What a connection is called: an address, and the server where there are several, since each has addresses of its own.
pub(super) fn connection(address: &str, server: Option<&str>) -> String {
    server.map_or_else(|| address.to_owned(), |server| format!("{address}@{server}"))
}

/// Whether a connection has this address, at whatever server.
fn is_at(connection: &str, address: &str) -> bool {
    connection.strip_prefix(address).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

pub(super) fn size(event: &Event) -> usize {
    event.argv.iter().map(|arg| arg.as_slice().len() + 32).sum::<usize>() + 128
}

fn name(event: &Event) -> Option<&[u8]> {
    match event.args().as_slice() {
        [_, _, name] if command(&event.args()).is_some_and(|command| command.name() == "CLIENT|SETNAME") => Some(*name),
        _ => None,
    }
}

fn changes_user(event: &Event) -> bool {
    command(&event.args()).is_some_and(|command| matches!(command.name(), "AUTH" | "HELLO" | "RESET"))
}

fn touches(profile: &Profile, legacy_prefixes: &[Vec<u8>], queue: &str, event: &Event) -> bool {
    let args = event.args();
    let Ok(found) = operand_keys(&args) else { return false };
    found.keys.iter().any(|key| {
        let key = args[key.index];
        let of = match classify(profile, legacy_prefixes, key) {
            KeyClass::Legacy { queue: of, .. } => of == queue.as_bytes(),
            class => class.queue() == Some(queue),
        };
        of || hash_tag(key) == Some(queue.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;
    use crate::core::profile::EMQ_1;

    fn event(client: &str, words: &str) -> Event {
        let words: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
        let line = format!("1.000000 [0 {client}] {}", words.join(" "));
        Reader::new().line(line.as_bytes()).expect("a line").expect("a command")
    }

    fn pop(filter: &mut Filter, now: Instant, all: bool) -> Option<Event> {
        filter.pop(now, all).map(|(_, event)| event)
    }

    /// What passes after each of these commands has been taken in, and at last what is left out and lost.
    fn passed(whose: Whose, commands: &[(&str, &str)]) -> (Vec<String>, u64, u64) {
        let (mut filter, now) = (Filter::new(whose), Instant::now());
        let mut passed = Vec::new();
        for (client, words) in commands {
            filter.push(0, event(client, words), now);
            passed.extend(std::iter::from_fn(|| pop(&mut filter, now, false)));
        }
        passed.extend(std::iter::from_fn(|| pop(&mut filter, now, true)));
        let shown = |event: &Event| event.argv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        (passed.iter().map(shown).collect(), filter.left_out, filter.early)
    }

    fn queue() -> Whose {
        Whose::Queue { profile: &EMQ_1, legacy_prefixes: Vec::new(), queue: "q".into() }
    }

    #[test]
    fn a_connection_belongs_from_its_first_command_on() {
        let commands = [("a", "PING"), ("b", "GET x"), ("a", "GET emq:{q}:wait"), ("b", "GET y"), ("a", "GET z")];
        assert_eq!(passed(queue(), &commands), (vec!["PING".into(), "GET emq:{q}:wait".into(), "GET z".into()], 2, 0));
    }

    #[test]
    fn the_queue_is_known_in_either_keyspace() {
        for key in ["emq:{q}:x", "bull:q:1", "emq:q:wait", "{q}:x"] {
            assert_eq!(passed(queue(), &[("a", &format!("GET {key}"))]).0.len(), 1, "{key}");
        }
        for key in ["emq:{qq}:x", "bull:qq:1", "q"] {
            assert_eq!(passed(queue(), &[("a", &format!("GET {key}"))]), (Vec::new(), 1, 0), "{key}");
        }
    }

    #[test]
    fn what_came_too_early_is_lost_and_not_merely_left_out() {
        let (mut filter, start) = (Filter::new(queue()), Instant::now());
        filter.push(0, event("a", "GET x"), start);
        let later = start + HELD;
        assert_eq!(filter.pop(later, false), None);
        assert_eq!((filter.left_out, filter.early), (1, 0));
        filter.push(0, event("a", "GET emq:{q}:x"), later);
        assert!(filter.pop(later, false).is_some());
        assert_eq!(filter.early, 1);
    }

    #[test]
    fn no_more_is_held_back_than_the_limits_say() {
        let (mut filter, now) = (Filter::new(queue()), Instant::now());
        for _ in 0..=MOST {
            filter.push(0, event("a", "PING"), now);
            assert_eq!(filter.pop(now, false), None);
        }
        assert_eq!((filter.held.len(), filter.left_out), (MOST, 1));
    }

    #[test]
    fn names_addresses_and_users_pick() {
        let picked = |client: &str| Whose::Picked { clients: vec![client.into()], users: Vec::new() };
        let commands = [("a:1", "PING"), ("a:1", "CLIENT SETNAME w"), ("b:2", "PING")];
        assert_eq!(passed(picked("w"), &commands).0, ["PING", "CLIENT SETNAME w"]);
        assert_eq!(passed(picked("b:2"), &commands).0, ["PING"]);
        let nodes = [("b:2@n:1", "PING"), ("b:2@n:2", "GET a"), ("b:22@n:1", "GET b")];
        assert_eq!(passed(picked("b:2"), &nodes).0, ["PING", "GET a"]);
        assert_eq!(passed(picked("b:2@n:2"), &nodes).0, ["GET a"]);
        let mut filter = Filter::new(Whose::Picked { clients: Vec::new(), users: vec!["ann".into()] });
        let now = Instant::now();
        filter.push(0, event("a:1", "PING"), now);
        assert!(filter.asks());
        let client =
            |address: &str, user: &str| Client { address: address.into(), name: String::new(), user: user.into() };
        filter.clients(None, &[client("a:1", "ann"), client("b:2", "bob")]);
        assert!(!filter.asks());
        filter.push(0, event("b:2", "PING"), now);
        assert_eq!(pop(&mut filter, now, false).and_then(|event| event.client).as_deref(), Some("a:1"));
        assert_eq!((filter.pop(now, false), filter.left_out), (None, 1));
    }
}
