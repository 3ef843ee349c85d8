//! Commands that are heard, recorded or not, and what a file says of scripts then.

use super::*;
use crate::core::capture::monitor::Reader;
use crate::core::witness::libraries::Listed;

#[test]
fn a_call_by_what_is_no_sha1_calls_nothing() {
    let sha1 = "E0E1F9FABFC9D4800C877A703B823AC0578FF8DB";
    let called_by = |name: &str| {
        let line = format!("1.000000 [0 a:1] \"EVALSHA\" \"{name}\" \"0\"");
        let event = Reader::new().line(line.as_bytes()).expect("a line").expect("a command");
        called(&event).map(|(sha1, _)| sha1)
    };
    assert_eq!(called_by(sha1), Some(sha1.to_ascii_lowercase()));
    for name in [&"a".repeat(100_000), "", &sha1[1..], &sha1.replace('E', "X")] {
        assert_eq!(called_by(name), None);
    }
}

fn event(line: &str) -> Event {
    Reader::new().line(format!("1.000000 [0 a:1] {line}").as_bytes()).expect("a line").expect("a command")
}

/// Those that are recorded have room for theirs.
#[test]
fn what_strangers_load_leaves_room_for_as_many_scripts() {
    let mut texts = Texts::default();
    (0..MOST).for_each(|number| {
        texts.overhear(0, &event(&format!("\"SCRIPT\" \"LOAD\" \"return {number}\"")));
    });
    texts.look(&event("\"EVAL\" \"return redis.call('GET', KEYS[1])\" \"1\" \"k\""));
    let called = texts.called().next().expect("one").clone();
    assert!(texts.has(&called), "of {}", texts.len());
}

/// One library of many functions.
#[test]
fn the_texts_of_functions_take_a_bounded_part_of_a_file() {
    let (mut texts, mut called) = (none_before(), Called::default());
    let register = |number: u32| format!("redis.register_function('f{number}', f) ");
    let functions: String = (0..40).map(register).collect();
    let text = format!("#!lua name=l\\n{functions} --{}", "x".repeat(MOST_OF_FUNCTIONS / 20));
    texts.overhear(0, &event(&format!("\"FUNCTION\" \"LOAD\" \"{text}\"")));
    for number in 0..40 {
        hear(&mut texts, &mut called, &format!("\"FCALL\" \"f{number}\" \"0\""), true);
    }
    // The others' texts are not known to whoever reads that, and it says so.
    let scripts = texts.of(&called, true);
    let known = scripts.values().filter(|script| script.source.is_some()).count();
    assert_eq!((scripts.len(), known, texts.of(&called, false).len()), (40, 19, 0));
}

/// A command is heard, and recorded or not.
fn hear(texts: &mut Texts, called: &mut Called, line: &str, is_recorded: bool) {
    hear_at(0, texts, called, line, is_recorded);
}

fn hear_at(at: usize, texts: &mut Texts, called: &mut Called, line: &str, is_recorded: bool) {
    let event = event(line);
    let home = texts.overhear(at, &event);
    if is_recorded {
        called.look(&event, home.as_ref());
        called.wrote(&event);
    }
}

fn none_before() -> Texts {
    let mut texts = Texts::default();
    texts.tell(0, 0, Told::All(Vec::new()), Failed::NotAsked);
    texts
}

/// What a file says of the function.
fn said(texts: &Texts, called: &Called) -> Option<Vec<Option<Bytes>>> {
    let script = texts.of(called, true).remove("f")?;
    Some(script.earlier.into_iter().chain([script.source]).collect())
}

/// How many texts it says there are, and whether the last one is known.
fn told(texts: &Texts, called: &Called) -> Option<(usize, bool)> {
    said(texts, called).map(|said| (said.len(), said.last().is_some_and(Option::is_some)))
}

fn library(more: &str) -> String {
    format!("#!lua name=l\\nredis.register_function('f', function() {more} end)")
}

