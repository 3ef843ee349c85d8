//! The v1 flaw: where v1's lock key comes from, and for each anchor of the course what follows, as real servers said, and what
//! mends it.

use super::chain::Script;
use super::judged::ticked;
use super::model::{Block, Figure, Line, Role, Tone, Words};
use crate::core::flaw::anchors::{
    ANCHOR, ANCHORS, PART_NAMES, PARTS, TITLES, WHO, about, did, outcomes, step_name, verdict,
};
use crate::core::flaw::{Call, Choice, Flaw, PASSES, Said};
use crate::core::keyspace::slot;
use crate::core::lua::report::FileReport;
use crate::core::report::Verdict;
use crate::core::report::words::counted;

/// What is drawn.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The recording.
    pub flaw: &'a Flaw,
    /// The call.
    pub choice: Choice,
    /// What its script comes to.
    pub report: &'a FileReport,
    /// How many parts of the anchors are shown; without it, all.
    pub step: Option<usize>,
}

/// How many steps the walk has.
pub const STEPS: usize = ANCHORS * PARTS;

/// The keys that the anchors are about, as our script calls them; the lock's first.
const KEYS: [&str; 2] = ["lockKey", "jobKey"];

/// Draws it. It needs as much stack as an analysis of the script.
pub fn figure(asked: &Asked<'_>) -> Figure {
    let Asked { flaw, choice, report, step } = asked;
    let mut figure = Figure { kind: "v1-flaw", title: "The v1 flaw", ..Figure::default() };
    figure.origins = vec![
        Words::origin("stated").and(Role::Quiet, " the anchors, by the course (rung drafted)"),
        Words::origin("measured")
            .and(Role::Quiet, &format!(" {}, {}: ", flaw.engines, flaw.date))
            .and(Role::Code, &flaw.repeat),
    ];
    let tone = Tone::from(report.judged());
    let (name, means) = PASSES.get(choice.passes).copied().unwrap_or_default();
    let words = Words::verdict(tone, report.verdict.word(), &format!("{name}, {means}"));
    figure.body.push(Block::Lines(vec![Line::new(words).toned(tone)]));
    way(&mut figure, asked);
    if let Some(call) = flaw.call(*choice) {
        called(&mut figure, name, call);
    }
    let come_to = step.unwrap_or(STEPS).min(STEPS);
    for (anchor, title) in TITLES.iter().enumerate() {
        figure.body.push(Block::Head(Words::plain(&format!("{} {title}", anchor + 1)), Words::default()));
        let parts = (0..PARTS).filter(|part| anchor * PARTS + part < come_to);
        let mut lines: Vec<Line> = parts.flat_map(|part| self::part(asked, anchor, part)).collect();
        if lines.is_empty() {
            lines.push(Line::quiet("not stepped"));
        }
        figure.body.push(Block::Lines(lines));
    }
    // Who walks is told of the step that was last taken, and of nothing that comes after it.
    let says = match step.map(|_| come_to.checked_sub(1)) {
        None => outcomes(flaw, *choice),
        Some(None) => "nothing stepped yet".to_owned(),
        Some(Some(last)) => {
            let word = verdict(flaw, *choice, last / PARTS, last % PARTS).map_or("", Verdict::word);
            let word = if word.is_empty() { String::new() } else { format!("{word}: ") };
            format!("{}: {word}{}", step_name(last), about(flaw, *choice, last))
        }
    };
    figure.status = Words::plain(&format!("{come_to} of {STEPS} · {name} · {} · {says}", report.verdict.word()));
    figure
}

/// The script with the way of the lock's key, or of the job's.
fn way(figure: &mut Figure, asked: &Asked<'_>) {
    let text = asked.flaw.texts.get(asked.choice.passes).map_or("", String::as_str);
    let found = KEYS.iter().find_map(|key| {
        let ends = |step: &crate::core::lua::report::Origin| step.text == *key;
        asked.report.findings.iter().find(|one| one.origin.len() > 1 && one.origin.last().is_some_and(ends))
    });
    figure.body.push(Block::Head(Words::plain("where the key comes from"), Words::default()));
    figure.body.push(Block::Code(Script::new(text.as_bytes()).listing(found)));
    let said = if let Some(found) = found {
        vec![
            Line::new(Words::of(Role::Fail, &found.message)),
            Line::new(ticked(Words::of(Role::Strong, "To mend it: "), &found.help)),
        ]
    } else {
        let calls = counted(asked.report.calls as u64, "call");
        vec![Line::new(Words::plain(&format!("Nothing to follow: each of the {calls} gets an element of KEYS.")))]
    };
    figure.body.push(Block::Lines(said));
}

/// What the caller declares, and beside it what the script touches.
fn called(figure: &mut Figure, name: &str, call: &Call) {
    let key = |words: &mut Words, key: &String, declared: bool| {
        words.push(Role::Plain, " ");
        words.push(if declared { Role::Key } else { Role::Undeclared }, key);
        words.push(Role::Quiet, &format!(" slot {}", slot(key.as_bytes())));
        if !declared {
            words.push(Role::Fail, " ✕\u{a0}not in KEYS");
        }
    };
    let mut declares = Words::of(Role::Code, &format!("EVALSHA ‹{name}› {}", call.keys.len()));
    call.keys.iter().for_each(|one| key(&mut declares, one, true));
    declares.push(Role::Code, &format!(" {}", call.args.join(" ")));
    let mut touches = Words::default();
    call.touched.iter().for_each(|one| key(&mut touches, one, call.keys.contains(one)));
    figure.body.push(Block::Head(Words::plain("declared and touched"), Words::default()));
    figure.body.push(Block::Lines(vec![
        Line::quiet("the caller declares"),
        Line::new(declares).below(1),
        Line::quiet("the script touches"),
        Line::new(touches).below(1),
    ]));
}

