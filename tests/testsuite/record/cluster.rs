//! A recording of a cluster: every primary, in one capture, whoever the primaries are meanwhile.

use std::collections::BTreeSet;

use crate::common::cluster::{Cluster, Move, ask};
use crate::common::command::run;
use crate::common::engines::{engines, valkey_9};
use crate::common::folder::Folder;
use crate::common::process::{signal, wait_until};
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::schema::schema;
use crate::common::shared::{connect, send};
use echomq_conformance::core::capture::{Capture, Event, Origin};
use serde_json::Value;

/// A queue on each node.
const QUEUES: [&str; 3] = ["orders", "payments", "billing"];

fn key(queue: &str) -> String {
    format!("emq:{{{queue}}}:wait")
}

/// What a capture says of how it came to be.
fn source(folder: &Folder) -> Value {
    let text = folder.read(FILE);
    serde_json::from_str::<Value>(&text).expect("JSON")["source"].take()
}

/// The servers that a capture names, and how much each of them lost.
fn nodes(source: &Value) -> Vec<(String, u64)> {
    let nodes = source["nodes"].as_array().expect("several nodes");
    let of =
        |node: &Value| (node["node"].as_str().expect("a name").to_owned(), node["dropped"].as_u64().expect("so many"));
    nodes.iter().map(of).collect()
}

/// The commands of a capture that begin with a word.
fn with(capture: &Capture, word: &str) -> Vec<String> {
    commands(capture).into_iter().filter(|command| command.starts_with(word)).collect()
}

#[test]
fn every_primary_is_recorded_in_the_order_of_what_was_done() {
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        let recorder = Recorder::start_at(&cluster.nodes[1].url(), &["--keep-values"]);
        let mut clients: Vec<_> = cluster.nodes.iter().map(|node| connect(&node.url())).collect();
        let mut sent = Vec::new();
        for round in 0..30 {
            for queue in QUEUES {
                let (key, round) = (key(queue), round.to_string());
                let client = &mut clients[Cluster::home(&key)];
                send(
                    client,
                    &["EVAL", "redis.call('LPUSH', KEYS[1], ARGV[1]) redis.call('LLEN', KEYS[1])", "1", &key, &round],
                );
                sent.extend([format!("LPUSH {key} {round}"), format!("LLEN {key}")]);
            }
        }
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["a cluster of 3 primaries", " of 3 nodes in ", "none lost"]);
        let capture = read(&folder);
        let ran = capture.events.iter().filter(|event| event.origin == Origin::Script);
        let ran: Vec<_> =
            ran.map(|event| event.argv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(ran, sent, "valkey {version}");
        for (at, event) in capture.events.iter().enumerate().filter(|(_, event)| event.origin == Origin::Script) {
            let call = event.call.expect("its call");
            assert!(capture.events[at - 1].seq == call || capture.events[at - 1].call == Some(call), "{event:?}");
        }
        let addresses: BTreeSet<_> = cluster.nodes.iter().map(|node| (node.address().to_string(), 0)).collect();
        let source = source(&folder);
        assert_eq!(nodes(&source).into_iter().collect::<BTreeSet<_>>(), addresses, "valkey {version}");
        let sum: u64 =
            source["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["events"].as_u64()).sum();
        assert_eq!((sum, capture.dropped), (capture.events.len() as u64, 0));
        let named = |event: &Event| (event.client.as_ref()?.split_once('@')).map(|(_, node)| (node.to_owned(), 0));
        assert_eq!(
            capture.events.iter().map(named).collect::<BTreeSet<_>>(),
            addresses.into_iter().map(Some).collect()
        );
    }
}

#[test]
fn a_queue_is_recorded_from_any_node_and_its_version_read_where_it_is() {
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        for queue in QUEUES {
            let (key, meta) = (key(queue), format!("emq:{{{queue}}}:meta"));
            let home = Cluster::home(&key);
            let elsewhere = cluster.nodes[(home + 1) % 3].url();
            let recorder = Recorder::start_at(&elsewhere, &["--queue", queue]);
            let mut client = connect(&cluster.nodes[home].url());
            send(&mut client, &["HSET", &meta, "version", "echomq:2.0.0"]);
            send(&mut client, &["LPUSH", &key, "1"]);
            send(&mut connect(&elsewhere), &["GET", "{other}"]);
            let (run, folder) = recorder.interrupt();
            run.expect(0).says(&["none lost"]);
            let capture = read(&folder);
            assert!(with(&capture, "GET").is_empty() && with(&capture, "LPUSH").len() == 1, "valkey {version}");
            let reads = serde_json::to_value(&capture.reads).expect("JSON");
            assert_eq!(reads, serde_json::json!([{"argv": ["HGET", meta, "version"], "reply": "echomq:2.0.0"}]));
            assert_eq!(verdict(&folder, queue), "pass");
        }
    }
}

