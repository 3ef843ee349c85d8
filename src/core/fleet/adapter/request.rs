//! Requests: written for an adapter, and read by one.

use std::fmt::Write as _;

use super::super::json::{self, Node, Value};
use super::PROTOCOL;

/// What an adapter is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'r> {
    /// Who it is, and where the server is.
    Hello {
        /// The server.
        url: &'r str,
        /// The profile that it is held to.
        profile: &'r str,
        /// A name for its connections.
        client_name: &'r str,
    },
    /// To put a job in a queue.
    Add {
        /// The queue.
        queue: &'r str,
        /// The job's name.
        name: &'r str,
        /// Its data, as JSON.
        data: &'r str,
    },
    /// To take the next job.
    Take {
        /// The queue.
        queue: &'r str,
    },
    /// To complete a job that it has taken.
    Complete {
        /// The queue.
        queue: &'r str,
        /// The job.
        job_id: &'r str,
        /// Its result, as JSON.
        result: &'r str,
    },
    /// Something that no adapter knows.
    Unknown,
    /// To end.
    Bye,
}

impl Request<'_> {
    /// Its name on the wire.
    pub fn op(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Add { .. } => "add",
            Self::Take { .. } => "take",
            Self::Complete { .. } => "complete",
            Self::Unknown => "x-nobody-knows-this",
            Self::Bye => "bye",
        }
    }

    /// The line, with its line feed.
    pub fn line(&self, id: u64) -> String {
        let mut line = format!("{{\"id\":{id},\"op\":\"{}\"", self.op());
        let mut text = |name: &str, value: &str| {
            // A string is always JSON.
            let _ = write!(line, ",\"{name}\":{}", serde_json::to_string(value).unwrap_or_default());
        };
        let raw = match self {
            Self::Hello { url, profile, client_name } => {
                text("protocol", PROTOCOL);
                text("url", url);
                text("profile", profile);
                text("client_name", client_name);
                // So that every adapter has met a field that it does not know.
                text("x-ignore-me", "unknown fields are ignored");
                None
            }
            Self::Add { queue, name, data } => {
                text("queue", queue);
                text("name", name);
                Some(("data", *data))
            }
            Self::Take { queue } => {
                text("queue", queue);
                None
            }
            Self::Complete { queue, job_id, result } => {
                text("queue", queue);
                text("job_id", job_id);
                Some(("result", *result))
            }
            Self::Unknown | Self::Bye => None,
        };
        if let Some((name, value)) = raw {
            let _ = write!(line, ",\"{name}\":{value}");
        }
        line + "}\n"
    }
}

/// A request as an adapter reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its id.
    pub id: u64,
    /// What is asked.
    pub op: String,
    /// Its strings, by name.
    pub texts: Vec<(String, String)>,
    /// `data` or `result`, as JSON.
    pub raw: Option<String>,
}

impl Asked {
    /// Reads a request; nothing where it has no id that could be answered.
    pub fn parse(line: &str) -> Option<Self> {
        let node = json::parse(line).ok()?;
        let Value::Object(members) = &node.value else { return None };
        let id = node.member("id")?.text.parse().ok()?;
        let op = node.member("op").and_then(Node::as_text).unwrap_or_default().to_owned();
        let strings = members.iter().filter_map(|(name, value)| {
            Some((std::str::from_utf8(name).ok()?.to_owned(), value.as_text()?.to_owned()))
        });
        let raw = node.member("data").or(node.member("result")).map(|raw| raw.text.to_owned());
        Some(Self { id, op, texts: strings.collect(), raw })
    }

    /// One of its strings; empty where it has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_carry_their_data_unchanged_and_last() {
        let data = r#"{"n":9007199254740993,"a":1,"a":2}"#;
        let line = Request::Add { queue: "q", name: "a\"data\":b", data }.line(7);
        assert_eq!(
            line,
            format!("{{\"id\":7,\"op\":\"add\",\"queue\":\"q\",\"name\":\"a\\\"data\\\":b\",\"data\":{data}}}\n")
        );
        let asked = Asked::parse(&line).expect("a request");
        assert_eq!((asked.id, asked.op.as_str(), asked.text("queue")), (7, "add", "q"));
        assert_eq!(asked.raw.as_deref(), Some(data));
        // As the guide tells adapters to find it.
        let (_, rest) = line.split_once("\"data\":").expect("data");
        assert_eq!(rest.trim_end().strip_suffix('}'), Some(data));
    }
}
