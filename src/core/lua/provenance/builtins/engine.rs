//! `redis.…` and `server.…`.

use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn engine(&mut self, name: &str, arguments: &Values, site: ExprId) -> Values {
        match name {
            "call" | "pcall" => {
                let reply = self.command(arguments, site);
                match name {
                    _ if !reply.is_none() => Values::one(reply),
                    // Without a name there is no command: an error, which one of them throws and the other one gives.
                    "pcall" => Values::one(self.decoded(site, 2, Root::Literal, None)),
                    _ => {
                        self.fail(&Value::none());
                        Values::default()
                    }
                }
            }
            "sha1hex" => Values::one(Self::made_of(arguments)),
            "error_reply" | "status_reply" => Values::one(self.decoded(site, 2, Root::Literal, None)),
            "register_function" => {
                self.register(arguments);
                Values::default()
            }
            // Some of these give nothing at all.
            _ => {
                let given = [Atom::False, Atom::True, Atom::Data(Root::Global, Form::Piece)];
                Values::any(Value::of(&given, None))
            }
        }
    }

    /// `register_function('name', f)` or `register_function{function_name='name', callback=f}`.
    fn register(&mut self, arguments: &Values) {
        self.spoil_records(0);
        let callback = self.texts.id(b"callback");
        let mut functions = arguments.at(1);
        functions.join(&self.read_field(&arguments.first(), &Value::one(Atom::Text(callback), None)));
        self.registered
            .push(functions.filter(|atom| matches!(atom, Atom::Closure(_) | Atom::Builtin(_) | Atom::Unknown)));
    }
}
