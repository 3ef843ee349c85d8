//! Whose commands go into a recording.
//!
//! A connection may do something before it is known to belong: before it first touches the queue, before it has its name.
//! So commands of connections that are not decided are held back for a moment, all later ones behind them, and go in
//! where their connection turns out to belong. What came earlier than that is counted as lost if it does.
//!
//! A connection is known by its address, and an address goes to another connection sooner or later. After QUIT it is free; where
//! one is greeted anew, the server is asked how old its connection is.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::aside::Client;
use super::doubt::{Doubt, Doubts, begun};
use super::whose::{Whose, changes_user, connection, greets, is_at, name, quits, touches};
use crate::core::capture::Event;

/// How long, how many commands and how many bytes of them are held back.
pub(super) const HELD: Duration = Duration::from_secs(2);
const MOST: usize = 65_536;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Lets the commands pass that belong.
pub(super) struct Filter {
    whose: Whose,
    members: HashMap<String, Known>,
    held: VecDeque<Held>,
    bytes: usize,
    /// The server does not tell who is connected.
    is_untold: bool,
    /// Commands that do not belong.
    pub(super) left_out: u64,
    /// Commands among these that belong all the same: they came too early to be known to, or from a connection that was gone
    /// before anybody could ask whose it was.
    pub(super) early: u64,
    /// What of that may have been another connection's, which had the address before.
    doubts: Doubts,
}

/// A connection that is known, by those of its commands that are held back too.
type Known = Rc<RefCell<Member>>;

struct Member {
    standing: Standing,
    /// Its commands that were left out, and when the last of them came.
    left_out: u64,
    left_last: Instant,
    /// When its last command came.
    last: Instant,
    /// Since when it is to be asked about: what was asked before says nothing of that.
    since: Instant,
}

