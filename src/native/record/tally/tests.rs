//! Stretches of recordings, and what a server says that it ran in them.

use super::*;
use crate::core::capture::monitor::Reader;
use crate::native::server::engine::ServerInfo;

fn snapshot(run: &str, blocked: u64, calls: &[(&str, u64)]) -> Snapshot {
    let info = ServerInfo { name: "valkey".into(), version: "8.0.1".into(), pid: None };
    let calls = calls.iter().map(|&(name, calls)| (name.to_owned(), calls)).collect();
    let (run, history) = (run.into(), Default::default());
    let (time, libraries, failed_loads) = (None, None, Some(0));
    Snapshot {
        info,
        run,
        is_replica: false,
        history,
        time,
        blocked,
        clients: 9,
        received: 9,
        libraries,
        failed_loads,
        calls,
    }
}

/// A tally that began with these counts and then saw these commands.
fn after(base: Snapshot, commands: &[&str]) -> Tally {
    let mut tally = Tally::default();
    assert_eq!(tally.answer(base), None);
    assert_eq!(tally.line(0), Some(Finding::First));
    saw(&mut tally, commands);
    tally
}

fn saw(tally: &mut Tally, commands: &[&str]) {
    for command in commands {
        let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
        let line = format!("1.000000 [0 a:1] {}", words.join(" "));
        tally.saw(&Reader::new().line(line.as_bytes()).expect("a line").expect("a command"));
    }
}

#[track_caller]
fn check(mut tally: Tally, now: Snapshot, finding: &Finding) {
    assert_eq!(tally.line(0), None);
    assert_eq!(tally.answer(now).as_ref(), Some(finding));
}

