//! The grant that a recording asks for works, and is the least that does.

use crate::common::cluster::{Cluster, ask};
use crate::common::command::{Run, run};
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::recorder::{Recorder, commands, read};
use crate::common::shared::{Shared, connect, send};
use echomq_conformance::core::capture::{Capture, Reply};
use echomq_conformance::native::server::{PrivateServer, grant};

/// The rules of a user who may do all of these but one.
fn rules(commands: &[&[&str]], but: &str) -> Vec<String> {
    let rules = grant::allowed(commands);
    let fixed = ["ACL", "SETUSER", "ann", "reset", "on", "nopass"].into_iter();
    fixed.chain(rules.split(' ')).filter(|rule| rule.trim_start_matches('+') != but).map(str::to_owned).collect()
}

fn set_user(url: &str, rules: &[String]) {
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    ask::<()>(&mut connect(url), &rules);
}

/// Fails to begin.
fn refused(url: &str, more: &[&str]) -> Run {
    let folder = Folder::new();
    let out = folder.text("out.json");
    let run = run(&[&["record", "--for", "1ms", "--timeout", "5s", "--url", url, "--out", &out], more].concat());
    assert!(folder.names().is_empty(), "{:?}", folder.names());
    run.expect(3)
}

fn recorded(url: &str, login: &str) -> Capture {
    let recorder = Recorder::start_at(login, &["--queue", "q"]);
    let mut client = connect(url);
    send(&mut client, &["HSET", "emq:{q}:meta", "version", "echomq:2.0.0"]);
    send(&mut client, &["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "1", "emq:{q}:wait"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    read(&folder)
}

#[test]
fn the_grant_that_is_asked_for_is_enough_and_each_command_of_it_is_needed() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let (url, login) = (shared.url(), shared.url_as("ann:any"));
        set_user(&url, &rules(&[&grant::RECORD], ""));
        let capture = recorded(&url, &login);
        assert!(commands(&capture).iter().any(|command| command.starts_with("HSET")), "valkey {version}");
        let all = format!("a recording needs in all {}, of a cluster", grant::allowed(&[&grant::RECORD]));
        for command in grant::RECORD {
            set_user(&url, &rules(&[&grant::RECORD], command));
            refused(&login, &[]).says(&[&format!("ACL SETUSER with +{command};"), &all]);
        }
    }
}

#[test]
fn what_is_read_aside_needs_more() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let (url, login) = (shared.url(), shared.url_as("ann:any"));
        send(&mut connect(&url), &["SCRIPT", "LOAD", "return 1"]);
        let has = |capture: &Capture| {
            let read = |is: fn(&Reply) -> bool| capture.reads.iter().any(|read| is(&read.reply));
            [
                ("hget", read(|reply| matches!(reply, Reply::Text(_)))),
                ("script|exists", read(|reply| matches!(reply, Reply::Array(_)))),
                ("script|show", !capture.scripts.is_empty()),
            ]
        };
        for but in ["", "hget", "script|exists", "script|show"] {
            let mut rules = rules(&[&grant::RECORD, &grant::RECORD_ASIDE], but);
            rules.push("~emq:{q}:*".to_owned());
            set_user(&url, &rules);
            let capture = recorded(&url, &login);
            for (command, has) in has(&capture) {
                assert_eq!(has, command != but, "valkey {version}: {command} without {but:?}");
            }
        }
    }
}

#[test]
fn a_cluster_needs_two_commands_more() {
    for (version, program) in engines() {
        let cluster = Cluster::start(&program);
        let urls: Vec<String> = cluster.nodes.iter().map(PrivateServer::url).collect();
        let set = |but: &str| {
            let rules = rules(&[&grant::RECORD, &grant::RECORD_CLUSTER], but);
            for url in &urls {
                set_user(url, &rules);
            }
        };
        let login = urls[0].replace("valkey://", "valkey://ann:any@");
        set("");
        let capture = recorded(&urls[Cluster::home("{q}")], &login);
        assert!(commands(&capture).iter().any(|command| command.starts_with("HSET")), "valkey {version}");
        for command in grant::RECORD_CLUSTER {
            set(command);
            let besides = format!("of a cluster {} besides", grant::allowed(&[&grant::RECORD_CLUSTER]));
            refused(&login, &[]).says(&[&format!("ACL SETUSER with +{command};"), &besides]);
        }
    }
}

#[test]
fn a_runtime_under_the_probe_needs_to_look_for_its_queue() {
    let (_, program) = &engines()[0];
    let shared = Shared::start_program(program, &[]);
    let (url, login) = (shared.url(), shared.url_as("ann:any"));
    let probe = || run(&["probe", "--runtime", "true", "--url", &login, "--queue", "q", "--timeout", "5s"]);
    set_user(&url, &rules(&[&grant::RECORD], ""));
    probe().expect(3).says(&["ACL SETUSER with +scan;", "a probe with --runtime needs in all", "+monitor +scan"]);
    set_user(&url, &rules(&[&grant::RECORD, &grant::ATTACH], ""));
    probe().expect(3).says(&["no connection of the runtime touched queue q"]);
}

/// Where nobody tells who is connected, a pick may have been somebody's.
#[test]
fn of_a_pick_that_cannot_be_told_nothing_certain_is_said() {
    for (user, said) in
        [("", "no connection had this address"), ("-client|list", "no connection was seen to have this address")]
    {
        let mut shared = Shared::start();
        let rules = ["ACL", "SETUSER", "ann", "on", "nopass", "~*", "&*", "+@all", user];
        shared.ask::<()>(rules.strip_suffix(&[""]).unwrap_or(&rules));
        let folder = Folder::new();
        let out = folder.text("out.json");
        let url = shared.url_as("ann:any");
        run(&["record", "--url", &url, "--client", "w9", "--for", "300ms", "--out", &out])
            .expect(0)
            .says(&["--client w9", said]);
    }
}
