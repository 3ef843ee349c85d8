//! A real cluster of three primaries on loopback; it writes into a temporary folder of the test's and ends with it.

use std::net::TcpListener;
use std::path::Path;

use echomq_conformance::native::server::PrivateServer;
use redis::Connection;

use super::folder::Folder;
use super::process::wait_until;
use super::shared::connect;

/// The cluster.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<PrivateServer>,
    _folder: Folder,
}

/// The slots of each node, first and last.
const RANGES: [(&str, &str); 3] = [("0", "5460"), ("5461", "10922"), ("10923", "16383")];

impl Cluster {
    pub(crate) fn start(program: &Path) -> Self {
        let folder = Folder::new();
        let started: Vec<(PrivateServer, u16)> =
            (0..RANGES.len()).map(|number| node(program, &folder, number)).collect();
        for (number, (server, _)) in started.iter().enumerate() {
            let (mut client, (first, last)) = (connect(&server.url()), RANGES[number]);
            ask(&mut client, &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
            ask(&mut client, &["CLUSTER", "ADDSLOTSRANGE", first, last]);
        }
        let (first, others) = started.split_first().expect("three");
        let mut client = connect(&first.0.url());
        for (other, bus) in others {
            ask(&mut client, &["CLUSTER", "MEET", "127.0.0.1", &other.address().port().to_string(), &bus.to_string()]);
        }
        let nodes: Vec<PrivateServer> = started.into_iter().map(|(server, _)| server).collect();
        for server in &nodes {
            let mut client = connect(&server.url());
            wait_until("the node knows the whole cluster", || {
                let info: String = redis::cmd("CLUSTER").arg("INFO").query(&mut client).expect("it answers");
                info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384")
            });
        }
        Self { nodes, _folder: folder }
    }

    /// The number of the node that serves a key.
    pub(crate) fn home(key: &str) -> usize {
        let slot = echomq_conformance::core::keyspace::slot(key.as_bytes());
        RANGES.iter().position(|(_, last)| slot <= last.parse().expect("a number")).expect("every slot is served")
    }

    /// Every key on any node.
    pub(crate) fn keys(&self) -> Vec<String> {
        let keys = |server: &PrivateServer| -> Vec<String> {
            redis::cmd("KEYS").arg("*").query(&mut connect(&server.url())).expect("it answers")
        };
        self.nodes.iter().flat_map(keys).collect()
    }
}

fn node(program: &Path, folder: &Folder, number: usize) -> (PrivateServer, u16) {
    let bus = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let (bus_port, file) = (bus.to_string(), format!("nodes-{number}.conf"));
    let dir = folder.text("");
    let options = [
        ["--cluster-enabled", "yes"],
        ["--cluster-port", &bus_port],
        ["--cluster-config-file", &file],
        ["--cluster-require-full-coverage", "no"],
        ["--dir", &dir],
    ];
    (PrivateServer::start_with(program, options.as_flattened(), &|| false).expect("the node starts"), bus)
}

fn ask(client: &mut Connection, words: &[&str]) {
    redis::cmd(words[0]).arg(&words[1..]).exec(client).unwrap_or_else(|error| panic!("{words:?}: {error}"));
}
