//! The witness of the source: what any run of the scripts that were called could touch.

use std::collections::BTreeMap;

use super::libraries::Digest;
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
    /// By the name it has in the report, where that says something of the script, and its digest.
    analysed: BTreeMap<(String, Digest), FileReport>,
    /// By where it lies: it does so as long as this is there.
    digests: BTreeMap<(usize, usize), Digest>,
}

impl<'c> Texts<'c> {
    pub(super) fn new(calls: &'c Calls, policy: Policy) -> Self {
        Self { calls, policy, analysed: BTreeMap::new(), digests: BTreeMap::new() }
    }

    /// What each text says that a script had, the last one last; nothing of one that was not seen.
    fn of(&mut self, called: &Called) -> Vec<Option<FileReport>> {
        let texts = self.calls.texts(called);
        let last = texts.len().saturating_sub(1);
        let mut analysed = |(at, text): (usize, Option<&[u8]>)| {
            let name = if at == last { called.name.clone() } else { format!("{}, as it was before", called.name) };
            let mut file = self.analysed(name.clone(), called.function, text?);
            file.path = name;
            Some(file)
        };
        texts.into_iter().enumerate().map(&mut analysed).collect()
    }

    /// All functions of a library have its text, and their names say nothing of that.
    fn analysed(&mut self, name: String, is_function: bool, text: &[u8]) -> FileReport {
        let place = (text.as_ptr().addr(), text.len());
        let digest = *self.digests.entry(place).or_insert_with(|| sha1_smol::Sha1::from(text).digest().bytes());
        let name = if is_function { String::new() } else { name };
        let fresh = |(name, _): &(String, Digest)| analyze(name, text, self.policy);
        self.analysed.entry((name, digest)).or_insert_with_key(fresh).clone()
    }
}

/// What the texts of some scripts say.
pub(super) fn hear(texts: &mut Texts<'_>, called: &[Called]) -> Heard {
    let mut told = Told::default();
    for script in called {
        told.script(script, &texts.of(script));
    }
    let verdict = match (told.failing.is_empty(), told.leaves_nothing_open()) {
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
    fn leaves_nothing_open(&self) -> bool {
        [&self.open, &self.obliged, &self.unseen, &self.invalid].iter().all(|names| names.is_empty())
    }

    fn script(&mut self, script: &Called, texts: &[Option<FileReport>]) {
        match texts.iter().flatten().count() {
            0 => self.unseen.push(script.name.clone()),
            seen if seen < texts.len() => self.unseen.push(format!("{} (in some calls)", script.name)),
            _ => {}
        }
        texts.iter().flatten().for_each(|file| self.file(script, file, texts));
    }

    /// One of a script's texts.
    fn file(&mut self, script: &Called, file: &FileReport, texts: &[Option<FileReport>]) {
        let names = match file.conforms {
            // The engine refused it too, or the two read Lua differently; either way its text tells nothing.
            _ if file.verdict == Origin::Invalid => &mut self.invalid,
            Some(true) => return,
            None if is_obligation(file) => &mut self.obliged,
            None => &mut self.open,
            Some(false) => &mut self.failing,
        };
        // Each script is listed once.
        if !names.last().is_some_and(|last| texts.iter().flatten().any(|other| other.path == *last)) {
            names.push(file.path.clone());
        }
        if file.verdict == Origin::Invalid {
            return;
        }
        for finding in file.findings.iter().filter(|finding| finding.severity == Severity::Error) {
            self.help.get_or_insert_with(|| format!("in {}: {}", file.path, finding.help));
            self.evidence.push(evidence(script, &file.path, finding));
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

fn evidence(script: &Called, name: &str, finding: &Finding) -> Evidence {
    let place = finding.place;
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

#[cfg(test)]
mod tests {
    use super::Texts;
    use crate::core::capture::json;
    use crate::core::policy::Policy;
    use crate::core::witness::Calls;

    #[test]
    fn a_library_is_analysed_once_for_all_its_functions() {
        let load = r##"{"seq": 1, "origin": "client", "argv": ["FUNCTION", "LOAD",
            "#!lua name=l\nredis.register_function('f', a)\nredis.register_function('g', b)"]}"##;
        let call =
            |seq: u32, name: &str| format!(r#"{{"seq": {seq}, "origin": "client", "argv": ["FCALL", "{name}", "0"]}}"#);
        let (f, g) = (call(2, "f"), call(3, "g"));
        for scripts in ["{}", r##"{"f": {"source": "#!lua name=m\n"}, "g": {"source": "#!lua name=m\n"}}"##] {
            let text = format!(r#"{{"format": "emq-capture/1", "scripts": {scripts}, "events": [{load}, {f}, {g}]}}"#);
            let calls = Calls::of(&json::parse(text.as_bytes()).expect("a capture"));
            let mut texts = Texts::new(&calls, Policy::Strict);
            let names: Vec<_> =
                calls.by(&[None]).iter().flat_map(|called| texts.of(called)).flatten().map(|file| file.path).collect();
            assert_eq!((names, texts.analysed.len()), (vec!["f".to_owned(), "g".to_owned()], 1), "{scripts}");
        }
    }
}
