//! Keys copied aside, to undo what a script did before it was refused.

use redis::{Connection, Value};

use super::answer::{Broken, answer, broken};

/// A key as it was: its serialised value if it existed, and when it expires.
pub(super) struct Aside {
    key: Vec<u8>,
    value: Option<Vec<u8>>,
    /// Milliseconds since 1970; 0 for never.
    expires: i64,
}

impl Aside {
    fn of(key: Vec<u8>, found: &[Value]) -> Self {
        let value = match found.first() {
            Some(Value::BulkString(value)) => Some(value.clone()),
            _ => None,
        };
        let expires = match found.get(1) {
            Some(Value::Int(at)) => (*at).max(0),
            _ => 0,
        };
        Self { key, value, expires }
    }

    /// Copies keys.
    pub(super) fn take(keys: impl IntoIterator<Item = Vec<u8>>, from: &mut Connection) -> Result<Vec<Self>, Broken> {
        let keys: Vec<Vec<u8>> = keys.into_iter().collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut pipe = redis::pipe();
        for key in &keys {
            pipe.cmd("DUMP").arg(key).cmd("PEXPIRETIME").arg(key);
        }
        let found: Vec<Value> = pipe.query(from).map_err(broken)?;
        Ok(keys.into_iter().zip(found.chunks(2)).map(|(key, found)| Self::of(key, found)).collect())
    }

    /// Makes the key what it was.
    pub(super) fn put_back(self, to: &mut Connection) -> Result<(), Broken> {
        let Self { key, value, expires } = self;
        answer(redis::cmd("DEL").arg(&key).query::<Value>(to))?;
        if let Some(value) = value {
            let mut restore = redis::cmd("RESTORE");
            restore.arg(&key).arg(expires).arg(value).arg("ABSTTL");
            answer(restore.query::<Value>(to))?;
        }
        Ok(())
    }
}
