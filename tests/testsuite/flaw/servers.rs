//! The servers that are asked, and how each is left before and found after a call.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use echomq_conformance::core::bytes::Arg;
use echomq_conformance::core::capture::Origin;
use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::native::server::{PrivateServer, Recorder, Target, recorder};
use redis::{Connection, FromRedisValue, Value as Reply};
use serde_json::{Value, json};
use sha1_smol::Sha1;

use super::calls::{Call, TOKENS};
use crate::common::cluster::{Cluster, ask};
use crate::common::shared::connect;

const PATIENCE: Duration = Duration::from_secs(20);

/// A user of the server that may do everything to some keys only.
const USER: &str = "worker";

/// One version of the engine: a server that stands alone, and the nodes of a cluster.
pub(super) struct Servers {
    alone: PrivateServer,
    cluster: Cluster,
    target: Target,
}

impl Servers {
    pub(super) fn start(program: &Path) -> Self {
        let alone = PrivateServer::start(program).expect("a private server");
        let target = Target::private(&alone, PATIENCE).expect("its address");
        Self { alone, cluster: Cluster::start(program), target }
    }

    /// What each says of a call.
    pub(super) fn ask(&self, call: &Call, script: &str) -> [Value; 3] {
        [self.standalone(call, script), self.restricted(call, script), self.cluster(call, script)]
    }

    /// As the user that everybody is; also what the script ran.
    fn standalone(&self, call: &Call, script: &str) -> Value {
        let mut queue = Queue::prepare(&[&self.alone], call, script);
        let recording = Recorder::start(&self.target).expect("MONITOR");
        let answer = send(queue.at("wait"), &words_of(call, script));
        recorder::mark(queue.at("wait"), "the-end").expect("the marker");
        let (mut reader, mut ran) = (Reader::new(), Vec::new());
        let keep = |line: &str| {
            let event = reader.line(line.as_bytes()).expect("a line of MONITOR");
            if let Some(event) = event.filter(|event| event.origin == Origin::Script) {
                ran.push(json!(event.argv.iter().map(Arg::to_string).collect::<Vec<_>>()));
            }
        };
        recording.finish("the-end", PATIENCE, keep).expect("the whole recording");
        let mut said = self.said("standalone", &mut queue, answer);
        said["ran"] = ran.into();
        said
    }

    /// As a user that may touch what the call declares, and nothing else.
    fn restricted(&self, call: &Call, script: &str) -> Value {
        let mut queue = Queue::prepare(&[&self.alone], call, script);
        let mut rules = vec!["on".to_owned(), "nopass".to_owned(), "+@all".to_owned()];
        rules.extend(call.keys().into_iter().map(|key| format!("~{key}")));
        let words = ["ACL", "SETUSER", USER, "reset"].into_iter().chain(rules.iter().map(String::as_str));
        let words: Vec<&str> = words.collect();
        ask::<Reply>(queue.at("wait"), &words);
        ask::<Reply>(queue.at("wait"), &["ACL", "LOG", "RESET"]);
        let mut user = connect(&format!("valkey://{USER}:any@{}", self.alone.address()));
        let answer = send(&mut user, &words_of(call, script));
        let mut said = self.said("restricted", &mut queue, answer);
        said["user"] = rules.join(" ").into();
        said["acl_log"] = acl_log(queue.at("wait"));
        said
    }

    /// As the user that everybody is, on the node that has the first key.
    fn cluster(&self, call: &Call, script: &str) -> Value {
        let nodes: Vec<&PrivateServer> = self.cluster.nodes.iter().collect();
        let mut queue = Queue::prepare(&nodes, call, script);
        let answer = send(queue.at("wait"), &words_of(call, script));
        self.said("cluster", &mut queue, answer)
    }

    fn said(&self, server: &str, queue: &mut Queue<'_>, answer: Result<Value, String>) -> Value {
        let info = self.alone.info();
        let (reply, error) = match answer {
            Ok(reply) => (reply, Value::Null),
            Err(error) => (Value::Null, error.into()),
        };
        json!({
            "server": server, "engine": info.name, "version": info.version,
            "reply": reply, "error": error, "left": queue.left(),
        })
    }
}

