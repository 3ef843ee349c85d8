//! What one comes to, from what `lint` and `check` report: the verdict, what decides it, and the rest in their words.

use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::web::figures::capture::decides as capture_decides;
use crate::web::figures::script::report::File;
use crate::web::figures::script::{conforms, decides, found};
use crate::web::judged::{Asserted, Judged, Place, verdict};
use crate::web::packed::{Packer, Unpacker};

/// What one comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whether it conforms: a script under the strict policy, a capture to all five assertions.
    pub verdict: Verdict,
    /// What decides that, in a sentence.
    pub decided: String,
    /// What else was said of it, and how what decides it comes about and is mended.
    pub lines: Vec<Line>,
}

/// A line of what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it comes to, where it comes to something.
    pub verdict: Option<Verdict>,
    /// What it says.
    pub text: String,
}

const VERDICTS: [Verdict; 3] = [Verdict::Pass, Verdict::Fail, Verdict::Indeterminate];

impl Answer {
    /// Of a script, from its reports under each policy.
    pub fn of_script(judged: &[File]) -> Option<Self> {
        let file = judged.first()?;
        let came_to = file.judged();
        let (reason, decided) = decides(file);
        let policies = Policy::ALL.iter().zip(judged);
        let policies = policies.map(|(policy, file)| format!(" · {}: {}", policy.id(), conforms(file.conforms)));
        let head = format!("{}{}", file.verdict, policies.collect::<String>());
        let mut lines = vec![Line { verdict: Some(came_to), text: head }];
        for finding in &file.findings {
            if reason.is_some_and(|reason| std::ptr::eq(reason, finding)) {
                let way = finding.origin.iter().map(|step| format!("line {}: {}", step.line, step.text));
                lines.extend(Line::of(&way.collect::<Vec<_>>().join(" → ")));
                lines.extend(Line::of(&finding.help));
            } else {
                lines.push(Line { verdict: Some(finding.judged()), text: found(finding) });
            }
        }
        Some(Self { verdict: came_to, decided, lines })
    }

    /// Of a capture.
    pub fn of_capture(judged: &Judged) -> Self {
        let came_to = verdict(&judged.verdict);
        let (reason, decided) = capture_decides(judged);
        let mut lines = Vec::new();
        for one in &judged.assertions {
            let Asserted { id, verdict: word, summary, help, evidence, .. } = one;
            if reason.is_some_and(|reason| reason.id == *id) {
                lines.extend(evidence.iter().filter_map(|place| Line::of(&shown(place))));
                lines.extend(help.iter().filter_map(|help| Line::of(help)));
            } else {
                lines.push(Line { verdict: Some(verdict(word)), text: format!("{id}: {summary}") });
            }
        }
        Self { verdict: came_to, decided, lines }
    }

    pub(super) fn pack(&self, out: &mut Packer) {
        let Self { verdict, decided, lines } = self;
        out.number(number(*verdict));
        out.bytes(decided.as_bytes());
        out.list(lines.iter(), |out, Line { verdict, text }| {
            out.maybe(*verdict, |out, verdict| out.number(number(verdict)));
            out.bytes(text.as_bytes());
        });
    }

    pub(super) fn unpack(rest: &mut Unpacker<'_>) -> Option<Self> {
        Some(Self {
            verdict: word(rest)?,
            decided: rest.text()?,
            lines: rest.list(|rest| Some(Line { verdict: rest.maybe(word)?, text: rest.text()? }))?,
        })
    }
}

impl Line {
    /// One that comes to nothing by itself, unless it is empty.
    fn of(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self { verdict: None, text: text.to_owned() })
    }
}

fn number(verdict: Verdict) -> u64 {
    VERDICTS.iter().position(|other| *other == verdict).unwrap_or_default() as u64
}

fn word(rest: &mut Unpacker<'_>) -> Option<Verdict> {
    VERDICTS.get(usize::try_from(rest.number()?).ok()?).copied()
}

/// `line 7 LLEN bull:payments:wait (read): …`, as the capture bench has it.
fn shown(Place { at, command, key, how, why }: &Place) -> String {
    let key = key.as_ref().map(|key| format!(" {key}")).unwrap_or_default();
    format!("{at} {command}{key}{how}: {why}")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::set;
    use super::super::set::SET;
    use crate::core::report::Verdict::{self, Fail, Indeterminate, Pass};

    /// What each is there to show: its verdict, and a part of what decides it.
    const SHOWS: [(&str, Verdict, &str); SET.len()] = [
        ("release-1.lua", Fail, "GET gets a key that is no element of KEYS"),
        ("remind-1.lua", Pass, "is an element of KEYS"),
        ("store-1.lua", Fail, "something made of ARGV[1]"),
        ("archive-3.lua", Pass, "is an element of KEYS"),
        ("drain.log", Fail, "legacy: "),
        ("import.log", Pass, "all five"),
        ("lock.log", Fail, "hashtag: "),
        ("add.log", Indeterminate, "version: "),
        ("forward.log", Fail, "hashtag: "),
    ];

    #[test]
    fn each_shows_its_point() {
        for ((unseen, (name, _)), (of, verdict, part)) in set().iter().zip(SET).zip(SHOWS) {
            let built = &unseen.built;
            assert_eq!((name, built.verdict), (of, verdict), "{}", built.decided);
            assert!(built.decided.contains(part), "{name}: {}", built.decided);
            assert!(built.lines.len() <= 16, "{name}: {} lines", built.lines.len());
        }
    }
}
