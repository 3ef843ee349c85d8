//! A real cluster on loopback, of three primaries and more; it writes into a temporary folder of the test's and ends with it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use echomq_conformance::native::server::PrivateServer;
use redis::{Connection, FromRedisValue};

use super::folder::Folder;
use super::process::wait_until;
use super::shared::connect;

/// The cluster.
pub(crate) struct Cluster {
    /// The primaries, in the order of their slots.
    pub(crate) nodes: Vec<PrivateServer>,
    /// The replica of each, where they have some.
    pub(crate) replicas: Vec<PrivateServer>,
    program: PathBuf,
    folder: Folder,
    started: usize,
}

/// The slots of each node, first and last.
const RANGES: [(&str, &str); 3] = [("0", "5460"), ("5461", "10922"), ("10923", "16383")];

impl Cluster {
    /// Three primaries.
    pub(crate) fn start(program: &Path) -> Self {
        Self::start_with(program, &[])
    }

    /// Three primaries that also speak TLS, each on the port of its number in what is returned.
    pub(crate) fn encrypted(program: &Path, options: &[&str]) -> (Self, Vec<u16>) {
        let ports: Vec<u16> = RANGES.iter().map(|_| free_port()).collect();
        let of = |number: usize| [options, &["--tls-port", &ports[number].to_string()]].concat().join("\n");
        (Self::start_each(program, &of), ports)
    }

    /// Three primaries whose nodes have further options.
    fn start_with(program: &Path, options: &[&str]) -> Self {
        Self::start_each(program, &|_| options.join("\n"))
    }

    /// Each with options of its own, one a line.
    fn start_each(program: &Path, options: &dyn Fn(usize) -> String) -> Self {
        let mut cluster = Self {
            nodes: Vec::new(),
            replicas: Vec::new(),
            program: program.to_owned(),
            folder: Folder::new(),
            started: 0,
        };
        for (number, (first, last)) in RANGES.into_iter().enumerate() {
            let options = options(number);
            let node = cluster.node(&options.lines().collect::<Vec<_>>());
            let mut client = connect(&node.url());
            tell(&mut client, &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
            tell(&mut client, &["CLUSTER", "ADDSLOTSRANGE", first, last]);
            cluster.meet(&node);
            cluster.nodes.push(node);
        }
        cluster.settle();
        cluster
    }

    /// Three primaries with a replica each; one that is gone is replaced within a few seconds.
    pub(crate) fn with_replicas(program: &Path) -> Self {
        let options = [
            ["--cluster-node-timeout", "2000"],
            ["--cluster-replica-validity-factor", "0"],
            ["--repl-diskless-sync-delay", "0"],
        ];
        let options = options.as_flattened();
        let mut cluster = Self::start_with(program, options);
        for number in 0..RANGES.len() {
            let id: String = ask(&mut connect(&cluster.nodes[number].url()), &["CLUSTER", "MYID"]);
            let replica = cluster.node(options);
            cluster.meet(&replica);
            let mut client = connect(&replica.url());
            wait_until("the replica knows its primary", || {
                redis::cmd("CLUSTER").arg("REPLICATE").arg(&id).exec(&mut client).is_ok()
            });
            cluster.replicas.push(replica);
        }
        cluster.settle();
        for replica in &cluster.replicas {
            let mut client = connect(&replica.url());
            wait_until("the replica copies its primary", || {
                ask::<String>(&mut client, &["INFO", "replication"]).contains("master_link_status:up")
            });
        }
        for node in cluster.nodes.iter().chain(&cluster.replicas) {
            let mut client = connect(&node.url());
            wait_until("the node knows every replica", || {
                ask::<String>(&mut client, &["CLUSTER", "NODES"]).matches("slave").count() == RANGES.len()
            });
        }
        cluster
    }

    /// One more primary, without slots, as a node that comes to a cluster is.
    pub(crate) fn join(&mut self) {
        let node = self.node(&[]);
        self.meet(&node);
        let id: String = ask(&mut connect(&node.url()), &["CLUSTER", "MYID"]);
        self.nodes.push(node);
        for node in &self.nodes {
            let mut client = connect(&node.url());
            wait_until("the node knows the new one", || {
                let nodes: String = ask(&mut client, &["CLUSTER", "NODES"]);
                nodes.lines().any(|line| line.contains(&id) && !line.contains("handshake"))
            });
        }
        self.settle();
    }

    /// The number of the node that serves a key at the start.
    pub(crate) fn home(key: &str) -> usize {
        let slot = echomq_conformance::core::keyspace::slot(key.as_bytes());
        RANGES.iter().position(|(_, last)| slot <= last.parse().expect("a number")).expect("every slot is served")
    }

    /// Every key on any node.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.nodes.iter().flat_map(|node| ask::<Vec<String>>(&mut connect(&node.url()), &["KEYS", "*"])).collect()
    }

