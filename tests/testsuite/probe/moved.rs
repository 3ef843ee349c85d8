//! `emq-conform probe --url` while the queue's slot goes to another node: no verdict that is not one, and nothing is left behind.

use crate::common::cluster::{Cluster, Move};
use crate::common::command::{Run, run};
use crate::common::engines::engines;
use crate::common::gate::Gate;
use crate::common::process::wait_until;
use crate::common::shared::connect;

/// A cluster whose node of queue `orders` is reached through a gate.
fn gated(program: &std::path::Path) -> (Cluster, Gate, usize) {
    let cluster = Cluster::start(program);
    let home = Cluster::home("{orders}");
    let gate = Gate::before(cluster.nodes[home].address(), "emq:{orders}:");
    let port = gate.port.to_string();
    let mut client = connect(&cluster.nodes[home].url());
    redis::cmd("CONFIG").arg(&["SET", "cluster-announce-port", &port]).exec(&mut client).expect("it takes the port");
    wait_until("it is reached through the gate", || {
        let slots: redis::Value = redis::cmd("CLUSTER").arg("SLOTS").query(&mut client).expect("it answers");
        format!("{slots:?}").contains(&format!("int({port})"))
    });
    (cluster, gate, home)
}

fn probe(cluster: &Cluster, home: usize) -> Run {
    run(&["probe", "--url", &cluster.nodes[home].url(), "--queue", "orders", "--timeout", "10s"])
}

/// Moves the slot back.
fn come_back(cluster: &Cluster, there: usize, home: usize) {
    cluster.agree_on("{orders}", there);
    Move::new("{orders}", &cluster.nodes[there], &cluster.nodes[home]).all();
    cluster.agree_on("{orders}", home);
}

/// Once for each command that the probe sends: the slot has gone just before it.
#[test]
fn a_slot_that_goes_proves_nothing() {
    for (version, program) in engines() {
        let (cluster, gate, home) = gated(&program);
        let there = (home + 1) % 3;
        let mut proved_nothing = 0;
        for before in 0.. {
            let mut step = Move::new("{orders}", &cluster.nodes[home], &cluster.nodes[there]);
            gate.set(before, move || step.all());
            let run = probe(&cluster, home);
            let went_off = gate.clear();
            assert_eq!(cluster.keys(), [""; 0], "valkey {version}: nothing is left, gone before command {before}");
            if !went_off {
                run.expect(0);
                break;
            }
            // What the probe does when it has its evidence is only to clean up.
            let is_done = run.code == Some(0);
            if !is_done {
                proved_nothing += 1;
                let to = cluster.nodes[there].address().to_string();
                run.expect(3).says(&["the slot of queue orders is being moved", &to, "proves nothing"]);
            }
            assert_eq!(is_done, before >= proved_nothing, "valkey {version}: before command {before}");
            come_back(&cluster, there, home);
        }
        assert!(proved_nothing > 8, "valkey {version}: {proved_nothing}");
    }
}

/// The slot is on its way all the time: keys that are made now are made there.
#[test]
fn a_slot_on_its_way_proves_nothing() {
    for (version, program) in engines() {
        let (cluster, gate, home) = gated(&program);
        let there = (home + 1) % 3;
        let mut proved_nothing = 0;
        for before in 0.. {
            let mut step = Move::new("{orders}", &cluster.nodes[home], &cluster.nodes[there]);
            gate.set(before, move || {
                step.begin();
                step.keys();
            });
            let run = probe(&cluster, home);
            let went_off = gate.clear();
            assert_eq!(
                cluster.keys(),
                [""; 0],
                "valkey {version}: nothing is left, on its way before command {before}"
            );
            if !went_off {
                run.expect(0);
                break;
            }
            if run.code != Some(0) {
                proved_nothing += 1;
                run.expect(3).says(&["the slot of queue orders is being moved", "proves nothing"]);
            }
            Move::new("{orders}", &cluster.nodes[home], &cluster.nodes[there]).end();
            come_back(&cluster, there, home);
        }
        assert!(proved_nothing > 8, "valkey {version}: {proved_nothing}");
    }
}
