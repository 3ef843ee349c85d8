//! Encodings: what is decoded keeps the root of what it was decoded from.

use crate::core::lua::ir::ExprId;
use crate::core::lua::ordered::OrderedSet;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn codec(&mut self, library: &str, name: &str, arguments: &Values, site: ExprId) -> Values {
        match (library, name) {
            ("cjson", "encode") | ("cmsgpack" | "struct", "pack") => Values::one(self.encoded(arguments, site)),
            ("cjson", "decode") => Values::one(self.opened(&arguments.first(), site)),
            ("cmsgpack", _) => {
                let value = self.opened(&arguments.first(), site);
                // It gives any number of them.
                if let Some(table) = value.only_table().and_then(|id| self.change(id)) {
                    table.many = true;
                }
                Values::any(value)
            }
            ("struct", "unpack") => {
                let piece = Self::made_of(&arguments.skip(1));
                Values::any(piece)
            }
            ("struct", _) => Values::one(Value::one(Atom::From(0), None)),
            ("cjson", "new") => {
                let span = self.script.span(site);
                Values::one(self.lost(span, "this function is not followed"))
            }
            // Settings, one of which may be the text `null`.
            _ => {
                let text = Atom::Data(Root::Literal, Form::Piece);
                let given = Value::of(&[Atom::Nil, Atom::True, Atom::False, Atom::Number, text], None);
                Values::any(given)
            }
        }
    }

    /// What is encoded begins with a byte of the encoding's own, and holds all that is in the value. Where that is an element
    /// of KEYS, the text is neither it nor made by the script alone.
    fn encoded(&mut self, arguments: &Values, site: ExprId) -> Value {
        let step = self.trail.step(self.script.span(site), None);
        let made = Self::made_of(&self.contents(arguments));
        let root = match made.single() {
            Some(Atom::Data(root @ (Root::Literal | Root::Argv(_) | Root::Reply(_) | Root::Global), _)) => root,
            _ => Root::Unknown,
        };
        Value::one(Atom::Data(root, Form::Piece), step)
    }

    /// Everything in values, and in the tables that they hold.
    fn contents(&mut self, values: &Values) -> Values {
        let mut all = Values::any(Value::none());
        let mut seen = OrderedSet::default();
        let mut next: Vec<Value> = values.all().cloned().collect();
        while let Some(value) = next.pop() {
            self.touches_all_keys(&value);
            for id in value.atoms().filter_map(|atom| if let Atom::Table(id) = atom { Some(id) } else { None }) {
                if let (true, Some(object)) = (seen.add(id, ()), self.object(id)) {
                    next.extend([object.keys(), object.everything()]);
                    let cost = object.fields.len() / 4;
                    self.pay(cost);
                }
            }
            all.join(&Values::any(value));
        }
        self.pay(seen.len());
        all
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
