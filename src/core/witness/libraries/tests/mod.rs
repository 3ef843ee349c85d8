//! Libraries as a server would have them, command by command.

use super::homes::MOST_HOMES;
use super::{Homes, Libraries};
use crate::core::bytes::Arg;
use crate::core::capture::Event;
use crate::core::capture::monitor::Reader;

mod refused;
mod told;

const ROOM: usize = 10_000;

/// A server, as far as a log shows it.
#[derive(Default)]
struct Server {
    libraries: Libraries,
    homes: Homes<String>,
    log: Reader,
}

fn look(server: &mut Server, words: &[&str]) {
    let argv: Vec<Arg> = words.iter().map(|word| Arg::from(*word)).collect();
    server.libraries.look(&argv, ROOM);
}

fn load(server: &mut Server, text: &str) {
    look(server, &["FUNCTION", "LOAD", text]);
}

fn replace(server: &mut Server, text: &str) {
    look(server, &["function", "load", "replace", text]);
}

fn library(name: &str, function: &str, more: &str) -> String {
    format!("#!lua name={name}\nredis.register_function('{function}', function() {more} end)")
}

fn event(server: &mut Server, line: &str) -> Event {
    server.log.line(format!("1.000000 [0 {line}").as_bytes()).expect("a line").expect("a command")
}

/// What the function's text is, once it is called.
fn called(server: &mut Server, function: &str) -> Option<String> {
    let call = event(server, &format!("a:1] \"FCALL\" \"{function}\" \"0\""));
    server.homes.call(&call, function.to_owned(), server.libraries.home(function));
    said(server, function).pop().flatten()
}

/// A script runs something.
fn ran(server: &mut Server) {
    let ran = event(server, "lua] \"GET\" \"k\"");
    server.homes.look(&ran);
}

/// The texts that a function had when it was called.
fn said(server: &Server, function: &str) -> Vec<Option<String>> {
    let text = |library: &super::Library| String::from_utf8_lossy(&library.text.0).into_owned();
    server.homes.of(&function.to_owned()).iter().map(|(_, library)| library.as_deref().map(text)).collect()
}

#[test]
fn a_function_is_in_the_library_that_was_there_when_it_was_called() {
    let mut server = Server::default();
    let [first, second, other] = [library("l", "f", "first"), library("l", "f", "second"), library("l", "g", "")];
    load(&mut server, &first);
    assert_eq!(called(&mut server, "f"), Some(first.clone()));
    // What is deleted later was there.
    look(&mut server, &["FUNCTION", "DELETE", "l"]);
    assert_eq!(said(&server, "f"), [Some(first.clone())]);
    replace(&mut server, &second);
    assert_eq!(called(&mut server, "f"), Some(second.clone()));
    // The function has gone with the replaced library; nobody can call it any more.
    replace(&mut server, &other);
    assert_eq!(called(&mut server, "f"), Some(second.clone()));
    assert_eq!((said(&server, "f"), called(&mut server, "g")), (vec![Some(first), Some(second)], Some(other)));
    look(&mut server, &["FUNCTION", "FLUSH", "ASYNC"]);
    // Nobody has called it when another library takes the place of its own.
    let [replaced, by] = [library("m", "h", ""), library("m", "i", "")];
    load(&mut server, &replaced);
    replace(&mut server, &by);
    assert_eq!((called(&mut server, "h"), called(&mut server, "i")), (None, Some(by)));
}

#[test]
fn what_the_server_refuses_was_not_loaded() {
    let mut server = Server::default();
    let [there, other] = [library("l", "f", "good"), library("l", "f", "other")];
    load(&mut server, &there);
    for refused in ["redis.register_function('f', g)", "#!lua\nredis.register_function('f', g)"] {
        load(&mut server, refused);
        assert_eq!(called(&mut server, "f").as_ref(), Some(&there), "{refused}");
    }
    // Its name is there, unless the first text failed to load.
    load(&mut server, &other);
    assert_eq!(called(&mut server, "f"), None);
    replace(&mut server, &there);
    server.libraries.settle();
    load(&mut server, &other);
    assert_eq!(called(&mut server, "f").as_ref(), Some(&there), "it is there for sure");
    // Another's function: the engine refuses that, unless what looks like the first's was a comment. Nobody can tell whose it is.
    load(&mut server, &library("m", "f", "another's"));
    assert_eq!(called(&mut server, "f"), None);
}

