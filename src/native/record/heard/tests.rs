//! What is known of a server's libraries, command by command, with what it tells at some places.

use std::sync::Arc;

use super::{Failed, Heard, Stretch, Told};
use crate::core::capture::monitor::Reader;
use crate::core::witness::libraries::{Home, Library, Listed};

const ROOM: usize = 10_000;

fn library(more: &str) -> String {
    format!("#!lua name=l\\nredis.register_function('f', function() return {more} end)")
}

fn listed(more: &str) -> Told {
    let text = library(more).replace("\\n", "\n").into_bytes();
    Told::All(vec![Listed { name: b"l".to_vec(), functions: vec![b"f".to_vec()], text }])
}

fn load(more: &str) -> String {
    format!("\"FUNCTION\" \"LOAD\" \"{}\"", library(more))
}

fn replace(more: &str) -> String {
    format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", library(more))
}

/// Loads another library, with another function.
fn named(library: &str, function: &str) -> String {
    format!("\"FUNCTION\" \"LOAD\" \"#!lua name={library}\\nredis.register_function('{function}', x)\"")
}

/// A server as it is heard since it was connected to.
#[derive(Default)]
struct Server {
    heard: Heard,
    log: Reader,
    calls: Vec<Stretch>,
}

impl Server {
    /// One that has two libraries, as the counts say.
    fn with_two() -> Self {
        let mut server = Server::default();
        server.tell(0, Told::All(vec![]));
        server.look(&load("1"));
        server.look(&named("m", "g"));
        let place = server.question();
        server.failed(place, 0);
        server
    }

    /// A command; gives its place.
    fn look(&mut self, command: &str) -> u64 {
        let event =
            self.log.line(format!("1.000000 [0 a:1] {command}").as_bytes()).expect("a line").expect("a command");
        self.heard.look(&event, ROOM);
        event.seq
    }

    fn tell(&mut self, place: u64, told: Told) {
        self.heard.tell(place, told, Failed::NotAsked, ROOM);
    }

    /// Everything was heard, and so many loads failed.
    fn failed(&mut self, place: u64, count: u64) {
        self.heard.tell(place, Told::Whole, Failed::Counted(Some(count), false), ROOM);
    }

    /// The library that the function is taken to be in.
    #[track_caller]
    fn home(&mut self) -> Arc<Library> {
        let Home::In(library) = self.heard.find("f").home else { panic!("it is known") };
        library
    }

    /// It is called; gives what its function returns, by the text that is known.
    fn call(&mut self) -> Option<String> {
        self.look("\"FCALL\" \"f\" \"0\"");
        let found = self.heard.find("f");
        self.calls.push(found.stretch);
        let Home::In(library) = found.home else { return None };
        Some(said(&library))
    }

    /// Whether some call may have run another text than was known then.
    fn doubts(&self) -> bool {
        self.calls.iter().any(Stretch::is_doubted)
    }

    fn again(&mut self, may_be_whole: bool) {
        self.heard.again(may_be_whole, ROOM);
        self.log = Reader::new();
    }

    /// The line of a question of the tool's own, which is no command of others.
    fn question(&mut self) -> u64 {
        let place = self.log.line(b"1.000000 [0 own:1] \"INFO\" \"all\"").expect("a line").expect("a command").seq;
        self.heard.asked(place);
        place
    }
}

fn said(library: &Library) -> String {
    let text = String::from_utf8_lossy(&library.text.0).into_owned();
    text.split("return ").nth(1).and_then(|rest| rest.split(' ').next()).expect("it returns something").to_owned()
}

/// The answer comes before its line, or after others' commands that follow that.
#[test]
fn what_is_told_is_so_from_its_own_place_on() {
    let mut server = Server::default();
    server.look(&replace("1"));
    assert_eq!(server.call(), None, "another library may have the function");
    let place = server.question();
    server.tell(place, listed("2"));
    assert_eq!(server.call(), Some("2".to_owned()));
    server.look(&replace("3"));
    let place = server.question();
    server.look(&replace("4"));
    assert_eq!(server.call(), Some("4".to_owned()));
    server.tell(place, listed("3"));
    assert_eq!(server.call(), Some("4".to_owned()), "that came behind it");
    // What was so before says nothing of what is told of a later place.
    server.tell(1, Told::Lost);
    server.tell(1, Told::All(vec![]));
    assert_eq!(server.call(), Some("4".to_owned()));
}