/// What a file says of the function, after these commands; `+` stands before those that are recorded.
#[track_caller]
fn check(commands: &[String], expected: Option<&[Option<&str>]>) {
    let (mut texts, mut called) = (none_before(), Called::default());
    for command in commands {
        let (is_recorded, command) = command.strip_prefix('+').map_or((false, command.as_str()), |rest| (true, rest));
        hear(&mut texts, &mut called, command, is_recorded);
    }
    let said = said(&texts, &called);
    let text = |more: &&str| Bytes(library(more).replace("\\n", "\n").into_bytes());
    let expected = expected.map(|texts| texts.iter().map(|more| more.as_ref().map(text)).collect::<Vec<_>>());
    assert_eq!(said, expected, "{commands:#?}");
}

/// Whatever strangers load, replace and call, a function has the texts in which the recorded calls found it.
#[test]
fn a_function_has_the_texts_that_it_had_when_a_recorded_call_came() {
    let load = |more: &str| format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", library(more));
    let (call, own, restore) =
        ("\"FCALL\" \"f\" \"0\"", "+\"FCALL\" \"f\" \"0\"", "\"FUNCTION\" \"RESTORE\" \"x\" \"REPLACE\"");
    let [own, call, restore] = [own, call, restore].map(str::to_owned);
    let recorded = |more: &str| format!("+{}", load(more));
    let check = |commands: &[&String], expected| {
        check(&commands.iter().map(|&command| command.clone()).collect::<Vec<_>>(), expected);
    };
    check(&[&load("1"), &own, &load("2"), &call], Some(&[Some("1")]));
    check(&[&load("1"), &own, &load("2"), &own, &load("3"), &call], Some(&[Some("1"), Some("2")]));
    check(&[&load("1"), &call, &load("2")], None);
    // The reader sees both.
    check(&[&recorded("1"), &own, &recorded("2"), &own], None);
    // It would take what it has seen for what is there.
    check(&[&recorded("1"), &load("2"), &own], Some(&[Some("2")]));
    check(&[&recorded("1"), &own, &load("2"), &own, &load("1"), &own], Some(&[Some("2"), Some("1")]));
    check(&[&recorded("1"), &restore, &own], Some(&[None]));
    check(&[&recorded("1"), &own, &restore, &own], Some(&[Some("1"), None]));
    // What was restored may have the function, and the server refuses the other.
    check(&[&recorded("1"), &own, &restore, &recorded("2"), &own], Some(&[Some("1"), None]));
    // Nobody has heard of it: neither has the reader.
    check(&[&own, &load("1")], None);
}

/// A reader knows which connection called what: it is told where it would take one call for another's text, though all in all it knows
/// the same texts.
#[test]
fn a_reader_is_told_where_it_takes_a_call_for_another_text() {
    let load = |more: &str| format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", library(more));
    let (mut texts, mut called) = (none_before(), Called::default());
    let own = "\"FCALL\" \"f\" \"0\"";
    for (command, is_recorded) in [
        (load("1"), true),
        (own.to_owned(), true),
        (load("2"), false),
        (own.to_owned(), true),
        (load("1"), false),
        (own.to_owned(), true),
        (load("2"), true),
        (own.to_owned(), true),
    ] {
        hear(&mut texts, &mut called, &command, is_recorded);
    }
    let text = |more: &str| Some(Bytes(library(more).replace("\\n", "\n").into_bytes()));
    assert_eq!(said(&texts, &called), Some(vec![text("1"), text("2")]));
}

/// The engine refuses a name that is there, and MONITOR does not show that.
#[test]
fn what_may_have_been_there_before_is_no_library_that_was_loaded() {
    let load = |how: &str| format!("\"FUNCTION\" \"LOAD\"{how} \"{}\"", library(""));
    let call = "\"FCALL\" \"f\" \"0\"";
    let after = |mut texts: Texts, commands: &[&str]| {
        let mut called = Called::default();
        for command in commands {
            hear(&mut texts, &mut called, command, true);
        }
        told(&texts, &called)
    };
    assert_eq!(after(Texts::default(), &[&load(""), call]), Some((1, false)));
    for known in [[&load(""), call].as_slice(), &[&load(""), &load(""), call]] {
        assert_eq!(after(none_before(), known), None, "the reader knows it");
    }
    // One of another name may have its function.
    assert_eq!(after(Texts::default(), &[&load(" \"REPLACE\""), call]), Some((1, false)));
    let known = ["\"FUNCTION\" \"FLUSH\"", &load(""), call];
    assert_eq!(after(Texts::default(), &known), None, "the reader knows it");
    assert_eq!(after(Texts::default(), &[call]), None, "nobody has heard of it");
}

