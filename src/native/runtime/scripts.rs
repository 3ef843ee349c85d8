//! The script set of the reference probe runtime: strict, so every key a script touches is one of its KEYS.
//!
//! A file is named `<name>-<number of keys>.lua` and opens with a header that lists KEYS and ARGV.

use std::collections::HashSet;

use redis::{ConnectionLike, RedisResult, Value};

/// One script of the set.
#[derive(Debug)]
pub struct Script {
    /// What it does, in one word.
    pub name: &'static str,
    /// How many keys a call declares.
    pub keys: usize,
    /// Its text.
    pub source: &'static str,
}

macro_rules! script {
    ($name:literal, $keys:literal) => {
        script!("", $name, $keys)
    };
    ($folder:literal, $name:literal, $keys:literal) => {
        Script {
            name: $name,
            keys: $keys,
            source: include_str!(concat!("../../../fixtures/scripts/", $folder, $name, "-", $keys, ".lua")),
        }
    };
}

/// Puts a new job in the queue.
pub static ADD: Script = script!("add", 2);
/// Takes the next job.
pub static CLAIM: Script = script!("claim", 4);
/// Ends a job.
pub static COMPLETE: Script = script!("complete", 4);
/// Puts a job that failed back.
pub static RETRY: Script = script!("retry", 4);
/// Gives a worker more time.
pub static EXTEND_LOCK: Script = script!("extend-lock", 1);
/// Puts a job of a dead worker back.
pub static RECOVER: Script = script!("recover", 4);

/// The whole set for `emq.1`.
pub static ALL: [&Script; 6] = [&ADD, &CLAIM, &COMPLETE, &RETRY, &EXTEND_LOCK, &RECOVER];

/// [`ADD`] for `echomq-2.x`.
pub static ADD_2X: Script = script!("echomq-2.x/", "add", 2);
/// [`CLAIM`] for `echomq-2.x`.
pub static CLAIM_2X: Script = script!("echomq-2.x/", "claim", 3);
/// [`COMPLETE`] for `echomq-2.x`.
pub static COMPLETE_2X: Script = script!("echomq-2.x/", "complete", 2);

/// The whole set for `echomq-2.x`.
pub static ALL_2X: [&Script; 3] = [&ADD_2X, &CLAIM_2X, &COMPLETE_2X];

impl Script {
    /// The SHA-1 that EVALSHA calls it by.
    pub fn sha1(&self) -> String {
        sha1_smol::Sha1::from(self.source).digest().to_string()
    }

    /// The commands it calls, in the order of its text.
    ///
    /// ```
    /// use echomq_conformance::native::runtime::scripts;
    /// assert_eq!(scripts::ADD.commands(), ["EXISTS", "HSET", "LPUSH"]);
    /// ```
    pub fn commands(&self) -> Vec<&'static str> {
        let calls = self.source.split("redis.call('").skip(1).filter_map(|rest| rest.split('\'').next());
        let mut commands = Vec::new();
        for command in calls {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
        commands
    }
}

/// Calls scripts over one connection.
///
/// The first call of each is an EVAL: a recording then has the source, and the server may evict a script that came this
/// way, so nothing permanent is left in its cache. Later calls send the SHA-1 alone.
#[derive(Debug, Default)]
pub struct Caller {
    sent: HashSet<&'static str>,
}

impl Caller {
    /// Calls `script`. A server that has forgotten it (a restart, SCRIPT FLUSH, eviction) gets the source again.
    ///
    /// # Panics
    /// When `keys` are not as many as the script's file name says: a mistake of the caller, not of the input.
    pub fn call(
        &mut self,
        connection: &mut dyn ConnectionLike,
        script: &'static Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> RedisResult<Value> {
        assert_eq!(keys.len(), script.keys, "{} takes {} keys", script.name, script.keys);
        let command = |verb: &str, body: &str| {
            let mut command = redis::cmd(verb);
            command.arg(body).arg(keys.len()).arg(keys).arg(arguments);
            command
        };
        if self.sent.contains(script.name) {
            match command("EVALSHA", &script.sha1()).query(connection) {
                Err(error) if error.code() == Some("NOSCRIPT") => {}
                outcome => return outcome,
            }
        }
        self.sent.insert(script.name);
        command("EVAL", script.source).query(connection)
    }
}