/// A command that is held back.
struct Held {
    since: Instant,
    server: usize,
    member: Option<Known>,
    event: Event,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Standing {
    /// Nobody knows yet.
    #[default]
    Open,
    /// It belongs.
    In,
    /// It belonged, and was greeted anew: it may be another.
    Asked,
    /// It does not; it may still come to.
    Out,
}

impl Member {
    fn new(now: Instant) -> Known {
        Rc::new(RefCell::new(Self { standing: Standing::Open, left_out: 0, left_last: now, last: now, since: now }))
    }
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
            doubts: Doubts::default(),
        }
    }

    /// Whether somebody must be asked who is who.
    pub(super) fn asks(&self) -> bool {
        let is_any = |standing| self.members.values().any(|one| one.borrow().standing == standing);
        !self.is_untold
            && (self.doubts.are_fresh(HELD)
                || is_any(Standing::Asked)
                || (self.needs_clients() && is_any(Standing::Open)))
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
        let client = event.client.as_ref().filter(|_| !matches!(self.whose, Whose::All));
        let member = client.map(|client| self.look(client, &event, now));
        if let Some(client) = client.filter(|_| quits(&event)) {
            self.members.remove(client);
        }
        self.bytes += size(&event);
        self.held.push_back(Held { since: now, server, member, event });
    }

    /// Takes in who is connected to a server, which has this name where it is one of several, and was asked at this moment.
    pub(super) fn clients(&mut self, server: Option<&str>, clients: &[Client], asked: Instant) {
        for client in clients {
            let connection = connection(&client.address, server);
            let is_known = self.members.contains_key(&connection);
            if !is_known && !matches!(self.whose, Whose::Picked { .. }) {
                continue;
            }
            let member = self.member(&connection, asked);
            let begun = begun(client.age, asked);
            self.early -= self.doubts.settle(&connection, asked, begun);
            let is_younger = |than: Instant| begun.is_some_and(|begun| begun > than);
            let standing = match &self.whose {
                Whose::All => continue,
                _ if member.borrow().since > asked => continue,
                Whose::Queue { .. } if member.borrow().standing != Standing::Asked => continue,
                Whose::Queue { .. } if is_younger(member.borrow().last) => Standing::Open,
                Whose::Queue { .. } => Standing::In,
                Whose::Picked { clients: wanted, users } => {
                    let named = !client.name.is_empty() && wanted.contains(&client.name);
                    let belongs = named || wanted.contains(&client.address) || users.contains(&client.user);
                    if belongs { Standing::In } else { Standing::Out }
                }
            };
            self.decide(&connection, &member, standing);
        }
        self.doubts.give_up(server, asked);
    }

    /// The next command that may go in, with the server that ran it; `all` holds nothing back any more.
    pub(super) fn pop(&mut self, now: Instant, all: bool) -> Option<(usize, Event)> {
        loop {
            let held = self.held.front()?;
            let waits = !all
                && now.saturating_duration_since(held.since) < HELD
                && self.held.len() <= MOST
                && self.bytes <= MOST_BYTES;
            let standing = self.standing(held);
            if matches!(standing, Standing::Open | Standing::Asked) && waits {
                return None;
            }
            let held = self.held.pop_front()?;
            self.bytes -= size(&held.event);
            if let Some(member) = held.member.as_ref().filter(|_| standing == Standing::Asked) {
                // Nobody told, so it counts as the one that it was.
                member.borrow_mut().standing = Standing::In;
            }
            if matches!(standing, Standing::In | Standing::Asked) {
                return Some((held.server, held.event));
            }
            self.leave_out(&held, standing);
        }
    }

    fn member(&mut self, connection: &str, now: Instant) -> Known {
        if let Some(member) = self.members.get(connection) {
            return Rc::clone(member);
        }
        let member = Member::new(now);
        self.members.insert(connection.to_owned(), Rc::clone(&member));
        member
    }

    fn standing(&self, held: &Held) -> Standing {
        if matches!(self.whose, Whose::All) {
            return Standing::In;
        }
        held.member.as_ref().map_or(Standing::Open, |member| member.borrow().standing)
    }

    fn leave_out(&mut self, held: &Held, standing: Standing) {
        self.left_out += 1;
        let by_user = matches!(&self.whose, Whose::Picked { users, .. } if !users.is_empty());
        if by_user && standing == Standing::Open {
            self.early += 1;
            return;
        }
        if let Some(member) = &held.member {
            let mut member = member.borrow_mut();
            member.left_out += 1;
            member.left_last = held.since;
        }
    }

    /// What a command tells of its connection, which is given.
    fn look(&mut self, client: &str, event: &Event, now: Instant) -> Known {
        let mut member = self.member(client, now);
        let (belongs, leaves) = match &self.whose {
            Whose::All => (true, false),
            Whose::Queue { profile, legacy_prefixes, queue } => {
                let touches = || touches(profile, legacy_prefixes, queue, event);
                (member.borrow().standing != Standing::In && touches(), false)
            }
            Whose::Picked { clients, .. } => {
                let wants = |wanted: &String| is_at(client, wanted) || Some(wanted.as_bytes()) == name(event);
                (clients.iter().any(wants), changes_user(event))
            }
        };
        let Member { standing, last: before, .. } = *member.borrow();
        if standing != Standing::Asked {
            member.borrow_mut().last = now;
        }
        if belongs {
            self.decide(client, &member, Standing::In);
        } else if standing == Standing::In && !self.is_untold && greets(event) && !client.starts_with("unix:") {
            // What it did before stays as it was decided.
            let asked = Member { standing: Standing::Asked, left_out: 0, left_last: now, last: before, since: now };
            member = Rc::new(RefCell::new(asked));
            self.members.insert(client.to_owned(), Rc::clone(&member));
        } else if standing == Standing::Out && leaves {
            let mut member = member.borrow_mut();
            (member.standing, member.since) = (Standing::Open, now);
        }
        member
    }

    fn decide(&mut self, client: &str, member: &Known, standing: Standing) {
        let mut member = member.borrow_mut();
        // Whoever belonged once belongs: a name or a touch is not taken back.
        if member.standing != Standing::In {
            member.standing = standing;
        }
        if member.standing == Standing::In && member.left_out > 0 {
            let left_out = std::mem::take(&mut member.left_out);
            self.early += left_out;
            if !self.is_untold && !client.starts_with("unix:") {
                let (connection, left_last, since) = (client.to_owned(), member.left_last, member.last);
                self.doubts.add(Doubt { connection, left_out, left_last, since });
            }
        }
    }
}