/// A part of a recording says what may have been in its own calls: not in those of strangers, of earlier parts, or before what was
/// compared last.
#[test]
fn a_doubt_is_about_the_calls_that_it_may_concern() {
    let load = format!("\"FUNCTION\" \"LOAD\" \"{}\"", library("1"));
    let call = "\"FCALL\" \"f\" \"0\"";
    for (of_before, of_doubted, is_told) in
        [(true, true, true), (false, true, true), (true, false, false), (false, false, false)]
    {
        let (mut texts, mut called, mut log) = (none_before(), Called::default(), Reader::new());
        let mut hear = |texts: &mut Texts, called: &mut Called, line: &str, is_recorded: bool| {
            let event = log.line(format!("1.000000 [0 a:1] {line}").as_bytes()).expect("a line").expect("a command");
            let found = texts.overhear(0, &event);
            if is_recorded {
                called.look(&event, found.as_ref());
                called.wrote(&event);
            }
            event.seq
        };
        hear(&mut texts, &mut called, &load, true);
        hear(&mut texts, &mut called, call, of_before);
        for hides in [false, true, false] {
            let place = hear(&mut texts, &mut called, "\"INFO\" \"all\"", false);
            texts.asked(0, place);
            texts.tell(0, place, if hides { Told::Lost } else { Told::Whole }, Failed::Counted(Some(0), hides));
            hear(&mut texts, &mut called, call, of_doubted && !hides);
        }
        assert_eq!(
            said(&texts, &called).is_some_and(|said| said.contains(&None)),
            is_told,
            "{of_before}, {of_doubted}"
        );
        // The next part begins, and something is loaded that is known.
        let mut next = Called::default();
        hear(&mut texts, &mut next, "\"FUNCTION\" \"FLUSH\"", true);
        hear(&mut texts, &mut next, &load, true);
        hear(&mut texts, &mut next, call, true);
        assert_eq!(said(&texts, &next), None, "the reader knows it");
    }
}

/// Commands of one log, all of them recorded, and questions of the tool's own among them.
struct Recorded {
    texts: Texts,
    called: Called,
    log: Reader,
}

impl Recorded {
    fn from(texts: Texts) -> Self {
        Self { texts, called: Called::default(), log: Reader::new() }
    }

    fn hear(&mut self, line: &str) {
        let event = self.log.line(format!("1.000000 [0 a:1] {line}").as_bytes()).expect("a line").expect("a command");
        let found = self.texts.overhear(0, &event);
        self.called.look(&event, found.as_ref());
        self.called.wrote(&event);
    }

    /// The counts of a server, of which that is told and so many loads failed.
    fn compare(&mut self, told: Told, failed: u64) {
        let hides = matches!(told, Told::Lost);
        let place = self.log.line(b"1.000000 [0 own:1] \"INFO\"").expect("a line").expect("a command").seq;
        self.texts.asked(0, place);
        self.texts.tell(0, place, told, Failed::Counted(Some(failed), hides));
    }

    fn said(&self) -> Option<Vec<Option<Bytes>>> {
        said(&self.texts, &self.called)
    }
}

fn text(more: &str) -> Bytes {
    Bytes(library(more).replace("\\n", "\n").into_bytes())
}