    /// Waits until every node knows the same owner of a key's slot, and by which epoch.
    pub(crate) fn agree_on(&self, key: &str, owner: usize) {
        let slot = echomq_conformance::core::keyspace::slot(key.as_bytes());
        let id: String = ask(&mut connect(&self.nodes[owner].url()), &["CLUSTER", "MYID"]);
        let views = || self.nodes.iter().map(|node| view(&mut connect(&node.url()), slot)).collect::<Vec<_>>();
        wait_until("all nodes agree", || {
            let views = views();
            views[0].0 == id && views.windows(2).all(|pair| pair[0] == pair[1])
        });
    }

    fn node(&mut self, options: &[&str]) -> PrivateServer {
        let (bus, file) = (free_port().to_string(), format!("nodes-{}.conf", self.started));
        self.started += 1;
        let dir = self.folder.text("");
        let fixed = [
            ["--cluster-enabled", "yes"],
            ["--cluster-port", &bus],
            ["--cluster-config-file", &file],
            ["--cluster-require-full-coverage", "no"],
            ["--dir", &dir],
        ];
        let options = [fixed.as_flattened(), options].concat();
        PrivateServer::start_with(&self.program, &options, &|| false).expect("the node starts")
    }

    fn meet(&self, node: &PrivateServer) {
        let Some(first) = self.nodes.first() else { return };
        let port = |node: &PrivateServer| node.address().port().to_string();
        let bus: Vec<String> = ask(&mut connect(&node.url()), &["CONFIG", "GET", "cluster-port"]);
        tell(&mut connect(&first.url()), &["CLUSTER", "MEET", "127.0.0.1", &port(node), &bus[1]]);
    }

    /// Waits until every node knows the slots of all.
    fn settle(&self) {
        for node in self.nodes.iter().chain(&self.replicas) {
            let mut client = connect(&node.url());
            wait_until("the node knows the whole cluster", || {
                let info: String = ask(&mut client, &["CLUSTER", "INFO"]);
                info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384")
            });
        }
    }
}

/// Moves a slot with all its keys from one primary to another, in the steps of the server's own tools.
pub(crate) struct Move {
    slot: String,
    from: Connection,
    to: Connection,
    port: String,
    ids: [String; 2],
}

impl Move {
    pub(crate) fn new(key: &str, from: &PrivateServer, to: &PrivateServer) -> Self {
        let slot = echomq_conformance::core::keyspace::slot(key.as_bytes()).to_string();
        let port = to.address().port().to_string();
        let [mut from, mut to] = [from, to].map(|node| connect(&node.url()));
        let ids = [&mut from, &mut to].map(|client| ask(client, &["CLUSTER", "MYID"]));
        Self { slot, from, to, port, ids }
    }

    /// From here on, what is not at the one node is at the other.
    pub(crate) fn begin(&mut self) {
        let [from, to] = &self.ids;
        tell(&mut self.to, &["CLUSTER", "SETSLOT", &self.slot, "IMPORTING", from]);
        tell(&mut self.from, &["CLUSTER", "SETSLOT", &self.slot, "MIGRATING", to]);
    }

    /// Takes the keys over.
    pub(crate) fn keys(&mut self) {
        let keys: Vec<String> = ask(&mut self.from, &["CLUSTER", "GETKEYSINSLOT", &self.slot, "1000"]);
        if keys.is_empty() {
            return;
        }
        let mut migrate = redis::cmd("MIGRATE");
        migrate.arg(&["127.0.0.1", &self.port, "", "0", "5000", "KEYS"]).arg(keys);
        migrate.exec(&mut self.from).expect("the keys go over");
    }

    /// The other node owns it now.
    pub(crate) fn end(&mut self) {
        for client in [&mut self.to, &mut self.from] {
            tell(client, &["CLUSTER", "SETSLOT", &self.slot, "NODE", &self.ids[1]]);
        }
    }

    pub(crate) fn all(&mut self) {
        self.begin();
        self.keys();
        self.end();
    }
}

/// Whose a slot is, in which epoch, and the latest epoch, as a node has it.
fn view(client: &mut Connection, slot: u16) -> (String, String, String) {
    let nodes: String = ask(client, &["CLUSTER", "NODES"]);
    let info: String = ask(client, &["CLUSTER", "INFO"]);
    let has = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        first.parse().is_ok_and(|first: u16| first <= slot) && last.parse().is_ok_and(|last: u16| slot <= last)
    };
    let owner = nodes.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let owner = owner.into_iter().find(|words| words[8..].iter().any(|range| has(range)));
    let latest = info.lines().find(|line| line.starts_with("cluster_current_epoch")).unwrap_or_default();
    let [id, epoch] = owner.map_or([""; 2], |words| [words[0], words[6]]).map(str::to_owned);
    (id, epoch, latest.to_owned())
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn tell(client: &mut Connection, words: &[&str]) {
    ask::<redis::Value>(client, words);
}

pub(crate) fn ask<T: FromRedisValue>(client: &mut Connection, words: &[&str]) -> T {
    redis::cmd(words[0]).arg(&words[1..]).query(client).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}
