//! One script under one policy, and what rules make of what was found in it.

use super::advice::Advice;
use super::allow::Comment;
use super::declaration::Declaration;
use super::ir::{Span, TextId};
use super::provenance::facts::Operand;
use super::provenance::{Form, Root, Walked};
use super::report::{Finding, Origin, Place, RootWord, Severity};
use super::rules::About;
use super::source::{InFile, Source};
use super::text::Texts;
use crate::core::policy::Policy;

/// One script under one policy.
pub(super) struct Case<'a> {
    pub(super) source: &'a Source,
    /// The comments that allow findings.
    pub(super) comments: &'a [Comment],
    pub(super) walked: &'a Walked,
    pub(super) texts: &'a Texts,
    pub(super) policy: Policy,
    pub(super) declaration: &'a Declaration,
    pub(super) advice: &'a Advice,
}

impl Case<'_> {
    /// A finding about a place.
    pub(super) fn at(&self, about: &About, severity: Severity, span: Span, message: String) -> Finding {
        let told = self.source.told(span);
        Finding {
            expression: told.step.text.clone(),
            origin: vec![told.step.clone()],
            help: about.mend.to_owned(),
            ..bare(about, severity, told.path.clone(), told.place, message)
        }
    }

    /// A finding about a place in one of the files.
    pub(super) fn in_file(&self, about: &About, severity: Severity, at: &InFile, message: String) -> Finding {
        finding(self.source, about, severity, at, message)
    }

    /// A finding about an operand, with the way that it came, and what mends it there.
    pub(super) fn operand(&self, about: &About, severity: Severity, operand: &Operand, message: String) -> Finding {
        let mut chain = self.walked.chain(operand.step);
        // A step inside the one before it, or the argument itself, says the same thing twice.
        chain.retain(|span| *span != operand.span);
        chain.push(operand.span);
        let origin = chain.into_iter().map(|span| self.source.step(span)).collect::<Vec<Origin>>();
        let call = self.source.told(operand.whole).place;
        let told = self.source.told(operand.span);
        Finding {
            command: operand.command.to_string(),
            root: root_word(operand.root),
            origin,
            lines: (call.line, call.end_line),
            help: self.advice.on(self, about, operand),
            expression: told.step.text.clone(),
            ..bare(about, severity, told.path.clone(), told.place, message)
        }
    }

    /// An origin in words: `ARGV[2]`, `the reply of HGET`.
    pub(super) fn root(&self, root: Root) -> String {
        let element = |name: &str, index: Option<u32>| match index {
            Some(index) => format!("{name}[{index}]"),
            None => format!("an element of {name}"),
        };
        match root {
            Root::Keys(index) => element("KEYS", index),
            Root::Argv(index) => element("ARGV", index),
            Root::Literal => "the script's own text".to_owned(),
            Root::Reply(command) => format!("the reply of {}", self.command(command)),
            Root::Global => "the engine's state".to_owned(),
            Root::Unknown => "something unknown".to_owned(),
        }
    }

    /// A command's name, in capitals.
    pub(super) fn command(&self, name: TextId) -> String {
        crate::core::bytes::shown(self.texts.get(name)).to_ascii_uppercase()
    }

    /// How an operand hangs together with its root: `ARGV[2]`, `ARGV[2] and more after it`, `something made of ARGV[2]`.
    pub(super) fn made_of(&self, operand: &Operand) -> String {
        let root = self.root(operand.root);
        match operand.form {
            Form::Whole => root,
            Form::Longer => format!("{root} and more after it"),
            Form::Piece => format!("something made of {root}"),
        }
    }
}

/// A finding about a place.
pub(super) fn finding(source: &Source, about: &About, severity: Severity, at: &InFile, message: String) -> Finding {
    let path = source.included(at.file).map(str::to_owned);
    Finding {
        expression: source.excerpt(at),
        origin: vec![source.step_at(at)],
        help: about.mend.to_owned(),
        ..bare(about, severity, path, source.place(at), message)
    }
}

/// A finding of which nothing is said but where and what.
fn bare(about: &About, severity: Severity, path: Option<String>, place: Place, message: String) -> Finding {
    Finding {
        rule: about.id,
        severity,
        path,
        place,
        command: String::new(),
        expression: String::new(),
        root: RootWord::Unknown,
        origin: Vec::new(),
        reachable: true,
        message,
        help: String::new(),
        suppressions: Vec::new(),
        lines: (place.line, place.end_line),
    }
}

fn root_word(root: Root) -> RootWord {
    match root {
        Root::Keys(_) => RootWord::Keys,
        Root::Argv(_) => RootWord::Argv,
        Root::Literal => RootWord::Literal,
        Root::Reply(_) => RootWord::Reply,
        Root::Global => RootWord::Global,
        Root::Unknown => RootWord::Unknown,
    }
}
