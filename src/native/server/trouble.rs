//! A server that cannot be used: what was tried, what it said, and what to do about it.

use std::fmt;

use redis::{ErrorKind, RedisError};

/// A command or a connection that failed, with the server it was meant for.
#[derive(Debug)]
pub struct Trouble {
    /// What was being done, as in "cannot …".
    pub tried: String,
    /// The server, without its password.
    pub server: String,
    /// What the server or the connection said.
    pub cause: RedisError,
}

impl std::error::Error for Trouble {}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (said, advice) = explain(&self.cause);
        write!(f, "cannot {}: {said}; {}; {advice}", self.tried, self.server)
    }
}

/// What an error of the client library means, and what to do.
fn explain(error: &RedisError) -> (String, &'static str) {
    let text = error.to_string();
    let detail = error.detail().unwrap_or(&text);
    let code = error.code().unwrap_or_default();
    if let Some(advice) = refused(code, detail) {
        return (format!("the server answers \"{code} {detail}\""), advice);
    }
    if error.kind() == ErrorKind::AuthenticationFailed {
        return ("the server refuses the user or the password".into(), "check both; a URL writes them percent-encoded");
    }
    if error.is_timeout() {
        return ("no answer in time".into(), "is it a Valkey server, and is it busy? --timeout gives it longer");
    }
    if text.contains("certificate") || text.contains("TLS") || text.contains("alert") {
        let advice = "trust the server's authority with --tls-ca FILE, or any certificate with --insecure; a server that asks for one of yours takes --tls-cert and --tls-key";
        return (text, advice);
    }
    if error.is_connection_refusal() {
        return (format!("nothing answers there ({text})"), "start the server, or correct the URL");
    }
    if error.is_connection_dropped() {
        let advice =
            "it died, it ended this client, or it speaks TLS where the URL does not (valkeys://); its log says which";
        return (format!("the server closed the connection ({text})"), advice);
    }
    (text, "correct the URL, or leave out --url to probe a private server")
}

/// Advice for what a server refuses by an error code or a known message.
fn refused(code: &str, detail: &str) -> Option<&'static str> {
    Some(match code {
        "NOAUTH" => {
            "it wants a password: valkey://:PASSWORD@HOST or valkey://USER:PASSWORD@HOST, or EMQ_PASSWORD in the environment"
        }
        "WRONGPASS" => "check the user and the password; a URL writes them percent-encoded",
        "NOPERM" => "the user lacks that permission: a probe needs +@all on ~emq:{QUEUE}:* and +monitor",
        "READONLY" => "it is a replica: give the URL of its primary",
        "MOVED" | "ASK" | "CROSSSLOT" | "CLUSTERDOWN" => {
            "the queue's slot lies on another node of the cluster: give that node's URL"
        }
        "LOADING" | "BUSY" | "MASTERDOWN" => "wait until it is ready, then try again",
        "OOM" | "MISCONF" => "the server takes no writes now; its log says why",
        "DENIED" => "it is in protected mode: give it a password, or connect from its own machine",
        "WRONGTYPE" => "the queue's keys there are of another kind: name another queue with --queue",
        _ if detail.contains("unknown command") => {
            "it is renamed or switched off there; leave out --url to probe a private server"
        }
        _ if detail.contains("without any password configured") => {
            "that server has no password: leave it out of the URL"
        }
        _ => return None,
    })
}
