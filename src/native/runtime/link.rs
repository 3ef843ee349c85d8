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
        self.connection.req_packed_command(command)
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