pub(super) fn size(event: &Event) -> usize {
    event.argv.iter().map(|arg| arg.as_slice().len() + 32).sum::<usize>() + 128
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
    fn what_was_asked_before_a_login_says_nothing_of_it() {
        let mut filter = Filter::new(Whose::Picked { clients: Vec::new(), users: vec!["ann".into()] });
        let now = Instant::now();
        let of = |user: &str| [Client { user: user.into(), ..listed("a:1", 0) }];
        filter.clients(None, &of("default"), now);
        let later = now + Duration::from_millis(5);
        filter.push(0, event("a:1", "AUTH ann x"), later);
        filter.clients(None, &of("default"), now);
        assert!(filter.asks());
        filter.clients(None, &of("ann"), later);
        assert!(!filter.asks() && filter.pop(later, false).is_some());
    }

    fn listed(address: &str, age: u64) -> Client {
        Client { address: address.into(), name: String::new(), user: String::new(), age: Some(age) }
    }

    /// A stranger has done something at an address; a minute later somebody there touches the queue, and is in the server's list so
    /// often, with such ages.
    fn lost_by_the_next_one(ages: &[u64]) -> u64 {
        let (mut filter, start) = (Filter::new(queue()), Instant::now());
        filter.push(0, event("a:1", "GET x"), start);
        assert_eq!(filter.pop(start + HELD, false), None);
        let later = start + Duration::from_secs(60);
        filter.push(0, event("a:1", "GET emq:{q}:x"), later);
        assert!(filter.pop(later, false).is_some() && filter.early == 1 && filter.asks());
        let list: Vec<Client> = ages.iter().map(|&age| listed("a:1", age)).collect();
        filter.clients(None, &list, later);
        assert!(!filter.asks());
        filter.early
    }

    #[test]
    fn what_another_connection_did_at_the_address_is_no_loss() {
        assert_eq!([60, 58, 57].map(|age| lost_by_the_next_one(&[age])), [1, 1, 0]);
    }

    /// No server says so; but nobody has to be one.
    #[test]
    fn a_list_of_nonsense_does_no_harm() {
        assert_eq!(lost_by_the_next_one(&[u64::MAX, 57, 57, u64::MAX]), 0);
        assert_eq!(lost_by_the_next_one(&[u64::MAX]), 1);
    }

    /// What passes of a worker that is greeted a minute later, where its connection is so old then, and of what that does next.
    fn greeted_anew(greeting: &str, list: Option<u64>) -> Vec<String> {
        let (mut filter, start) = (Filter::new(queue()), Instant::now());
        filter.push(0, event("a:1", "GET emq:{q}:x"), start);
        assert!(filter.pop(start, false).is_some());
        let later = start + Duration::from_secs(60);
        filter.push(0, event("a:1", greeting), later);
        filter.push(0, event("a:1", "GET y"), later);
        if let Some(age) = list {
            filter.clients(None, &[listed("a:1", age)], later);
        }
        let passed = std::iter::from_fn(|| filter.pop(later + HELD, false)).map(|(_, event)| event.argv[0].to_string());
        passed.collect()
    }

    #[test]
    fn whoever_is_greeted_anew_may_be_another() {
        for greeting in ["HELLO 3", "AUTH x", "CLIENT SETINFO lib-name x"] {
            assert_eq!(greeted_anew(greeting, Some(1)).len(), 0, "{greeting}");
            assert_eq!(greeted_anew(greeting, Some(61)).len(), 2, "{greeting}");
            assert_eq!(greeted_anew(greeting, None).len(), 2, "{greeting}");
        }
        assert_eq!(greeted_anew("PING", Some(1)).len(), 2);
    }

    #[test]
    fn after_quit_an_address_is_anybodys() {
        let commands = [("a", "GET emq:{q}:x"), ("a", "QUIT"), ("a", "GET y"), ("b", "PING"), ("b", "QUIT")];
        let more = [("b", "GET emq:{q}:x"), ("unix:s", "GET emq:{q}:x"), ("unix:s", "QUIT"), ("unix:s", "GET z")];
        let all = ["GET emq:{q}:x", "QUIT", "GET emq:{q}:x", "GET emq:{q}:x", "QUIT", "GET z"].map(String::from);
        assert_eq!(passed(queue(), &[&commands[..], &more].concat()), (all.into(), 3, 0));
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
        let client = |address: &str, user: &str| Client {
            address: address.into(),
            name: String::new(),
            user: user.into(),
            age: Some(0),
        };
        filter.clients(None, &[client("a:1", "ann"), client("b:2", "bob")], now);
        assert!(!filter.asks());
        filter.push(0, event("b:2", "PING"), now);
        assert_eq!(pop(&mut filter, now, false).and_then(|event| event.client).as_deref(), Some("a:1"));
        assert_eq!((filter.pop(now, false), filter.left_out), (None, 1));
    }
}
