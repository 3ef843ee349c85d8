//! Which of the names and addresses that were picked somebody had: one that nobody had may be misspelt.

use std::collections::BTreeSet;

use crate::core::bytes::shown;
use crate::native::record::whose::{Whose, is_at};

/// Picks, and what there was instead.
#[derive(Debug, Default)]
pub(super) struct Picks {
    clients: BTreeSet<String>,
    users: BTreeSet<String>,
    /// Some of the names and users that connections had, as they are shown.
    names: BTreeSet<String>,
    others: BTreeSet<String>,
}

/// How many of them are told.
const TOLD: usize = 8;

impl Picks {
    /// Nobody had any of them yet.
    pub(super) fn new(whose: &Whose) -> Self {
        match whose {
            Whose::Picked { clients, users } => Self {
                clients: clients.iter().cloned().collect(),
                users: users.iter().cloned().collect(),
                ..Self::default()
            },
            Whose::All | Whose::Queue { .. } => Self::default(),
        }
    }

    /// A connection has this address and name, and is of this user, as far as that is known.
    pub(super) fn saw(&mut self, connection: &str, name: &[u8], user: Option<&str>) {
        if self.clients.is_empty() && self.users.is_empty() {
            return;
        }
        self.clients.retain(|wanted| !is_at(connection, wanted) && wanted.as_bytes() != name);
        keep(&mut self.names, name);
        if let Some(user) = user {
            self.users.remove(user);
            keep(&mut self.others, user.as_bytes());
        }
    }

    /// What there is to say of those that nobody had; where it `is_untold` who is connected, some may have had them all the same.
    pub(super) fn absent(&self, is_untold: bool) -> Vec<String> {
        let (had, was, so) = if is_untold {
            let so = ", and the server does not tell who is connected: what such a connection did may be missing";
            ("was seen to have this address or name", "was seen to be of this user", so)
        } else {
            ("had this address or name", "was of this user", ", so it picked nothing")
        };
        let say = |kind: &str, pick: &String, what: &str, there: &BTreeSet<String>| {
            let there = match there.iter().map(String::as_str).collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => String::new(),
                there => format!("; there were {there}"),
            };
            format!("--{kind} {}: no connection {what}{so}{there}", shown(pick.as_bytes()))
        };
        let clients = self.clients.iter().map(|pick| say("client", pick, had, &self.names));
        clients.chain(self.users.iter().map(|pick| say("user", pick, was, &self.others))).collect()
    }
}

fn keep(told: &mut BTreeSet<String>, name: &[u8]) {
    if !name.is_empty() && told.len() < TOLD {
        told.insert(shown(name).into_owned());
    }
}