fn follows_its_schema(folder: &Folder) {
    let capture = serde_json::from_str(&folder.read(FILE)).expect("JSON");
    let schema = schema("emq-capture-1");
    assert_eq!(schema.iter_errors(&capture).map(|error| error.to_string()).collect::<Vec<_>>(), [""; 0]);
}

/// Whether every key was the queue's own.
fn verdict(folder: &Folder, queue: &str) -> Value {
    let mut report = run(&["check", "--format", "json", "--queue", queue, &folder.text(FILE)]).json();
    report["assertions"][0]["verdict"].take()
}

/// The new owner is one that came while the recording ran, empty: it is heard before the first key goes over.
#[test]
fn a_slot_is_followed_to_a_node_that_came_later() {
    for (version, program) in engines() {
        let mut cluster = Cluster::start(&program);
        let key = key("orders");
        let home = Cluster::home(&key);
        let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
        send(&mut connect(&cluster.nodes[home].url()), &["LPUSH", &key, "1"]);
        cluster.join();
        recorder.wait_for("a primary now");
        recorder.wait_for("recorded after");
        let new = &cluster.nodes[3];
        let mut there = connect(&new.url());
        let mut step = Move::new(&key, &cluster.nodes[home], new);
        step.begin();
        send(&mut there, &["ASKING"]);
        send(&mut there, &["LPUSH", "emq:{orders}:active", "1"]);
        step.keys();
        step.end();
        wait_until("it has the slot", || ask::<redis::Value>(&mut there, &["LLEN", &key]) == redis::Value::Int(1));
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&[" of 4 nodes in ", "none lost"]);
        let capture = read(&folder);
        assert_eq!(capture.dropped, 0, "valkey {version}");
        assert_eq!(with(&capture, "LPUSH").len(), 2);
        assert!(with(&capture, "LLEN").contains(&format!("LLEN {key}")), "{:?}", commands(&capture));
        let gap = &source(&folder)["gaps"][0];
        assert_eq!((gap["node"].as_str(), gap["lost"].as_u64()), (Some(&*new.address().to_string()), Some(0)), "{gap}");
    }
}

#[test]
fn a_slot_is_followed_between_primaries() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::start(program);
    let key = key("orders");
    let home = Cluster::home(&key);
    let new = &cluster.nodes[(home + 1) % 3];
    let recorder = Recorder::start_at(&new.url(), &["--queue", "orders"]);
    send(&mut connect(&cluster.nodes[home].url()), &["LPUSH", &key, "1"]);
    Move::new(&key, &cluster.nodes[home], new).all();
    send(&mut connect(&new.url()), &["RPOP", &key]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    let capture = read(&folder);
    assert_eq!((with(&capture, "LPUSH").len(), with(&capture, "RPOP").len()), (1, 1), "{:?}", commands(&capture));
    // Who moved it asked for that; what the nodes did to each other then is nobody's.
    assert_eq!((with(&capture, "MIGRATE").len(), with(&capture, "RESTORE").len()), (1, 0), "{:?}", commands(&capture));
}