/// The engine tells functions' names apart without regard to case, and libraries' names with regard to it.
#[test]
fn names_are_told_apart_as_the_engine_does() {
    let mut server = Server::default();
    let [small, large] = [library("l", "f", "small"), library("L", "g", "large")];
    load(&mut server, &small);
    load(&mut server, &large);
    assert_eq!((called(&mut server, "F"), called(&mut server, "G")), (Some(small.clone()), Some(large)));
    assert_eq!(said(&server, "F"), [Some(small)]);
    load(&mut server, &library("m", "F", "refused"));
    assert_eq!(called(&mut server, "f"), None);
}

/// A function that may be in several, or in one whose text is not known, has no text, rather than that of the last one.
#[test]
fn where_a_function_may_be_elsewhere_no_former_text_counts() {
    let made_up =
        |name: &str, more: &str| format!("#!lua name={name}\nlocal n = 'f' redis.register_function(n, f) {more}");
    let mut server = Server::default();
    load(&mut server, &library("l", "f", "first"));
    assert!(called(&mut server, "f").is_some());
    load(&mut server, &made_up("m", ""));
    replace(&mut server, &made_up("l", "second"));
    assert_eq!(called(&mut server, "f"), None, "two may have it");
    look(&mut server, &["FUNCTION", "DELETE", "m"]);
    assert_eq!(called(&mut server, "f"), None, "the second may have been refused");
    replace(&mut server, &made_up("l", "second"));
    assert_eq!(called(&mut server, "f"), Some(made_up("l", "second")));
    look(&mut server, &["FUNCTION", "RESTORE", "payload"]);
    assert_eq!(called(&mut server, "f"), None, "what was restored may have it");
}

/// What a call or a restoring costs does not grow with the libraries that are there.
#[test]
fn many_libraries_make_no_call_longer() {
    const MANY: usize = 50_000;
    let mut server = Server::default();
    for at in 0..MANY {
        server.libraries.load(library(&format!("l{at}"), &format!("f{at}"), "").as_bytes(), false, usize::MAX);
    }
    for _ in 0..MANY {
        assert_eq!(called(&mut server, "nosuch"), None);
    }
    for _ in 0..MANY {
        look(&mut server, &["FUNCTION", "RESTORE", "payload", "REPLACE"]);
    }
    assert_eq!(called(&mut server, "f0"), None);
}

#[test]
fn what_is_restored_is_not_known() {
    let restored = |policy: &[&str], is_settled: bool| {
        let mut server = Server::default();
        load(&mut server, &library("l", "f", ""));
        if is_settled {
            server.libraries.settle();
        }
        look(&mut server, &[&["FUNCTION", "RESTORE", "payload"], policy].concat());
        let there = called(&mut server, "f").is_some();
        // It may have the function, and the engine refuses another's, whatever that is to replace.
        load(&mut server, &library("m", "g", ""));
        let loaded = called(&mut server, "g").is_some();
        replace(&mut server, &library("m", "g", ""));
        let replaced = called(&mut server, "g").is_some();
        look(&mut server, &["FUNCTION", "FLUSH"]);
        load(&mut server, &library("m", "g", ""));
        assert!(called(&mut server, "g").is_some(), "{policy:?}");
        (there, loaded, replaced)
    };
    for (policy, is_settled, is_there) in [
        (&[][..], true, true),
        (&["APPEND"], true, true),
        // The text may have failed to load, and what was restored has its name then.
        (&["APPEND"], false, false),
        (&["REPLACE"], true, false),
        (&["FLUSH"], true, false),
    ] {
        assert_eq!(restored(policy, is_settled), (is_there, false, false), "{policy:?}, {is_settled}");
    }
}

