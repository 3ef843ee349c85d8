//! A server that somebody names, and connections to it.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::{Client, Connection, ConnectionAddr, ConnectionInfo, RedisError, RedisResult};

use super::grant::Task;
use super::private::PrivateServer;
use super::trouble::Trouble;
use super::url::{self, Access, UrlError};
use crate::core::bytes::shown;

/// A server to connect to.
#[derive(Clone, Debug)]
pub struct Target {
    client: Client,
    shown: String,
    /// How long it may take to connect.
    patience: Duration,
    /// What is done there, for advice.
    task: Task,
}

impl Target {
    /// The server that `url` names; no connection is made yet.
    pub fn parse(url: &str, access: Access, patience: Duration) -> Result<Self, UrlError> {
        Ok(Self { client: url::client(url, access)?, shown: url::redacted(url), patience, task: Task::default() })
    }

    /// The private server.
    pub fn private(server: &PrivateServer, patience: Duration) -> Result<Self, UrlError> {
        Self::parse(&server.url(), Access::default(), patience)
    }

    /// The same server, with another limit on how long it may take to connect.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The same server, for another task than a probe.
    #[must_use]
    pub fn for_task(self, task: Task) -> Self {
        Self { task, ..self }
    }

    /// Another node of the same cluster, reached as this one: with the same login, and TLS where this one has it. Without a host,
    /// it is on the same.
    pub(in crate::native) fn at(&self, host: Option<&str>, port: u16) -> RedisResult<Self> {
        let info = self.client.get_connection_info().clone();
        let host = |own: &String| host.unwrap_or(own).to_owned();
        let (addr, scheme) = match info.addr() {
            ConnectionAddr::TcpTls { host: own, insecure, tls_params, .. } => {
                let (insecure, tls_params) = (*insecure, tls_params.clone());
                (ConnectionAddr::TcpTls { host: host(own), port, insecure, tls_params }, "valkeys")
            }
            ConnectionAddr::Tcp(own, _) => (ConnectionAddr::Tcp(host(own), port), "valkey"),
            _ => (ConnectionAddr::Tcp(host(&"127.0.0.1".to_owned()), port), "valkey"),
        };
        let shown = shown(format!("{scheme}://{addr}").as_bytes()).into_owned();
        let Self { patience, task, .. } = *self;
        Ok(Self { client: Client::open(info.set_addr(addr))?, shown, patience, task })
    }

    /// How long it may take to connect.
    pub(in crate::native) fn patience(&self) -> Duration {
        self.patience
    }

    /// Where it is, and how one logs in.
    pub(super) fn connection_info(&self) -> &ConnectionInfo {
        self.client.get_connection_info()
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

    /// The host and the port, where it has them.
    pub fn host_and_port(&self) -> Option<(String, u16)> {
        match self.client.get_connection_info().addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => Some((host.clone(), *port)),
            _ => None,
        }
    }

    /// A new connection, authenticated and answering.
    ///
    /// From here on an answer may take as long as it takes: whoever cannot wait does so in another thread. A limit on the
    /// connection would have a signal end its wait for an answer, and then nobody knew what the server did.
    pub fn connect(&self) -> Result<Connection, Trouble> {
        let end = Instant::now() + self.patience;
        loop {
            match self.try_to_connect(end.saturating_duration_since(Instant::now())) {
                Err(error) if was_interrupted(&error) && Instant::now() < end => {}
                outcome => return outcome.map_err(self.trouble("connect")),
            }
        }
    }

    fn try_to_connect(&self, patience: Duration) -> RedisResult<Connection> {
        let patience = patience.max(Duration::from_millis(1));
        let mut connection = self.client.get_connection_with_timeout(patience)?;
        connection.set_read_timeout(Some(patience))?;
        redis::cmd("PING").exec(&mut connection)?;
        connection.set_read_timeout(None)?;
        Ok(connection)
    }

    /// A new connection and its address as the server sees it, which is how MONITOR names it.
    pub fn connect_named(&self) -> Result<(Connection, String), Trouble> {
        let (connection, client) = self.connect_known()?;
        Ok((connection, client.address))
    }

    /// A new connection, and how the server knows it.
    pub fn connect_known(&self) -> Result<(Connection, ClientName), Trouble> {
        let end = Instant::now() + self.patience;
        loop {
            let mut connection = self.connect()?;
            match self.ask_name(&mut connection) {
                Err(trouble) if was_interrupted(&trouble.cause) && Instant::now() < end => {}
                outcome => return outcome.map(|client| (connection, client)),
            }
        }
    }

