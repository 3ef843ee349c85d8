//! `emq-conform probe --url` of one node of a real cluster: the queue is found where its slot is, every primary is recorded, and
//! a node that goes away leaves a gap that is said.

use std::time::Duration;

use crate::common::cluster::Cluster;
use crate::common::command::run;
use crate::common::engines::engines;
use crate::common::shared::{Noise, connect, send};
use echomq_conformance::core::keyspace::slot;
use echomq_conformance::native::server::url::Access;
use echomq_conformance::native::server::{Primaries, Target, Topology};

const PATIENCE: Duration = Duration::from_secs(10);
/// A queue on each node.
const QUEUES: [&str; 3] = ["orders", "payments", "billing"];

#[test]
fn a_queue_is_found_from_any_node() {
    let homes: Vec<usize> = QUEUES.iter().map(|queue| Cluster::home(&format!("{{{queue}}}"))).collect();
    assert_eq!(homes, [0, 1, 2], "the queues lie on three nodes");
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        for (queue, home) in QUEUES.iter().zip(homes.iter()) {
            for node in &cluster.nodes {
                let probe = ["probe", "--url", &node.url(), "--queue", queue, "--format", "json", "-v"];
                let run = run(&probe).expect(0);
                let report = run.json();
                assert_eq!(report["engine"]["version"], version);
                let summary = report["assertions"][1]["summary"].as_str().expect("text").to_owned();
                assert!(summary.contains(&format!("slot {}", slot(queue.as_bytes()))), "{summary}");
                let (count, url) = (cluster.nodes.len(), cluster.nodes[*home].url());
                run.says(&[&format!("{count} primaries; the slot of queue {queue} is on {url}")]);
            }
        }
        assert_eq!(cluster.keys(), [""; 0], "valkey {version}: nothing is left behind");
    }
}

#[test]
fn the_public_reference_s_wire_needs_one_node_for_two_tags() {
    for (_, program) in engines() {
        let cluster = Cluster::start(&program);
        let node = cluster.nodes[0].url();
        let probe = |queue| run(&["probe", "--url", &node, "--profile", "echomq-2.x", "--queue", queue]);
        let shared = QUEUES.into_iter().find(|queue| Cluster::home(&format!("{{{queue}}}")) == Cluster::home("{emq}"));
        probe(shared.expect("a queue on each node")).expect(0);
        let other = QUEUES.into_iter().find(|queue| Cluster::home(&format!("{{{queue}}}")) != Cluster::home("{emq}"));
        probe(other.expect("a queue on each node")).expect(3).says(&["on another node than queue", "--queue"]);
        assert_eq!(cluster.keys(), [""; 0]);
    }
}

#[test]
fn somebody_on_another_node_is_seen() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::start(program);
    let old = "emq:orders:wait";
    let elsewhere = Cluster::home(old);
    assert_ne!(elsewhere, Cluster::home("{orders}"), "the old keyspace of the queue lies on another node");
    let noise = Noise::start(connect(&cluster.nodes[elsewhere].url()), move |client| {
        send(client, &["GET", old]);
    });
    run(&["probe", "--url", &cluster.nodes[0].url(), "--queue", "orders"])
        .expect(3)
        .says(&["not the probe's alone", old]);
    drop(noise);
    run(&["probe", "--url", &cluster.nodes[0].url(), "--queue", "orders"]).expect(0);
    assert_eq!(cluster.keys(), [""; 0]);
}

#[test]
fn all_primaries_are_recorded_and_a_node_that_goes_leaves_a_gap() {
    for (_, program) in engines() {
        let mut cluster = Cluster::start(&program);
        let asked = Target::parse(&cluster.nodes[2].url(), Access::default(), PATIENCE).expect("its address");
        let topology = Topology::of(&asked).expect("it answers").expect("a cluster");
        assert_eq!(topology.primaries().len(), 3);
        let take = |lines: &mut Vec<String>, line: &str| lines.push(line.to_owned());
        let recording =
            Primaries::start(topology.primaries(), "the-end", |_| Vec::new(), take).expect("MONITOR on each");
        for queue in QUEUES {
            let key = format!("emq:{{{queue}}}:wait");
            let mut client = topology.of_key(key.as_bytes()).expect("it is served").connect().expect("a connection");
            redis::cmd("EVAL")
                .arg("return redis.call('LLEN', KEYS[1])")
                .arg(1)
                .arg(&key)
                .exec(&mut client)
                .expect("it runs");
            // An answer to the next command shows that the lines of the one before have left the server.
            redis::cmd("PING").exec(&mut client).expect("it answers");
        }
        let gone = cluster.nodes.remove(Cluster::home("{payments}"));
        let url = gone.url();
        gone.stop();
        let (heard, unheard) = recording.finish(PATIENCE);
        assert_eq!(unheard.iter().map(|node| node.node.as_str()).collect::<Vec<_>>(), [url]);
        assert_eq!(heard.len(), 3);
        for queue in QUEUES {
            let key = format!("\"emq:{{{queue}}}:wait\"");
            let of_call = |line: &String| line.contains("\"EVAL\"") && line.contains(&key);
            let lines = heard.iter().find(|lines| lines.iter().any(of_call));
            let lines = lines.unwrap_or_else(|| panic!("no call for {queue}: {heard:#?}"));
            let at = lines.iter().position(of_call).expect("it was found");
            assert!(lines[at + 1].contains("lua] \"LLEN\"") && lines[at + 1].contains(&key), "{lines:#?}");
        }
    }
}

/// A runtime that knows clusters goes where its queue is; whichever node it is told of.
#[test]
fn a_runtime_is_recorded_wherever_it_goes() {
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        let (home, key) = (Cluster::home("{orders}"), "emq:{orders}:wait");
        let push = format!("valkey-cli -c -h $EMQ_HOST -p $EMQ_PORT LPUSH '{key}' 1");
        let elsewhere = cluster.nodes[(home + 1) % 3].url();
        let probe =
            || run(&["probe", "--runtime", &push, "--url", &elsewhere, "--queue", "orders", "--format", "json"]);
        let report = probe().expect(1).json();
        assert_eq!(report["assertions"][0]["evidence"][0]["key"], key, "valkey {version}: {report:#}");
        assert_eq!(report["assertions"][4]["verdict"], "fail", "{report:#}");
        // Now the queue is in use, and that is seen where it is.
        probe().expect(3).says(&["queue orders is in use there", &cluster.nodes[home].url()]);
    }
}
