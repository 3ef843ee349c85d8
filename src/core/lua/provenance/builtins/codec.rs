//! Encodings: what is decoded keeps the root of what it was decoded from.

use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn codec(&mut self, library: &str, name: &str, arguments: &Values, site: ExprId) -> Values {
        match (library, name) {
            ("cjson", "encode") | ("cmsgpack" | "struct", "pack") => {
                let step = self.trail.step(self.script.span(site), None);
                Values::one(Value::one(Atom::Data(Root::Literal, Form::Piece), step))
            }
            ("cjson", "decode") => Values::one(self.opened(&arguments.first(), site)),
            ("cmsgpack", _) => {
                let value = self.opened(&arguments.first(), site);
                Values { fixed: Vec::new(), rest: Some(value) }
            }
            ("struct", "unpack") => {
                let piece = Self::made_of(&arguments.skip(1));
                Values { fixed: Vec::new(), rest: Some(piece) }
            }
            ("struct", _) => Values::one(Value::one(Atom::From(0), None)),
            ("cjson", "new") => {
                let span = self.script.span(site);
                Values::one(self.lost(span, "this function is not followed"))
            }
            _ => Values {
                fixed: Vec::new(),
                rest: Some(Value::of(&[Atom::Nil, Atom::True, Atom::False, Atom::Number], None)),
            },
        }
    }

    /// Anything that the data of a value can hold.
    fn opened(&mut self, value: &Value, site: ExprId) -> Value {
        let made = Self::made_of(&Values::one(value.clone()));
        let mut result = Value::none();
        for (atom, step) in made.items() {
            let root = if let Atom::Data(root, _) = atom { *root } else { Root::Unknown };
            let step = (*step).or_else(|| self.trail.step(self.script.span(site), None));
            let step = self.trail.step(self.script.span(site), step);
            result.join(&self.decoded(site, 2, root, step));
        }
        result
    }
}
