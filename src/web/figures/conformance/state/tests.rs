//! Ways through the figure.

use std::rc::Rc;

use super::super::shown::Place;
use super::super::status::status;
use super::{Action, COUNT, Selection, State};
use crate::core::capture::breaks::Break;
use crate::core::report::Verdict;
use crate::web::offer::fixture::recordings;
use crate::web::offer::{Offer, RECORDED};

const CAPTURE: &str = r#"{"format":"emq-capture/1","profile":"emq.1","queue":"payments","source":{"kind":"probe","private":true},
    "events":[{"seq":1,"origin":"client","argv":["HSET","emq:{payments}:meta","version","echomq:2.0.0"]},
    {"seq":2,"origin":"client","argv":["EVAL","x","2","emq:{payments}:wait","emq:{payments}:01"]},
    {"seq":3,"origin":"script","call":2,"argv":["HSET","emq:{payments}:01","payload","p"]},
    {"seq":4,"origin":"script","call":2,"argv":["LPUSH","emq:{payments}:wait","01"]}]}"#;

fn after(actions: &[Action]) -> State {
    let mut state = State::new(Rc::from([Offer::from_json("payments", CAPTURE.as_bytes())]));
    for action in actions {
        state.reduce(*action);
    }
    state
}

#[test]
fn it_opens_with_everything_asserted_and_walks_from_the_first() {
    assert_eq!(status(&after(&[])), "5 of 5 · 5 pass");
    let first = after(&[Action::Step]);
    assert_eq!((first.asserted(), first.selection, first.open), (1, Selection::Assertion(0), true));
    assert!(status(&first).starts_with("1 of 5 · keyspace · pass: 3 of 3 keys"), "{}", status(&first));
    assert_eq!(after(&[Action::Step; 9]).asserted(), COUNT);
    assert_eq!(after(&[Action::First, Action::Back, Action::Back]).asserted(), 0);
    assert_eq!(after(&[Action::Back]).asserted(), COUNT - 1);
    assert_eq!(after(&[Action::First, Action::Last]).selection, Selection::Assertion(COUNT - 1));
}

#[test]
fn every_break_is_caught_by_what_it_is_aimed_at() {
    let aimed = [Some("keyspace"), Some("hashtag"), Some("legacy"), Some("declared"), Some("version"), None];
    for (broken, aimed) in Break::ALL.into_iter().zip(aimed) {
        let said = status(&after(&[Action::Break(Some(broken))]));
        let caught = said.split(" · ").find_map(|part| part.split_once("caught by ")).map(|(_, ids)| ids.to_owned());
        match aimed {
            Some(id) => assert!(caught.is_some_and(|ids| ids.contains(id)), "{said}"),
            None => assert!(said.contains("nothing can be told"), "{said}"),
        }
        let mended = after(&[Action::Break(Some(broken)), Action::Break(None)]);
        assert_eq!(status(&mended), "5 of 5 · 5 pass");
    }
}

#[test]
fn a_break_opens_the_assertion_it_is_aimed_at() {
    for broken in Break::ALL.into_iter().filter(|broken| broken.aim() < COUNT) {
        let state = after(&[Action::Break(Some(broken))]);
        assert_eq!((state.selection, state.open), (Selection::Assertion(broken.aim()), true), "{}", broken.id());
    }
    assert_eq!(after(&[Action::Break(Some(Break::Empty))]).selection, Selection::Assertion(0));
}

#[test]
fn what_a_break_changed_is_known_and_followed() {
    for broken in Break::ALL {
        let state = after(&[Action::Reset, Action::Break(Some(broken))]);
        let changed = state.shown.as_ref().map(|shown| shown.changed.as_slice()).unwrap_or_default();
        assert_eq!(changed.is_empty(), broken == Break::Empty, "{}", broken.id());
        assert_eq!(state.followed(), changed.first().copied(), "{}", broken.id());
    }
    assert_eq!(after(&[]).followed(), None);
}

#[test]
fn a_break_waits_for_the_assertions() {
    let reset = after(&[Action::Break(Some(Break::Undeclared)), Action::Reset]);
    assert_eq!((reset.asserted(), reset.broken), (0, None));
    let waiting = after(&[Action::Reset, Action::Break(Some(Break::Undeclared))]);
    assert_eq!(status(&waiting), "0 of 5 · changed: an undeclared key · nothing asserted yet");
    let walked = after(&[Action::Reset, Action::Break(Some(Break::Undeclared)), Action::Step]);
    assert!(status(&walked).contains("not caught so far"), "{}", status(&walked));
}

#[test]
fn evidence_opens_lights_up_and_closes() {
    let open = after(&[Action::Toggle(3)]);
    assert!(open.open && !open.lit().is_empty() && open.followed() == open.lit().into_iter().min());
    let closed = after(&[Action::Toggle(3), Action::Toggle(3)]);
    assert_eq!((closed.open, closed.selection), (false, Selection::None));
    assert_eq!(after(&[Action::Open, Action::Close]).selection, Selection::None);
    // The first line lit is what the script did to a key of its call.
    let line = open.lit()[0];
    let pointed = after(&[Action::Toggle(3), Action::Point(1)]);
    assert_eq!(pointed.followed(), Some(Place::Event(4)));
    assert_eq!(status(&pointed), "5 of 5 · declared · line 4: LPUSH …:wait: in KEYS of 11f6ad8e");
    let selected = after(&[Action::Select(line)]);
    assert!(status(&selected).contains("is evidence for declared"), "{}", status(&selected));
    assert_eq!(after(&[Action::Select(line), Action::Select(line)]).selection, Selection::None);
}

