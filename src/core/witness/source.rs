//! The witness of the source: what any run of the scripts that were called could touch.

use std::collections::BTreeMap;

use super::{Called, Calls, Heard, some};
use crate::core::bytes::Bytes;
use crate::core::lua::report::{FileReport, Finding, Severity};
use crate::core::lua::{Verdict as Origin, analyze};
use crate::core::policy::Policy;
use crate::core::report::model::{Evidence, Verdict, Witness};
use crate::core::report::words::counted;

/// The texts of a capture, each analysed once.
pub(super) struct Texts<'c> {
    calls: &'c Calls,
    policy: Policy,
    analysed: BTreeMap<String, Option<FileReport>>,
}

impl<'c> Texts<'c> {
    pub(super) fn new(calls: &'c Calls, policy: Policy) -> Self {
        Self { calls, policy, analysed: BTreeMap::new() }
    }

    fn of(&mut self, called: &Called) -> Option<&FileReport> {
        let analysed = self.analysed.entry(called.id.clone());
        let fresh =
            || self.calls.text(&called.id, called.function).map(|text| analyze(&called.name, text, self.policy));
        analysed.or_insert_with(fresh).as_ref()
    }
}

/// What the texts of some scripts say.
pub(super) fn hear(texts: &mut Texts<'_>, called: &[Called]) -> Heard {
    let mut told = Told::default();
    for script in called {
        match texts.of(script) {
            None => told.unseen.push(script.name.clone()),
            // The engine refused it too, or the two read Lua differently; either way its text tells nothing.
            Some(file) if file.verdict == Origin::Invalid => told.invalid.push(script.name.clone()),
            Some(file) => told.file(script, file),
        }
    }
    let verdict =
        match (told.failing.is_empty(), told.open.is_empty() && told.obliged.is_empty() && told.seen == called.len()) {
            (false, _) => Verdict::Fail,
            (true, true) => Verdict::Pass,
            (true, false) => Verdict::Indeterminate,
        };
    let summary = told.summary(verdict, called.len());
    let (notes, help) = (told.notes(verdict), told.help);
    let witness = Witness { id: "source", verdict, summary, evidence: told.evidence, more_evidence: 0, notes };
    Heard { witness, help }
}

/// What is told, script by script.
#[derive(Default)]
struct Told {
    seen: usize,
    failing: Vec<String>,
    open: Vec<String>,
    /// Scripts whose only doubt is the tag of a value that their caller passes.
    obliged: Vec<String>,
    unseen: Vec<String>,
    invalid: Vec<String>,
    evidence: Vec<Evidence>,
    help: Option<String>,
}

impl Told {
    fn file(&mut self, script: &Called, file: &FileReport) {
        self.seen += 1;
        match file.conforms {
            Some(true) => {}
            None if is_obligation(file) => self.obliged.push(script.name.clone()),
            None => self.open.push(script.name.clone()),
            Some(false) => self.failing.push(script.name.clone()),
        }
        for finding in file.findings.iter().filter(|finding| finding.severity == Severity::Error) {
            self.help.get_or_insert_with(|| format!("in {}: {}", script.name, finding.help));
            self.evidence.push(evidence(script, finding));
        }
    }

    fn summary(&self, verdict: Verdict, all: usize) -> String {
        let scripts = counted(all as u64, "script");
        match verdict {
            Verdict::Pass if all == 1 => "the text of 1 script: none of its paths touches another key".to_owned(),
            Verdict::Pass => format!("the texts of {scripts}: no path touches another key"),
            Verdict::Fail => format!(
                "of {scripts}, {} can touch a key that is not declared: {}",
                self.failing.len(),
                some(&self.failing)
            ),
            Verdict::Indeterminate => {
                let of = |names: &[String], what: &str| (!names.is_empty()).then(|| format!("{what}: {}", some(names)));
                let open = of(&self.open, "not every key can be told from the text");
                let unseen = of(&self.unseen, "the text was not seen");
                let invalid = of(&self.invalid, "the text does not compile");
                let obliged =
                    of(&self.obliged, "whether an ARGV value carries the tag of a declared key is up to the caller");
                let why: Vec<String> = open.into_iter().chain(obliged).chain(unseen).chain(invalid).collect();
                format!("of {scripts}, {}", why.join("; "))
            }
        }
    }

    /// What a failure leaves open besides.
    fn notes(&self, verdict: Verdict) -> Vec<String> {
        if verdict != Verdict::Fail || self.unseen.is_empty() {
            return Vec::new();
        }
        vec![format!("the text was not seen: {}", some(&self.unseen))]
    }
}

/// Whether all that is open is the caller's obligation, which a trace can show to be met.
fn is_obligation(file: &FileReport) -> bool {
    let mut open = file.findings.iter().filter(|finding| finding.severity == Severity::Warning);
    open.all(|finding| finding.rule == "slot-obligation")
}

fn evidence(script: &Called, finding: &Finding) -> Evidence {
    let (place, name) = (finding.place, &script.name);
    let command = if finding.command.is_empty() { "a call" } else { &finding.command };
    Evidence {
        seq: Some(script.first.seq),
        line: script.first.line,
        command: command.to_owned(),
        key: Some(Bytes::from(finding.expression.as_str())),
        access: None,
        why: format!("{name}:{}:{}: {} ({})", place.line, place.column, finding.message, finding.rule),
    }
}
