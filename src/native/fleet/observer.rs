//! Looks where a job is, over a connection that is no part of the traffic.

use std::time::{Duration, Instant};

use redis::{Connection, ErrorKind, FromRedisValue, RedisResult};

use super::adapter::Deadline;
use super::talk::Setting;
use crate::core::fleet::adapter::MOST_LINE;
use crate::core::fleet::places::{Lock, Places};
use crate::core::fleet::trip::{Locked, Observation};
use crate::core::profile::Profile;
use crate::native::server::{Target, Trouble};

/// Who looks.
pub(super) struct Observer {
    /// A connection of its own; none once the server has not answered on it.
    connection: Option<Connection>,
    /// Its address, by which its commands are told from the traffic.
    pub(super) address: String,
    profile: &'static Profile,
    places: Places,
    deadline: Option<Deadline>,
}

/// How often an id is counted in one list, at most.
const MOST_TIMES: &str = "100";

/// A moment after a pair's end in which somebody still looks how things stand.
const MOMENT: Duration = Duration::from_secs(1);

impl Observer {
    /// Connects.
    pub(super) fn open(target: &Target, profile: &'static Profile, places: Places) -> Result<Self, Trouble> {
        let (connection, client) = target.connect_known()?;
        Ok(Self { connection: Some(connection), address: client.address, profile, places, deadline: None })
    }

    /// Where a job is; nothing where the server does not say, or not in time. Whoever is silent once is not asked again.
    pub(super) fn look(&mut self, setting: &Setting<'_>, job: &str) -> Option<Observation> {
        self.deadline = Some(setting.deadline.clone());
        self.whereabouts(setting.queue, job).ok()
    }

    /// How many jobs wait or are held.
    pub(super) fn left(&mut self, setting: &Setting<'_>) -> Option<u64> {
        self.deadline = Some(setting.deadline.clone());
        let queue = setting.queue;
        let waiting = self.count(&self.profile.queue_key(queue, self.places.waiting)).ok()?;
        Some(waiting + self.count(&self.profile.queue_key(queue, self.places.active)).ok()?)
    }

    /// How long the next answer may take: as long as an adapter's, and no longer than a moment beyond the pair's end.
    fn time(&self) -> Option<Duration> {
        let deadline = self.deadline.as_ref()?;
        let rest = (deadline.end + MOMENT).saturating_duration_since(Instant::now());
        let time = deadline.answer.min(rest);
        (!time.is_zero() && deadline.stop.asked().is_none()).then_some(time)
    }

    fn whereabouts(&mut self, queue: &str, job: &str) -> RedisResult<Observation> {
        let row = self.profile.job_key(queue, job, None);
        let kind = self.kind(&row)?;
        let (payload, beyond) = if kind == "hash" { self.payload(&row)? } else { (None, None) };
        let active = self.profile.queue_key(queue, self.places.active);
        Ok(Observation {
            row: kind == "hash",
            payload,
            beyond,
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

    /// What lies in the row's field, or how long it is where that is more than an answer may be: a row has room for far more.
    fn payload(&mut self, row: &str) -> RedisResult<(Option<Vec<u8>>, Option<u64>)> {
        let field = self.places.payload;
        let length: u64 = self.ask(&["HSTRLEN", row, field])?;
        if length > MOST_LINE as u64 {
            return Ok((None, Some(length)));
        }
        Ok((self.ask(&["HGET", row, field])?, None))
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
            "list" => Ok(self.ask::<Vec<u64>>(&["LPOS", key, job, "COUNT", MOST_TIMES])?.len() as u64),
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
        let time = self.time();
        let mut command = redis::cmd(words.first().copied().unwrap_or_default());
        command.arg(words.get(1..).unwrap_or_default());
        let (Some(connection), Some(time)) = (&mut self.connection, time) else {
            return Err((ErrorKind::Io, "the server did not answer before, or there is no time left").into());
        };
        connection.set_read_timeout(Some(time))?;
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
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;
    use crate::core::profile::EMQ_1;
    use crate::native::stop::Stop;

    /// A server that takes its time for every answer: nothing is there.
    fn slow(pause: Duration) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a client");
            let (mut lines, mut answers) = (BufReader::new(stream.try_clone().expect("a stream")).lines(), stream);
            let mut line = || lines.next().and_then(Result::ok);
            while let Some(head) = line() {
                let words: usize = head.trim_start_matches('*').parse().expect("a command");
                let words: Vec<String> = (0..words * 2).map_while(|_| line()).skip(1).step_by(2).collect();
                let answer: &[u8] = match words.first().map(String::as_str) {
                    Some("CLIENT") => b"+OK\r\n",
                    Some("TYPE") => b"+none\r\n",
                    _ => b":-2\r\n",
                };
                thread::sleep(pause);
                if answers.write_all(answer).is_err() {
                    return;
                }
            }
        });
        port
    }

    #[test]
    fn a_look_as_a_whole_ends_a_moment_after_the_pair() {
        let client = redis::Client::open(format!("redis://127.0.0.1:{}", slow(Duration::from_millis(400))));
        let connection = client.expect("an address").get_connection().expect("a connection");
        let places = Places::of(&EMQ_1).expect("places");
        let (address, profile) = (String::new(), &EMQ_1);
        let mut observer = Observer { connection: Some(connection), address, profile, places, deadline: None };
        let setting = |pair| Setting {
            url: "",
            profile: EMQ_1.id,
            queue: "q",
            payloads: &[],
            deadline: Deadline::starting(Duration::from_secs(5), pair, &Stop::default()),
        };
        // It asks five times.
        assert_eq!(observer.look(&setting(Duration::from_secs(60)), "7"), Some(Observation::default()));
        let begin = Instant::now();
        assert_eq!(observer.look(&setting(Duration::from_millis(100)), "7"), None);
        assert!(begin.elapsed() < Duration::from_millis(1_800), "{:?}", begin.elapsed());
        // What was not answered is not asked again.
        assert_eq!(observer.look(&setting(Duration::from_secs(60)), "7"), None);
    }

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
