//! Several values in a row: what a function is given, or gives.

use std::borrow::Cow;

use super::{Atom, Value};

/// Several values: those that are there, those after them that may be there, and what any number of further ones may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::core::lua::provenance) struct Values {
    pub(in crate::core::lua::provenance) fixed: Vec<Value>,
    /// Each at its place, if it is there at all: where one is missing, all after it are.
    pub(in crate::core::lua::provenance) maybe: Vec<Value>,
    pub(in crate::core::lua::provenance) rest: Option<Value>,
    /// The values of a list that was added to, where the script writes them, if these may be other ones: what a command gets.
    pub(in crate::core::lua::provenance) written: Option<Box<Values>>,
}

/// More that may be there than so many are not told apart: a recursion that gives one more each time comes to an end.
const MOST_MAYBE: usize = 8;

impl Values {
    pub(in crate::core::lua::provenance) fn one(value: Value) -> Self {
        Self::row(vec![value])
    }

    /// So many values.
    pub(in crate::core::lua::provenance) fn row(fixed: Vec<Value>) -> Self {
        Self { fixed, ..Self::default() }
    }

    /// Any number of values.
    pub(in crate::core::lua::provenance) fn any(value: Value) -> Self {
        Self { rest: Some(value), ..Self::default() }
    }

    /// The first one; nil where there is none.
    pub(in crate::core::lua::provenance) fn first(&self) -> Value {
        self.at(0)
    }

    pub(in crate::core::lua::provenance) fn at(&self, index: usize) -> Value {
        if let Some(value) = self.fixed.get(index) {
            return value.clone();
        }
        let may_be = self.maybe.get(index - self.fixed.len()).or(self.rest.as_ref());
        may_be.map_or_else(Value::nil, |value| value.clone().joined(&Value::nil()))
    }

    /// Those from an index on.
    pub(in crate::core::lua::provenance) fn skip(&self, count: usize) -> Self {
        let more = count.saturating_sub(self.fixed.len());
        Self {
            fixed: self.fixed.iter().skip(count).cloned().collect(),
            maybe: self.maybe.iter().skip(more).cloned().collect(),
            rest: self.rest.clone(),
            written: self.written.as_ref().map(|written| Box::new(written.skip(count))),
        }
    }

    /// The same behind others.
    pub(in crate::core::lua::provenance) fn behind(mut self, mut others: Vec<Value>) -> Self {
        self.written = self.written.map(|written| Box::new(written.behind(others.clone())));
        others.append(&mut self.fixed);
        self.fixed = others;
        self
    }

    /// The same, as the script writes them.
    pub(in crate::core::lua::provenance) fn as_written(&self) -> &Self {
        self.written.as_deref().unwrap_or(self)
    }

    /// Says whether it is known how many there are.
    pub(in crate::core::lua::provenance) fn are_fixed(&self) -> bool {
        self.maybe.is_empty() && self.rest.is_none()
    }

    /// How many there are.
    pub(in crate::core::lua::provenance) fn count(&self) -> Value {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let (least, most) = (number(self.fixed.len()), number(self.fixed.len() + self.maybe.len()));
        if self.rest.is_some() || self.maybe.len() > MOST_MAYBE {
            return Value::one(Atom::From(least), None);
        }
        Value::in_order((least..=most).map(|count| (Atom::Int(count), None)))
    }

    /// Every value that there may be.
    pub(in crate::core::lua::provenance) fn all(&self) -> impl Iterator<Item = &Value> {
        self.fixed.iter().chain(&self.maybe).chain(&self.rest)
    }

    /// Changes each of them.
    pub(in crate::core::lua::provenance) fn change(&mut self, change: &mut dyn FnMut(&Value) -> Value) {
        for value in self.fixed.iter_mut().chain(&mut self.maybe).chain(&mut self.rest) {
            *value = change(value);
        }
        if let Some(written) = &mut self.written {
            written.change(change);
        }
    }

