//! The functions on text. A piece of a text keeps the root of the text.

use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn text_function(&mut self, name: &str, arguments: &Values, site: ExprId) -> Values {
        let first = arguments.first();
        let subject = Values::one(first.clone());
        match name {
            "len" => Values::one(Value::one(Atom::From(0), None)),
            "upper" => Values::one(self.cased(&first, <[u8]>::to_ascii_uppercase)),
            "lower" => Values::one(self.cased(&first, <[u8]>::to_ascii_lowercase)),
            "sub" | "reverse" | "rep" => Values::one(Self::made_of(&subject)),
            "byte" | "match" | "find" => {
                let piece = Self::made_of(&subject).joined(&Value::nil());
                Values::any(piece)
            }
            "char" => Values::one(Self::made_of(arguments)),
            "format" => Values::one(self.format(arguments, site)),
            "gmatch" | "gfind" => {
                let piece = Self::made_of(&subject);
                let pieces = piece.map(|atom| match atom {
                    Atom::Data(root, _) => Atom::Pieces(root),
                    _ => Atom::Pieces(Root::Unknown),
                });
                Values::one(pieces)
            }
            "gsub" => self.replace(arguments, site),
            _ => {
                let span = self.script.span(site);
                Values::one(self.lost(span, "this function is not followed"))
            }
        }
    }

    fn cased(&mut self, value: &Value, change: impl Fn(&[u8]) -> Vec<u8>) -> Value {
        let mut result = Value::none();
        for (atom, step) in value.items() {
            let changed = match atom {
                Atom::Text(text) => {
                    let text = change(self.texts.get(*text));
                    Atom::Text(self.texts.id(&text))
                }
                Atom::Data(root, _) => Atom::Data(*root, Form::Piece),
                Atom::Int(_) | Atom::From(_) | Atom::Number => Atom::Data(Root::Literal, Form::Piece),
                Atom::Unknown => Atom::Unknown,
                _ => continue,
            };
            result.add(changed, *step);
        }
        result
    }

    /// The text that a format gives begins with what the format begins with.
    fn format(&mut self, arguments: &Values, site: ExprId) -> Value {
        let format = arguments.first();
        let mut result = Value::none();
        for (atom, step) in format.items() {
            let Atom::Text(text) = atom else {
                if atom.is_argument() {
                    let all = Self::made_of(arguments);
                    result.join(&all);
                }
                continue;
            };
            let text = self.texts.get(*text).to_vec();
            if let Some(parts) = self.format_parts(&text, arguments) {
                let whole = self.concat(&parts, site);
                result.join(&whole);
            } else if text.starts_with(b"%") && !text.starts_with(b"%%") {
                let piece = Self::made_of(&Values::one(arguments.at(1)));
                result.join(&piece);
            } else {
                result.add(Atom::Data(Root::Literal, Form::Piece), *step);
            }
        }
        result
    }

    /// The parts of a format that has only `%s` and whole numbers.
    fn format_parts(&mut self, format: &[u8], arguments: &Values) -> Option<Vec<Value>> {
        let (mut parts, mut plain, mut next) = (Vec::new(), Vec::new(), 1);
        let mut bytes = format.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'%' {
                plain.push(byte);
                continue;
            }
            match bytes.next()? {
                b'%' => plain.push(b'%'),
                kind @ (b's' | b'd' | b'i') => {
                    if !plain.is_empty() {
                        let text = self.texts.id(&std::mem::take(&mut plain));
                        parts.push(Value::one(Atom::Text(text), None));
                    }
                    let value = arguments.at(next);
                    next += 1;
                    // What is neither text nor a number is refused.
                    let value = value.filter(Atom::is_argument);
                    let value = if *kind == b's' { self.inserted(&value) } else { Self::whole_number(&value) };
                    parts.push(value);
                }
                _ => return None,
            }
        }
        if !plain.is_empty() || parts.is_empty() {
            let text = self.texts.id(&plain);
            parts.push(Value::one(Atom::Text(text), None));
        }
        Some(parts)
    }

    /// What `%s` makes of a value. The engine cuts a text at its first zero byte, unless it is long: so of data whose bytes are
    /// not known it may be no more than a piece.
    fn inserted(&mut self, value: &Value) -> Value {
        let text = self.text_of(value);
        text.map(|atom| match atom {
            Atom::Text(text) if self.texts.get(text).contains(&0) => Atom::Data(Root::Literal, Form::Piece),
            Atom::Data(root, _) => Atom::Data(root, Form::Piece),
            atom => atom,
        })
    }

    fn whole_number(value: &Value) -> Value {
        if let Some(Atom::Int(_)) = value.single() { value.clone() } else { Self::made_of(&Values::one(value.clone())) }
    }

    fn replace(&mut self, arguments: &Values, site: ExprId) -> Values {
        let (subject, by) = (arguments.first(), arguments.at(2));
        let piece = Self::made_of(&Values::one(subject.clone()));
        let mut sources = Values { fixed: vec![subject], ..Values::any(Value::none()) };
        for (atom, step) in by.items() {
            let given = match atom {
                Atom::Closure(_) | Atom::Builtin(_) | Atom::Pieces(_) | Atom::Unknown => {
                    let function = Value::one(*atom, *step);
                    let pieces = Values { fixed: vec![piece.clone()], ..Values::any(piece.clone()) };
                    self.call_often(&function, &|_| pieces.clone(), site)
                }
                Atom::Table(_) => Values::one(self.read_field(&Value::one(*atom, None), &piece)),
                _ => Values::one(Value::one(*atom, *step)),
            };
            sources.join(&given);
        }
        let text = Self::made_of(&sources);
        Values::row(vec![text, Value::one(Atom::From(0), None)])
    }
}