#[test]
fn a_failover_is_survived_and_its_gap_said() {
    for (version, program) in engines() {
        let mut cluster = Cluster::with_replicas(&program);
        let key = key("payments");
        let home = Cluster::home(&key);
        // Any node tells of all, also a replica.
        let mut recorder = Recorder::start_at(&cluster.replicas[(home + 1) % 3].url(), &[]);
        let mut client = connect(&cluster.nodes[home].url());
        for _ in 0..10 {
            send(&mut client, &["LPUSH", &key, "1"]);
        }
        // What the replica has not run, it cannot have lost.
        send(&mut client, &["WAIT", "1", "5000"]);
        let other = self::key("orders");
        let mut elsewhere = connect(&cluster.nodes[Cluster::home(&other)].url());
        let gone = cluster.nodes.remove(home);
        let old = gone.address().to_string();
        gone.stop();
        recorder.wait_for("broke off");
        // The others are heard all the while.
        send(&mut elsewhere, &["LLEN", &other]);
        recorder.wait_for("a primary now");
        let promoted = &cluster.replicas[home];
        let mut client = connect(&promoted.url());
        send(&mut client, &["RPOP", &key]);
        send(&mut client, &["RPOP", &key]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&[&old, " of 4 nodes in ", "at least", "lost"]);
        let capture = read(&folder);
        let held = ["LPUSH", "LLEN", "RPOP"].map(|word| with(&capture, word).len());
        assert_eq!(held, [10, 1, 2], "valkey {version}");
        let source = source(&folder);
        let lost: Vec<_> = nodes(&source).into_iter().filter(|(_, lost)| *lost > 0).map(|(node, _)| node).collect();
        let new = promoted.address().to_string();
        assert_eq!(lost.iter().collect::<BTreeSet<_>>(), BTreeSet::from([&old, &new]), "{source:#}");
        let gaps = source["gaps"].as_array().expect("gaps");
        let gap =
            |node: &str| gaps.iter().find(|gap| gap["node"] == node).unwrap_or_else(|| panic!("{node}: {source:#}"));
        assert!(gap(&old)["to"].is_null() && gap(&old)["lost"].is_null(), "{source:#}");
        assert!(gap(&new)["to"].as_u64() > gap(&new)["from"].as_u64() && gap(&new)["lost"].is_null(), "{source:#}");
        assert_eq!(verdict(&folder, "payments"), "indeterminate");
        follows_its_schema(&folder);
    }
}

/// A replica runs what its primary tells it: that is no second time.
#[test]
fn a_planned_failover_records_nothing_twice() {
    for (version, program) in engines() {
        let cluster = Cluster::with_replicas(&program);
        let key = key("payments");
        let home = Cluster::home(&key);
        let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
        send(&mut connect(&cluster.nodes[home].url()), &["LPUSH", &key, "1"]);
        let mut client = connect(&cluster.replicas[home].url());
        let mut looks = 0;
        wait_until("it is the primary", || {
            // One that was not voted for is not tried again by itself.
            if looks % 500 == 0 {
                send(&mut client, &["CLUSTER", "FAILOVER"]);
            }
            looks += 1;
            matches!(send(&mut client, &["RPUSH", &key, "1"]), redis::Value::Int(_))
        });
        recorder.wait_for("a primary now");
        recorder.wait_for("no primary any more");
        for _ in 0..10 {
            send(&mut client, &["LPOP", &key]);
        }
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["at least", "lost"]);
        let capture = read(&folder);
        assert_eq!(with(&capture, "LPOP").len(), 10, "valkey {version}: {:?}", commands(&capture));
        let old = cluster.nodes[home].address().to_string();
        let lost = nodes(&source(&folder)).into_iter().find(|(node, _)| *node == old).expect("the old primary");
        assert_eq!(lost.1, 0, "its last counts were compared");
    }
}

/// Between two looks at the cluster another node was the primary, and all looks as before.
#[test]
fn a_failover_and_back_that_nobody_saw_is_told() {
    for (version, program) in engines() {
        for hangs in [true, false] {
            let cluster = Cluster::with_replicas(&program);
            let key = key("payments");
            let home = Cluster::home(&key);
            let [mut old, mut new] = [&cluster.nodes[home], &cluster.replicas[home]].map(|node| connect(&node.url()));
            send(&mut old, &["LPUSH", &key, "1"]);
            send(&mut old, &["WAIT", "1", "5000"]);
            let recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
            send(&mut old, &["LPUSH", &key, "2"]);
            let process = recorder.child.id().to_string();
            if hangs {
                signal("STOP", &process);
            }
            let ways: &[&str] = if hangs { &["CLUSTER", "FAILOVER"] } else { &["CLUSTER", "FAILOVER", "TAKEOVER"] };
            take_over(&mut new, ways);
            send(&mut new, &["LPUSH", &key, "3"]);
            if hangs {
                // It is told of the change, and has what came meanwhile.
                wait_until("it follows", || ask::<String>(&mut new, &["INFO", "replication"]).contains("state=online"));
            }
            take_over(&mut old, ways);
            if hangs {
                signal("CONT", &process);
            }
            let (run, folder) = recorder.interrupt();
            let run = run.expect(0).says(&["it was a replica meanwhile", "at least", "lost"]);
            assert!(!run.stderr.contains("taken for keys of a slot"), "{}", run.stderr);
            let source = source(&folder);
            let name = cluster.nodes[home].address().to_string();
            let gaps = source["gaps"].as_array().expect("gaps");
            let gap = gaps.iter().find(|gap| gap["node"] == *name).expect("a gap");
            assert!(gap["from"].as_u64() > Some(0) && gap["from"].as_u64() < gap["to"].as_u64(), "{version}: {gap}");
            assert_eq!(verdict(&folder, "payments"), "indeterminate", "valkey {version}");
            follows_its_schema(&folder);
        }
    }
}