    /// The same without the places of those that may be there: any number of any of them may be.
    pub(in crate::core::lua::provenance) fn loose(&self) -> Cow<'_, Self> {
        if self.maybe.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut any = self.rest.clone().unwrap_or_default();
        for value in &self.maybe {
            any.join(value);
        }
        Cow::Owned(Self { fixed: self.fixed.clone(), ..Self::any(any) })
    }

    /// Adds what others may be; says whether anything is new.
    pub(in crate::core::lua::provenance) fn join(&mut self, other: &Self) -> bool {
        let is_new = self.written.is_none() && other.written.is_some();
        if is_new {
            self.written = Some(Box::new(self.clone()));
        }
        let written = self.written.as_mut().is_some_and(|written| written.join(other.as_written()));
        self.join_as_they_are(other) | is_new | written
    }

    fn join_as_they_are(&mut self, other: &Self) -> bool {
        let common = self.fixed.len().min(other.fixed.len());
        let mut changed = self.fixed.len() > common;
        self.maybe.splice(0..0, self.fixed.drain(common..));
        for (own, others) in self.fixed.iter_mut().zip(&other.fixed) {
            changed |= own.join(others);
        }
        let mut others = other.fixed.iter().skip(common).chain(&other.maybe);
        for own in &mut self.maybe {
            if let Some(others) = others.next().or(other.rest.as_ref()) {
                changed |= own.join(others);
            }
        }
        for value in others {
            if self.maybe.len() < MOST_MAYBE {
                self.maybe.push(self.rest.iter().fold(value.clone(), Value::joined));
                changed = true;
            } else {
                changed |= self.join_rest(value);
            }
        }
        if let Some(value) = &other.rest {
            changed |= self.join_rest(value);
        }
        for value in self.maybe.split_off(MOST_MAYBE.min(self.maybe.len())) {
            changed |= self.join_rest(&value);
        }
        changed
    }

    fn join_rest(&mut self, value: &Value) -> bool {
        let is_first = self.rest.is_none();
        self.rest.get_or_insert_default().join(value) | is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(numbers: impl IntoIterator<Item = i64>) -> Values {
        Values::row(numbers.into_iter().map(|n| Value::one(Atom::Int(n), None)).collect())
    }

    fn numbers(value: &Value) -> Vec<i64> {
        value.atoms().filter_map(|atom| if let Atom::Int(n) = atom { Some(n) } else { None }).collect()
    }

    fn at(values: &Values, index: usize) -> Vec<Atom> {
        values.at(index).atoms().collect()
    }

    #[test]
    fn each_stays_at_its_place_where_their_number_differs() {
        let mut values = row([]);
        assert!(values.join(&row([1, 2])) && values.join(&row([3])) && !values.join(&row([1])));
        assert_eq!(at(&values, 0), [Atom::Nil, Atom::Int(1), Atom::Int(3)]);
        assert_eq!(at(&values, 1), [Atom::Nil, Atom::Int(2)]);
        assert_eq!((at(&values, 2), numbers(&values.count())), (vec![Atom::Nil], vec![0, 1, 2]));
        assert_eq!(at(&values.skip(1), 0), [Atom::Nil, Atom::Int(2)]);
        assert_eq!(at(&values.loose(), 7), [Atom::Nil, Atom::Int(1), Atom::Int(2), Atom::Int(3)]);
    }

    #[test]
    fn any_number_of_them_are_at_every_place_after_the_others() {
        let (mut one, mut other) = (row([1, 2]), Values { fixed: row([3]).fixed, ..Values::any(Value::nil()) });
        assert!(other.clone().join(&one) && one.join(&other) && other.join(&row([1, 2])));
        for values in [one, other] {
            assert_eq!(
                (at(&values, 0), at(&values, 1)),
                (vec![Atom::Int(1), Atom::Int(3)], vec![Atom::Nil, Atom::Int(2)])
            );
            assert_eq!(values.rest, Some(Value::nil()));
        }
    }

    #[test]
    fn what_grows_comes_to_an_end() {
        let mut values = row([]);
        let news = (0..50).filter(|n| values.join(&row(0..*n))).count();
        assert!(news < 40 && values.maybe.len() == MOST_MAYBE, "{news}");
        assert!(!values.join(&row(0..60)) && at(&values, 3) == [Atom::Nil, Atom::Int(3)]);
        let mut values = row(0..40);
        assert!(values.join(&row([])) && !values.join(&row(0..40)));
        assert_eq!(values.maybe.len(), MOST_MAYBE);
    }
}
