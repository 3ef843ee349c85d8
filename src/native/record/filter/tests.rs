//! What passes, what is left out, and what of that counts as lost.

use super::*;
use crate::core::capture::monitor::Reader;
use crate::core::profile::{ECHOMQ_2X, EMQ_1};

fn event(client: &str, words: &str) -> Event {
    let words: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
    let line = format!("1.000000 [0 {client}] {}", words.join(" "));
    Reader::new().line(line.as_bytes()).expect("a line").expect("a command")
}

fn pop(filter: &mut Filter, now: Instant, all: bool) -> Option<Event> {
    filter.pop(now, all).map(|(_, event, _)| event)
}

/// What passes after each of these commands has been taken in, and at last what is left out and lost.
fn passed(whose: Whose, commands: &[(&str, &str)]) -> (Vec<String>, u64, u64) {
    let (mut filter, now) = (Filter::new(whose, &EMQ_1), Instant::now());
    let mut passed = Vec::new();
    for (client, words) in commands {
        filter.push(0, event(client, words), None, now);
        passed.extend(std::iter::from_fn(|| pop(&mut filter, now, false)));
    }
    passed.extend(std::iter::from_fn(|| pop(&mut filter, now, true)));
    let shown = |event: &Event| event.argv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    (passed.iter().map(shown).collect(), filter.left_out, filter.early)
}

fn queue() -> Whose {
    Whose::Queue { profile: &EMQ_1, legacy_prefixes: Vec::new(), queue: "q".into() }
}

#[test]
fn a_connection_belongs_from_its_first_command_on() {
    let commands = [("a", "PING"), ("b", "GET x"), ("a", "GET emq:{q}:wait"), ("b", "GET y"), ("a", "GET z")];
    assert_eq!(passed(queue(), &commands), (vec!["PING".into(), "GET emq:{q}:wait".into(), "GET z".into()], 2, 0));
}

/// As `check` takes them from whoever did them; others' scripts show theirs without the call.
#[test]
fn what_every_queue_is_held_to_passes_whoever_did_it() {
    let picked = Whose::Picked { clients: vec!["a".into()], users: Vec::new() };
    for whose in [queue(), picked] {
        for words in ["FLUSHALL", "flushdb ASYNC", "SWAPDB 0 1"] {
            let commands = [("a", "GET emq:{q}:x"), ("b", "GET y"), ("b", words), ("b", "GET z")];
            assert_eq!(passed(whose.clone(), &commands), (vec!["GET emq:{q}:x".into(), words.into()], 2, 0), "{words}");
        }
        for words in ["SET {emq}:version 1", "MSET x 1 {emq}:version 1", "GET {emq}:version", "DEL {emq}:version"] {
            let mut filter = Filter::new(whose.clone(), &ECHOMQ_2X);
            filter.push(0, event("b", words), None, Instant::now());
            assert_eq!(pop(&mut filter, Instant::now(), true).is_some(), !words.starts_with("GET"), "{words}");
            assert_eq!(passed(whose.clone(), &[("b", words)]), (Vec::new(), 1, 0), "{words}");
        }
    }
    let (mut filter, now) = (Filter::new(queue(), &EMQ_1), Instant::now());
    filter.push(0, event("b", "EVAL x 0"), None, now);
    filter.push(0, Event { origin: Origin::Script, ..event("b", "FLUSHALL") }, None, now);
    assert_eq!((pop(&mut filter, now, true), filter.left_out(), filter.lost()), (None, 1, 1));
}

/// Another recorder asks for the counts, and for the version; whoever asks for the version alone is a client that begins.
#[test]
fn a_recorder_does_not_belong_to_what_it_looks_at() {
    let look = "HGET emq:{q}:meta version";
    let commands = [("a", "INFO all"), ("a", look), ("a", "SCRIPT EXISTS x"), ("b", look)];
    assert_eq!(passed(queue(), &commands), (vec![look.into()], 3, 0));
    let commands = [("a", "INFO all"), ("a", look), ("a", "LLEN emq:{q}:wait")];
    assert_eq!(passed(queue(), &commands).0.len(), 3);
}

