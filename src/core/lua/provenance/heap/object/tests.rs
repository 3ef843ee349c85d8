//! Lists whose items may be missing, and what is put behind them.

use super::list::MOST_LOOKED_AT;
use super::*;

const NOBODY_KNOWS: Atom = Atom::Data(Root::Unknown, Form::Piece);

fn key(n: u32) -> Atom {
    argument(Arguments::Keys, Some(n))
}

fn argv(n: u32) -> Atom {
    argument(Arguments::Argv, Some(n))
}

fn value(atoms: &[Atom]) -> Value {
    Value::of(atoms, None)
}

fn list(items: &[&[Atom]]) -> Object {
    let mut object = Object::default();
    for (n, item) in (1..).zip(items) {
        object.set(Key::Int(n), value(item));
    }
    object
}

#[test]
fn what_may_not_be_there_may_end_a_list() {
    let text = Atom::True;
    for (items, lengths) in [
        (&[&[key(1)][..], &[key(2)]][..], &[0, 1, 2][..]),
        (&[&[text], &[key(1)], &[argv(1)]], &[1, 2, 3]),
        (&[&[text], &[text]], &[2]),
        (&[&[key(1)], &[text]], &[0, 2]),
        (&[&[text], &[Atom::Nil], &[text]], &[1, 3]),
        (&[&[text], &[Atom::Nil], &[Atom::Nil]], &[1]),
        (&[&[key(1)], &[text], &[Atom::Nil, text]], &[0, 2, 3]),
        (&[], &[0]),
    ] {
        let list = list(items);
        assert_eq!(list.lengths(Given::default()).as_deref(), Some(lengths), "{items:?}");
    }
    let mut keys = list(&[&[key(1)], &[key(2)], &[key(3)]]);
    assert_eq!(
        (keys.lengths(Given { keys: 2, argv: 0 }), keys.length(), keys.there(Given { keys: 3, argv: 0 })),
        (Some(vec![2, 3]), Some(3), 3)
    );
    keys.set(Key::Int(1), value(&[argv(1)]));
    assert_eq!(keys.lengths(Given { keys: 2, argv: 0 }), Some(vec![0, 2, 3]));
    keys.remove(Key::Int(2));
    assert_eq!(keys.lengths(Given { keys: 9, argv: 0 }), Some(vec![0, 1, 3]));
    keys.add(Index::Ints, &value(&[key(1)]));
    assert_eq!(keys.lengths(Given { keys: 9, argv: 0 }), None);
}

#[test]
fn what_is_put_behind_a_missing_item_may_stand_in_its_place() {
    let mut all = list(&[&[Atom::True], &[key(1)]]);
    all.push(&value(&[argv(1)]), Given::default(), false);
    let read = |n| all.read(Index::One(Key::Int(n)));
    assert_eq!((read(1), read(2)), (value(&[Atom::True]), value(&[key(1), argv(1), Atom::Nil])));
    // It is not where it is written, then.
    assert_eq!((read(3), all.get(Key::Int(3))), (value(&[argv(1), Atom::Nil]), value(&[argv(1)])));
    assert_eq!((all.lengths(Given::default()), all.lengths_as_written(Given::default())), (None, Some(vec![1, 2, 3])));
    // What comes after it is no further item for sure.
    all.set(Key::Int(2), value(&[Atom::True]));
    assert_eq!((all.there(Given::default()), all.certain()), (1, 3));
    for index in [Index::From(3), Index::Ints, Index::Any] {
        assert!(all.read(index).has(argv(1)), "{index:?}");
    }
    // Where the caller passes it, nothing is missing.
    let mut all = list(&[&[Atom::True], &[key(1)]]);
    all.push(&value(&[argv(1)]), Given { keys: 1, argv: 0 }, false);
    assert!(all.early.is_none());
}

#[test]
fn the_first_gap_of_two_ways_counts() {
    let pushed = |items: &[&[Atom]]| {
        let mut list = list(items);
        list.push(&value(&[argv(1)]), Given::default(), false);
        list
    };
    let (mut one, other) = (pushed(&[&[Atom::True], &[key(1)]]), pushed(&[&[key(1)], &[key(1)]]));
    let before = one.clone();
    one = one.joined(&other, &mut 0).expect("more");
    assert!(one.joined(&other, &mut 0).is_none() && one.joined(&before, &mut 0).is_none());
    assert_eq!((one.early_from, one.there(Given::default())), (1, 0));
    let mut alone = list(&[]);
    alone = alone.joined(&before, &mut 0).expect("more");
    assert_eq!((alone.early_from, before.early_from), (2, 2));
}

