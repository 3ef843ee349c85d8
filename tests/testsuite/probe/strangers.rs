//! `emq-conform probe --url` on a queue that others use: no verdict, no silent pass, and nothing of theirs is lost.

use std::thread;

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::engines;
use crate::common::gate::Gate;
use crate::common::process::peak_memory;
use crate::common::shared::{Noise, Shared, connect, send};
use redis::Connection;

/// Probes while another client does something over and over; gives what the probes said.
fn probe_beside(shared: &Shared, times: usize, other: impl FnMut(&mut Connection) + Send + 'static) -> Vec<Run> {
    let _noise = Noise::start(shared.client(), other);
    (0..times).map(|_| run(&["probe", "--url", &shared.url(), "--timeout", "5s", "--format", "json"])).collect()
}

#[test]
fn a_touch_of_the_queue_by_another_client_is_no_verdict() {
    for words in [
        &["GET", "emq:{payments}:id"][..],
        &["GET", "emq:payments:wait"],
        &["GET", "bull:payments:wait"],
        &["EVAL", "return redis.call('GET', 'emq:{payments}:id')", "0"],
        &["BLMOVE", "emq:{payments}:wait", "emq:{payments}:active", "RIGHT", "LEFT", "0.01"],
        &["LMOVE", "emq:{payments}:wait", "emq:{payments}:active", "RIGHT", "LEFT"],
        &["HSETNX", "emq:{payments}:meta", "version", "echomq:2.0.0"],
        &["FLUSHALL"],
        &["EVAL", "return redis.call('FLUSHDB')", "0"],
    ] {
        let mut shared = Shared::start();
        let runs = probe_beside(&shared, 5, move |client| {
            send(client, words);
            if words[0].starts_with('H') {
                send(client, &["DEL", words[1]]);
            }
        });
        let mut refused = 0;
        for run in runs {
            if run.code == Some(0) {
                // The other one never had its turn.
                assert_eq!(run.json()["out_of_scope"]["commands"], 0, "{words:?}");
                continue;
            }
            run.expect(3).says(&["payments", "--queue"]);
            refused += 1;
        }
        assert!(refused > 0, "{words:?}");
        shared.ask::<()>(&["DEL", "emq:{payments}:meta"]);
        shared.ask::<()>(&["SET", "somebody:else", "1"]);
        shared.is_as_before();
    }
}

#[test]
fn who_did_what_is_named() {
    for (_, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let runs = probe_beside(&shared, 5, |client| drop(send(client, &["get", "emq:{payments}:id"])));
        let refused: Vec<_> = runs.into_iter().filter(|run| run.code != Some(0)).collect();
        assert!(!refused.is_empty());
        for run in refused {
            run.expect(3).says(&[
                "queue payments is not the probe's alone: 127.0.0.1:",
                " ran GET emq:{payments}:id; so this run proves nothing",
                "name a queue that nobody serves with --queue",
            ]);
        }
    }
}

#[test]
fn a_worker_that_waits_for_jobs_is_named() {
    for (_, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let mut worker = shared.client();
        // It waits before the recording begins, so MONITOR never shows what it takes.
        let waits = thread::spawn(move || {
            send(&mut worker, &["BLMOVE", "emq:{payments}:wait", "emq:{payments}:active", "RIGHT", "LEFT", "10"]);
            thread::sleep(std::time::Duration::from_secs(1));
        });
        let mut shared = shared;
        shared.wait_for_blocked();
        run(&["probe", "--url", &shared.url()]).expect(3).says(&[
            "not the probe's alone: 127.0.0.1:",
            "BLMOVE",
            "--queue",
        ]);
        waits.join().expect("it got the job");
        shared.is_as_before();
    }
}

#[test]
fn two_probes_at_once_never_judge_each_other() {
    let mut shared = Shared::start();
    let mut refused = 0;
    for _ in 0..12 {
        let url = shared.url();
        let both = [(); 2].map(|()| start(&mut emq(&["probe", "--url", &url])));
        for tool in both {
            let run: Run = tool.wait_with_output().expect("it ends").into();
            assert!(matches!(run.code, Some(0 | 3)), "{:?} {}", run.code, run.stderr);
            refused += u32::from(run.code == Some(3));
        }
        shared.is_as_before();
    }
    assert!(refused > 0, "they never met");
}