/// Nobody can say whose it was; and the server is not asked for ever.
#[test]
fn who_is_gone_is_asked_about_no_more() {
    let picked = |users: &[&str]| Whose::Picked {
        clients: vec!["w".into()],
        users: users.iter().map(|&user| user.into()).collect(),
    };
    for (users, early) in [(&[][..], 0), (&["ann"], 1)] {
        let (mut filter, now) = (Filter::new(picked(users), &EMQ_1), Instant::now());
        filter.push(0, event("a:1", "GET x"), None, now);
        assert!(filter.asks());
        filter.clients(None, &[listed("b:2", 9)], now);
        assert!(!filter.asks());
        assert_eq!((pop(&mut filter, now, false), filter.left_out, filter.early), (None, 1, early));
        // Who has the address next is somebody else.
        let later = now + Duration::from_secs(60);
        filter.push(0, event("a:1", "CLIENT SETNAME w"), None, later);
        assert!(filter.pop(later, false).is_some() && filter.early == early);
    }
}

#[test]
fn the_queue_is_known_in_either_keyspace() {
    for key in ["emq:{q}:x", "bull:q:1", "emq:q:wait", "{q}:x"] {
        assert_eq!(passed(queue(), &[("a", &format!("GET {key}"))]).0.len(), 1, "{key}");
    }
    for key in ["emq:{qq}:x", "bull:qq:1", "q"] {
        assert_eq!(passed(queue(), &[("a", &format!("GET {key}"))]), (Vec::new(), 1, 0), "{key}");
    }
}

#[test]
fn what_came_too_early_is_lost_and_not_merely_left_out() {
    let (mut filter, start) = (Filter::new(queue(), &EMQ_1), Instant::now());
    filter.push(0, event("a", "GET x"), None, start);
    let later = start + HELD;
    assert_eq!(pop(&mut filter, later, false), None);
    assert_eq!((filter.left_out, filter.early), (1, 0));
    filter.push(0, event("a", "GET emq:{q}:x"), None, later);
    assert!(filter.pop(later, false).is_some());
    assert_eq!(filter.early, 1);
}

#[test]
fn what_was_asked_before_a_login_says_nothing_of_it() {
    let mut filter = Filter::new(Whose::Picked { clients: Vec::new(), users: vec!["ann".into()] }, &EMQ_1);
    let now = Instant::now();
    let of = |user: &str| [Client { user: user.into(), ..listed("a:1", 0) }];
    filter.clients(None, &of("default"), now);
    let later = now + Duration::from_millis(5);
    filter.push(0, event("a:1", "AUTH ann x"), None, later);
    filter.clients(None, &of("default"), now);
    assert!(filter.asks());
    filter.clients(None, &of("ann"), later);
    assert!(!filter.asks() && filter.pop(later, false).is_some());
}

fn listed(address: &str, age: u64) -> Client {
    Client { address: address.into(), name: String::new(), user: String::new(), age: Some(age) }
}

/// A stranger has done something at an address; a minute later somebody there touches the queue, and is in the server's list so
/// often, with such ages.
fn lost_by_the_next_one(ages: &[u64]) -> u64 {
    let (mut filter, start) = (Filter::new(queue(), &EMQ_1), Instant::now());
    filter.push(0, event("a:1", "GET x"), None, start);
    assert_eq!(pop(&mut filter, start + HELD, false), None);
    let later = start + Duration::from_secs(60);
    filter.push(0, event("a:1", "GET emq:{q}:x"), None, later);
    assert!(filter.pop(later, false).is_some() && filter.early == 1 && filter.asks());
    let list: Vec<Client> = ages.iter().map(|&age| listed("a:1", age)).collect();
    filter.clients(None, &list, later);
    assert!(!filter.asks());
    filter.early
}

#[test]
fn what_another_connection_did_at_the_address_is_no_loss() {
    assert_eq!([60, 58, 57].map(|age| lost_by_the_next_one(&[age])), [1, 1, 0]);
}

/// No server says so; but nobody has to be one.
#[test]
fn a_list_of_nonsense_does_no_harm() {
    assert_eq!(lost_by_the_next_one(&[u64::MAX, 57, 57, u64::MAX]), 0);
    assert_eq!(lost_by_the_next_one(&[u64::MAX]), 1);
}