fn lost(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
    of.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

#[test]
fn what_was_counted_and_not_seen_was_lost() {
    let base = || snapshot("r", 0, &[("get", 5), ("config|get", 1)]);
    let tally = || after(base(), &["GET k", "get k", "XGROUP CREATE s g $"]);
    check(tally(), snapshot("r", 0, &[("get", 7), ("xgroup|create", 1), ("config|get", 9)]), &Finding::Lost(lost(&[])));
    let more = snapshot("r", 0, &[("get", 9), ("xgroup|create", 1), ("config|get", 1), ("set", 1)]);
    check(tally(), more, &Finding::Lost(lost(&[("get", 2), ("set", 1)])));
}

#[test]
fn a_command_that_waited_before_is_none() {
    let base = || snapshot("r", 1, &[("blpop", 1)]);
    check(after(base(), &[]), snapshot("r", 0, &[("blpop", 2)]), &Finding::Lost(lost(&[])));
    check(after(base(), &[]), snapshot("r", 0, &[("blpop", 3)]), &Finding::Lost(lost(&[("blpop", 1)])));
    check(after(base(), &["BLPOP k 0"]), snapshot("r", 2, &[("blpop", 1)]), &Finding::Lost(lost(&[])));
}

/// One waited before and is served while nobody looks, and then sends another that waits still; all of it is found once.
#[test]
fn a_command_that_was_sent_unseen_and_waits_is_lost() {
    let base = || snapshot("r", 1, &[("bzpopmin", 1)]);
    let broken = |seen: &[&str]| {
        let mut tally = after(base(), seen);
        tally.broke(&[], 2);
        tally
    };
    let waits = || snapshot("r", 1, &[("bzpopmin", 2)]);
    let mut tally = broken(&[]);
    assert_eq!((tally.line(0), tally.answer(waits())), (None, Some(Finding::Lost(lost(&[("(still waiting)", 1)])))));
    check(tally, snapshot("r", 0, &[("bzpopmin", 2), ("blpop", 1)]), &Finding::Lost(lost(&[])));
    check(broken(&["BLPOP k 0"]), waits(), &Finding::Lost(lost(&[])));
    // The one that waited has gone, and another has come and was served.
    check(broken(&[]), snapshot("r", 0, &[("bzpopmin", 1), ("blpop", 2)]), &Finding::Lost(lost(&[("blpop", 1)])));
    // Where nothing broke, it is a client that is paused.
    check(after(base(), &[]), snapshot("r", 2, &[("bzpopmin", 1)]), &Finding::Lost(lost(&[])));
}

/// Sent in a pause, it is never shown, and comes to wait; it is found when it is served, and those that were shown are not.
#[test]
fn a_command_that_came_to_wait_unshown_is_lost_when_it_ends() {
    let counts = |blocked, calls| snapshot("r", blocked, &[("blpop", calls)]);
    let compared = |tally: &mut Tally, now, of: &[(&str, u64)]| {
        assert_eq!(tally.line(0), None);
        assert_eq!(tally.answer(now), Some(Finding::Lost(lost(of))));
    };
    let mut tally = after(counts(1, 4), &["BLPOP k 0"]);
    compared(&mut tally, counts(3, 4), &[]);
    compared(&mut tally, counts(2, 5), &[]);
    saw(&mut tally, &["BLPOP k 0", "BLPOP k 0"]);
    compared(&mut tally, counts(2, 7), &[]);
    compared(&mut tally, counts(0, 9), &[("blpop", 1)]);
    saw(&mut tally, &["BLPOP k 0"]);
    compared(&mut tally, counts(1, 9), &[]);
    // Its client goes, and another comes to wait unshown.
    compared(&mut tally, counts(0, 9), &[]);
    compared(&mut tally, counts(1, 9), &[]);
    compared(&mut tally, counts(0, 10), &[("blpop", 1)]);
    saw(&mut tally, &["BLPOP k 0"]);
    compared(&mut tally, counts(1, 10), &[]);
    compared(&mut tally, counts(0, 11), &[]);
}

/// Some wait, all connections end, and as many clients wait again, or were served meanwhile.
#[test]
fn clients_that_went_while_they_waited_may_hide_others() {
    let base = || Snapshot { clients: 8, received: 20, ..snapshot("r", 5, &[("blpop", 1)]) };
    let now =
        |blocked, calls, received| Snapshot { clients: 8, received, ..snapshot("r", blocked, &[("blpop", calls)]) };
    let perhaps = || lost(&[("(perhaps, for clients that waited have gone)", 1)]);
    for (now, expected) in [
        (now(5, 1, 27), perhaps()),
        (now(0, 6, 27), perhaps()),
        // Only the tool's own two have gone.
        (now(5, 1, 22), lost(&[])),
        (now(0, 6, 22), lost(&[])),
        // Those who have gone have sent nothing since.
        (now(2, 1, 23), lost(&[])),
    ] {
        let mut tally = after(base(), &[]);
        tally.broke(&[], 2);
        check(tally, now, &Finding::Lost(expected));
    }
    // Where nothing broke, every line was heard.
    check(after(base(), &["BLPOP k 0"]), now(5, 1, 27), &Finding::Lost(lost(&[])));
}

#[test]
fn a_restart_and_a_reset_are_told_apart() {
    let base = || snapshot("r", 0, &[("get", 5)]);
    check(after(base(), &[]), snapshot("s", 0, &[("get", 7)]), &Finding::Restarted(lost(&[("get", 7)])));
    check(after(base(), &[]), snapshot("r", 0, &[("get", 1)]), &Finding::Reset);
    check(after(base(), &["SET k v"]), snapshot("r", 0, &[("get", 6)]), &Finding::Reset);
}

/// The recorder is behind by a question, or the answers are heard late: each is compared with its own.
#[test]
fn questions_that_are_open_at_once_are_told_apart() {
    let base = || after(snapshot("r", 0, &[("get", 5)]), &["GET k"]);
    let counts = |get| snapshot("r", 0, &[("get", get)]);
    let none = || Some(Finding::Lost(lost(&[])));
    let mut tally = base();
    assert_eq!((tally.answer(counts(6)), tally.answer(counts(8)), tally.awaits_line()), (None, None, true));
    assert_eq!(tally.line(0), none());
    saw(&mut tally, &["GET k", "GET k"]);
    assert_eq!((tally.awaits_line(), tally.line(0), tally.awaits_line()), (true, none(), false));
    let mut tally = base();
    assert_eq!(tally.line(0), None);
    saw(&mut tally, &["GET k", "GET k"]);
    assert_eq!((tally.line(0), tally.answer(counts(6)), tally.answer(counts(8))), (None, none(), none()));
}

#[test]
fn what_may_have_changed_libraries_is_told_apart() {
    let told = |seen: &[&str], now: Snapshot| {
        let mut tally = after(snapshot("r", 0, &[("function|load", 5)]), seen);
        assert!(tally.line(7).is_none() && tally.answer(now).is_some());
        match tally.libraries() {
            (7, Told::Whole, Failed::Counted(Some(0), false)) => "whole",
            (7, Told::Lost, Failed::Counted(_, true)) => "lost",
            (7, Told::All(all), _) if all.is_empty() => "none",
            told => panic!("{told:?}"),
        }
    };
    let counts = |run: &str, calls: &[(&str, u64)]| snapshot(run, 0, calls);
    for name in ["function|load", "function|delete", "function|flush", "function|restore"] {
        assert_eq!(told(&[], counts("r", &[("function|load", 5), (name, 6)])), "lost");
    }
    for name in ["get", "function|list", "fcall"] {
        assert_eq!(told(&[], counts("r", &[("function|load", 5), (name, 6)])), "whole");
    }
    assert_eq!((told(&[], counts("s", &[])), told(&[], counts("r", &[]))), ("lost", "lost"));
    assert_eq!(told(&["FUNCTION LOAD x"], counts("r", &[("function|load", 6)])), "whole");
    // What stands under another name, or could not be read, may have been it.
    assert_eq!(told(&["MYFUNCTION LOAD x"], counts("r", &[("function|load", 6)])), "lost");
    assert_eq!(told(&["MYFUNCTION LOAD x"], counts("r", &[("echo", 1), ("function|load", 6)])), "lost");
    // Those that failed are counted from one comparison to the next.
    let failed = |run: &str, failed| Snapshot { failed_loads: Some(failed), ..snapshot(run, 0, &[]) };
    for (now, expected) in [(failed("r", 5), Some(3)), (failed("r", 1), None), (failed("s", 5), None)] {
        let mut tally = after(failed("r", 2), &[]);
        assert!(tally.line(7).is_none() && tally.answer(now).is_some());
        assert!(matches!(tally.libraries(), (7, _, Failed::Counted(count, _)) if count == expected));
    }
    // A replica is sent libraries beside its counts, in any stretch.
    let mut tally = after(Snapshot { is_replica: true, ..counts("r", &[]) }, &[]);
    for place in [7, 8] {
        let now = Snapshot { is_replica: true, ..counts("r", &[]) };
        assert!(tally.line(place).is_none() && tally.answer(now).is_some());
        assert!(matches!(tally.libraries(), (_, Told::Lost, Failed::Counted(_, true))));
    }
    // Whatever was lost, there are none.
    let none = |run: &str| Snapshot { libraries: Some(0), ..counts(run, &[("function|load", 6)]) };
    assert_eq!((told(&[], none("r")), told(&[], none("s"))), ("none", "none"));
}

/// Between what a server tells before anything is heard and the first comparison.
#[test]
fn what_has_changed_libraries_before_anything_was_heard_shows_in_the_first_counts() {
    let counts = |loads, failed| Snapshot {
        failed_loads: Some(failed),
        ..snapshot("r", 0, &[("function|load", loads), ("get", loads)])
    };
    let replica = Snapshot { is_replica: true, ..counts(6, 3) };
    for (now, hides, failed) in [
        (counts(6, 3), false, Some(1)),
        (counts(7, 3), true, Some(1)),
        (counts(4, 3), true, Some(1)),
        (replica, true, Some(1)),
        (Snapshot { run: "s".into(), ..counts(6, 3) }, true, Some(1)),
        // It was one meanwhile, and was sent what its primary had.
        (Snapshot { history: ["b".into(), "a".into()], ..counts(6, 3) }, true, Some(1)),
    ] {
        for breaks in [false, true] {
            let mut tally = Tally::default();
            tally.begin_after(counts(5, 2));
            saw(&mut tally, &["FUNCTION LOAD x"]);
            if breaks {
                tally.broke(&[], 2);
            }
            assert_eq!((tally.line(7), tally.answer(now.clone())), (None, Some(Finding::First)));
            let (place, told, counted) = tally.libraries();
            assert_eq!((place, matches!(told, Told::Lost)), (7, hides), "{now:?}");
            assert!(matches!(counted, Failed::Counted(count, also) if count == failed && also == hides), "{counted:?}");
            // After that it is compared as always.
            assert!(tally.line(8).is_none() && tally.answer(now.clone()).is_some());
            assert!(matches!(tally.libraries(), (8, _, Failed::Counted(Some(0), also)) if also == now.is_replica));
        }
    }
}

#[test]
fn a_server_that_is_started_as_something_else_has_turned() {
    let of = |run: &str, is_replica| Snapshot { is_replica, ..snapshot(run, 0, &[]) };
    let turn = |before, now| {
        let mut tally = after(before, &[]);
        assert!(tally.line(0).is_none() && tally.answer(now).is_some());
        tally.take_turn()
    };
    assert_eq!(turn(of("r", false), of("s", true)), Some(Turn::IsReplica));
    assert_eq!(turn(of("r", true), of("s", false)), Some(Turn::IsPrimary));
    assert_eq!(turn(of("r", true), of("s", true)), None);
}

/// Its answer comes, and it stands in no line; the next question is compared with its own answer.
#[test]
fn a_question_that_is_not_shown_is_passed_over() {
    let at = |time, get, info| Snapshot { time: Some(time), ..snapshot("r", 0, &[("get", get), ("info", info)]) };
    let mut tally = after(at(0, 5, 1), &["INFO all", "GET k"]);
    let second = Duration::from_secs(1);
    assert_eq!((tally.answer(at(10_000_000, 6, 3)), tally.pass_over(10_900_000, second)), (None, 0));
    assert_eq!((tally.pass_over(11_000_001, second), tally.awaits_line()), (1, false));
    saw(&mut tally, &["GET k"]);
    check(tally, at(20_000_000, 7, 3), &Finding::Lost(lost(&[])));
}

#[test]
fn a_break_takes_all_that_was_open() {
    let mut tally = after(snapshot("r", 0, &[("get", 5)]), &["GET k"]);
    assert_eq!(tally.line(0), None);
    saw(&mut tally, &["GET k"]);
    assert_eq!(tally.line(0), None);
    tally.broke(&[], 2);
    saw(&mut tally, &["GET k"]);
    check(tally, snapshot("r", 0, &[("get", 9)]), &Finding::Lost(lost(&[("get", 1)])));
}

#[test]
fn a_line_that_could_not_be_read_was_some_command() {
    let mut tally = after(snapshot("r", 0, &[]), &[]);
    tally.unread();
    check(tally, snapshot("r", 0, &[("get", 1), ("set", 1)]), &Finding::Lost(lost(&[("set", 1)])));
}

/// As Redis 6.2.5 writes them: a command's subcommands are counted as one, and CLIENT and CONFIG are never shown.
#[test]
fn counts_of_whole_commands_are_compared_with_all_their_subcommands() {
    let counts = |script: u64, client: u64| {
        Snapshot::parse(&format!(
            "# Server\r\nredis_version:6.2.5\r\nrun_id:r\r\n# Clients\r\nblocked_clients:0\r\n# Commandstats\r\n\
            cmdstat_script:calls={script},usec=83,usec_per_call=83.00,rejected_calls=0,failed_calls=0\r\n\
            cmdstat_client:calls={client},usec=67,usec_per_call=33.50,rejected_calls=0,failed_calls=0\r\n\
            cmdstat_config:calls={client},usec=67,usec_per_call=33.50,rejected_calls=0,failed_calls=0\r\n"
        ))
    };
    let seen = ["SCRIPT EXISTS x", "SCRIPT LOAD x"];
    check(after(counts(1, 1), &seen), counts(3, 9), &Finding::Lost(lost(&[])));
    check(after(counts(1, 1), &seen), counts(4, 9), &Finding::Lost(lost(&[("script", 1)])));
    check(after(counts(1, 1), &seen), counts(2, 1), &Finding::Reset);
    let mut tally = after(counts(1, 1), &[]);
    tally.broke(&["info", "client|info"], 2);
    check(tally, counts(2, 2), &Finding::Lost(lost(&[("script", 1)])));
}

#[test]
fn a_break_loses_what_was_not_seen_but_not_our_own() {
    let mut tally = after(snapshot("r", 0, &[("ping", 5)]), &["GET k"]);
    assert_eq!(tally.line(0), None);
    tally.broke(&["ping"], 2);
    check(tally, snapshot("r", 0, &[("ping", 6), ("get", 3)]), &Finding::Lost(lost(&[("get", 2)])));
}

#[test]
fn a_name_of_the_servers_own_is_some_command() {
    let tally = after(snapshot("r", 0, &[]), &["FETCH k"]);
    check(tally, snapshot("r", 0, &[("get", 1)]), &Finding::Lost(lost(&[])));
}
