//! Several values in a row: what a function is given, or gives.

use super::{Atom, Value};

/// Several values: those whose places are known, and what any number of further ones may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::core::lua::provenance) struct Values {
    pub(in crate::core::lua::provenance) fixed: Vec<Value>,
    pub(in crate::core::lua::provenance) rest: Option<Value>,
}

impl Values {
    pub(in crate::core::lua::provenance) fn one(value: Value) -> Self {
        Self { fixed: vec![value], rest: None }
    }

    /// The first one; nil where there is none.
    pub(in crate::core::lua::provenance) fn first(&self) -> Value {
        self.at(0)
    }

    pub(in crate::core::lua::provenance) fn at(&self, index: usize) -> Value {
        match (self.fixed.get(index), &self.rest) {
            (Some(value), _) => value.clone(),
            (None, Some(rest)) => rest.clone().joined(&Value::nil()),
            (None, None) => Value::nil(),
        }
    }

    /// Those from an index on.
    pub(in crate::core::lua::provenance) fn skip(&self, count: usize) -> Self {
        Self { fixed: self.fixed.iter().skip(count).cloned().collect(), rest: self.rest.clone() }
    }

    /// How many there are.
    pub(in crate::core::lua::provenance) fn count(&self) -> Atom {
        let fixed = i64::try_from(self.fixed.len()).unwrap_or(i64::MAX);
        if self.rest.is_some() { Atom::From(fixed) } else { Atom::Int(fixed) }
    }

    /// Every value that there may be.
    pub(in crate::core::lua::provenance) fn all(&self) -> impl Iterator<Item = &Value> {
        self.fixed.iter().chain(&self.rest)
    }

    /// Adds what others may be; says whether anything is new.
    pub(in crate::core::lua::provenance) fn join(&mut self, other: &Self) -> bool {
        let common = self.fixed.len().min(other.fixed.len());
        let mut changed = false;
        for (own, others) in self.fixed.iter_mut().zip(&other.fixed) {
            changed |= own.join(others);
        }
        if self.fixed.len() > common || other.fixed.len() > common || other.rest.is_some() {
            changed |= self.fixed.len() > common || self.rest.is_none();
            let mut rest = self.rest.take().unwrap_or_default();
            for value in self.fixed.drain(common..) {
                rest.join(&value);
            }
            for value in other.fixed.iter().skip(common).chain(&other.rest) {
                changed |= rest.join(value);
            }
            self.rest = Some(rest);
        }
        changed
    }
}