/// A worker loads its library at each start.
#[test]
fn a_library_that_is_loaded_again_and_again_takes_its_room_once() {
    let mut server = Server::default();
    let text = |version: usize| library("l", "f", &format!("-- {version}{}", "x".repeat(ROOM / 4)));
    for version in 0..100 {
        for _ in 0..3 {
            replace(&mut server, &text(version));
        }
        look(&mut server, &["FUNCTION", "DELETE", "l"]);
        load(&mut server, &text(version));
    }
    assert_eq!(called(&mut server, "f"), Some(text(99)));
    assert!(server.libraries.bytes() <= ROOM && server.libraries.kept.len() <= 40, "{}", server.libraries.kept.len());
}

/// A library may be replaced between two calls of one function, by another or by one that was there before.
#[test]
fn a_function_has_each_text_in_which_it_was_called() {
    let mut server = Server::default();
    let text = |version: usize| library("l", "f", &format!("-- {version}"));
    for version in [1, 2, 1, 3] {
        replace(&mut server, &text(version));
        assert_eq!(called(&mut server, "f"), Some(text(version)));
    }
    assert_eq!(said(&server, "f"), [2, 1, 3].map(|version| Some(text(version))));
    // Whoever keeps a text has it, whatever is there now; what nobody keeps makes room.
    look(&mut server, &["FUNCTION", "FLUSH"]);
    assert_eq!(server.libraries.bytes(), text(1).len() * 3);
    server.homes = Homes::default();
    assert_eq!(server.libraries.bytes(), 0);
}

/// What is left out is told.
#[test]
fn of_many_texts_the_last_are_told_apart() {
    let mut server = Server::default();
    let text = |version: usize| library("l", "f", &format!("-- {version:02}"));
    for version in 0..=MOST_HOMES * 2 {
        replace(&mut server, &text(version));
        assert_eq!(called(&mut server, "f"), Some(text(version)));
    }
    let last = MOST_HOMES + 2..=MOST_HOMES * 2;
    let expected: Vec<_> = std::iter::once(None).chain(last.map(|version| Some(text(version)))).collect();
    assert_eq!(said(&server, "f"), expected);
}

/// It was loaded before anybody listened; or it was not, and the engine refuses the call.
#[test]
fn a_function_of_which_nobody_has_heard_shows_by_what_it_runs() {
    for is_there in [false, true] {
        let mut server = Server::default();
        assert_eq!(called(&mut server, "f"), None);
        if is_there {
            ran(&mut server);
            ran(&mut server);
        }
        let now = library("l", "f", "");
        replace(&mut server, &now);
        assert_eq!(called(&mut server, "f"), Some(now.clone()));
        ran(&mut server);
        let before = is_there.then_some(None);
        assert_eq!(said(&server, "f"), before.into_iter().chain([Some(now)]).collect::<Vec<_>>());
    }
}

#[test]
fn a_text_that_is_not_kept_leaves_no_older_one() {
    let mut server = Server::default();
    load(&mut server, &library("l", "f", "old"));
    assert!(called(&mut server, "f").is_some());
    replace(&mut server, &library("l", "f", &"x".repeat(ROOM)));
    assert_eq!(called(&mut server, "f"), None);
    replace(&mut server, &library("l", "f", "new"));
    assert_eq!(called(&mut server, "f"), Some(library("l", "f", "new")));
}

#[test]
fn strangers_calls_take_no_memory() {
    let mut server = Server::default();
    load(&mut server, &library("l", "f", ""));
    (0..1000).for_each(|number| assert_eq!(called(&mut server, &format!("made_up_{number}")), None));
    assert!(called(&mut server, "f").is_some());
    assert_eq!(server.homes.of.len(), 1);
}

/// Of a text that is nothing but words in quotes.
#[test]
fn words_are_told_apart_up_to_a_limit() {
    for (more, is_known) in [(0, true), (1, false)] {
        let mut server = Server::default();
        let words =
            (0..super::MOST_NAMES + more).fold(String::new(), |words, number| words + "'" + &number.to_string() + "'");
        let text = format!("#!lua name=l\nfor _, n in pairs({{{words}}}) do redis.register_function(n, f) end");
        server.libraries.look(&["FUNCTION", "LOAD", &text].map(Arg::from), usize::MAX);
        assert_eq!(called(&mut server, "1").is_some(), is_known);
    }
}
