//! Looks where a job is, over a connection that is no part of the traffic.

use std::time::{Duration, Instant};

use redis::{Connection, ErrorKind, FromRedisValue, RedisResult};

use super::talk::Setting;
use crate::core::fleet::places::{Lock, Places};
use crate::core::fleet::trip::{Locked, Look};
use crate::core::profile::Profile;
use crate::native::server::{Target, Trouble};

/// Who looks.
pub(super) struct Looker {
    /// A connection of its own; none once the server has not answered on it.
    connection: Option<Connection>,
    /// Its address, by which its commands are told from the traffic.
    pub(super) address: String,
    profile: &'static Profile,
    places: Places,
}

impl Looker {
    /// Connects.
    pub(super) fn open(target: &Target, profile: &'static Profile, places: Places) -> Result<Self, Trouble> {
        let (connection, client) = target.connect_known()?;
        Ok(Self { connection: Some(connection), address: client.address, profile, places })
    }

    /// Where a job is; nothing where the server does not say, or not in time. Whoever is silent once is not asked again.
    pub(super) fn look(&mut self, setting: &Setting<'_>, job: &str) -> Option<Look> {
        self.hurry(setting)?;
        self.whereabouts(setting.queue, job).ok()
    }

    /// How many jobs wait or are held.
    pub(super) fn left(&mut self, setting: &Setting<'_>) -> Option<u64> {
        self.hurry(setting)?;
        let queue = setting.queue;
        let waiting = self.count(&self.profile.queue_key(queue, self.places.waiting)).ok()?;
        Some(waiting + self.count(&self.profile.queue_key(queue, self.places.active)).ok()?)
    }

    /// An answer may take as long as an adapter's, and no longer than the pair has; at its end there is still a moment.
    fn hurry(&mut self, setting: &Setting<'_>) -> Option<()> {
        const LEAST: Duration = Duration::from_secs(1);
        let patience = &setting.patience;
        let rest = patience.end.saturating_duration_since(Instant::now());
        let time = patience.answer.min(rest).max(LEAST);
        self.connection.as_mut()?.set_read_timeout(Some(time)).ok()
    }

    fn whereabouts(&mut self, queue: &str, job: &str) -> RedisResult<Look> {
        let row = self.profile.job_key(queue, job, None);
        let kind = self.kind(&row)?;
        let payload = if kind == "hash" { self.ask(&["HGET", &row, self.places.payload])? } else { None };
        let active = self.profile.queue_key(queue, self.places.active);
        Ok(Look {
            row: kind == "hash",
            payload,
            completed: match self.places.completed() {
                Some(kind) => self.times(&self.profile.queue_key(queue, kind), job)? > 0,
                None => false,
            },
            waiting: self.times(&self.profile.queue_key(queue, self.places.waiting), job)?,
            active: self.times(&active, job)?,
            lock: match self.places.lock {
                Lock::Key(subkey) => self.lock_key(&self.profile.job_key(queue, job, Some(subkey)))?,
                Lock::Score => self.lease(&active, job)?,
            },
        })
    }

    fn lock_key(&mut self, key: &str) -> RedisResult<Locked> {
        let left: i64 = self.ask(&["PTTL", key])?;
        Ok(match left {
            -2 => Locked::No,
            -1 => Locked::Ever,
            left => Locked::For(u64::try_from(left).unwrap_or_default()),
        })
    }

    fn lease(&mut self, active: &str, job: &str) -> RedisResult<Locked> {
        if self.kind(active)? != "zset" {
            return Ok(Locked::No);
        }
        let end: Option<String> = self.ask(&["ZSCORE", active, job])?;
        let (seconds, micros): (u64, u64) = self.ask(&["TIME"])?;
        let now = seconds * 1000 + micros / 1000;
        Ok(end.map_or(Locked::No, |end| until(&end, now)))
    }

    /// How often a key of any kind holds a job's id.
    fn times(&mut self, key: &str, job: &str) -> RedisResult<u64> {
        match self.kind(key)?.as_str() {
            "list" => Ok(self.ask::<Vec<u64>>(&["LPOS", key, job, "COUNT", "0"])?.len() as u64),
            "zset" => Ok(u64::from(self.ask::<Option<String>>(&["ZSCORE", key, job])?.is_some())),
            "set" => self.ask(&["SISMEMBER", key, job]),
            _ => Ok(0),
        }
    }

    fn count(&mut self, key: &str) -> RedisResult<u64> {
        match self.kind(key)?.as_str() {
            "list" => self.ask(&["LLEN", key]),
            "zset" => self.ask(&["ZCARD", key]),
            "set" => self.ask(&["SCARD", key]),
            _ => Ok(0),
        }
    }

    fn kind(&mut self, key: &str) -> RedisResult<String> {
        self.ask(&["TYPE", key])
    }

    fn ask<T: FromRedisValue>(&mut self, words: &[&str]) -> RedisResult<T> {
        let mut command = redis::cmd(words.first().copied().unwrap_or_default());
        command.arg(words.get(1..).unwrap_or_default());
        let Some(connection) = &mut self.connection else {
            return Err((ErrorKind::Io, "the server did not answer before").into());
        };
        let answer = command.query(connection);
        // What the server refuses it has answered; after anything else an answer may still be on its way.
        if answer.as_ref().is_err_and(|error: &redis::RedisError| error.code().is_none()) {
            self.connection = None;
        }
        answer
    }
}

/// How a lease that ends at a score is held, by the clock of the server.
fn until(end: &str, now: u64) -> Locked {
    if end == "inf" {
        return Locked::Ever;
    }
    let end = end.split('.').next().and_then(|end| end.parse::<u64>().ok());
    end.filter(|&end| end > now).map_or(Locked::No, |end| Locked::For(end - now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_ends_after_now_or_never() {
        for (end, locked) in [
            ("2000", Locked::For(1000)),
            ("2000.5", Locked::For(1000)),
            ("1000", Locked::No),
            ("0", Locked::No),
            ("-inf", Locked::No),
            ("inf", Locked::Ever),
        ] {
            assert_eq!(until(end, 1000), locked, "{end}");
        }
    }
}