/// One that was loaded behind the line of the question is there, whatever was before.
#[test]
fn what_was_lost_is_what_came_before_the_question() {
    let mut server = Server::default();
    server.look(&load("1"));
    let place = server.question();
    server.look(&load("2"));
    server.tell(place, Told::All(vec![]));
    assert_eq!(server.call(), Some("2".to_owned()));
    let place = server.question();
    server.tell(place, Told::Lost);
    assert_eq!(server.call(), None);
    server.look(&replace("3"));
    assert_eq!(server.call(), None, "another library may have the function");
    server.look("\"FUNCTION\" \"FLUSH\"");
    server.look(&load("4"));
    assert_eq!(server.call(), Some("4".to_owned()));
}

#[test]
fn a_break_in_which_nothing_was_lost_changes_nothing() {
    for (may_be_whole, told, expected) in [
        (true, Told::Whole, Some("1".to_owned())),
        (true, Told::Lost, None),
        (false, Told::Whole, None),
        (true, listed("7"), Some("7".to_owned())),
    ] {
        let mut server = Server::default();
        server.tell(0, Told::All(vec![]));
        server.look(&load("1"));
        assert_eq!(server.call(), Some("1".to_owned()));
        for _ in 0..2 {
            server.again(may_be_whole);
            assert_eq!(server.call(), None, "nobody knows yet");
        }
        let place = server.question();
        server.tell(place, told);
        assert_eq!(server.call(), expected);
    }
}

/// Also where nobody was heard between its place and the break.
#[test]
fn what_was_told_before_a_break_counts() {
    let mut server = Server::default();
    server.tell(0, Told::All(vec![]));
    server.look(&load("broken"));
    let broken = server.home();
    let place = server.question();
    server.failed(place, 1);
    assert!(!broken.is_refused(), "it is told when others' commands have come behind it");
    server.again(true);
    assert!(broken.is_refused());
    let place = server.question();
    server.failed(place, 0);
    assert_eq!(server.call(), None, "one of them was refused, and what it was is not known");
}

/// What is loaded between the break and the comparison is known after it.
#[test]
fn what_is_heard_before_a_break_is_compared_counts() {
    let mut server = Server::default();
    server.tell(0, Told::All(vec![]));
    server.look(&load("1"));
    server.again(true);
    server.look(&replace("2"));
    let place = server.question();
    server.look(&replace("3"));
    server.tell(place, Told::Whole);
    assert_eq!(server.call(), Some("3".to_owned()));
}

/// A text may fail to load: what was taken for loaded then ran in no call.
#[test]
fn what_the_server_does_not_tell_of_was_refused() {
    let mut server = Server::default();
    server.tell(0, Told::All(vec![]));
    server.look(&load("1"));
    let first = server.home();
    server.look(&replace("broken"));
    server.call();
    let broken = server.home();
    let place = server.question();
    server.tell(place, listed("1"));
    assert_eq!(server.call(), Some("1".to_owned()));
    assert_eq!((first.is_refused(), broken.is_refused()), (false, true));
    // One that came behind the question says nothing of what was before.
    let place = server.question();
    server.look(&replace("2"));
    let second = server.home();
    server.tell(place, listed("1"));
    assert_eq!((server.call(), second.is_refused()), (Some("2".to_owned()), false));
}

/// Who may not ask for libraries knows how many loads have failed: where those are more than must have, any may be among them.
#[test]
fn loads_that_fail_are_counted() {
    let after = |commands: &[String], failed: u64| {
        let mut server = Server::default();
        server.tell(0, Told::All(vec![]));
        server.look(&load("1"));
        let place = server.question();
        server.failed(place, 0);
        let first = server.home();
        let mut homes = Vec::new();
        for command in commands {
            server.look(command);
            homes.push(server.home());
        }
        let place = server.question();
        server.failed(place, failed);
        let now = server.call();
        assert!(!first.is_refused(), "it was compared before");
        (homes.iter().map(|library| library.is_refused()).collect::<Vec<_>>(), now)
    };
    let (taken, again) = ([replace("2"), replace("3")], [load("2"), replace("3")]);
    assert_eq!(after(&taken, 0), (vec![false, false], Some("3".to_owned())));
    assert_eq!(after(&taken, 1), (vec![true, true], None));
    // The first of these must fail, for the name is there.
    assert_eq!(after(&again, 1), (vec![false, false], Some("3".to_owned())));
    // All have failed.
    assert_eq!(after(&again, 2), (vec![false, true], Some("1".to_owned())));
}

