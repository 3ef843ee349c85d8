//! What the server and the core say about one call, in the same terms.

use echomq_conformance::core::commands::{Command, KeyError, OperandKey, command, operand_keys};
use redis::Value;

use super::calls::Call;

/// The keys of a call with their flags, or why there are none to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Keys(Vec<(Vec<u8>, Vec<String>)>),
    Unknown,
    Keyless,
    WrongArity,
    Malformed,
}

/// Asks the server about many calls at once.
pub(crate) fn theirs(url: &str, calls: &[Call]) -> Vec<Answer> {
    let client = redis::Client::open(format!("{url}?protocol=resp3")).expect("a server's URL");
    let mut connection = client.get_connection().expect("a connection");
    let mut answers = Vec::new();
    for some in calls.chunks(500) {
        let mut pipe = redis::pipe();
        for call in some {
            pipe.cmd("COMMAND").arg("GETKEYSANDFLAGS").arg(call);
        }
        let replies: Vec<redis::RedisResult<Value>> = pipe.ignore_errors().query(&mut connection).expect("replies");
        answers.extend(replies.into_iter().map(from_reply));
    }
    assert_eq!(answers.len(), calls.len());
    answers
}

fn from_reply(reply: redis::RedisResult<Value>) -> Answer {
    match reply {
        Ok(Value::Array(keys)) => Answer::Keys(keys.iter().map(key_and_flags).collect()),
        Err(error) => match error.to_string() {
            text if text.contains("Invalid command") => Answer::Unknown,
            text if text.contains("no key arguments") => Answer::Keyless,
            text if text.contains("Invalid number of arguments") => Answer::WrongArity,
            text if text.contains("Invalid arguments") => Answer::Malformed,
            text => panic!("the server refuses in new words: {text}"),
        },
        other => panic!("not a list of keys: {other:?}"),
    }
}

fn key_and_flags(pair: &Value) -> (Vec<u8>, Vec<String>) {
    match pair.as_sequence() {
        Some([Value::BulkString(key), Value::Array(flags) | Value::Set(flags)]) => {
            (key.clone(), flags.iter().map(|flag| redis::from_redis_value_ref(flag).expect("a flag")).collect())
        }
        _ => panic!("not a key and its flags: {pair:?}"),
    }
}

/// Asks the core.
pub(crate) fn ours(call: &Call) -> Answer {
    let argv: Vec<&[u8]> = call.iter().map(Vec::as_slice).collect();
    let takes_keys = command(&argv).is_none_or(Command::takes_keys);
    match operand_keys(&argv) {
        // Where the server refuses to answer, no key is found, whatever the number of arguments.
        Ok(found) if !takes_keys && found.keys.is_empty() => Answer::Keyless,
        Err(KeyError::WrongArity { .. }) if !takes_keys => Answer::Keyless,
        Ok(found) => {
            let flags = |key: &OperandKey| (call[key.index].clone(), key.flags.names().map(str::to_owned).collect());
            Answer::Keys(found.keys.iter().map(flags).collect())
        }
        Err(KeyError::UnknownCommand { .. } | KeyError::UnknownSubcommand { .. }) => Answer::Unknown,
        Err(KeyError::WrongArity { .. }) => Answer::WrongArity,
        Err(KeyError::Malformed { .. }) => Answer::Malformed,
    }
}

/// A call as one could type it.
pub(crate) fn shown(call: &Call) -> String {
    call.iter().map(|argument| format!("\"{}\"", argument.escape_ascii())).collect::<Vec<_>>().join(" ")
}