#[test]
fn only_so_much_of_a_list_is_looked_at() {
    let there = list(&vec![&[Atom::True][..]; 1_000]);
    assert_eq!(there.lengths(Given::default()), Some(vec![1_000]));
    for (count, is_known) in [(MOST_LOOKED_AT, true), (MOST_LOOKED_AT + 1, false)] {
        let mut items = vec![&[Atom::True][..]; count];
        let missing = [key(1)];
        items[0] = &missing;
        assert_eq!(list(&items).lengths(Given::default()).is_some(), is_known, "{count}");
    }
}

#[test]
fn what_shares_a_place_is_the_same_in_any_order() {
    let name = value(&[Atom::Int(1), Atom::Int(2)]);
    let stored = |values: &[Value]| {
        let mut object = list(&[&[Atom::Nil]]);
        for value in values {
            object.add_named(&name, value);
        }
        object.get(Key::Int(1)).filter(|atom| atom != Atom::Nil)
    };
    let all = [value(&[key(1)]), value(&[argv(1)]), value(&[argv(2)])];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let stored = stored(&order.map(|index: usize| all[index].clone()));
        assert_eq!(stored, value(&[key(1), NOBODY_KNOWS]), "{order:?}");
    }
    // What may be either by itself is both.
    let both = value(&[key(1), argv(1)]);
    assert_eq!(stored(&[both.clone(), value(&[key(2)])]), both.joined(&value(&[key(2)])));
}

#[test]
fn a_count_is_for_those_who_are_passed_as_much() {
    let two = Given { keys: 2, argv: 0 };
    let all = list(&[&[key(1)], &[key(2)], &[key(3)], &[Atom::True]]);
    assert_eq!((all.there(two), all.there(Given::default()), all.there(two)), (2, 0, 2));
    assert_eq!(all.there(Given { keys: 3, argv: 0 }), 4);
    assert_eq!((all.there(Given { keys: 1, argv: 9 }), all.there(two)), (1, 2));
    let mut other = all.clone();
    other.set(Key::Int(1), value(&[key(3)]));
    let both = all.joined(&other, &mut 0).expect("more");
    assert_eq!((both.there(two), both.there(Given { keys: 3, argv: 0 })), (0, 4));
}

#[test]
fn what_the_caller_passes_is_what_both_ways_say() {
    let passed = |given| Object { arguments: Some(Arguments::Keys), given, ..Object::default() };
    let both = passed(3).joined(&passed(1), &mut 0).expect("less is news");
    assert_eq!((both.given, both.there(Given::default())), (1, 1));
    assert!(passed(1).joined(&passed(3), &mut 0).is_none());
}

#[test]
fn an_item_is_taken_from_a_list_of_any_length() {
    let none = Given::default();
    let mut all = list(&[&[Atom::True], &[Atom::False], &[key(1)]]);
    all.push(&value(&[argv(1)]), none, false);
    let (taken, _) = all.take(Some(1), none);
    assert_eq!(taken, value(&[Atom::True]));
    // Two were there for sure, and one is; what comes after it may be any of the others.
    assert_eq!((all.there(none), all.read(Index::One(Key::Int(1)))), (1, value(&[Atom::False])));
    assert_eq!(all.read(Index::One(Key::Int(2))), value(&[Atom::Nil, key(1), argv(1)]));
    assert_eq!(all.get(Key::Int(3)), value(&[argv(1)]));
    // The place may be beyond the end: then all stay.
    let (taken, _) = all.take(Some(2), none);
    assert!([Atom::Nil, key(1), NOBODY_KNOWS].into_iter().all(|atom| taken.has(atom)), "{taken:?}");
    let second = all.read(Index::One(Key::Int(2)));
    assert!([Atom::Nil, key(1), argv(1)].into_iter().all(|atom| second.has(atom)), "{second:?}");
    // Whichever is the last one goes, and the others stay.
    let (taken, _) = all.take(None, none);
    assert!(taken.has(Atom::False) && !taken.has(Atom::Nil), "{taken:?}");
    assert!(all.read(Index::One(Key::Int(1))).has(Atom::Nil) && all.there(none) == 0);
}
