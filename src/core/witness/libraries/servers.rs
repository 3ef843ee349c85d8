//! The libraries of several servers: each node of a cluster has its own.

use std::collections::BTreeMap;

use super::{Home, Libraries};
use crate::core::bytes::Arg;

/// So many servers are told apart; of others nothing is known.
const MOST: usize = 1000;

/// The libraries, by what a capture calls the servers: an event's client is `ADDRESS@SERVER` where there are several.
#[derive(Debug, Default)]
pub struct Servers(BTreeMap<String, Libraries>);

impl Servers {
    /// Takes in what a client's command does to the libraries of its server; the texts of all may take `room` bytes.
    pub fn look(&mut self, client: Option<&str>, argv: &[Arg], room: usize) {
        if Libraries::may_change(argv) {
            let all = self.bytes();
            if let Some(libraries) = self.of(client) {
                libraries.look(argv, room.saturating_sub(all - libraries.bytes()));
            }
        }
    }

    /// Where a function is now that a client calls.
    pub fn home(&mut self, client: Option<&str>, function: &str) -> Home {
        self.of(client).map_or(Home::Unknown, |libraries| libraries.home(function))
    }

    /// How many bytes of texts are kept.
    pub fn bytes(&self) -> usize {
        self.0.values().map(Libraries::bytes).sum()
    }

    fn of(&mut self, client: Option<&str>) -> Option<&mut Libraries> {
        let server = client.map_or("", server);
        if !self.0.contains_key(server) && self.0.len() >= MOST {
            return None;
        }
        Some(self.0.entry(server.to_owned()).or_default())
    }
}

/// A unix socket's path may have the sign, too, and has no server behind it.
fn server(client: &str) -> &str {
    client.rsplit_once('@').filter(|_| !client.starts_with("unix:")).map_or("", |(_, server)| server)
}