/// Of a name of which it is not sure that it is there, either text may be: a load without REPLACE is no sign that another failed.
#[test]
fn a_load_that_need_not_fail_excuses_no_other() {
    for (failed, is_doubted) in [(1, true), (0, false)] {
        let mut server = Server::default();
        server.tell(0, Told::All(vec![]));
        let place = server.question();
        server.failed(place, 0);
        server.look(&load("broken"));
        server.look(&load("2"));
        assert_eq!(server.call(), None, "either may be there");
        let place = server.question();
        server.failed(place, failed);
        server.look("\"PING\"");
        assert_eq!(server.doubts(), is_doubted);
    }
}

/// Many workers load one library as they begin: the first is taken, and the others fail.
#[test]
fn one_library_that_all_load_is_known() {
    for (failed, said) in [(2, Some("1".to_owned())), (3, None)] {
        for is_told in [false, true] {
            let mut server = Server::default();
            server.tell(0, Told::All(vec![]));
            let place = server.question();
            server.failed(place, 0);
            for _ in 0..3 {
                server.look(&load("1"));
            }
            server.call();
            if is_told && failed == 2 {
                let place = server.question();
                server.tell(place, listed("1"));
            }
            let place = server.question();
            server.failed(place, failed);
            assert_eq!((server.call(), server.doubts()), (said.clone(), said.is_none()), "{failed}, {is_told}");
        }
    }
}

/// It was refused first, and taken when it was loaded again: the calls between ran another.
#[test]
fn an_answer_excuses_no_earlier_load_of_its_text() {
    let mut server = Server::default();
    server.tell(0, listed("1"));
    let place = server.question();
    server.failed(place, 0);
    server.look(&replace("2"));
    server.call();
    let early = server.home();
    server.look(&replace("3"));
    server.look(&replace("2"));
    let place = server.question();
    server.tell(place, listed("2"));
    let place = server.question();
    server.failed(place, 1);
    server.call();
    assert!(server.doubts() && early.is_refused());
}

/// A break comes between a call and the comparison that shows that a library may have changed before it.
#[test]
fn a_call_before_a_break_is_doubted_behind_it() {
    let mut server = Server::default();
    server.tell(0, listed("1"));
    server.call();
    server.again(true);
    let place = server.question();
    server.heard.tell(place, Told::Lost, Failed::Counted(Some(0), true), ROOM);
    server.look("\"PING\"");
    assert!(server.doubts());
}

/// It is deleted in a pause, and loaded again before the answer that tells so: that load need not fail, and is no excuse for another.
#[test]
fn what_comes_behind_a_question_goes_by_its_answer() {
    let mut server = Server::default();
    server.tell(0, listed("1"));
    let place = server.question();
    server.failed(place, 0);
    let place = server.question();
    server.look(&load("2"));
    server.tell(place, Told::All(vec![]));
    assert_eq!(server.call(), Some("2".to_owned()));
    server.look(&replace("broken"));
    let broken = server.home();
    let place = server.question();
    server.failed(place, 1);
    server.look("\"PING\"");
    assert!(server.doubts() && broken.is_refused());
}

/// Also where the counts come late: what was loaded behind them is compared next.
#[test]
fn what_is_compared_is_sure_whatever_has_come_behind_it() {
    let mut server = Server::default();
    server.tell(0, Told::All(vec![]));
    let place = server.question();
    server.failed(place, 0);
    server.look(&replace("1"));
    let place = server.question();
    server.look(&named("m", "g"));
    server.failed(place, 0);
    server.look(&load("2"));
    let place = server.question();
    server.failed(place, 1);
    assert_eq!(server.call(), Some("1".to_owned()), "its name was there");
    assert!(!server.doubts());
}

