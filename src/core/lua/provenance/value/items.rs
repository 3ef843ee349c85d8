//! The atoms of a value, in order: which one stands for which, and how many are told apart.

use super::atom::{Atom, Form, Root};
use crate::core::lua::provenance::trail::Step;

/// An atom and the way it came.
pub(super) type Item = (Atom, Option<Step>);

/// A lower bound that sinks in a loop sinks to this one first, so that the loop comes to an end.
const MOST_COUNTED: i64 = 8;

/// More different texts, numbers or elements than this are no longer told apart.
const FEW: usize = 12;

/// Where an atom is, or would be.
pub(super) fn place(items: &[Item], atom: Atom) -> Result<usize, usize> {
    items.binary_search_by(|(own, _)| own.cmp(&atom))
}

fn has(items: &[Item], atom: Atom) -> bool {
    place(items, atom).is_ok()
}

/// Says whether a wider atom already stands for this one.
pub(super) fn covers(items: &[Item], atom: Atom) -> bool {
    let number = |least: i64| {
        items.iter().any(|(own, _)| match own {
            Atom::From(low) => *low <= least,
            Atom::Number => true,
            _ => false,
        })
    };
    match atom {
        Atom::Int(n) | Atom::From(n) => number(n),
        Atom::Text(_) => has(items, Atom::Data(Root::Literal, Form::Piece)),
        Atom::Data(Root::Keys(Some(_)), form) => has(items, Atom::Data(Root::Keys(None), form)),
        Atom::Data(Root::Argv(Some(_)), form) => has(items, Atom::Data(Root::Argv(None), form)),
        _ => false,
    }
}

/// The atoms of both, where none of them stands for others and they are few enough to be told apart: what adding them one by one
/// comes to. The way of the first one stays.
pub(super) fn merged(items: &[Item], others: &[Item]) -> Option<Vec<Item>> {
    let stands_for_others = |(atom, _): &Item| matches!(atom, Atom::From(_) | Atom::Number) || stands_for_many(*atom);
    if items.len() + others.len() > FEW || items.iter().chain(others).any(stands_for_others) {
        return None;
    }
    let mut all = Vec::with_capacity(items.len() + others.len());
    all.extend_from_slice(items);
    for item in others {
        if let Err(at) = place(&all, item.0) {
            all.insert(at, *item);
        }
    }
    Some(all)
}

/// Keeps a set small, so that every loop comes to an end.
pub(super) fn widen(items: &mut Vec<Item>) {
    if items.iter().any(|(atom, _)| matches!(atom, Atom::From(_) | Atom::Number)) {
        widen_numbers(items);
    }
    if items.len() <= FEW && !items.iter().any(|(atom, _)| stands_for_many(*atom)) {
        return;
    }
    let low = items.iter().find_map(|(atom, _)| if let Atom::Int(n) = atom { Some(*n) } else { None });
    let low = low.filter(|low| *low >= 0).map_or(Atom::Number, Atom::From);
    fold(items, |atom| matches!(atom, Atom::Int(_)), low);
    fold(items, |atom| matches!(atom, Atom::Text(_)), Atom::Data(Root::Literal, Form::Piece));
    for form in [Form::Whole, Form::Longer, Form::Piece] {
        let (keys, argv) = (Atom::Data(Root::Keys(None), form), Atom::Data(Root::Argv(None), form));
        let many = fold(items, |atom| matches!(atom, Atom::Data(Root::Keys(Some(_)), own) if own == form), keys)
            | fold(items, |atom| matches!(atom, Atom::Data(Root::Argv(Some(_)), own) if own == form), argv);
        // Any of them may be missing, which the atom for all of them does not say.
        if let (true, Form::Whole, Err(at)) = (many, form, place(items, Atom::Nil)) {
            items.insert(at, (Atom::Nil, None));
        }
    }
}

fn stands_for_many(atom: Atom) -> bool {
    matches!(atom, Atom::Data(Root::Keys(None) | Root::Argv(None), _) | Atom::Data(Root::Literal, Form::Piece))
}

