//! What two tables may hold together.

use super::Object;
use crate::core::lua::provenance::value::Value;

impl Object {
    /// What it and another may hold, where that is more than it holds; counts the fields and pieces that it looks at.
    pub(in crate::core::lua::provenance) fn joined(&self, other: &Self, work: &mut u64) -> Option<Self> {
        *work += self.fields.pieces() as u64;
        let mut fields = Vec::new();
        // What both share is what it is.
        for (key, value) in self.fields.not_in(&other.fields) {
            *work += 1;
            fields.extend(value.with_more(&other.get(key)).map(|joined| (key, joined)));
        }
        for (key, value) in other.fields.not_in(&self.fields) {
            *work += 1;
            if self.fields.get(key).is_none() {
                fields.push((key, self.get(key).joined(value)));
            }
        }
        let ints = self.ints.with_more(&other.ints);
        let ints_from = lower(&self.ints, self.ints_from, &other.ints, other.ints_from);
        let (others, names) = (self.others.with_more(&other.others), self.names.with_more(&other.names));
        let early = self.early.with_more(&other.early);
        let early_from = lower(&self.early, self.early_from, &other.early, other.early_from);
        let is_one_more = other.many && !self.many;
        let given = self.given.min(other.given);
        let has_more = [&ints, &others, &names, &early].into_iter().any(Option::is_some);
        if fields.is_empty()
            && !has_more
            && !is_one_more
            && (ints_from, early_from, given) == (self.ints_from, self.early_from, self.given)
        {
            return None;
        }
        *work += self.fields.copying() as u64;
        let mut joined = self.clone();
        for (key, value) in fields {
            joined.fields.insert(key, value);
        }
        joined.ints = ints.unwrap_or(joined.ints);
        joined.others = others.unwrap_or(joined.others);
        joined.names = names.unwrap_or(joined.names);
        joined.early = early.unwrap_or(joined.early);
        (joined.ints_from, joined.early_from, joined.given) = (ints_from, early_from, given);
        joined.many |= other.many;
        joined.counted.written.set(self.counted.written.get().min(other.counted.written.get()));
        joined.counted.there.set(self.counted.there.get().min(other.counted.there.get()));
        joined.counted.under.set(self.counted.under.get().or_more(other.counted.under.get()));
        Some(joined)
    }
}

/// The lower of two places, each from where on a value may be, if it may be anything.
pub(super) fn lower(own: &Value, from: i64, other: &Value, others_from: i64) -> i64 {
    match (own.is_none(), other.is_none()) {
        (_, true) => from,
        (true, false) => others_from,
        (false, false) => from.min(others_from),
    }
}
