//! The grant that the probe asks for works, and is the least that does.

use crate::common::command::{Run, run};
use crate::common::engines::engines;
use crate::common::shared::Shared;
use echomq_conformance::native::server::grant;

/// Probes as a user with the named grant without the commands in `but`.
fn probe(shared: &mut Shared, but: &[&str]) -> Run {
    let rules = grant::rules("payments");
    let rules = rules.split(' ').filter(|rule| !but.contains(&rule.trim_start_matches('+')));
    let set: Vec<&str> = ["ACL", "SETUSER", "ann", "reset", "on", "nopass"].into_iter().chain(rules).collect();
    shared.ask::<()>(&set);
    run(&["probe", "--url", &shared.url_as("ann:any"), "--timeout", "5s"])
}

#[test]
fn the_grant_that_is_asked_for_is_enough() {
    for (_, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        probe(&mut shared, &[]).expect(0);
        shared.is_as_before();
    }
}

#[test]
fn each_command_of_it_is_needed_and_asked_for_by_name() {
    for (_, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        for command in grant::COMMANDS {
            let without = probe(&mut shared, &[command]).expect(3);
            let rule = format!("ACL SETUSER with +{command};");
            assert!(without.stderr.contains(&rule), "no {rule:?} in {}", without.stderr);
            let rules = grant::rules("QUEUE");
            assert!(without.stderr.contains(&rules), "no {rules:?} in {}", without.stderr);
            shared.is_as_before();
        }
    }
}

#[test]
fn a_server_without_a_command_that_cleans_up_is_left_alone() {
    for (_, program) in engines() {
        for command in ["DEL", "LREM", "ZREM"] {
            let mut shared = Shared::start_program(&program, &["--rename-command", command, ""]);
            let probe = run(&["probe", "--url", &shared.url()]).expect(3);
            probe.says(&["nothing was written", "unknown command"]);
            shared.is_as_before();
        }
    }
}

#[test]
fn the_other_wire_needs_what_is_named_besides() {
    let mut shared = Shared::start();
    let others = ["--profile", "echomq-2.x"];
    let rules = grant::rules("payments");
    for without in grant::ECHOMQ_2X {
        let more = grant::ECHOMQ_2X.into_iter().filter(|rule| *rule != without);
        let set: Vec<&str> = ["ACL", "SETUSER", "ann", "reset", "on", "nopass"]
            .into_iter()
            .chain(rules.split(' '))
            .chain(more)
            .collect();
        shared.ask::<()>(&set);
        let url = shared.url_as("ann:any");
        run(&[&["probe", "--url", &url][..], &others].concat())
            .expect(3)
            .says(&["echomq-2.x ~{emq}:version +zrange besides"]);
        shared.ask::<()>(&["ACL", "SETUSER", "ann", without]);
        run(&[&["probe", "--url", &url][..], &others].concat()).expect(0);
        shared.is_as_before();
    }
}

#[test]
fn the_keys_of_another_queue_are_not_enough() {
    let mut shared = Shared::start();
    let rules = grant::rules("orders");
    let set: Vec<&str> = ["ACL", "SETUSER", "ann", "on", "nopass"].into_iter().chain(rules.split(' ')).collect();
    shared.ask::<()>(&set);
    run(&["probe", "--url", &shared.url_as("ann:any")]).expect(3).says(&["with ~emq:{QUEUE}:*;"]);
    shared.is_as_before();
}