fn widen_numbers(items: &mut Vec<Item>) {
    let mut froms = items.iter().filter_map(|(atom, step)| match atom {
        Atom::From(low) => Some((*low, *step)),
        _ => None,
    });
    if let (Some((low, step)), others) = (froms.next(), froms.count()) {
        let wide = if low < 0 { Atom::Number } else { Atom::From(low.min(MOST_COUNTED)) };
        if others > 0 || wide == Atom::Number {
            items.retain(|(atom, _)| !matches!(atom, Atom::From(_)));
            if let Err(at) = place(items, wide) {
                items.insert(at, (wide, step));
            }
        }
    }
    let from = items.iter().find_map(|(atom, _)| if let Atom::From(low) = atom { Some(*low) } else { None });
    if let Some(low) = from {
        items.retain(|(atom, _)| !matches!(atom, Atom::Int(n) if *n >= low));
    }
    if has(items, Atom::Number) {
        items.retain(|(atom, _)| !matches!(atom, Atom::Int(_) | Atom::From(_)));
    }
}

/// Replaces many atoms of a kind by one that stands for all of them; says whether it did.
fn fold(items: &mut Vec<Item>, kind: impl Fn(Atom) -> bool, all: Atom) -> bool {
    let count = items.iter().filter(|(atom, _)| kind(*atom)).count();
    if count == 0 || (count <= FEW && !has(items, all)) {
        return false;
    }
    let step = items.iter().find(|(atom, _)| kind(*atom)).and_then(|(_, step)| *step);
    items.retain(|(atom, _)| !kind(*atom));
    if let Err(at) = place(items, all) {
        items.insert(at, (all, step));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::{ClosureId, ObjId, Value};
    use super::*;
    use crate::core::lua::ir::TextId;

    /// One of each kind, and several of those that are folded into one.
    fn atoms() -> Vec<Atom> {
        let mut atoms = vec![Atom::Nil, Atom::False, Atom::True, Atom::From(3), Atom::Number, Atom::Unknown];
        for n in 0..4 {
            atoms.extend([
                Atom::Int(i64::from(n)),
                Atom::Text(TextId(n)),
                Atom::Table(ObjId(n)),
                Atom::Closure(ClosureId(n)),
            ]);
            for form in [Form::Whole, Form::Longer, Form::Piece] {
                let index = Some(n).filter(|n| *n > 0);
                atoms.extend([Root::Keys(index), Root::Argv(index), Root::Literal].map(|root| Atom::Data(root, form)));
            }
        }
        atoms
    }

    #[test]
    fn what_is_merged_is_what_adding_one_by_one_comes_to() {
        let (atoms, mut trail) = (atoms(), crate::core::lua::provenance::trail::Trail::default());
        let (mut next, mut merges) = (1_usize, 0);
        let mut draw = |most: usize| {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (next >> 33) % most
        };
        let mut value = |most: usize| {
            let mut value = Value::none();
            for _ in 0..=draw(most) {
                let start = u32::try_from(draw(5)).unwrap_or(0);
                let step = trail.step(crate::core::lua::ir::Span { start, end: start }, None);
                value.add(atoms.get(draw(atoms.len())).copied().unwrap_or(Atom::Nil), step.filter(|_| start > 0));
            }
            value
        };
        for _ in 0..20_000 {
            let (own, other) = (value(9), value(9));
            let mut added = own.clone();
            other.items().iter().for_each(|(atom, step)| _ = added.add(*atom, *step));
            if let Some(merged) = merged(own.items(), other.items()) {
                assert_eq!(merged, added.items(), "{own:?} and {other:?}");
                merges += 1;
            }
            let mut joined = own.clone();
            assert_eq!((joined.join(&other), joined.items()), (added != own, added.items()), "{own:?} and {other:?}");
        }
        assert!((2_000..18_000).contains(&merges), "{merges}");
    }
}
