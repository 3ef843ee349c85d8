//! Which keys a script can touch: its verdict, and each finding with the way of its key drawn over the code.

use super::chain::Script;
use super::judged::ticked;
use super::model::{Block, Figure, Line, Role, Tone, Words};
use crate::core::bytes::shown;
use crate::core::lua::clean;
use crate::core::lua::report::{FileReport, Finding, Severity};
use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::core::report::words::counted;

/// What is drawn.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The script's text.
    pub source: &'a [u8],
    /// What it comes to under each policy, in the order of [`Policy::ALL`].
    pub reports: &'a [FileReport],
    /// The policy whose findings are drawn.
    pub policy: Policy,
    /// All findings, also those that the policy allows.
    pub verbose: bool,
}

/// How many findings are drawn.
const FINDINGS: usize = 8;

/// Draws it. It needs as much stack as an analysis of the script.
pub fn figure(asked: &Asked<'_>) -> Figure {
    let mut figure = Figure { kind: "script", title: "Which keys a script can touch", ..Figure::default() };
    let place = Policy::ALL.iter().position(|policy| *policy == asked.policy).unwrap_or_default();
    let Some(file) = asked.reports.get(place) else { return figure };
    let path = shown(file.path.as_bytes());
    figure
        .origins
        .push(Words::of(Role::Code, &path).and(Role::Quiet, ": read from the source alone; no server ran it"));
    figure.body.push(Block::Lines(head(asked, file)));
    let script = Script::new(asked.source);
    let told = |finding: &&Finding| asked.verbose || finding.counts() || !finding.reachable;
    let found: Vec<&Finding> = file.findings.iter().filter(told).collect();
    if found.is_empty() {
        figure.body.push(Block::Head(Words::plain("what was found"), Words::default()));
        figure.body.push(Block::Lines(vec![Line::new(Words::plain(&nothing(file)))]));
        figure.body.push(Block::Code(script.listing(None)));
    }
    for (index, finding) in found.iter().take(FINDINGS).enumerate() {
        let aside = Words::of(Role::Quiet, &format!("{} of {}", index + 1, found.len()));
        figure.body.push(Block::Head(Words::plain("found: ").and(Role::Code, finding.rule), aside));
        figure.body.push(Block::Lines(vec![said(finding)]));
        let code = if index == 0 { script.listing(Some(finding)) } else { script.excerpt(finding) };
        figure.body.push(Block::Code(code));
        figure.body.push(Block::Lines(footing(finding)));
    }
    if found.len() > FINDINGS {
        let more = counted((found.len() - FINDINGS) as u64, "more finding");
        figure.body.push(Block::Lines(vec![Line::quiet(&format!("and {more}, which emq-conform lint lists"))]));
    }
    figure.body.retain(|block| !matches!(block, Block::Lines(lines) if lines.is_empty()));
    figure.status = Words::plain(&format!(
        "{path} · {} · {}: {} · {}, {}",
        file.verdict.word(),
        asked.policy.id(),
        conforms(file),
        counted(file.calls as u64, "call"),
        counted(file.findings.len() as u64, "finding")
    ));
    figure
}

/// What the script comes to, and what each policy makes of it.
fn head(asked: &Asked<'_>, file: &FileReport) -> Vec<Line> {
    let tone = Tone::from(file.judged());
    let mut lines = vec![Line::new(Words::of(tone.role(), file.verdict.word())).toned(tone)];
    lines.extend(Policy::ALL.iter().zip(asked.reports).map(|(policy, file)| {
        let words = Words::of(Role::Quiet, &format!("{}: {}", policy.id(), conforms(file)));
        Line::new(words).toned(Tone::from(file.judged()))
    }));
    lines
}

fn conforms(file: &FileReport) -> &'static str {
    match file.judged() {
        Verdict::Pass => "conforms",
        Verdict::Fail => "does not conform",
        Verdict::Indeterminate => "cannot be told",
    }
}

fn nothing(file: &FileReport) -> String {
    if file.findings.is_empty() {
        format!("Nothing: {}", clean(file.calls))
    } else {
        "Nothing that this policy does not allow.".to_owned()
    }
}

/// `error line 9: SET gets a key that is not in KEYS: …`.
fn said(finding: &Finding) -> Line {
    let (tone, word) = match finding.severity {
        _ if !finding.suppressions.is_empty() => (Tone::Pass, "allowed"),
        Severity::Error => (Tone::Fail, finding.severity.word()),
        Severity::Warning => (Tone::Doubt, finding.severity.word()),
        Severity::Note => (Tone::Pass, finding.severity.word()),
    };
    let file = finding.path.as_ref().map(|path| format!(" {},", shown(path.as_bytes()))).unwrap_or_default();
    let words = Words::of(tone.role(), word).and(Role::Plain, &format!("{file} line {}: ", finding.place.line));
    Line::new(ticked(words, &finding.message)).toned(tone)
}

/// Why it does not count, or what to change.
fn footing(finding: &Finding) -> Vec<Line> {
    if !finding.suppressions.is_empty() {
        return finding.suppressions.iter().map(|one| Line::quiet(&one.words())).collect();
    }
    if finding.help.is_empty() {
        return Vec::new();
    }
    vec![Line::new(ticked(Words::of(Role::Strong, "To mend it: "), &finding.help))]
}
