//! A server that cannot be used: what was tried, what it said, and what to do about it.

use std::borrow::Cow;
use std::fmt;

use redis::{ErrorKind, RedisError};

use super::grant::Task;
use super::url::is_encrypted;
use crate::core::bytes::shown;

/// A command or a connection that failed, with the server it was meant for.
#[derive(Debug)]
pub struct Trouble {
    /// What was being done, as in "cannot …".
    pub tried: String,
    /// The server, without its password.
    pub server: String,
    /// What it was done for.
    pub task: Task,
    /// What the server or the connection said.
    pub cause: RedisError,
}

impl std::error::Error for Trouble {}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (said, advice) =
            match without_tls(&self.cause).filter(|_| self.tried == "connect" && is_encrypted(&self.server)) {
                Some((said, advice)) => (said, advice.into()),
                None => explain(&self.cause, self.task),
            };
        write!(f, "cannot {}: {said}; {}; {advice}", self.tried, self.server)
    }
}

/// What an error of the client library means, and what to do. What the server said is escaped: it may say anything.
fn explain(error: &RedisError, task: Task) -> (String, Cow<'static, str>) {
    let raw = error.to_string();
    let detail = shown(error.detail().unwrap_or(&raw).as_bytes());
    let code = shown(error.code().unwrap_or_default().as_bytes());
    let text = shown(raw.as_bytes()).into_owned();
    if let Some(advice) = refused(&code, &detail, task) {
        return (format!("the server answers \"{}\"", format!("{code} {detail}").trim()), advice);
    }
    match of_the_connection(error, text) {
        (said, Some(advice)) => (said, advice.into()),
        (said, None) => (said, format!("correct the URL{}", task.or_else()).into()),
    }
}

/// What becomes of a client that speaks TLS to a server that does not: such a server waits for the rest of a command, or answers
/// something else.
fn without_tls(error: &RedisError) -> Option<(String, &'static str)> {
    if error.is_timeout() {
        let advice = "does it speak TLS? without, the URL starts with valkey://; where it does, it may be busy: --timeout gives it longer";
        return Some(("no answer in time".into(), advice));
    }
    let text = shown(error.to_string().as_bytes()).into_owned();
    let is_other = text.contains("InvalidContentType");
    is_other.then(|| (format!("what answers does not speak TLS ({text})"), "without, the URL starts with valkey://"))
}

fn of_the_connection(error: &RedisError, text: String) -> (String, Option<&'static str>) {
    if error.kind() == ErrorKind::AuthenticationFailed {
        let advice = "check both; a URL writes them percent-encoded, and a password alone behind a colon, valkey://:PASSWORD@HOST";
        return ("the server refuses the user or the password".into(), Some(advice));
    }
    if error.is_timeout() {
        let advice = "is it a Valkey server, and is it busy? --timeout gives it longer";
        return ("no answer in time".into(), Some(advice));
    }
    if let Some((said, advice)) = of_the_certificate(&text) {
        return (format!("{said} ({text})"), Some(advice));
    }
    if text.contains("certificate") || text.contains("TLS") || text.contains("alert") {
        let advice = "trust the server's authority with --tls-ca FILE, or any certificate with --insecure; a server that asks for one of yours takes --tls-cert and --tls-key";
        return (text, Some(advice));
    }
    if error.is_connection_refusal() {
        return (format!("nothing answers there ({text})"), Some("start the server, or correct the URL"));
    }
    if matches!(error.kind(), ErrorKind::Parse | ErrorKind::UnexpectedReturnType) {
        let said = format!("what answers is not a Valkey or Redis server ({text})");
        return (said, Some("correct the URL's host and port"));
    }
    if error.is_connection_dropped() {
        let advice = "it died, it ended this client, it is no Valkey or Redis server, or it speaks TLS where the URL does not (valkeys://); its log says which";
        return (format!("the server closed the connection ({text})"), Some(advice));
    }
    (text, None)
}

/// What is wrong with the server's certificate, in the words of whoever checked it, and what to do.
fn of_the_certificate(text: &str) -> Option<(&'static str, &'static str)> {
    const WRONG: [(&str, &str, &str); 3] = [
        (
            "CaUsedAsEndEntity",
            "the server shows an authority's own certificate (self-signed, CA:TRUE), which is never taken for a server's",
            "have the authority sign one for the server, or make a self-signed one with CA:FALSE, and name that authority or that \
             certificate with --tls-ca FILE; or trust any certificate with --insecure",
        ),
        (
            "UnknownIssuer",
            "nobody who is trusted here has signed the server's certificate",
            "name the certificate of the authority that has with --tls-ca FILE (PEM; of a self-signed one, itself), or trust any \
             certificate with --insecure",
        ),
        (
            "not valid for name",
            "the server's certificate is another name's",
            "write a name that is in it into the URL, or trust any certificate with --insecure",
        ),
    ];
    WRONG.into_iter().find(|(word, ..)| text.contains(word)).map(|(_, said, advice)| (said, advice))
}

