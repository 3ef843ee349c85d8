//! Which engine a server is: its name and version as `INFO server` gives them.

use std::fmt;

use redis::{Connection, RedisResult};

use crate::core::bytes::shown;

/// What a server says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// `valkey` or `redis`.
    pub name: String,
    /// The engine's own version, not the Redis version it is compatible with.
    pub version: String,
    /// The process id the server sees for itself.
    pub pid: Option<u32>,
}

impl ServerInfo {
    /// Whether it is a Redis before 7: that counts all subcommands of a command as one, and takes one section for INFO and no more.
    pub(in crate::native) fn is_redis_before_7(&self) -> bool {
        let major = self.version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        self.name == "redis" && major.is_some_and(|major| major < 7)
    }
}

impl fmt::Display for ServerInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// Asks a server what it is.
pub fn server_info(connection: &mut Connection) -> RedisResult<ServerInfo> {
    let text: String = redis::cmd("INFO").arg("server").query(connection)?;
    Ok(parse(&text))
}

/// Valkey answers `redis_version` too, for the clients that look for it, so its own field comes first.
pub(super) fn parse(info: &str) -> ServerInfo {
    let field = |name: &str| {
        info.lines()
            .filter_map(|line| line.trim_end().split_once(':'))
            .find_map(|(key, value)| (key == name).then(|| shown(value.as_bytes()).into_owned()))
    };
    let (name, version) = match field("valkey_version") {
        Some(version) => ("valkey", version),
        None => ("redis", field("redis_version").unwrap_or_else(|| "unknown".to_owned())),
    };
    ServerInfo {
        name: field("server_name").unwrap_or_else(|| name.to_owned()),
        version,
        pid: field("process_id").and_then(|pid| pid.parse().ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valkey_is_named_by_its_own_version() {
        let info =
            parse("# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\nprocess_id:7\r\n");
        assert_eq!((info.name.as_str(), info.version.as_str(), info.pid), ("valkey", "8.0.1", Some(7)));
    }

    #[test]
    fn redis_has_one_version() {
        let info = parse("# Server\r\nredis_version:7.2.4\r\nprocess_id:x\r\n");
        assert_eq!((info.name.as_str(), info.version.as_str(), info.pid), ("redis", "7.2.4", None));
    }
}
