//! The ways in which a function may return: what each of them gives, until all are known.

use super::{Value, Values};

/// What each way gives; two that give the same are one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::core::lua::provenance) struct Ways(Vec<Values>);

/// More ways than this are not told apart.
const MOST_WAYS: usize = 12;

impl Ways {
    pub(in crate::core::lua::provenance) fn one(values: Values) -> Self {
        Self(vec![values])
    }

    /// Adds a way.
    pub(in crate::core::lua::provenance) fn add(&mut self, values: Values) {
        if self.0.contains(&values) {
            return;
        }
        if self.0.len() < MOST_WAYS {
            self.0.push(values);
        } else if let Some(last) = self.0.last_mut() {
            last.join(&values);
        }
    }

    /// What all of them give. Where a value tells which way it was, the others go with it: an element of KEYS that comes one way is
    /// not the data that come the other way.
    pub(in crate::core::lua::provenance) fn joined(self) -> Values {
        let mut ways = self.0.iter();
        let mut all = ways.next().cloned().unwrap_or_default();
        for way in ways {
            all.join(way);
        }
        for (index, value) in all.fixed.iter_mut().enumerate() {
            if self.tells_apart(index) {
                *value = std::mem::take(value).told_apart_no_more();
            }
        }
        all
    }

    /// Says whether a place holds nothing but elements of KEYS one way and other data another way, and something tells these apart.
    fn tells_apart(&self, index: usize) -> bool {
        let mut at = self.0.iter().filter_map(|way| way.fixed.get(index));
        if at.any(Value::is_mixed_as_such) {
            return false;
        }
        let holds = |way: &Values, is_element: bool| {
            way.fixed
                .get(index)
                .is_some_and(|value| value.atoms().any(|atom| atom.is_argument() && atom.is_element() == is_element))
        };
        self.0
            .iter()
            .filter(|way| holds(way, true))
            .any(|one| self.0.iter().any(|other| holds(other, false) && are_apart(one, other)))
    }
}

/// Says whether some value is there one way, and nil or false the other way.
fn are_apart(one: &Values, other: &Values) -> bool {
    one.fixed.iter().zip(&other.fixed).any(|(own, other)| {
        (!own.may_be_falsy() && !other.may_be_truthy()) || (!own.may_be_truthy() && !other.may_be_falsy())
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Atom, Form, Root};
    use super::*;

    const KEY: Atom = Atom::Data(Root::Keys(Some(1)), Form::Whole);
    const SECOND: Atom = Atom::Data(Root::Keys(Some(2)), Form::Whole);
    const ARGUMENT: Atom = Atom::Data(Root::Argv(None), Form::Whole);
    const OTHER: Atom = Atom::Data(Root::Argv(Some(2)), Form::Piece);
    const NOBODY_KNOWS: Atom = Atom::Data(Root::Unknown, Form::Piece);

    fn way(atoms: &[Atom]) -> Values {
        Values::row(atoms.iter().map(|atom| Value::one(*atom, None)).collect())
    }

    /// The second value of all, whatever the order in which the ways come.
    fn second(ways: [&[Atom]; 3]) -> Vec<Atom> {
        let given = |order: [usize; 3]| {
            let mut all = Ways::default();
            for index in order {
                all.add(way(ways[index]));
            }
            all.joined().at(1).atoms().collect::<Vec<_>>()
        };
        let first = given([0, 1, 2]);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(given(order), first, "{order:?}");
        }
        first
    }

    #[test]
    fn the_order_of_the_ways_does_not_matter() {
        let (yes, no) = (Atom::True, Atom::Nil);
        assert_eq!(second([&[yes, KEY], &[no, ARGUMENT], &[no, OTHER]]), [KEY, NOBODY_KNOWS]);
        assert_eq!(second([&[yes, KEY], &[yes, SECOND], &[no, ARGUMENT]]), [KEY, SECOND, NOBODY_KNOWS]);
        assert_eq!(second([&[no, ARGUMENT], &[no, OTHER], &[no, ARGUMENT]]), [ARGUMENT, OTHER]);
        // Nothing tells these apart, so that each of them may be the key.
        assert_eq!(second([&[yes, KEY], &[yes, ARGUMENT], &[yes, SECOND]]), [KEY, SECOND, ARGUMENT]);
    }

    #[test]
    fn more_ways_than_are_told_apart_are_all_there() {
        let mut all = Ways::default();
        (0..40).for_each(|n| all.add(way(&[Atom::Int(n % 20)])));
        assert_eq!(all.0.len(), MOST_WAYS);
        assert_eq!(all.joined().first().atoms().collect::<Vec<_>>(), [Atom::From(0)]);
        assert_eq!(Ways::default().joined(), Values::default());
    }
}
