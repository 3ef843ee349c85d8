//! A server that somebody names, and connections to it.

use std::time::Duration;

use redis::{Client, Connection, ConnectionAddr, RedisResult};

use super::private::PrivateServer;
use super::trouble::Trouble;
use super::url::{self, Access, UrlError};

/// A server to connect to.
#[derive(Clone, Debug)]
pub struct Target {
    client: Client,
    shown: String,
    /// How long a connection may wait for an answer.
    patience: Duration,
}

impl Target {
    /// The server that `url` names; no connection is made yet.
    pub fn parse(url: &str, access: Access, patience: Duration) -> Result<Self, UrlError> {
        Ok(Self { client: url::client(url, access)?, shown: url::redacted(url), patience })
    }

    /// The private server.
    pub fn private(server: &PrivateServer, patience: Duration) -> Result<Self, UrlError> {
        Self::parse(&server.url(), Access::default(), patience)
    }

    /// The same server, with another limit on how long an answer may take.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The URL without its password.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The database the URL names.
    pub fn db(&self) -> i64 {
        self.client.get_connection_info().redis_settings().db()
    }

    /// Whether all clients of the server come from one address: MONITOR names the socket, not the client.
    pub fn is_unix_socket(&self) -> bool {
        matches!(self.client.get_connection_info().addr(), ConnectionAddr::Unix(_))
    }

    /// A new connection, authenticated and answering.
    pub fn connect(&self) -> Result<Connection, Trouble> {
        let mut connection = self.client.get_connection_with_timeout(self.patience).map_err(self.trouble("connect"))?;
        connection.set_read_timeout(Some(self.patience)).map_err(self.trouble("connect"))?;
        redis::cmd("PING").exec(&mut connection).map_err(self.trouble("connect"))?;
        Ok(connection)
    }

    /// A new connection and its address as the server sees it, which is how MONITOR names it.
    pub fn connect_named(&self) -> Result<(Connection, String), Trouble> {
        let mut connection = self.connect()?;
        let address =
            client_address(&mut connection).map_err(self.trouble("ask for this connection's address (CLIENT INFO)"))?;
        Ok((connection, address))
    }

    /// Turns an error of this server into one that says where and what to do.
    pub fn trouble(&self, tried: impl Into<String>) -> impl FnOnce(redis::RedisError) -> Trouble {
        let (tried, server) = (tried.into(), self.shown.clone());
        move |cause| Trouble { tried, server, cause }
    }
}

/// The address that the server sees for a connection. A unix socket's clients all have the socket's path, which MONITOR writes as `unix:path`.
fn client_address(connection: &mut Connection) -> RedisResult<String> {
    let info: String = redis::cmd("CLIENT").arg("INFO").query(connection)?;
    let address = info.split(' ').find_map(|field| field.strip_prefix("addr=")).unwrap_or_default();
    Ok(match address.strip_suffix(":0") {
        Some(path) if path.starts_with('/') => format!("unix:{path}"),
        _ => address.to_owned(),
    })
}