#[test]
fn what_was_said_before_a_step_is_held_against_what_it_shows() {
    let said = after(&[Action::Reset, Action::Guess(Verdict::Fail)]);
    assert_eq!(status(&said), "0 of 5 · nothing asserted yet · you say of keyspace: fail");
    let wrong = after(&[Action::Reset, Action::Guess(Verdict::Fail), Action::Step]);
    assert!(status(&wrong).starts_with("1 of 5 · keyspace · pass, where you said fail: 3 of 3"), "{}", status(&wrong));
    let right = after(&[Action::Reset, Action::Guess(Verdict::Pass), Action::Step]);
    assert!(status(&right).starts_with("1 of 5 · keyspace · pass, as you said: 3 of 3"), "{}", status(&right));
    // Taken back, and not said at all, a step says what it always says.
    let plain = status(&after(&[Action::Step]));
    let back = [Action::Reset, Action::Guess(Verdict::Pass), Action::Guess(Verdict::Pass), Action::Step];
    assert_eq!(status(&after(&back)), plain);
    // Of what is shown nothing can be said, and whatever shows something else forgets what was said.
    for before in [&[][..], &[Action::Last]] {
        let state = after(&[before, &[Action::Guess(Verdict::Fail)]].concat());
        assert_eq!((state.next(), status(&state)), (None, status(&after(before))));
    }
    for other in [Action::Reset, Action::Choose(0), Action::Break(None)] {
        let state = after(&[Action::Reset, Action::Guess(Verdict::Fail), other]);
        assert_eq!(state.guesses.of(0), None, "{other:?}");
    }
    let all = after(&[Action::Reset, Action::Guess(Verdict::Fail), Action::All]);
    assert_eq!((all.guesses.of(0), status(&all).as_str()), (Some(Verdict::Fail), "5 of 5 · 5 pass"));
}

#[test]
fn recordings_come_after_the_figure_lives() {
    let fixed = || Offer::from_json("payments", CAPTURE.as_bytes());
    let early: Rc<[Offer]> = std::iter::once(fixed()).chain(RECORDED.iter().map(Offer::awaited)).collect();
    let late: Rc<[Offer]> = std::iter::once(fixed()).chain(recordings()).collect();
    let start = |actions: &[Action]| {
        let mut state = State::new(Rc::clone(&early));
        for action in actions {
            state.reduce(*action);
        }
        state
    };
    // Chosen too early it says so, and is shown as soon as it is there, as far as the reader has walked.
    let mut chosen = start(&[Action::Choose(1)]);
    assert!(status(&chosen).contains("loading"), "{}", status(&chosen));
    chosen.came(Rc::clone(&late));
    assert!(status(&chosen).starts_with("5 of 5 · 5 fail"), "{}", status(&chosen));
    let mut walked = start(&[Action::Choose(3), Action::First]);
    walked.came(Rc::clone(&late));
    assert!(status(&walked).starts_with("1 of 5 · keyspace · pass: 6 of 6"), "{}", status(&walked));
    // What does not come says why; what is shown stays as it is.
    let mut gone = start(&[Action::Choose(1)]);
    gone.came(
        std::iter::once(fixed())
            .chain(RECORDED.iter().map(|one| Offer::missing(one.file, "gone").recording(one)))
            .collect(),
    );
    assert!(status(&gone).contains("captures/bullmq-bull.bin: gone"), "{}", status(&gone));
    let mut elsewhere = start(&[Action::Step, Action::Guess(Verdict::Fail)]);
    let before = status(&elsewhere);
    elsewhere.came(Rc::clone(&late));
    assert_eq!(status(&elsewhere), before);
    // A rule that would show nothing there does not stay broken.
    elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
    for (index, broken) in [(1, None), (4, None)] {
        elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
        elsewhere.reduce(Action::Choose(index));
        assert_eq!(elsewhere.broken, broken);
        elsewhere.reduce(Action::Break(Some(Break::Undeclared)));
        assert_eq!(elsewhere.broken, broken);
        elsewhere.reduce(Action::Choose(0));
    }
    elsewhere.reduce(Action::Break(Some(Break::WrongVersion)));
    elsewhere.reduce(Action::Choose(4));
    assert_eq!(elsewhere.broken, Some(Break::WrongVersion));
}

#[test]
fn a_capture_that_is_none_is_said_and_nothing_else_breaks() {
    let offers = Rc::from([Offer::missing("payments", "the server answered 404")]);
    let mut state = State::new(offers);
    for action in [Action::Step, Action::Open, Action::Break(Some(Break::Undeclared)), Action::All, Action::Toggle(4)] {
        state.reduce(action);
        assert!(status(&state).contains("the server answered 404"), "{}", status(&state));
    }
    assert!(State::new(Rc::from([])).shown.is_err());
}