/// The queue of a call, on one server or on the nodes of a cluster.
struct Queue<'c> {
    nodes: Vec<Connection>,
    call: &'c Call,
}

impl<'c> Queue<'c> {
    /// The queue as it is before the call, on servers that know its script.
    fn prepare(servers: &[&PrivateServer], call: &'c Call, script: &str) -> Self {
        let mut queue = Self { nodes: servers.iter().map(|server| connect(&server.url())).collect(), call };
        for node in &mut queue.nodes {
            ask::<Reply>(node, &["FLUSHALL"]);
            ask::<Reply>(node, &["SCRIPT", "LOAD", script]);
        }
        for id in ["01", "02"] {
            queue.tell::<Reply>("HSET", id, &["payload", "{}"]);
        }
        if call.raced {
            queue.tell::<Reply>("LPUSH", "active", &["01"]);
            queue.tell::<Reply>("SET", "01:lock", &[TOKENS[1]]);
        } else {
            queue.tell::<Reply>("LPUSH", "wait", &["01"]);
        }
        queue.tell::<Reply>("LPUSH", "wait", &["02"]);
        queue
    }

    fn key(&self, end: &str) -> String {
        format!("{}{end}", self.call.base())
    }

    /// The server that has a key.
    fn at(&mut self, end: &str) -> &mut Connection {
        let home = if self.nodes.len() == 1 { 0 } else { Cluster::home(&self.key(end)) };
        &mut self.nodes[home]
    }

    fn tell<T: FromRedisValue>(&mut self, command: &str, end: &str, more: &[&str]) -> T {
        let key = self.key(end);
        ask(self.at(end), &[&[command, &key], more].concat())
    }

    /// Both lists, and who holds the lock of each job.
    fn left(&mut self) -> Value {
        let [wait, active] = ["wait", "active"].map(|list| self.tell::<Vec<String>>("LRANGE", list, &["0", "-1"]));
        let [one, two] = ["01:lock", "02:lock"].map(|lock| self.tell::<Option<String>>("GET", lock, &[]));
        json!({ "wait": wait, "active": active, "locks": { "01": one, "02": two } })
    }
}

/// The words of a call of this script.
pub(super) fn words_of(call: &Call, script: &str) -> Vec<String> {
    let keys = call.keys();
    let head = ["EVALSHA".to_owned(), Sha1::from(script).digest().to_string(), keys.len().to_string()];
    head.into_iter().chain(keys).chain(call.args().into_iter().map(str::to_owned)).collect()
}

fn send(client: &mut Connection, words: &[String]) -> Result<Value, String> {
    match redis::cmd(&words[0]).arg(&words[1..]).query::<Reply>(client) {
        Ok(reply) => Ok(plain(&reply)),
        Err(error) => Err(format!("{} {}", error.code().unwrap_or("ERR"), error.detail().unwrap_or_default())),
    }
}

fn plain(reply: &Reply) -> Value {
    match reply {
        Reply::Nil => Value::Null,
        Reply::Int(number) => (*number).into(),
        Reply::BulkString(bytes) => String::from_utf8_lossy(bytes).into(),
        Reply::SimpleString(text) => text.as_str().into(),
        Reply::Array(items) => items.iter().map(plain).collect(),
        other => panic!("no script here answers {other:?}"),
    }
}

/// What the server noted of a refusal, without what differs from run to run.
fn acl_log(client: &mut Connection) -> Value {
    let entries: Vec<BTreeMap<String, Reply>> = ask(client, &["ACL", "LOG"]);
    let entry = |entry: &BTreeMap<String, Reply>| {
        let [reason, context, object, username] =
            ["reason", "context", "object", "username"].map(|name| plain(&entry[name]));
        json!({ "reason": reason, "context": context, "object": object, "username": username })
    };
    entries.iter().map(entry).collect()
}