/// The gap begins where the node was last known to be a replica, however late it is found that it is none.
#[test]
fn the_gap_of_a_promoted_node_begins_before_it_was_promoted() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::with_replicas(program);
    let (key, other) = (key("payments"), key("orders"));
    let home = Cluster::home(&key);
    let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
    std::thread::sleep(std::time::Duration::from_secs(8));
    let process = recorder.child.id().to_string();
    signal("STOP", &process);
    take_over(&mut connect(&cluster.replicas[home].url()), &["CLUSTER", "FAILOVER"]);
    send(&mut connect(&cluster.nodes[Cluster::home(&other)].url()), &["LLEN", &other]);
    signal("CONT", &process);
    recorder.wait_for("a primary now");
    let (run, folder) = recorder.interrupt();
    run.expect(0);
    let capture = read(&folder);
    let later = capture.events.iter().find(|event| event.argv[0].to_string() == "LLEN").expect("it is recorded");
    let (source, new) = (source(&folder), cluster.replicas[home].address().to_string());
    let gap = source["gaps"].as_array().expect("gaps").iter().find(|gap| gap["node"] == *new).expect("a gap");
    assert!(gap["after"].as_u64() < Some(later.seq) && gap["from"].as_u64() < Some(later.time), "{gap} {later:?}");
    assert!(gap["from"].as_u64() > Some(0) && gap["to"].as_u64() > Some(later.time), "{gap} {later:?}");
}

/// It takes no connections while it is the primary.
#[test]
fn a_promoted_node_that_was_never_heard_has_its_gap() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::with_replicas(program);
    let home = Cluster::home(&key("payments"));
    let [mut old, mut new] = [&cluster.nodes[home], &cluster.replicas[home]].map(|node| connect(&node.url()));
    let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
    send(&mut new, &["CONFIG", "SET", "maxclients", "1"]);
    take_over(&mut new, &["CLUSTER", "FAILOVER", "TAKEOVER"]);
    recorder.wait_for("no primary any more");
    take_over(&mut old, &["CLUSTER", "FAILOVER", "TAKEOVER"]);
    recorder.wait_for("a primary now");
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["what it ran was not heard", "at least", "lost"]);
    let name = cluster.replicas[home].address().to_string();
    assert!(nodes(&source(&folder)).iter().any(|(node, lost)| *node == name && *lost > 0), "{:?}", source(&folder));
    follows_its_schema(&folder);
}

/// Makes a node the primary. One that was not voted for is not tried again by itself.
fn take_over(node: &mut redis::Connection, ways: &[&str]) {
    let mut looks = 0;
    wait_until("it is the primary", || {
        if looks % 500 == 0 {
            send(node, ways);
        }
        looks += 1;
        ask::<String>(node, &["CLUSTER", "NODES"]).contains("myself,master")
    });
}

#[test]
fn a_primary_that_stays_away_is_a_gap_and_the_others_go_on() {
    let (_, program) = &engines()[0];
    let mut cluster = Cluster::start(program);
    let home = Cluster::home(&key("payments"));
    let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &["--timeout", "10s"]);
    let gone = cluster.nodes.remove(home);
    let old = gone.address().to_string();
    gone.stop();
    recorder.wait_for("broke off");
    let others = QUEUES.into_iter().filter(|queue| *queue != "payments");
    for (queue, node) in others.zip([0, 1]) {
        send(&mut connect(&cluster.nodes[node].url()), &["LPUSH", &key(queue), "1"]);
    }
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["at least 1 lost"]);
    let capture = read(&folder);
    assert_eq!((with(&capture, "LPUSH").len(), capture.dropped), (2, 1));
    assert_eq!(source(&folder)["gaps"][0]["node"], *old);
}

