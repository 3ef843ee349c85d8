//! Slots that come to a node as a whole (`CLUSTER MIGRATESLOTS` of Valkey 9): their keys, and what is done to them meanwhile, come as
//! ordinary commands of a connection that the node they leave has opened, and MONITOR shows it as any client.
//!
//! It gives itself away: it selects a database and goes on, without ASKING, with a key that its node does not serve. Of a client
//! the node would run no such command. As seen on Valkey 9.1.2.

use std::collections::BTreeMap;

use crate::core::capture::{Event, Origin};
use crate::core::commands::operand_keys;

/// Connections that bring slots to a node.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Who has selected a database, and done nothing since; and as the how many-th.
    selected: BTreeMap<String, u64>,
    selects: u64,
    /// Who brings keys, and how many commands it was so far.
    known: BTreeMap<String, u64>,
}

/// No more connections are remembered than these: they are few, and short.
const MOST: usize = 1000;

/// What is known of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brings {
    /// A client's.
    Nothing,
    /// It brings a key.
    Keys,
    /// A client's; so many of its commands before were taken for something else: the slot had come a moment ago, and the cluster's
    /// nodes did not say so yet.
    NothingAfter(u64),
}

impl Imports {
    /// Looks at the next event of the node; `is_home` says of a key whether the node serves it, as that was last seen.
    pub(super) fn look(&mut self, event: &Event, is_home: impl Fn(&[u8]) -> bool) -> Brings {
        let Some(client) = event.client.as_ref().filter(|_| event.origin == Origin::Client) else {
            return Brings::Nothing;
        };
        if event.argv.first().is_some_and(|name| name.as_slice().eq_ignore_ascii_case(b"SELECT")) {
            if let Some(count) = self.known.get_mut(client) {
                return brought(count);
            }
            self.select(client);
            return Brings::Nothing;
        }
        let has_selected = self.selected.remove(client).is_some();
        if !has_selected && !self.known.contains_key(client) {
            return Brings::Nothing;
        }
        let args = event.args();
        let keys = operand_keys(&args).map(|found| found.keys).unwrap_or_default();
        let served = keys.first().map(|key| is_home(args[key.index]));
        let has_room = self.known.len() < MOST;
        match (self.known.get_mut(client), served) {
            (Some(count), Some(false) | None) => brought(count),
            (Some(_), Some(true)) => Brings::NothingAfter(self.known.remove(client).unwrap_or_default()),
            (None, Some(false)) if has_room => {
                self.known.insert(client.clone(), 1);
                Brings::Keys
            }
            (None, _) => Brings::Nothing,
        }
    }

    /// Remembers who has selected a database; of too many, the one that has been silent for the longest has gone.
    fn select(&mut self, client: &str) {
        self.selects += 1;
        self.selected.insert(client.to_owned(), self.selects);
        if self.selected.len() > MOST
            && let Some(first) = self.selected.iter().min_by_key(|(_, at)| **at).map(|(client, _)| client.clone())
        {
            self.selected.remove(&first);
        }
    }
}

fn brought(count: &mut u64) -> Brings {
    *count += 1;
    Brings::Keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::capture::monitor::Reader;

    /// What is known of each of these, of a node that serves what begins with `s`.
    fn look(imports: &mut Imports, commands: &[(&str, &str)]) -> Vec<Brings> {
        let event = |(client, words): &(&str, &str)| {
            let words: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
            let line = format!("1.000000 [0 {client}] {}", words.join(" "));
            Reader::new().line(line.as_bytes()).expect("a line").expect("a command")
        };
        commands.iter().map(|command| imports.look(&event(command), |key| key.starts_with(b"s"))).collect()
    }

    #[test]
    fn who_brings_keys_is_told_from_clients() {
        use Brings::{Keys, Nothing, NothingAfter};
        let commands = [
            ("a:1", "SELECT 0"),
            ("b:1", "SELECT 0"),
            ("c:1", "GET x"),
            ("a:1", "SET x 1"),
            ("b:1", "ASKING"),
            ("b:1", "SET x 1"),
            ("a:1", "MULTI"),
            ("a:1", "SELECT 1"),
            ("a:1", "RPUSH y 1"),
            ("d:1", "SELECT 0"),
            ("d:1", "GET s"),
            ("d:1", "GET x"),
        ];
        let known = look(&mut Imports::default(), &commands);
        let keys = [Nothing, Nothing, Nothing, Keys, Nothing, Nothing, Keys, Keys, Keys, Nothing, Nothing, Nothing];
        assert_eq!(known, keys);
        let mut imports = Imports::default();
        look(&mut imports, &[("a:1", "SELECT 0"), ("a:1", "GET x"), ("a:1", "GET x")]);
        assert_eq!(look(&mut imports, &[("a:1", "GET s"), ("a:1", "GET x")]), [NothingAfter(2), Nothing]);
    }

    #[test]
    fn connections_that_only_select_and_go_are_forgotten_in_time() {
        let mut imports = Imports::default();
        let gone: Vec<String> = (0..MOST + 5).map(|number| format!("g:{number}")).collect();
        let selects: Vec<(&str, &str)> = gone.iter().map(|client| (client.as_str(), "SELECT 0")).collect();
        look(&mut imports, &selects);
        assert_eq!(imports.selected.len(), MOST);
        assert_eq!(look(&mut imports, &[("a:1", "SELECT 0"), ("a:1", "SET x 1")])[1], Brings::Keys);
    }
}
