//! What a script's operand keys come to, whatever the policy.

use serde::Serialize;

use super::ir::ExprId;
use super::ordered::{Ordered, OrderedSet};
use super::provenance::facts::{Gap, Operand, OperandKind};
use super::provenance::{Form, Root, Walked};
use super::report::OperandCounts;

/// What a script comes to: the worst origin among the operand keys of its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every operand key is an element of KEYS.
    Declared,
    /// Some operand key is made of an element of KEYS.
    Derived,
    /// The origin of some operand key is not known.
    Unknown,
    /// Some operand key comes from ARGV, from the script's own text, from a reply or from elsewhere.
    Undeclared,
    /// The engine does not compile it.
    Invalid,
}

impl Verdict {
    /// Every verdict, the best first.
    pub const ALL: [Self; 5] = [Self::Declared, Self::Derived, Self::Unknown, Self::Undeclared, Self::Invalid];

    /// The word of reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Derived => "derived",
            Self::Unknown => "unknown",
            Self::Undeclared => "undeclared",
            Self::Invalid => "invalid",
        }
    }
}

/// How many operand keys have which verdict: each argument of each call once, by the worst of its origins.
pub(super) fn counts(walked: &Walked) -> OperandCounts {
    let mut worst: Ordered<(ExprId, usize), Verdict> = Ordered::default();
    for operand in &walked.facts.operands {
        let verdict = of_operand(operand);
        if let Some(own) = worst.entry((operand.call, operand.index), || verdict) {
            *own = verdict.max(*own);
        }
    }
    let count = |wanted| worst.values().filter(|verdict| **verdict == wanted).count();
    let mut open: OrderedSet<Option<ExprId>> = OrderedSet::default();
    for ((_, gap), (_, call)) in walked.facts.gaps.iter() {
        if !matches!(gap, Gap::NotFollowed(_)) {
            open.add(*call, ());
        }
    }
    OperandCounts {
        declared: count(Verdict::Declared),
        derived: count(Verdict::Derived),
        undeclared: count(Verdict::Undeclared),
        unknown: count(Verdict::Unknown) + open.len(),
    }
}

/// The verdict on all that was found.
pub(super) fn verdict(walked: &Walked) -> Verdict {
    let operands = walked.facts.operands.iter().map(of_operand);
    let gaps = walked.facts.gaps.keys().map(|(_, gap)| match gap {
        Gap::DynamicCommand | Gap::UnknownCommand | Gap::OpenArguments | Gap::NotFollowed(_) => Verdict::Unknown,
    });
    let exhausted = walked.exhausted.then_some(Verdict::Unknown);
    operands.chain(gaps).chain(exhausted).max().unwrap_or(Verdict::Declared)
}

/// The verdict on one operand.
pub(super) fn of_operand(operand: &Operand) -> Verdict {
    match (operand.root, operand.form, operand.kind) {
        (Root::Keys(_), Form::Whole, OperandKind::Key) => Verdict::Declared,
        (Root::Keys(_), _, _) => Verdict::Derived,
        (Root::Unknown, ..) => Verdict::Unknown,
        (Root::Argv(_) | Root::Literal | Root::Reply(_) | Root::Global, ..) => Verdict::Undeclared,
    }
}