/// What a server has told before the recording counts from the first call on, where the first counts hide nothing.
#[test]
fn calls_before_the_first_counts_have_the_text_that_was_told_before_them() {
    for (is_told, hides, expected) in [
        (true, false, vec![Some(text("1"))]),
        (true, true, vec![None, Some(text("1"))]),
        (false, false, vec![None]),
        (false, true, vec![None]),
    ] {
        let mut recorded = Recorded::from(Texts::default());
        if is_told {
            let text = library("1").replace("\\n", "\n").into_bytes();
            let listed = Listed { name: b"l".to_vec(), functions: vec![b"f".to_vec()], text };
            recorded.texts.tell(0, 0, Told::All(vec![listed]), Failed::NotAsked);
        }
        recorded.hear("\"FCALL\" \"f\" \"0\"");
        recorded.compare(if hides { Told::Lost } else { Told::Whole }, 0);
        recorded.texts.end();
        // Of what nobody has heard a reader knows as little.
        let expected = is_told.then_some(expected).or(hides.then(|| vec![None]));
        assert_eq!(recorded.said(), expected, "{is_told}, {hides}");
    }
}

/// What is told of the last place is taken in when no command comes behind it, as anywhere else.
#[test]
fn what_the_last_counts_refuse_is_told_of_no_call() {
    let mut recorded = Recorded::from(none_before());
    recorded.hear(&format!("\"FUNCTION\" \"LOAD\" \"{}\"", library("1")));
    recorded.compare(Told::Whole, 0);
    recorded.hear(&format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", library("broken")));
    recorded.hear("\"FCALL\" \"f\" \"0\"");
    recorded.compare(Told::Whole, 1);
    recorded.texts.end();
    assert_eq!(recorded.said(), Some(vec![None]));
}

/// Nobody hears it any more before its counts are compared: what was loaded since may have failed. What was compared is sure.
#[test]
fn what_a_server_ran_that_is_lost_for_good_is_doubted() {
    for is_compared in [false, true] {
        let mut recorded = Recorded::from(none_before());
        recorded.hear(&format!("\"FUNCTION\" \"LOAD\" \"{}\"", library("1")));
        recorded.hear("\"FCALL\" \"f\" \"0\"");
        if is_compared {
            recorded.compare(Told::Whole, 0);
        }
        recorded.texts.left(0);
        assert_eq!(recorded.said(), (!is_compared).then(|| vec![None, Some(text("1"))]), "{is_compared}");
    }
}

/// One may have been replaced at one node, and not at the other.
#[test]
fn each_server_has_libraries_of_its_own() {
    let load = |more: &str| format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", library(more));
    let call = "\"FCALL\" \"f\" \"0\"";
    let (mut texts, mut called) = (none_before(), Called::default());
    texts.tell(1, 0, Told::All(Vec::new()), Failed::NotAsked);
    for (at, command) in [(0, &load("1")[..]), (1, &load("2")), (0, call)] {
        hear_at(at, &mut texts, &mut called, command, true);
    }
    let text = |more: &str| Some(Bytes(library(more).replace("\\n", "\n").into_bytes()));
    assert_eq!(said(&texts, &called), Some(vec![text("1")]), "without names the reader takes them for one");
    hear_at(1, &mut texts, &mut called, call, true);
    assert_eq!(said(&texts, &called), Some(vec![text("1"), text("2")]));
}

#[test]
fn made_up_functions_take_a_bounded_room_though_any_may_be_there() {
    let (mut texts, mut called) = (none_before(), Called::default());
    hear(&mut texts, &mut called, "\"FUNCTION\" \"RESTORE\" \"x\"", true);
    for number in 0..MOST + 5 {
        hear(&mut texts, &mut called, &format!("\"FCALL\" \"f{number}\" \"0\""), true);
    }
    let known =
        |homes: &Homes<String>| (0..MOST + 5).filter(|number| !homes.of(&format!("f{number}")).is_empty()).count();
    assert_eq!((known(&called.homes), known(&called.read)), (MOST, MOST));
}

#[test]
fn no_more_scripts_are_told_apart_than_the_limit_says() {
    let mut called = Called::default();
    let new = (0..MOST + 5).filter(|number| called.add(number.to_string())).count();
    assert_eq!((new, called.ids.len(), called.add("0".to_owned())), (MOST, MOST, false));
}
