//! A slot that goes to another node of its cluster while a probe is at work there.
//!
//! The probe does not go on elsewhere: its recording would not show what came before. But what it made is removed
//! wherever it is by then.

use redis::{Cmd, Connection, FromRedisValue, RedisError, RedisResult};

use super::error::ProbeError;
use crate::native::server::Target;

/// An error that says that a node does not serve a slot, or not alone.
pub(super) fn is_one(error: &RedisError) -> bool {
    matches!(error.code(), Some("MOVED" | "ASK" | "TRYAGAIN"))
}

/// A probe's error as what it is where the queue's slot moved.
pub(super) fn named(error: ProbeError, queue: &str) -> ProbeError {
    match error {
        ProbeError::Server(trouble) if is_one(&trouble.cause) => {
            let to = trouble.cause.redirect_node().map(|(node, _)| format!(" ({node})"));
            let (queue, to, server) = (queue.to_owned(), to.unwrap_or_default(), trouble.server);
            ProbeError::SlotMoved { queue, to, server }
        }
        error => error,
    }
}

/// A connection that goes where it is sent.
pub(super) struct Follower {
    target: Target,
    connection: Connection,
}

/// No more than so many nodes send one command on.
const HOPS: usize = 4;

impl Follower {
    pub(super) fn new(target: Target, connection: Connection) -> Self {
        Self { target, connection }
    }

    /// Runs a command where its key is.
    pub(super) fn query<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        for _ in 0..HOPS {
            match command.query(&mut self.connection) {
                Err(error) if error.code() == Some("MOVED") => {
                    (self.target, self.connection) = self.elsewhere(error)?;
                }
                Err(error) if error.code() == Some("ASK") => {
                    let (_, mut there) = self.elsewhere(error)?;
                    redis::cmd("ASKING").exec(&mut there)?;
                    return command.query(&mut there);
                }
                outcome => return outcome,
            }
        }
        command.query(&mut self.connection)
    }

    fn elsewhere(&self, error: RedisError) -> RedisResult<(Target, Connection)> {
        let place = error.redirect_node().and_then(|(node, _)| {
            let (host, port) = node.rsplit_once(':')?;
            Some((Some(host).filter(|host| !host.is_empty()), port.parse().ok()?))
        });
        let Some((host, port)) = place else { return Err(error) };
        let target = self.target.at(host, port)?;
        let connection = target.connect().map_err(|trouble| trouble.cause)?;
        Ok((target, connection))
    }
}
