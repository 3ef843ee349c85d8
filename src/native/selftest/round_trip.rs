//! The round trip's own check: where the job is between the steps.
//!
//! The tool reads the queue over a connection of its own, which is no part of the recording.

use redis::{Connection, RedisResult};

use super::stage::{JOB, QUEUE};
use crate::native::runtime::keys::QueueKeys;

/// Where the job is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Whereabouts {
    waiting: usize,
    active: usize,
    completed: bool,
    locked: bool,
}

/// Looks for the job.
pub(super) fn look(connection: &mut Connection) -> RedisResult<Whereabouts> {
    let keys = QueueKeys::of(QUEUE);
    let mut ids = |list: &str| redis::cmd("LRANGE").arg(list).arg(0).arg(-1).query(connection);
    let (waiting, active): (Vec<String>, Vec<String>) = (ids(&keys.wait)?, ids(&keys.active)?);
    let score: Option<f64> = redis::cmd("ZSCORE").arg(&keys.completed).arg(JOB).query(connection)?;
    let locked = redis::cmd("EXISTS").arg(keys.lock(JOB)).query(connection)?;
    let times = |ids: &[String]| ids.iter().filter(|id| *id == JOB).count();
    Ok(Whereabouts { waiting: times(&waiting), active: times(&active), completed: score.is_some(), locked })
}

/// Whether the job went the whole way once: waiting, then active and locked, then completed and nothing else.
pub(super) fn holds(after: &[Whereabouts; 3], completions: u32) -> bool {
    let [added, claimed, completed] = after;
    *added == Whereabouts { waiting: 1, ..Whereabouts::default() }
        && *claimed == Whereabouts { active: 1, locked: true, ..Whereabouts::default() }
        && *completed == Whereabouts { completed: true, ..Whereabouts::default() }
        && completions == 1
}
