//! Why a recording ended early, or never began.

use std::io;
use std::time::Duration;

use crate::native::server::Trouble;

/// A recording without its proper end. What was recorded before is in its file all the same.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The server cannot be used.
    #[error(transparent)]
    Server(#[from] Trouble),
    /// It does not answer.
    #[error("{server} did not answer within {} s; --timeout gives it longer", .waited.as_secs_f64())]
    Silent {
        /// The server.
        server: String,
        /// How long it had.
        waited: Duration,
    },
    /// The connection broke and could not be made again.
    #[error("the recording broke off and could not go on within {} s: {trouble}", .waited.as_secs_f64())]
    GaveUp {
        /// What the last try came to.
        trouble: Trouble,
        /// How long it was tried.
        waited: Duration,
    },
    /// A server could not be heard to the end.
    #[error(
        "the end of the recording could not be compared with the server's counts; what was recorded before can be read"
    )]
    Uncompared,
    /// The file takes no more.
    #[error("cannot write the recording: {0}; what was written before can be read")]
    Write(io::Error),
    /// Somebody asked to stop before anything was recorded.
    #[error("stopped before anything was recorded")]
    StoppedBefore,
}
