//! A connection that can remember what it sent.
//!
//! On a unix socket MONITOR gives every client the same name, so what we sent is the only way to know our own lines.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use redis::{Connection, ConnectionLike, RedisResult, Value};

/// Commands in the order they were sent, as the bytes that went over the wire.
#[derive(Clone, Debug, Default)]
pub struct Sent(Arc<Mutex<VecDeque<Vec<u8>>>>);

impl Sent {
    /// Whether every command that was sent was taken off.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Takes the oldest command off if it is this one.
    pub fn take(&self, command: &[u8]) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_next = sent.front().is_some_and(|next| next == command);
        if is_next {
            sent.pop_front();
        }
        is_next
    }

    /// Forgets the newest of these commands: the server has refused it, and does not show it.
    fn withdraw(&self, command: &[u8]) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = sent.iter().rposition(|one| one == command) {
            sent.remove(at);
        }
    }

    fn add(&self, command: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(command.to_vec());
    }
}

/// A connection, and where it writes down what it sends.
pub struct Link {
    connection: Connection,
    sent: Option<Sent>,
}

impl Link {
    /// A connection that writes down what it sends.
    pub fn remembering(connection: Connection, sent: &Sent) -> Self {
        Self { connection, sent: Some(sent.clone()) }
    }

    /// The connection itself, for a command that MONITOR never shows.
    pub fn unseen(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn note(&self, commands: &[u8]) {
        if let Some(sent) = &self.sent {
            sent.add(commands);
        }
    }
}

impl From<Connection> for Link {
    fn from(connection: Connection) -> Self {
        Self { connection, sent: None }
    }
}

impl ConnectionLike for Link {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        self.note(command);
        let answer = self.connection.req_packed_command(command);
        let refusal = match &answer {
            Ok(Value::ServerError(error)) => Some((error.code(), error.details())),
            Err(error) => error.code().map(|code| (code, error.detail())),
            Ok(_) => None,
        };
        if let (Some(sent), Some((code, detail))) = (&self.sent, refusal)
            && is_not_run(code, detail.unwrap_or_default())
        {
            sent.withdraw(command);
        }
        answer
    }

    fn req_packed_commands(&mut self, commands: &[u8], offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        self.note(commands);
        self.connection.req_packed_commands(commands, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.connection.get_db()
    }

    fn check_connection(&mut self) -> bool {
        self.connection.check_connection()
    }

    fn is_open(&self) -> bool {
        self.connection.is_open()
    }
}

/// Whether a server that says this has not run the command at all, and so does not show it. Source: `processCommand` of Valkey 8 and 9.
fn is_not_run(code: &str, detail: &str) -> bool {
    const CODES: [&str; 14] = [
        "ASK",
        "BUSY",
        "CLUSTERDOWN",
        "CROSSSLOT",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "MOVED",
        "NOAUTH",
        "NOPERM",
        "NOREPLICAS",
        "OOM",
        "READONLY",
        "TRYAGAIN",
    ];
    // Redis before 7 runs a command whose subcommand it does not know, and writes that with a capital.
    let starts = ["unknown command", "unknown subcommand", "wrong number of arguments"];
    CODES.contains(&code) || (code == "ERR" && starts.iter().any(|start| detail.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_waited_for_no_more() {
        let sent = Sent::default();
        for command in ["a", "b", "a"] {
            sent.add(command.as_bytes());
        }
        sent.withdraw(b"a");
        assert!(!sent.take(b"b") && sent.take(b"a") && sent.take(b"b") && sent.is_empty());
        sent.withdraw(b"a");
    }

    #[test]
    fn a_refusal_is_told_from_a_command_that_fails() {
        for (code, detail) in [
            ("BUSY", "Valkey is busy running a script."),
            ("NOPERM", "User x has no permissions to run the 'hget' command"),
            ("ERR", "unknown subcommand 'SHOW'. Try SCRIPT HELP."),
        ] {
            assert!(is_not_run(code, detail), "{code} {detail}");
        }
        for (code, detail) in [
            ("WRONGTYPE", "Operation against a key holding the wrong kind of value"),
            ("NOSCRIPT", "No matching script."),
            ("ERR", "Unknown subcommand or wrong number of arguments for 'SHOW'. Try SCRIPT HELP."),
        ] {
            assert!(!is_not_run(code, detail), "{code} {detail}");
        }
    }
}