/// Advice for what a server refuses by an error code or a known message.
fn refused(code: &str, detail: &str, task: Task) -> Option<Cow<'static, str>> {
    if code == "NOPERM" || detail.contains("ACL failure in script") {
        return Some(missing_grant(detail, task).into());
    }
    if detail.contains("unknown command") {
        return Some(format!("it is renamed or switched off there{}", task.or_else()).into());
    }
    let advice = match code {
        "NOAUTH" => {
            "it wants a password: valkey://:PASSWORD@HOST or valkey://USER:PASSWORD@HOST, or EMQ_PASSWORD in the environment"
        }
        "WRONGPASS" => "check the user and the password; a URL writes them percent-encoded",
        "READONLY" => "it is a replica: give the URL of its primary",
        "CLUSTERDOWN" => {
            "the cluster is not whole: `CLUSTER INFO` and `CLUSTER SHARDS` there say which slots nobody serves"
        }
        "NOREPLICAS" => "it wants replicas that are not there: bring them up, or lower min-replicas-to-write",
        "MOVED" | "ASK" | "CROSSSLOT" => "the queue's slot lies on another node of the cluster: give that node's URL",
        "LOADING" | "BUSY" | "MASTERDOWN" => "wait until it is ready, then try again",
        "OOM" | "MISCONF" => "the server takes no writes now; its log says why",
        "DENIED" => "it is in protected mode: give it a password, or connect from its own machine",
        "WRONGTYPE" => "the queue's keys there are of another kind: name another queue with --queue",
        _ if detail.contains("Unknown command called from script") => {
            "one of them is renamed, switched off or missing there (Valkey and Redis from 6.2 have them all); leave out --url to probe a private server"
        }
        _ if detail.contains("max number of clients") => {
            "this takes two connections, a probe four: wait until others have gone, or raise the server's maxclients"
        }
        _ if detail.contains("without any password configured") => {
            "that server has no password: leave it out of the URL"
        }
        _ => return None,
    };
    Some(advice.into())
}

/// The rule that would have allowed it, and all that the task needs.
fn missing_grant(detail: &str, task: Task) -> String {
    let command = detail.split_once("to run the '").and_then(|(_, rest)| rest.split_once('\''));
    let rule = match command {
        Some((command, _)) => format!("+{command}"),
        None if detail.contains("channel") => "&*".to_owned(),
        None => "~emq:{QUEUE}:*".to_owned(),
    };
    format!("the user lacks a permission: ACL SETUSER with {rule}; {}", task.needs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        said_to(Task::Probe, line)
    }

    fn said_to(task: Task, line: &str) -> String {
        let mut parser = redis::Parser::new();
        let cause =
            parser.parse_value(line.as_bytes()).and_then(redis::Value::extract_error).expect_err("the server says no");
        Trouble { tried: "try".into(), server: "valkey://host".into(), task, cause }.to_string()
    }

    #[test]
    fn what_a_server_says_cannot_draw_on_the_terminal() {
        let text = said("-ERR \x1b[2Jgone\x07\u{9b}0m\u{202e}\r\n");
        assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
        let text = said("-\x1b[31mNOPE x\r\n");
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }

    #[test]
    fn a_missing_permission_is_named() {
        for (line, rule) in [
            ("-NOPERM User bob has no permissions to run the 'client|info' command\r\n", "with +client|info;"),
            (
                "-ERR ACL failure in script: User bob has no permissions to run the 'lmove' command script: on @user_script:1.\r\n",
                "with +lmove;",
            ),
            (
                "-ERR ACL failure in script: No permissions to access a key script: on @user_script:1.\r\n",
                "with ~emq:{QUEUE}:*;",
            ),
        ] {
            assert!(said(line).contains(rule), "{}", said(line));
        }
    }

    #[test]
    fn advice_fits_what_is_done() {
        let refused = "-NOPERM User bob has no permissions to run the 'monitor' command\r\n";
        for (task, part) in [
            (Task::Probe, "a probe needs in all ~emq:{QUEUE}:* +ping"),
            (Task::Record, "a recording needs in all +ping +client|info +info +monitor, of a cluster"),
            (Task::Attach, "a probe with --runtime needs in all +ping +client|info +info +monitor +scan, of a cluster"),
        ] {
            let text = said_to(task, refused);
            assert!(text.contains("with +monitor;") && text.contains(part), "{text}");
        }
        let unknown = "-ERR unknown command 'MONITOR', with args beginning with: \r\n";
        assert!(said(unknown).contains("private server") && !said_to(Task::Record, unknown).contains("private server"));
    }

    #[test]
    fn advice_fits() {
        for (line, part) in [
            ("-ERR max number of clients reached\r\n", "maxclients"),
            ("-ERR Unknown command called from script script: on @user_script:1.\r\n", "missing there"),
            ("-ERR unknown command 'MONITOR', with args beginning with: \r\n", "switched off"),
        ] {
            assert!(said(line).contains(part), "{}", said(line));
        }
    }
}
