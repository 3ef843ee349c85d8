//! A connection that can remember what it sent.
//!
//! On a unix socket MONITOR gives every client the same name, so what we sent is the only way to know our own lines.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use redis::{Connection, ConnectionLike, RedisResult, Value};

/// Commands in the order they were sent, as the bytes that went over the wire.
#[derive(Clone, Debug, Default)]
pub struct Sent(Arc<Mutex<VecDeque<One>>>);

/// A command that was sent.
#[derive(Debug)]
struct One {
    command: Vec<u8>,
    /// How many that were sent later have been shown.
    passed: u32,
}

impl One {
    /// Whether it asks for the server's counts.
    fn is_question(&self) -> bool {
        first_words(&self.command).first().is_some_and(|word| word.eq_ignore_ascii_case(b"INFO"))
    }
}

/// How many commands are looked at for one that was shown, and after how many others one is not shown any more.
const LOOK: usize = 64;
const GIVEN_UP: u32 = 2;

impl Sent {
    /// Whether every command that was sent was taken off.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Takes the oldest command off if it is this one.
    pub fn take(&self, command: &[u8]) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_next = sent.front().is_some_and(|next| next.command == command);
        if is_next {
            sent.pop_front();
        }
        is_next
    }

    /// Takes the oldest command off that is this one. Under CLIENT PAUSE a command runs without a line, so others may stand before it:
    /// one that was passed over so again and again never comes. Somebody else's command that is the same passes over some once.
    pub fn take_shown(&self, command: &[u8]) -> bool {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = sent.iter().take(LOOK).position(|one| one.command == command) else { return false };
        sent.remove(at);
        sent.iter_mut().take(at).for_each(|one| one.passed += 1);
        // The counts hang on a question's own line: it is given up where their answer shows that it ran without one.
        while sent.front().is_some_and(|one| one.passed >= GIVEN_UP && !one.is_question()) {
            sent.pop_front();
        }
        true
    }

    /// Takes the oldest question for the server's counts off: it ran without a line.
    pub fn give_up_question(&self) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = sent.iter().position(One::is_question) {
            sent.remove(at);
        }
    }

    /// Takes this command off, and what was sent before it: MONITOR shows commands in the order in which they were sent.
    pub fn shown(&self, command: &[u8]) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = sent.iter().position(|one| one.command == command) {
            sent.drain(..=at);
        }
    }

    /// The names of the commands that were not taken off, each with the word that follows it.
    pub fn left(&self) -> Vec<Vec<Vec<u8>>> {
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sent.iter().map(|one| first_words(&one.command)).collect()
    }

    /// Forgets the newest of these commands: the server has refused it, and does not show it.
    fn withdraw(&self, command: &[u8]) {
        let mut sent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = sent.iter().rposition(|one| one.command == command) {
            sent.remove(at);
        }
    }

    fn add(&self, command: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(One { command: command.to_vec(), passed: 0 });
    }
}

/// A connection, and where it writes down what it sends.
pub struct Link {
    connection: Connection,
    sent: Option<Sent>,
}

impl Link {
    /// A connection that writes down what it sends.
    pub fn remembering(connection: Connection, sent: &Sent) -> Self {
        Self { connection, sent: Some(sent.clone()) }
    }

    /// The connection itself, for a command that MONITOR never shows.
    pub fn unseen(&mut self) -> &mut Connection {
        &mut self.connection
    }

    fn note(&self, commands: &[u8]) {
        if let Some(sent) = &self.sent {
            sent.add(commands);
        }
    }
}

impl From<Connection> for Link {
    fn from(connection: Connection) -> Self {
        Self { connection, sent: None }
    }
}

impl ConnectionLike for Link {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        self.note(command);
        let answer = self.connection.req_packed_command(command);
        let refusal = match &answer {
            Ok(Value::ServerError(error)) => Some((error.code(), error.details())),
            Err(error) => error.code().map(|code| (code, error.detail())),
            Ok(_) => None,
        };
        if let (Some(sent), Some((code, detail))) = (&self.sent, refusal)
            && is_not_run(code, detail.unwrap_or_default())
        {
            sent.withdraw(command);
        }
        answer
    }

    fn req_packed_commands(&mut self, commands: &[u8], offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        self.note(commands);
        self.connection.req_packed_commands(commands, offset, count)
    }

    fn get_db(&self) -> i64 {
        self.connection.get_db()
    }

    fn check_connection(&mut self) -> bool {
        self.connection.check_connection()
    }

    fn is_open(&self) -> bool {
        self.connection.is_open()
    }
}