    /// How the server knows a connection.
    pub(in crate::native) fn ask_name(&self, connection: &mut Connection) -> Result<ClientName, Trouble> {
        let ask = |connection: &mut Connection| redis::cmd("CLIENT").arg("INFO").query::<String>(connection);
        let info = self.within_patience(connection, ask);
        let info = info.map_err(self.trouble("ask for this connection's address (CLIENT INFO)"))?;
        Ok(ClientName::parse(&info))
    }

    /// A new connection for a few short questions: no answer may take longer than connecting may.
    pub(in crate::native) fn connect_briefly(&self) -> Result<Connection, Trouble> {
        let connection = self.connect()?;
        connection.set_read_timeout(Some(self.patience)).map_err(self.trouble("connect"))?;
        Ok(connection)
    }

    /// What `ask` gives, when the answer comes within the time that connecting may take.
    pub(in crate::native) fn within_patience<T>(
        &self,
        connection: &mut Connection,
        ask: impl FnOnce(&mut Connection) -> RedisResult<T>,
    ) -> RedisResult<T> {
        connection.set_read_timeout(Some(self.patience))?;
        let answer = ask(connection);
        connection.set_read_timeout(None)?;
        answer
    }

    /// The commands that [`connect`](Self::connect) sends, as the server counts them, in order.
    pub(in crate::native) fn greeting(&self) -> Vec<&'static str> {
        let settings = self.client.get_connection_info().redis_settings();
        let login = settings.password().map(|_| "auth");
        let select = (settings.db() != 0).then_some("select");
        login.into_iter().chain(select).chain(["ping"]).collect()
    }

    /// Turns an error of this server into one that says where and what to do.
    pub fn trouble(&self, tried: impl Into<String>) -> impl FnOnce(redis::RedisError) -> Trouble {
        let (tried, server, task) = (tried.into(), self.shown.clone(), self.task);
        move |cause| Trouble { tried, server, task, cause }
    }
}

/// Whether a signal ended a wait.
pub(in crate::native) fn was_interrupted(error: &RedisError) -> bool {
    io_kind(error) == Some(io::ErrorKind::Interrupted)
}

/// What the system said, where it was the system that failed.
pub(in crate::native) fn io_kind(error: &RedisError) -> Option<io::ErrorKind> {
    // The client library shares its causes.
    let shared = error.source().and_then(|cause| cause.downcast_ref::<Arc<dyn Error + Send + Sync>>());
    shared.and_then(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind)
}

/// How a server knows a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientName {
    /// Its number, for CLIENT KILL.
    pub id: String,
    /// Its address, as MONITOR writes it.
    pub address: String,
}

/// A field of what CLIENT INFO or a line of CLIENT LIST tells of a connection, by its name with `=`.
pub(in crate::native) fn client_field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    line.split([' ', '\n']).find_map(|field| field.strip_prefix(name))
}

impl ClientName {
    /// A unix socket's clients all have the socket's path, which MONITOR writes as `unix:path`.
    pub(in crate::native) fn parse(info: &str) -> Self {
        let address = client_field(info, "addr=").unwrap_or_default();
        let address = match address.strip_suffix(":0") {
            Some(path) if path.starts_with('/') => format!("unix:{path}"),
            _ => address.to_owned(),
        };
        Self { id: client_field(info, "id=").unwrap_or_default().to_owned(), address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_a_signal_ended_is_known() {
        let error = |kind| RedisError::from(io::Error::from(kind));
        assert!(was_interrupted(&error(io::ErrorKind::Interrupted)));
        assert!(!was_interrupted(&error(io::ErrorKind::TimedOut)));
    }

    #[test]
    fn a_client_is_known_by_its_number_and_by_what_monitor_calls_it() {
        let client = |info| {
            let ClientName { id, address } = ClientName::parse(info);
            (id, address)
        };
        assert_eq!(client("id=7 addr=127.0.0.1:5 laddr=127.0.0.1:6379 name=id=8"), ("7".into(), "127.0.0.1:5".into()));
        assert_eq!(client("id=7 addr=/tmp/v.sock:0 fd=9\n"), ("7".into(), "unix:/tmp/v.sock".into()));
    }
}