/// What passes of a worker that is greeted a minute later, where its connection is so old then, and of what that does next.
fn greeted_anew(greeting: &str, list: Option<u64>) -> Vec<String> {
    let (mut filter, start) = (Filter::new(queue(), &EMQ_1), Instant::now());
    filter.push(0, event("a:1", "GET emq:{q}:x"), None, start);
    assert!(filter.pop(start, false).is_some());
    let later = start + Duration::from_secs(60);
    filter.push(0, event("a:1", greeting), None, later);
    filter.push(0, event("a:1", "GET y"), None, later);
    if let Some(age) = list {
        filter.clients(None, &[listed("a:1", age)], later);
    }
    let passed = std::iter::from_fn(|| filter.pop(later + HELD, false)).map(|(_, event, _)| event.argv[0].to_string());
    passed.collect()
}

#[test]
fn whoever_is_greeted_anew_may_be_another() {
    for greeting in ["HELLO 3", "AUTH x", "CLIENT SETINFO lib-name x"] {
        assert_eq!(greeted_anew(greeting, Some(1)).len(), 0, "{greeting}");
        assert_eq!(greeted_anew(greeting, Some(61)).len(), 2, "{greeting}");
        assert_eq!(greeted_anew(greeting, None).len(), 2, "{greeting}");
    }
    assert_eq!(greeted_anew("PING", Some(1)).len(), 2);
}

#[test]
fn after_quit_an_address_is_anybodys() {
    let commands = [("a", "GET emq:{q}:x"), ("a", "QUIT"), ("a", "GET y"), ("b", "PING"), ("b", "QUIT")];
    let more = [("b", "GET emq:{q}:x"), ("unix:s", "GET emq:{q}:x"), ("unix:s", "QUIT"), ("unix:s", "GET z")];
    let all = ["GET emq:{q}:x", "QUIT", "GET emq:{q}:x", "GET emq:{q}:x", "QUIT", "GET z"].map(String::from);
    assert_eq!(passed(queue(), &[&commands[..], &more].concat()), (all.into(), 3, 0));
}

#[test]
fn no_more_is_held_back_than_the_limits_say() {
    let (mut filter, now) = (Filter::new(queue(), &EMQ_1), Instant::now());
    for _ in 0..=MOST {
        filter.push(0, event("a", "PING"), None, now);
        assert_eq!(pop(&mut filter, now, false), None);
    }
    assert_eq!((filter.held.len(), filter.left_out), (MOST, 1));
}

#[test]
fn names_addresses_and_users_pick() {
    let picked = |client: &str| Whose::Picked { clients: vec![client.into()], users: Vec::new() };
    let commands = [("a:1", "PING"), ("a:1", "CLIENT SETNAME w"), ("b:2", "PING")];
    assert_eq!(passed(picked("w"), &commands).0, ["PING", "CLIENT SETNAME w"]);
    assert_eq!(passed(picked("b:2"), &commands).0, ["PING"]);
    let nodes = [("b:2@n:1", "PING"), ("b:2@n:2", "GET a"), ("b:22@n:1", "GET b")];
    assert_eq!(passed(picked("b:2"), &nodes).0, ["PING", "GET a"]);
    assert_eq!(passed(picked("b:2@n:2"), &nodes).0, ["GET a"]);
    let mut filter = Filter::new(Whose::Picked { clients: Vec::new(), users: vec!["ann".into()] }, &EMQ_1);
    let now = Instant::now();
    filter.push(0, event("a:1", "PING"), None, now);
    assert!(filter.asks());
    let client = |address: &str, user: &str| Client {
        address: address.into(),
        name: String::new(),
        user: user.into(),
        age: Some(0),
    };
    filter.clients(None, &[client("a:1", "ann"), client("b:2", "bob")], now);
    assert!(!filter.asks());
    filter.push(0, event("b:2", "PING"), None, now);
    assert_eq!(pop(&mut filter, now, false).and_then(|event| event.client).as_deref(), Some("a:1"));
    assert_eq!((pop(&mut filter, now, false), filter.left_out), (None, 1));
}
