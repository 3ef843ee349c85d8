//! A server at one moment: which run of it this is, and how often it has run each command. All of it comes from one
//! `INFO all`, so nothing happens between its parts.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::process;

use redis::{ConnectionLike, RedisResult};

use super::engine::{self, ServerInfo};
use crate::core::capture::Event;

/// What `INFO all` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// What the server is.
    pub info: ServerInfo,
    /// A word that each start of a server makes anew.
    pub run: String,
    /// Whether it copies another server.
    pub is_replica: bool,
    /// The name of what its data went through, and the one that name took the place of when it last was made a primary.
    pub history: [String; 2],
    /// When that was, by its clock, in microseconds.
    pub time: Option<u64>,
    /// How many clients wait in a command that blocks.
    pub blocked: u64,
    /// How many clients are connected, and how many connections it has taken since its start.
    pub clients: u64,
    /// See there.
    pub received: u64,
    /// How many libraries of functions it has, where it tells: Redis 7 and later, and Valkey.
    pub libraries: Option<u64>,
    /// How many of the commands failed that load one, where it tells.
    pub failed_loads: Option<u64>,
    /// How often each command ran, by its name in small letters, a subcommand's after a bar.
    pub calls: BTreeMap<String, u64>,
}

impl Snapshot {
    /// How often a command has run.
    pub fn ran(&self, name: &str) -> u64 {
        self.calls.get(name).copied().unwrap_or_default()
    }

    /// Asks a server; with a mark, in words that are no other asker's.
    pub fn take(connection: &mut impl ConnectionLike, mark: Option<&str>) -> RedisResult<Self> {
        let text: String = redis::cmd(QUESTION[0]).arg(QUESTION[1]).arg(mark).query(connection)?;
        Ok(Self::parse(&text))
    }

    /// Whether it was a replica since then and was made a primary again: that alone keeps the name that was before.
    pub fn was_replica_since(&self, before: &Self) -> bool {
        let [name, past] = &self.history;
        let is_promoted = past.bytes().any(|byte| byte != b'0');
        self.run == before.run && !self.is_replica && is_promoted && *name != before.history[0]
    }

    /// Whether it counts all subcommands of a command as one, as Redis before 7 does.
    pub fn has_whole_containers(&self) -> bool {
        self.info.is_redis_before_7()
    }

    /// How many connections have ended since then.
    pub fn gone_since(&self, before: &Self) -> u64 {
        let came = self.received.saturating_sub(before.received);
        before.clients.saturating_add(came).saturating_sub(self.clients)
    }

    /// Reads what the server answered.
    pub(in crate::native) fn parse(text: &str) -> Self {
        let fields = || text.lines().filter_map(|line| line.trim_end().split_once(':'));
        let field = |name| fields().find_map(|(key, value)| (key == name).then_some(value)).unwrap_or_default();
        let part = |value: &str, name: &str| value.split(',').find_map(|part| part.strip_prefix(name)?.parse().ok());
        let calls = fields().filter_map(|(key, value)| {
            let name = key.strip_prefix("cmdstat_")?;
            Some((name.to_ascii_lowercase(), part(value, "calls=")?))
        });
        let loads = field("cmdstat_function|load");
        Self {
            info: engine::parse(text),
            run: field("run_id").to_owned(),
            is_replica: field("role") == "slave",
            history: ["master_replid", "master_replid2"].map(|name| field(name).to_owned()),
            time: field("server_time_usec").parse().ok(),
            blocked: field("blocked_clients").parse().unwrap_or_default(),
            clients: field("connected_clients").parse().unwrap_or_default(),
            received: field("total_connections_received").parse().unwrap_or_default(),
            libraries: field("number_of_libraries").parse().ok(),
            failed_loads: if loads.is_empty() { Some(0) } else { part(loads, "failed_calls=") },
            calls: calls.collect(),
        }
    }
}

/// The command that asks for it.
pub const QUESTION: [&str; 2] = ["INFO", "all"];

/// A word of an asker's own behind the question, where MONITOR gives all clients one name: a section that no server has, so that it
/// says nothing of it. Seen so on Valkey 8.0.1 and 9.1.2; a Redis before 7 takes no second section.
pub(in crate::native) fn mark() -> String {
    // The standard library's hasher is keyed at random.
    format!("{MARK}{:016x}", RandomState::new().hash_one(process::id()))
}

const MARK: &str = "emq-";

/// Whether a command asks for it, in these very words, with a mark or without.
pub(in crate::native) fn is_question(event: &Event) -> bool {
    let args = event.args();
    let is_marked = |rest: &[&[u8]]| rest.is_empty() || (rest.len() == 1 && rest[0].starts_with(MARK.as_bytes()));
    args.split_at_checked(QUESTION.len())
        .is_some_and(|(asked, rest)| asked == QUESTION.map(str::as_bytes) && is_marked(rest))
}

#[cfg(test)]
mod tests {
    use super::Snapshot;

    #[test]
    fn counts_are_read_whatever_stands_around_them() {
        let text = "# Server\r\nvalkey_version:8.0.1\r\nrun_id:abc\r\nserver_time_usec:17\r\n# Clients\r\nblocked_clients:2\r\n# Replication\r\n\
            role:slave\r\n# Commandstats\r\ncmdstat_config|get:calls=3,usec=1\r\ncmdstat_get:calls=x,usec=1\r\n\
            cmdstat_set:usec=1,calls=7\r\ncmdstat_\r\n\
            cmdstat_function|load:calls=5,usec=9,rejected_calls=2,failed_calls=3\r\n";
        let snapshot = Snapshot::parse(text);
        assert_eq!((snapshot.run.as_str(), snapshot.is_replica, snapshot.blocked), ("abc", true, 2));
        assert_eq!(
            (snapshot.time, snapshot.failed_loads, Snapshot::parse("").failed_loads),
            (Some(17), Some(3), Some(0))
        );
        assert_eq!(
            snapshot.calls.into_iter().collect::<Vec<_>>(),
            [("config|get".to_owned(), 3), ("function|load".to_owned(), 5), ("set".to_owned(), 7)]
        );
    }
}
