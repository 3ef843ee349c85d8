//! Whose commands go into a recording.
//!
//! A connection may do something before it is known to belong: before it first touches the queue, before it has its name.
//! So commands of connections that are not decided are held back for a moment, all later ones behind them, and go in
//! where their connection turns out to belong. What came earlier than that is counted as lost if it does.
//!
//! What takes every key of a database, or writes the version of a whole deployment, goes in whoever did it: a queue is held to that,
//! too.
//!
//! A connection is known by its address, and an address goes to another connection sooner or later. After QUIT it is free; where
//! one is greeted anew, the server is asked how old its connection is.

mod member;
mod picks;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::aside::Client;
use super::doubt::{Doubt, Doubts, begun};
use super::heard::Found;
use super::whose::{
    Whose, changes_user, concerns_all, connection, greets, is_at, is_of, is_version_question, name, quits, touches,
};
use crate::core::capture::{Event, Origin};
use crate::core::profile::Profile;
use crate::native::server::snapshot::is_question;
use member::{Known, Member, Standing};
use picks::Picks;

/// How long, how many commands and how many bytes of them are held back.
pub(super) const HELD: Duration = Duration::from_secs(2);
const MOST: usize = 65_536;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Lets the commands pass that belong.
pub(super) struct Filter {
    whose: Whose,
    profile: &'static Profile,
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
    /// Commands among those that were left out that a queue is held to, whoever did them: scripts of others ran them, and a script's
    /// command is nothing without its call.
    pub(super) of_scripts: u64,
    picks: Picks,
}

/// A command that is held back.
struct Held {
    since: Instant,
    server: usize,
    member: Option<Known>,
    /// A queue is held to it, whoever did it.
    concerns_all: bool,
    event: Event,
    /// Where a function was when it called that.
    found: Option<Found>,
}

impl Filter {
    /// By the profile's place of the version.
    pub(super) fn new(whose: Whose, profile: &'static Profile) -> Self {
        Self {
            picks: Picks::new(&whose),
            whose,
            profile,
            members: HashMap::new(),
            held: VecDeque::new(),
            bytes: 0,
            is_untold: false,
            left_out: 0,
            early: 0,
            doubts: Doubts::default(),
            of_scripts: 0,
        }
    }

    /// Commands that do not belong.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out - self.lost()
    }

    /// Commands that were left out, and belong all the same.
    pub(super) fn lost(&self) -> u64 {
        self.early + self.of_scripts
    }

    /// What there is to say of names and addresses that were picked, and that nobody had.
    pub(super) fn absent(&self) -> Vec<String> {
        self.picks.absent(self.is_untold)
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
        self.whose.asks_clients() && !self.is_untold
    }

    /// Nobody tells who is connected; says whether that is news.
    pub(super) fn stop_asking(&mut self) -> bool {
        !std::mem::replace(&mut self.is_untold, true)
    }

    /// Takes in a command that a server ran; of one that calls a function, where that is.
    pub(super) fn push(&mut self, server: usize, event: Event, found: Option<Found>, now: Instant) {
        let client = event.client.as_ref().filter(|_| !matches!(self.whose, Whose::All));
        let member = client.map(|client| self.look(client, &event, now));
        if let Some(client) = client.filter(|_| quits(&event)) {
            self.members.remove(client);
        }
        self.bytes += size(&event);
        let concerns_all = !matches!(self.whose, Whose::All) && concerns_all(self.profile, &event);
        self.held.push_back(Held { since: now, server, member, concerns_all, event, found });
    }

    /// Takes in who is connected to a server, which has this name where it is one of several, and was asked at this moment.
    pub(super) fn clients(&mut self, server: Option<&str>, clients: &[Client], asked: Instant) {
        for client in clients {
            let connection = connection(&client.address, server);
            self.picks.saw(&connection, client.name.as_bytes(), Some(&client.user));
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
                    let is_named_by_place = wanted.iter().any(|wanted| is_at(&connection, wanted));
                    let belongs = named || is_named_by_place || users.contains(&client.user);
                    if belongs { Standing::In } else { Standing::Out }
                }
            };
            self.decide(&connection, &member, standing);
        }
        self.doubts.give_up(server, asked);
        self.note_gone(server, clients, asked);
    }

    /// Who was there before, is not told apart and is not in the list is never going to be.
    fn note_gone(&mut self, server: Option<&str>, clients: &[Client], asked: Instant) {
        let is_open = |member: &Known| {
            let member = member.borrow();
            member.standing == Standing::Open && member.since <= asked
        };
        if !self.needs_clients() || !self.members.values().any(is_open) {
            return;
        }
        let there: HashSet<String> = clients.iter().map(|client| connection(&client.address, server)).collect();
        let gone = self.members.iter().filter(|(client, member)| {
            is_open(member) && is_of(client, server) && !there.contains(*client) && !client.starts_with("unix:")
        });
        gone.for_each(|(_, member)| member.borrow_mut().standing = Standing::Gone);
    }

    /// The next command that may go in, with the server that ran it and where a function is that it calls; `all` holds nothing back any more.
    pub(super) fn pop(&mut self, now: Instant, all: bool) -> Option<(usize, Event, Option<Found>)> {
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
                return Some((held.server, held.event, held.found));
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
        if matches!(self.whose, Whose::All) || (held.concerns_all && held.event.origin == Origin::Client) {
            return Standing::In;
        }
        held.member.as_ref().map_or(Standing::Open, |member| member.borrow().standing)
    }

    fn leave_out(&mut self, held: &Held, standing: Standing) {
        self.left_out += 1;
        if held.concerns_all {
            self.of_scripts += 1;
            return;
        }
        let by_user = matches!(&self.whose, Whose::Picked { users, .. } if !users.is_empty());
        if by_user && matches!(standing, Standing::Open | Standing::Gone) {
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
        member.borrow_mut().counts |= is_question(event);
        let (belongs, leaves) = match &self.whose {
            Whose::All => (true, false),
            Whose::Queue { profile, legacy_prefixes, queue } => {
                // Another recorder looks at the queue and does nothing there.
                let looks = || member.borrow().counts && is_version_question(profile, event);
                let touches = || touches(profile, legacy_prefixes, queue, event) && !looks();
                (member.borrow().standing != Standing::In && touches(), false)
            }
            Whose::Picked { clients, .. } => {
                let wants = |wanted: &String| is_at(client, wanted) || Some(wanted.as_bytes()) == name(event);
                let belongs = clients.iter().any(wants);
                if belongs {
                    self.picks.saw(client, name(event).unwrap_or_default(), None);
                }
                (belongs, changes_user(event))
            }
        };
        if member.borrow().standing == Standing::Gone {
            // The address is another's now.
            self.members.remove(client);
            member = self.member(client, now);
        }
        let Member { standing, last: before, .. } = *member.borrow();
        if standing != Standing::Asked {
            member.borrow_mut().last = now;
        }
        if belongs {
            self.decide(client, &member, Standing::In);
        } else if standing == Standing::In && !self.is_untold && greets(event) && !client.starts_with("unix:") {
            // What it did before stays as it was decided.
            let asked = Member {
                standing: Standing::Asked,
                counts: false,
                left_out: 0,
                left_last: now,
                last: before,
                since: now,
            };
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
mod tests;