/// A fleet loads its libraries as it begins, each worker all of them.
#[test]
fn some_libraries_that_all_load_are_known() {
    let [l, m] = [load("1"), named("m", "g")];
    for (commands, failed, is_known) in [
        ([&l, &m, &l, &m], 2, true),
        ([&l, &l, &m, &m], 2, true),
        ([&l, &m, &l, &m], 3, false),
        // One of two by one name was refused.
        ([&l, &load("2"), &m, &m], 2, false),
    ] {
        let mut server = Server::default();
        server.tell(0, Told::All(vec![]));
        let place = server.question();
        server.failed(place, 0);
        for command in commands {
            server.look(command);
            server.call();
        }
        let place = server.question();
        server.failed(place, failed);
        server.look("\"PING\"");
        assert_eq!(server.doubts(), !is_known, "{commands:?}, {failed}");
    }
}

/// Who may not ask for libraries: what was not loaded since the last comparison is as it was, and what was is known when it is loaded anew.
#[test]
fn a_load_that_failed_says_nothing_of_other_libraries() {
    let mut server = Server::with_two();
    server.look(&replace("broken"));
    server.look(&replace("2"));
    for is_late in [false, true] {
        let place = server.question();
        if is_late {
            server.look("\"FUNCTION\" \"DELETE\" \"nosuch\"");
        }
        server.failed(place, u64::from(!is_late));
        server.look("\"PING\"");
        assert!(matches!(server.heard.find("g").home, Home::In(_)), "{is_late}");
        assert_eq!(server.call(), None, "either may be there");
    }
    server.look(&replace("2"));
    assert_eq!(server.call(), Some("2".to_owned()));
    server.look(&load("3"));
    let place = server.question();
    server.failed(place, 1);
    assert_eq!(server.call(), Some("2".to_owned()), "the name was there, whichever it was");
}

/// Where all have failed, what was there is there.
#[test]
fn what_was_there_before_loads_that_all_failed_is_there() {
    let mut server = Server::with_two();
    server.look(&replace("broken"));
    assert_eq!(server.call(), Some("broken".to_owned()), "nobody knows yet");
    server.look("\"FUNCTION\" \"DELETE\" \"m\"");
    server.look(&replace("broken too"));
    let place = server.question();
    server.failed(place, 2);
    server.look("\"PING\"");
    assert!(server.doubts());
    assert_eq!(server.call(), Some("1".to_owned()));
    assert!(matches!(server.heard.find("g").home, Home::Unheard));
}

/// One that must have failed did not: what was taken for there was not.
#[test]
fn fewer_failures_than_there_must_be_settle_nothing() {
    for (failed, is_doubted) in [(0, true), (1, false)] {
        let mut server = Server::default();
        server.tell(0, listed("1"));
        let place = server.question();
        server.failed(place, 0);
        server.look(&load("2"));
        server.call();
        let place = server.question();
        server.failed(place, failed);
        server.look("\"PING\"");
        assert_eq!(server.doubts(), is_doubted, "{failed}");
    }
}

/// What must fail does so before a break, too.
#[test]
fn what_was_refused_before_a_break_is_counted_behind_it() {
    for (failed, is_doubted) in [(2, false), (3, true)] {
        let mut server = Server::default();
        server.tell(0, listed("1"));
        let place = server.question();
        server.failed(place, 0);
        server.look(&load("2"));
        server.look(&load("3"));
        server.look(&named("m", "g"));
        server.call();
        server.again(true);
        let place = server.question();
        server.failed(place, failed);
        assert_eq!(server.call(), Some("1".to_owned()), "{failed}");
        assert_eq!(server.doubts(), is_doubted, "{failed}");
    }
}

/// It ran before it was replaced unheard, whatever the answer says now.
#[test]
fn what_the_server_has_told_of_once_was_there() {
    let mut server = Server::default();
    server.tell(0, listed("1"));
    server.look("\"PING\"");
    let first = server.home();
    let place = server.question();
    server.tell(place, listed("2"));
    assert_eq!(server.call(), Some("2".to_owned()));
    assert!(!first.is_refused());
}

/// What has come since is not all known any more.
#[test]
fn an_answer_that_comes_too_late_says_nothing() {
    let mut server = Server::default();
    let place = server.question();
    for number in 0..=super::MOST_CHANGES {
        server.look(&replace(&number.to_string()));
    }
    server.tell(place, Told::All(vec![]));
    assert_eq!(server.call(), None);
    assert!(server.heard.changes.len() <= super::MOST_CHANGES && server.heard.bytes <= super::MOST_BYTES);
}
