//! Answers of a private server during a replay: a refusal is an answer too, a connection that breaks is the end.

use std::fmt::Display;
use std::time::Duration;

use redis::RedisResult;

/// How long one script may run: a capture may come from anywhere, and a script in it may never end.
pub(super) const LONGEST_CALL: Duration = Duration::from_secs(5);

/// Why a replay cannot go on.
pub(super) struct Broken(pub(super) String);

/// A command of a capture.
pub(super) fn cmd(args: &[&[u8]]) -> redis::Cmd {
    args.iter().fold(redis::Cmd::new(), |mut command, arg| {
        command.arg(arg);
        command
    })
}

/// What the server said where it refused.
pub(super) fn answer<T>(outcome: RedisResult<T>) -> Result<Option<String>, Broken> {
    match outcome {
        Ok(_) => Ok(None),
        Err(error) if error.is_timeout() => {
            Err(Broken(format!("the server did not answer within {} s; a script may not end", LONGEST_CALL.as_secs())))
        }
        Err(error) if error.is_io_error() || error.is_connection_dropped() => Err(broken(error)),
        Err(error) => {
            // As the server wrote it, not as the client library names it.
            let words = [error.code(), error.detail()].into_iter().flatten().collect::<Vec<_>>();
            Ok(Some(if words.is_empty() { error.to_string() } else { words.join(" ") }))
        }
    }
}

/// A connection that broke.
pub(super) fn broken(error: impl Display) -> Broken {
    Broken(format!("the connection to the private server broke: {error}"))
}