#[test]
fn a_cluster_that_is_gone_ends_the_recording_with_what_there_is() {
    for (version, program) in engines() {
        let cluster = Cluster::with_replicas(&program);
        let recorder = Recorder::start_at(&cluster.nodes[0].url(), &["--timeout", "5s"]);
        for queue in QUEUES {
            let mut client = connect(&cluster.nodes[Cluster::home(&key(queue))].url());
            send(&mut client, &["LPUSH", &key(queue), "1"]);
            send(&mut client, &["PING"]);
        }
        drop(cluster);
        let (run, folder) = recorder.end();
        run.expect(3).says(&["could not go on within 5 s", "lost: what is judged of it"]);
        let capture = read(&folder);
        assert_eq!((with(&capture, "LPUSH").len(), capture.dropped), (3, 3), "valkey {version}");
        assert_eq!(verdict(&folder, "orders"), "indeterminate");
    }
}

/// The primaries are gone and no majority of them is left to elect others, so somebody has replicas take over by hand.
#[test]
fn a_replica_that_takes_over_is_found_when_no_primary_is_left() {
    for (version, program) in engines() {
        let mut cluster = Cluster::with_replicas(&program);
        let key = key("payments");
        let home = Cluster::home(&key);
        let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &["--for", "8s"]);
        cluster.nodes.clear();
        recorder.wait_for("broke off");
        std::thread::sleep(std::time::Duration::from_secs(8));
        let mut client = connect(&cluster.replicas[home].url());
        wait_until("it is the primary", || {
            send(&mut client, &["CLUSTER", "FAILOVER", "TAKEOVER"]);
            ask::<String>(&mut client, &["CLUSTER", "NODES"]).contains("myself,master")
        });
        // Its time is over since long ago, but nothing was heard then.
        let (run, folder) = recorder.end();
        run.expect(0).says(&["a primary now", " of 4 nodes in "]);
        let new = cluster.replicas[home].address().to_string();
        assert!(nodes(&source(&folder)).iter().any(|(node, _)| *node == new), "valkey {version}");
    }
}

/// It does not close its connections, as a machine that has lost its network does not.
#[test]
fn a_primary_that_hangs_is_let_go_when_its_cluster_does() {
    for (version, program) in engines() {
        let cluster = Cluster::with_replicas(&program);
        let key = key("payments");
        let home = Cluster::home(&key);
        let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &[]);
        let hanging = &cluster.nodes[home];
        signal("STOP", &hanging.pid().to_string());
        recorder.wait_for("a primary now");
        recorder.wait_for("its cluster has given it up");
        let promoted = cluster.replicas.iter().map(|node| connect(&node.url()));
        let set = promoted.map(|mut client| send(&mut client, &["LPUSH", &key, "1"]));
        assert!(set.into_iter().any(|answer| answer == redis::Value::Int(1)), "valkey {version}");
        signal("CONT", &hanging.pid().to_string());
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["at least", "lost"]);
        let capture = read(&folder);
        assert_eq!(with(&capture, "LPUSH").len(), 1, "valkey {version}: {:?}", commands(&capture));
        let old = hanging.address().to_string();
        assert!(nodes(&source(&folder)).iter().any(|(node, lost)| *node == old && *lost > 0), "valkey {version}");
    }
}

