//! A recording of a cluster's node: it says what it does not show, and is refused where it would show nothing.

mod common;

use common::cluster::Cluster;
use common::command::run;
use common::engines::engines;
use common::folder::Folder;
use common::recorder::{Recorder, commands, read};
use common::shared::{connect, send};

#[test]
fn one_node_is_not_taken_for_the_whole() {
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        let home = Cluster::home("emq:{q}:wait");
        let (here, elsewhere) = (cluster.nodes[home].url(), cluster.nodes[(home + 1) % 3].url());
        for more in [&[][..], &["--queue", "q"]] {
            let recorder = Recorder::start_at(&here, more);
            send(&mut connect(&here), &["LLEN", "emq:{q}:wait"]);
            let (run, folder) = recorder.interrupt();
            let run = run.expect(0).says(&["one of 3 primaries of a cluster", "none of this node's lost"]);
            assert!(!run.stderr.contains("none lost"), "{}", run.stderr);
            assert!(commands(&read(&folder)).contains(&"LLEN emq:{q}:wait".to_owned()), "valkey {version}");
        }
        let folder = Folder::new();
        let address = cluster.nodes[home].address().to_string();
        run(&["record", "--url", &elsewhere, "--queue", "q", "--out", &folder.text("out.json")])
            .expect(3)
            .says(&["does not serve queue q", &address]);
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}
