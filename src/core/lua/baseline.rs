//! A baseline of scripts: findings that are known, each rule of each script with a reason, so that only new ones count.
//!
//! A finding is known by its script, its rule, its command, the argument and the steps by which the key came, not by lines: it
//! stays the same when code before it grows. What is known and not seen any more is stale, and counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::report::{Finding, LintReport, Stale, Suppression, SuppressionKind};
use super::rules::{self, applies};
use super::verdict::Verdict;
use crate::core::baseline::document::Entry;
use crate::core::policy::Policy;

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(pub Vec<Known>);

/// What is known of one rule in one script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The script, as it was named.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// Why these findings may stay.
    pub reason: String,
    /// The findings.
    pub findings: Vec<Shape>,
}

/// What stays the same of a finding when lines move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The included file that it is in; nothing where it is in the script itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The command; empty where it is about none.
    pub command: String,
    /// The text of the argument.
    pub expression: String,
    /// What stands at each step of the way that the key came.
    pub chain: Vec<String>,
    /// How many there are that are alike in all this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: usize,
}

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_one(count: &usize) -> bool {
    *count == 1
}

impl Entry for Known {
    const FORMAT: &'static str = "emq-lint-baseline/1";

    fn about(&self) -> String {
        format!("{} in {}", self.rule, self.path)
    }

    fn subject(&self) -> [&str; 3] {
        [&self.path, &self.rule, ""]
    }

    fn reason(&self) -> &str {
        &self.reason
    }

    fn unknown(&self) -> Option<(&'static str, &str)> {
        rules::by_id(&self.rule).is_none().then_some(("rule", &*self.rule))
    }
}

impl Shape {
    fn of(finding: &Finding) -> Self {
        Self {
            path: finding.path.clone(),
            command: finding.command.clone(),
            expression: finding.expression.clone(),
            chain: finding.origin.iter().map(|step| step.text.clone()).collect(),
            count: 1,
        }
    }

    /// Itself, whatever the count.
    fn alone(&self) -> Self {
        Self { count: 1, ..self.clone() }
    }
}

impl Baseline {
    /// Everything that counts in a report, with the reasons that an older baseline gives.
    pub fn of(report: &LintReport, older: &Self) -> Self {
        let reasons: BTreeMap<[&str; 3], &str> =
            older.0.iter().map(|known| (known.subject(), known.reason.as_str())).collect();
        let mut known = Vec::new();
        for file in &report.files {
            let mut rules: BTreeMap<&str, BTreeMap<Shape, usize>> = BTreeMap::new();
            for finding in file.counting() {
                *rules.entry(finding.rule).or_default().entry(Shape::of(finding)).or_default() += 1;
            }
            known.extend(rules.into_iter().map(|(rule, shapes)| Known {
                path: file.path.clone(),
                rule: rule.to_owned(),
                reason: reasons.get(&[file.path.as_str(), rule, ""]).copied().unwrap_or_default().to_owned(),
                findings: shapes.into_iter().map(|(shape, count)| Shape { count, ..shape }).collect(),
            }));
        }
        Self(known)
    }

    /// Accepts what is known, and says what is stale. Entries about scripts that are not in the report are left alone, unless
    /// `is_gone` says that there is no such script any more; so are those of a script that could not be read as Lua.
    pub fn apply(&self, report: &mut LintReport, is_gone: impl Fn(&str) -> bool) {
        let policy = Policy::ALL.into_iter().find(|policy| policy.id() == report.policy).unwrap_or_default();
        let mut by_path: BTreeMap<&str, Vec<&Known>> = BTreeMap::new();
        for known in &self.0 {
            by_path.entry(&known.path).or_default().push(known);
        }
        let mut seen = BTreeSet::new();
        for file in &mut report.files {
            let Some(entries) = by_path.get(file.path.as_str()) else { continue };
            seen.insert(file.path.clone());
            for known in entries {
                let left = accept(known, &mut file.findings);
                // Of a script that does not compile, nothing but that was seen.
                if file.verdict != Verdict::Invalid {
                    report.stale.extend(stale(known, left, policy));
                }
            }
        }
        for known in self.0.iter().filter(|known| !seen.contains(&known.path) && is_gone(&known.path)) {
            let all = known.findings.iter().map(|shape| (shape.alone(), shape.count)).collect();
            report.stale.extend(stale(known, all, policy));
        }
        report.settle();
    }

    /// Accepts everything that counts: what a baseline is written for.
    pub fn accept_all(report: &mut LintReport) {
        for finding in report.files.iter_mut().flat_map(|file| &mut file.findings).filter(|finding| finding.counts()) {
            finding.suppressions.push(external("written to the baseline"));
        }
        report.settle();
    }
}

/// Marks what is known, and gives what is left of it.
fn accept(known: &Known, findings: &mut [Finding]) -> BTreeMap<Shape, usize> {
    let mut left: BTreeMap<Shape, usize> = BTreeMap::new();
    for shape in &known.findings {
        *left.entry(shape.alone()).or_default() += shape.count;
    }
    for finding in findings.iter_mut().filter(|finding| finding.rule == known.rule && finding.suppressions.is_empty()) {
        if let Some(count) = left.get_mut(&Shape::of(finding)).filter(|count| **count > 0) {
            *count -= 1;
            finding.suppressions.push(external(&known.reason));
        }
    }
    left
}

fn stale(known: &Known, left: BTreeMap<Shape, usize>, policy: Policy) -> impl Iterator<Item = Stale> {
    let left = left.into_iter().filter(move |(_, count)| *count > 0 && applies(&known.rule, policy));
    left.map(|(shape, count)| Stale {
        path: known.path.clone(),
        rule: known.rule.clone(),
        command: shape.command,
        expression: shape.expression,
        count,
    })
}

fn external(reason: &str) -> Suppression {
    Suppression { kind: SuppressionKind::External, reason: reason.to_owned(), line: None }
}
