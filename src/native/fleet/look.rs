//! Looks where a job is, over a connection that is no part of the traffic.

use redis::{Connection, FromRedisValue, RedisResult};

use crate::core::fleet::places::{Lock, Places};
use crate::core::fleet::trip::{Locked, Look};
use crate::core::profile::Profile;

/// Who looks.
pub(super) struct Looker {
    /// A connection of its own.
    pub(super) connection: Connection,
    /// Its address, by which its commands are told from the traffic.
    pub(super) address: String,
    /// The profile.
    pub(super) profile: &'static Profile,
    /// Where its jobs are.
    pub(super) places: Places,
}

impl Looker {
    /// Where a job is; nothing where the server does not say.
    pub(super) fn look(&mut self, queue: &str, job: &str) -> Option<Look> {
        self.whereabouts(queue, job).ok()
    }

    /// How many jobs wait or are held.
    pub(super) fn left(&mut self, queue: &str) -> Option<u64> {
        let waiting = self.count(&self.profile.queue_key(queue, self.places.waiting)).ok()?;
        Some(waiting + self.count(&self.profile.queue_key(queue, self.places.active)).ok()?)
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
        command.arg(words.get(1..).unwrap_or_default()).query(&mut self.connection)
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