#[test]
fn what_others_put_there_meanwhile_stays() {
    let mut shared = Shared::start();
    // At once, or a probe could end in between.
    let script = "if redis.call('EXISTS', KEYS[4]) == 0 then return 0 end
        redis.call('RPUSH', KEYS[1], 'theirs') redis.call('LPUSH', KEYS[1], 'theirs too')
        redis.call('LPUSH', KEYS[2], 'at work') redis.call('ZADD', KEYS[3], 1, 'done')
        redis.call('HSET', KEYS[4], 'paused', '1') redis.call('SET', KEYS[5], 'row') return 1";
    let keys = ["wait", "active", "completed", "meta", "7"].map(|kind| format!("emq:{{payments}}:{kind}"));
    let (mut others, theirs) = (shared.client(), keys.clone());
    // Once the probe has made its first key.
    let waits = thread::spawn(move || {
        while redis::cmd("EVAL").arg(script).arg(5).arg(&theirs).query::<u8>(&mut others).expect("it runs") == 0 {}
    });
    // On a busy machine the others may not have their turn while a probe runs.
    let met = (0..20).map(|_| run(&["probe", "--url", &shared.url()])).find(|run| run.code != Some(0));
    met.expect("they never met").expect(3).says(&["not the probe's alone"]);
    waits.join().expect("they came");
    let list: Vec<String> = shared.ask(&["LRANGE", &keys[0], "0", "-1"]);
    assert_eq!(list, ["theirs too", "theirs"]);
    assert_eq!(shared.ask::<Vec<String>>(&["LRANGE", &keys[1], "0", "-1"]), ["at work"]);
    assert_eq!(shared.ask::<Vec<String>>(&["ZRANGE", &keys[2], "0", "-1"]), ["done"]);
    assert_eq!(shared.ask::<Vec<String>>(&["HGETALL", &keys[3]]), ["paused", "1"]);
    assert_eq!(shared.keys().len(), 6, "{:?}", shared.keys());
}

#[test]
fn a_version_that_somebody_else_wrote_stays() {
    let mut shared = Shared::start();
    // A server that is slow enough for another to come first.
    shared.ask::<()>(&["CLIENT", "PAUSE", "600000", "WRITE"]);
    let tool = start(&mut emq(&["probe", "--url", &shared.url()]));
    shared.wait_for_blocked();
    let mut other = shared.client();
    // The probe's HSETNX waits first in the queue, so it is ended before the other writes.
    crate::common::process::signal("INT", &tool.id().to_string());
    let run: Run = tool.wait_with_output().expect("it ends").into();
    run.expect(130);
    shared.ask::<()>(&["CLIENT", "UNPAUSE"]);
    send(&mut other, &["HSETNX", "emq:{payments}:meta", "version", "echomq:2.0.0"]);
    assert_eq!(shared.keys(), ["emq:{payments}:meta", "somebody:else"]);
}

#[test]
fn on_a_unix_socket_others_are_seen_too() {
    let folder = crate::common::folder::Folder::new();
    let socket = folder.text("v.sock");
    let _shared = Shared::start_with(&["--unixsocket", &socket]);
    let url = format!("unix://{socket}");
    let _noise = Noise::start(connect(&url), |client| drop(send(client, &["LLEN", "emq:{payments}:wait"])));
    let said: Vec<_> = (0..5).map(|_| run(&["probe", "--url", &url]).stderr).collect();
    assert!(said.iter().any(|said| said.contains("LLEN emq:{payments}:wait")), "{said:?}");
}

/// Two hundred megabytes of somebody's, while the probe is at work.
#[test]
fn what_others_do_meanwhile_is_counted_and_not_held() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let gate = Gate::before(shared.server.address(), "emq:{payments}:");
        let mut other = shared.client();
        gate.set(2, move || {
            let value = "x".repeat(1 << 20);
            (0..200).for_each(|_| drop(send(&mut other, &["SET", "somebody:else", &value])));
        });
        let child = start(&mut emq(&["probe", "--url", &gate.url(), "--format", "json"]));
        let most = peak_memory(child.id());
        let run = Run::from(child.wait_with_output().expect("it ends")).expect(0);
        assert!(gate.clear(), "{version}");
        assert!(run.json()["out_of_scope"]["commands"].as_u64() >= Some(200), "{version}: {}", run.json());
        assert!(most < 64 * 1024, "{version}: {most} kB at its peak");
    }
}