/// A part of an anchor: what it is, what follows from it, what mends it.
fn part(asked: &Asked<'_>, anchor: usize, part: usize) -> Vec<Line> {
    let mut title = Words::of(Role::Strong, PART_NAMES[part]);
    let come_to = verdict(asked.flaw, asked.choice, anchor, part).map(|verdict| (Tone::from(verdict), verdict.word()));
    if let Some((tone, word)) = come_to {
        title = title.and(Role::Plain, ": ").and(tone.role(), word);
    }
    let mut head = Line::new(title);
    head.tone = Some(come_to.map_or(Tone::Open, |(tone, _)| tone));
    if part == 0 {
        head.tone = None;
    }
    let told = match part {
        0 => pointed_at(anchor),
        1 => consequence(asked, anchor),
        _ => resolution(asked.flaw, anchor),
    };
    std::iter::once(head).chain(told.into_iter().map(|words| Line::new(words).below(1))).collect()
}

fn pointed_at(anchor: usize) -> Vec<Words> {
    let (code, meaning) = ANCHOR[anchor];
    let stated = Words::origin("stated").and(Role::Plain, " ").and(Role::Code, code);
    [stated, Words::plain(meaning)].into_iter().skip(usize::from(code.is_empty())).collect()
}

fn consequence(asked: &Asked<'_>, anchor: usize) -> Vec<Words> {
    let flaw = asked.flaw;
    let Some(who) = WHO.get(anchor) else {
        let package = &flaw.package;
        let [undeclared, derived, declared, unknown] = package.counts;
        let all: u64 = package.counts.iter().sum();
        let counts = format!(
            " {}, all {all} scripts: {undeclared} undeclared, {derived} derived, {declared} declared, {unknown} unknown; {}: ",
            package.name, package.date
        );
        return vec![Words::origin("measured").and(Role::Plain, &counts).and(Role::Code, &package.repeat)];
    };
    let mut all = Vec::new();
    if let (0, Some(call)) = (anchor, flaw.call(asked.choice)) {
        let (declared, touched) = (call.declared(), call.touched.len());
        all.push(Words::plain(&format!("In KEYS: {declared} of the {touched} that it touches.")));
    }
    all.push(told(Words::plain(who), flaw.said(asked.choice, anchor)));
    all
}

fn resolution(flaw: &Flaw, anchor: usize) -> Vec<Words> {
    let (calls, verdict) = &flaw.mended;
    match anchor {
        0 => {
            let accepted = if verdict == "declared" { ", and every policy accepts it" } else { "" };
            vec![Words::plain(&format!(
                "claim-4.lua gets the job’s hash as KEYS[3] and its lock as KEYS[4]. Analysed: {verdict}, {calls} calls{accepted}."
            ))]
        }
        1 => vec![told(
            Words::plain("The same rule for claim-4.lua’s four keys: the server "),
            flaw.said(Choice::MENDED, 1),
        )],
        2 => {
            let said = told(Words::plain("Four keys, one tag: the node "), flaw.said(Choice::MENDED, 2));
            vec![said.and(Role::Plain, " Its caller reads the id first, so that it can declare; where another worker was faster, it answers “moved on”, and changes nothing.")]
        }
        _ => {
            let (declare, all) = flaw.own;
            let own = format!(" of this project’s own {all} scripts for v2, {declare} declare every key.");
            vec![
                Words::origin("stated").and(Role::Plain, " every key of v2’s script set arrives in KEYS (D2)."),
                Words::origin("measured").and(Role::Plain, &own),
            ]
        }
    }
}

/// What a server said, version by version where they differ, and how it left the queue.
fn told(mut words: Words, said: &[Said]) -> Words {
    let Some(first) = said.first() else { return words };
    words = words.and(Role::Strong, did(first.outcome())).and(Role::Plain, ": ");
    for one in said {
        if said.len() > 1 {
            words.push(Role::Plain, &format!("{} ", one.versions));
        }
        words = words.and(Role::Code, one.words.trim_end_matches('.')).and(Role::Plain, ". ");
    }
    if let Some(key) = &first.logged {
        words = words.and(Role::Plain, "ACL LOG names ").and(Role::Code, key).and(Role::Plain, ". ");
    }
    left(words, first)
}

/// How the queue was left.
fn left(words: Words, said: &Said) -> Words {
    let words = match (&said.moved, &said.unlocked) {
        (None, _) => words.and(Role::Plain, "Nothing has changed."),
        (Some(job), None) => words.and(Role::Plain, &format!("Job {job} is in active, and locked.")),
        (Some(job), Some(key)) => {
            let stays = if said.refused { "What it had done stays: job" } else { "Job" };
            let words = words.and(Role::Plain, &format!("{stays} {job} is in active, and "));
            words.and(Role::Code, key).and(Role::Plain, " is not there.")
        }
    };
    if said.stolen {
        words.and(Role::Fail, " The lock that another worker held for job 01 is this one’s now.")
    } else {
        words
    }
}