/// Valkey 9 sends a slot's keys as ordinary commands, also those that are no business of the queue's clients.
#[test]
fn what_comes_with_a_slot_is_nobodys_command() {
    let program = valkey_9();
    let cluster = Cluster::start(&program);
    let (key, strange) = (key("orders"), "strange:{orders}");
    let home = Cluster::home(&key);
    let (old, new) = (&cluster.nodes[home], &cluster.nodes[(home + 1) % 3]);
    let [mut here, mut there] = [old, new].map(|node| connect(&node.url()));
    send(&mut here, &["SET", strange, "1"]);
    send(&mut here, &["RPUSH", &key, "1", "2"]);
    send(&mut here, &["HSET", "emq:{orders}:meta", "version", "echomq:2.0.0"]);
    for pick in [&["--queue", "orders"][..], &[]] {
        let recorder = Recorder::start_at(&new.url(), pick);
        send(&mut here, &["LLEN", &key]);
        let slot = echomq_conformance::core::keyspace::slot(key.as_bytes()).to_string();
        let id: String = ask(&mut there, &["CLUSTER", "MYID"]);
        ask::<()>(&mut here, &["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", &slot, &slot, "NODE", &id]);
        wait_until("the slot has come", || send(&mut there, &["LLEN", &key]) == redis::Value::Int(2));
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost"]);
        let held = commands(&read(&folder));
        assert!(!held.iter().any(|command| command.contains(strange) || command.starts_with("RPUSH")), "{held:?}");
        assert_eq!(held.iter().filter(|command| command.starts_with("LLEN")).count(), 2, "{held:?}");
        // And back.
        let id: String = ask(&mut here, &["CLUSTER", "MYID"]);
        ask::<()>(&mut there, &["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", &slot, &slot, "NODE", &id]);
        wait_until("the slot is back", || send(&mut here, &["LLEN", &key]) == redis::Value::Int(2));
        cluster.agree_on(&key, home);
    }
}

#[test]
fn each_part_of_a_rotated_recording_has_its_own_nodes() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::start(program);
    let recorder = Recorder::start_at(&cluster.nodes[0].url(), &["--rotate", "10"]);
    for queue in QUEUES {
        let mut client = connect(&cluster.nodes[Cluster::home(&key(queue))].url());
        for _ in 0..10 {
            send(&mut client, &["LLEN", &key(queue)]);
        }
    }
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    let names = folder.names();
    assert!(names.len() > 2, "{names:?}");
    for name in names {
        let part: Value = serde_json::from_str(&folder.read(&name)).expect("JSON");
        let nodes = part["source"]["nodes"].as_array().expect("nodes");
        let sum: u64 = nodes.iter().filter_map(|node| node["events"].as_u64()).sum();
        assert_eq!(sum, part["events"].as_array().expect("events").len() as u64, "{name}: {nodes:?}");
    }
}

/// A node that takes no connections for a while, in the course of which parts begin and end.
#[test]
fn a_gap_that_is_open_where_a_part_begins_stands_in_that_too() {
    let (_, program) = &engines()[0];
    let cluster = Cluster::start(program);
    let home = Cluster::home(&key("payments"));
    let mut recorder = Recorder::start_at(&cluster.nodes[home].url(), &["--rotate", "10"]);
    let [mut gone, mut other] = [home, (home + 1) % 3].map(|node| connect(&cluster.nodes[node].url()));
    send(&mut gone, &["CONFIG", "SET", "maxclients", "1"]);
    send(&mut gone, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    recorder.wait_for("broke off");
    send(&mut gone, &["LLEN", &key("payments")]);
    for _ in 0..25 {
        send(&mut other, &["PING"]);
    }
    wait_until("two parts are full", || recorder.folder.names().len() > 2);
    send(&mut gone, &["CONFIG", "SET", "maxclients", "1000"]);
    recorder.wait_for("that the recording does not hold: 1 llen");
    let (run, folder) = recorder.interrupt();
    run.expect(0);
    let node = cluster.nodes[home].address().to_string();
    let gaps: Vec<_> = folder
        .names()
        .iter()
        .map(|name| {
            let part: Value = serde_json::from_str(&folder.read(name)).expect("JSON");
            part["source"]["gaps"][0].clone()
        })
        .collect();
    assert!(gaps.iter().all(|gap| gap["node"] == *node), "{gaps:?}");
    for name in folder.names() {
        // Nothing that is said of every key may rest on a part in which a node was not heard.
        let part: Value = serde_json::from_str(&folder.read(&name)).expect("JSON");
        assert_eq!(part["dropped"], 1, "{name}: {part:#}");
        let nodes = part["source"]["nodes"].as_array().expect("nodes").iter();
        let lost: u64 = nodes.filter(|one| one["node"] == *node).filter_map(|one| one["dropped"].as_u64()).sum();
        assert_eq!(lost, 1, "{name}: {part:#}");
    }
    let (first, last) = (&gaps[0], &gaps[gaps.len() - 1]);
    assert!(first["lost"].is_null() && first["to"].is_null() && last["after"] == 0, "{gaps:?}");
    assert!(last["lost"] == 1 && last["to"].is_u64(), "{gaps:?}");
}
