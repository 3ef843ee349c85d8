//! The rules, each named for its defect.
//!
//! Each is one file: what is wrong and why, the text that `explain` prints, and a check from what the walk found to findings.

mod allow_unknown_rule;
pub(super) mod allow_unused;
mod allow_without_reason;
pub(super) mod baseline_stale;
mod derived_key;
pub(super) mod does_not_compile;
mod dynamic_command;
mod external_pattern;
pub(super) mod include_cycle;
pub(super) mod include_not_found;
pub(super) mod include_twice;
mod key_beyond_declared;
mod key_count_disagrees;
pub(super) mod not_followed;
mod slot_obligation;
pub(super) mod too_deep;
mod undeclared_argv;
mod undeclared_global;
mod undeclared_literal;
mod undeclared_reply;
mod unknown_command;
mod unknown_key;
mod unused_key;
mod whole_keyspace;

use super::case::Case;
use super::ir::Span;
use super::provenance::Root;
use super::provenance::facts::{Gap, Operand, OperandKind};
use super::report::Finding;
use crate::core::policy::Policy;

/// What a rule says about itself in every report.
#[derive(Debug)]
pub struct About {
    /// The word a user types; also the name of its file, with underscores.
    pub id: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// What mends it.
    pub mend: &'static str,
}

/// What explains a rule. Apart from [`About`], because a page that judges scripts has no room for it.
#[derive(Debug)]
pub struct Page {
    /// The rule.
    pub about: &'static About,
    /// What is wrong, exactly.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// A line that is right.
    pub good: &'static str,
    /// A line that is wrong.
    pub bad: &'static str,
}

/// Something that can be wrong with a script.
pub(super) trait Rule: Sync {
    /// What it says about itself.
    fn about(&self) -> &'static About;
    /// What is wrong.
    fn check(&self, case: &Case<'_>) -> Vec<Finding>;
    /// Whether it finds anything under that policy.
    fn applies(&self, _: Policy) -> bool {
        true
    }
}

/// The rules about scripts that compile.
pub(super) const ALL: [&dyn Rule; 17] = [
    &undeclared_argv::UndeclaredArgv,
    &undeclared_literal::UndeclaredLiteral,
    &undeclared_reply::UndeclaredReply,
    &undeclared_global::UndeclaredGlobal,
    &derived_key::DerivedKey,
    &slot_obligation::SlotObligation,
    &unknown_key::UnknownKey,
    &dynamic_command::DynamicCommand,
    &unknown_command::UnknownCommand,
    &whole_keyspace::WholeKeyspace,
    &external_pattern::ExternalPattern,
    &key_beyond_declared::KeyBeyondDeclared,
    &key_count_disagrees::KeyCountDisagrees,
    &unused_key::UnusedKey,
    &not_followed::NotFollowed,
    &allow_unknown_rule::AllowUnknownRule,
    &allow_without_reason::AllowWithoutReason,
];

/// The rules about comments: these cannot allow what is wrong with themselves.
const ABOUT_COMMENTS: usize = 2;

/// What every rule says about itself, in the order of lists.
pub fn abouts() -> impl Iterator<Item = &'static About> + Clone {
    ALL.iter().map(|rule| rule.about()).chain([
        allow_unused::about(),
        baseline_stale::about(),
        does_not_compile::about(),
        too_deep::about(),
        include_not_found::about(),
        include_cycle::about(),
        include_twice::about(),
    ])
}

/// What explains each rule, in the same order.
const PAGES: [&Page; 24] = [
    &undeclared_argv::PAGE,
    &undeclared_literal::PAGE,
    &undeclared_reply::PAGE,
    &undeclared_global::PAGE,
    &derived_key::PAGE,
    &slot_obligation::PAGE,
    &unknown_key::PAGE,
    &dynamic_command::PAGE,
    &unknown_command::PAGE,
    &whole_keyspace::PAGE,
    &external_pattern::PAGE,
    &key_beyond_declared::PAGE,
    &key_count_disagrees::PAGE,
    &unused_key::PAGE,
    &not_followed::PAGE,
    &allow_unknown_rule::PAGE,
    &allow_without_reason::PAGE,
    &allow_unused::PAGE,
    &baseline_stale::PAGE,
    &does_not_compile::PAGE,
    &too_deep::PAGE,
    &include_not_found::PAGE,
    &include_cycle::PAGE,
    &include_twice::PAGE,
];

/// What explains each rule, in the order of lists.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    PAGES.into_iter()
}

/// What the rule of that name says about itself.
pub fn by_id(id: &str) -> Option<&'static About> {
    abouts().find(|about| about.id == id)
}

/// The rule of that name, if a comment may allow what it finds.
pub(super) fn allowable(id: &str) -> Option<&'static str> {
    let rules = ALL.iter().take(ALL.len() - ABOUT_COMMENTS);
    rules.map(|rule| rule.about().id).find(|known| *known == id)
}

/// Whether a rule finds anything under a policy.
pub(super) fn applies(id: &str, policy: Policy) -> bool {
    ALL.iter().find(|rule| rule.about().id == id).is_none_or(|rule| rule.applies(policy))
}

impl Case<'_> {
    /// The operands of a kind whose root is one of some.
    fn operands(&self, kind: OperandKind, wanted: impl Fn(Root) -> bool) -> impl Iterator<Item = &Operand> {
        self.walked.facts.operands.iter().filter(move |operand| operand.kind == kind && wanted(operand.root))
    }

    /// The places of some kind where the analysis cannot tell.
    fn gaps(&self, wanted: impl Fn(Gap) -> bool) -> impl Iterator<Item = (Span, Gap, &str)> {
        let gaps = self.walked.facts.gaps.iter().filter(move |((_, gap), _)| wanted(*gap));
        gaps.map(|((span, gap), (command, _))| (*span, *gap, command.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{abouts, pages};

    #[test]
    fn every_rule_is_explained_in_its_place() {
        assert_eq!(
            abouts().map(|about| about.id).collect::<Vec<_>>(),
            pages().map(|page| page.about.id).collect::<Vec<_>>()
        );
    }
}