/// The first two words of a command that is written as the wire has it: each stands behind a line with its length.
fn first_words(packed: &[u8]) -> Vec<Vec<u8>> {
    let lines = packed.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.skip(2).step_by(2).take(2).map(<[u8]>::to_vec).collect()
}

/// Whether a server that says this has not run the command at all, and so does not show it. Source: `processCommand` of Valkey 8 and 9.
fn is_not_run(code: &str, detail: &str) -> bool {
    const CODES: [&str; 14] = [
        "ASK",
        "BUSY",
        "CLUSTERDOWN",
        "CROSSSLOT",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "MOVED",
        "NOAUTH",
        "NOPERM",
        "NOREPLICAS",
        "OOM",
        "READONLY",
        "TRYAGAIN",
    ];
    // Redis before 7 runs a command whose subcommand it does not know, and writes that with a capital.
    let starts = ["unknown command", "unknown subcommand", "wrong number of arguments"];
    CODES.contains(&code) || (code == "ERR" && starts.iter().any(|start| detail.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_waited_for_no_more() {
        let sent = Sent::default();
        for command in ["a", "b", "a"] {
            sent.add(command.as_bytes());
        }
        sent.withdraw(b"a");
        assert!(!sent.take(b"b") && sent.take(b"a") && sent.take(b"b") && sent.is_empty());
        sent.withdraw(b"a");
    }

    /// The first runs in a pause, and stands in no line; nor does the third, which is the same.
    #[test]
    fn what_is_not_shown_hides_nothing_that_was_sent_later() {
        let sent = Sent::default();
        let add = |commands: &str| commands.split(' ').for_each(|command| sent.add(command.as_bytes()));
        add("a b a c");
        assert!(sent.take_shown(b"b") && !sent.take_shown(b"d") && sent.take_shown(b"c"));
        // The first was passed over twice, the third once.
        assert_eq!((sent.take_shown(b"a"), sent.take_shown(b"a")), (true, false));
        // Somebody else's stands for one of the tool's, once: what was sent before is still to come.
        add("a b");
        assert!(sent.take_shown(b"b") && sent.take_shown(b"a") && sent.is_empty());
    }

    /// Another recorder's commands on the same socket are the same.
    #[test]
    fn a_question_for_counts_is_given_up_by_its_answer_alone() {
        let (sent, packed) = (Sent::default(), |word: &str| redis::cmd(word).get_packed_command());
        for word in ["INFO", "TIME", "PING", "ROLE"] {
            sent.add(&packed(word));
        }
        for word in ["TIME", "PING", "ROLE", "INFO"] {
            assert!(sent.take_shown(&packed(word)), "{word}");
        }
        for word in ["INFO", "PING", "INFO"] {
            sent.add(&packed(word));
        }
        sent.give_up_question();
        assert_eq!(sent.left(), [vec![b"PING".to_vec()], vec![b"INFO".to_vec()]]);
    }

    #[test]
    fn what_was_shown_is_taken_off_with_all_before_it() {
        let sent = Sent::default();
        let packed = |words: &[&str]| {
            redis::pack_command(&words.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>())
        };
        for words in [&["INFO", "all"][..], &["HGET", "emq:{q}:meta", "version"], &["PING"], &["SCRIPT", "EXISTS", "x"]]
        {
            sent.add(&packed(words));
        }
        sent.shown(&packed(&["HGET", "emq:{q}:meta", "version"]));
        sent.shown(&packed(&["INFO", "all"]));
        let left = [vec![b"PING".to_vec()], vec![b"SCRIPT".to_vec(), b"EXISTS".to_vec()]];
        assert_eq!(sent.left(), left);
    }

    #[test]
    fn a_refusal_is_told_from_a_command_that_fails() {
        for (code, detail) in [
            ("BUSY", "Valkey is busy running a script."),
            ("NOPERM", "User x has no permissions to run the 'hget' command"),
            ("ERR", "unknown subcommand 'SHOW'. Try SCRIPT HELP."),
        ] {
            assert!(is_not_run(code, detail), "{code} {detail}");
        }
        for (code, detail) in [
            ("WRONGTYPE", "Operation against a key holding the wrong kind of value"),
            ("NOSCRIPT", "No matching script."),
            ("ERR", "Unknown subcommand or wrong number of arguments for 'SHOW'. Try SCRIPT HELP."),
        ] {
            assert!(!is_not_run(code, detail), "{code} {detail}");
        }
    }
}
