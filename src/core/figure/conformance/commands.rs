//! The capture line by line: commands with their keys, what scripts ran under their calls, what was read aside.

use super::Asked;
use crate::core::bytes::{Arg, short};
use crate::core::capture::{Read, Reply};
use crate::core::figure::judged::{Names, left_out};
use crate::core::figure::model::{Block, Line, Role, Words};
use crate::core::report::steps::{CallStep, KeyUse, Ran, Step, steps};

/// How many lines are drawn from the start, and how many more that the figure points at.
const FIRST: usize = 60;
const POINTED_AT: usize = 40;
/// How many arguments of a command are drawn, and how many letters of a value.
const ARGS: usize = 12;
const VALUE: usize = 40;
/// How many replies that were read aside.
const READS: usize = 8;

/// The head, the lines, and what was read aside. `lit` are the events that the figure points at.
pub(super) fn drawn(asked: &Asked<'_>, names: Names<'_>, lit: &[u64]) -> Vec<Block> {
    let legend = match names.0 {
        "" => Words::default(),
        base => Words::of(Role::Quiet, "…: stands for ").and(Role::Code, base),
    };
    let title = if asked.broken.is_some() { "capture, changed" } else { "capture" };
    let mut all = Vec::new();
    for step in steps(asked.capture) {
        self::step(&mut all, &step, names);
    }
    for (line, seq) in &mut all {
        line.lit = lit.contains(seq);
        if *seq > 0 {
            *line = std::mem::take(line).numbered(&number(asked, *seq));
        }
    }
    let mut lines = thinned(all.into_iter().map(|(line, _)| line).collect(), asked.beyond);
    if lines.is_empty() {
        lines.push(Line::quiet("The capture is empty: no command, no script call."));
    }
    let mut blocks = vec![Block::Head(Words::plain(title), legend), Block::Lines(lines)];
    let reads = &asked.capture.reads;
    if !reads.is_empty() {
        blocks.push(Block::Head(Words::plain("read aside, with the server’s reply"), Words::default()));
        let mut lines: Vec<Line> = reads.iter().take(READS).map(|read| aside(read, names)).collect();
        if reads.len() > READS {
            lines.push(Line::new(left_out(0, (reads.len() - READS) as u64)));
        }
        blocks.push(Block::Lines(lines));
    }
    blocks
}

/// The number beside a line: that of the log where there is one.
fn number(asked: &Asked<'_>, seq: u64) -> String {
    let events = &asked.capture.events;
    let at = events.binary_search_by_key(&seq, |event| event.seq);
    at.ok().and_then(|at| events[at].line).unwrap_or(seq).to_string()
}

/// A line, and the event that it is about; 0 for one that adds to the line above.
type Numbered = (Line, u64);

fn step(all: &mut Vec<Numbered>, step: &Step, names: Names<'_>) {
    let Some(call) = &step.call else {
        let words = arguments(Words::of(Role::Strong, &step.command), &step.args, &step.keys, names);
        all.push((Line::new(words), step.seq));
        return;
    };
    let words = Words::of(Role::Strong, &step.command).and(Role::Code, &format!(" {}", call.script));
    all.push((Line::new(words), step.seq));
    let mut declared = Words::of(Role::Quiet, "KEYS");
    for key in step.keys.iter().take(ARGS) {
        declared.push(Role::Plain, " ");
        names.key(&mut declared, Role::Key, &key.key);
    }
    match step.keys.len() {
        0 => declared.push(Role::Quiet, " none"),
        keys if keys > ARGS => declared.push(Role::Quiet, &format!(" and {} more", keys - ARGS)),
        _ => {}
    }
    all.push((Line::new(declared).below(1), 0));
    if !call.argv.is_empty() {
        let missing: Vec<KeyUse> = missing(call).cloned().collect();
        let words = arguments(Words::of(Role::Quiet, "ARGV"), &call.argv, &missing, names);
        all.push((Line::new(words).below(1), 0));
    }
    if call.ran.is_empty() {
        all.push((Line::quiet("ran no command").below(1), 0));
    }
    all.extend(call.ran.iter().map(|ran| (self::ran(ran, names).below(1), ran.seq)));
}

/// The keys that a script touched without their being declared.
fn missing(call: &CallStep) -> impl Iterator<Item = &KeyUse> {
    call.ran.iter().flat_map(|ran| &ran.keys).filter(|key| key.declared == Some(false))
}

fn ran(ran: &Ran, names: Names<'_>) -> Line {
    let words = arguments(Words::of(Role::Strong, &ran.command), &ran.args, &ran.keys, names);
    let (role, witness) = if ran.keys.is_empty() {
        (Role::Quiet, "no key")
    } else if ran.keys.iter().all(|key| key.declared == Some(true)) {
        (Role::Pass, "✓\u{a0}declared")
    } else {
        (Role::Fail, "✕\u{a0}not in KEYS")
    };
    Line::new(words.and(Role::Plain, "  ").and(role, witness))
}

/// Arguments in their order, keys as keys.
fn arguments(mut words: Words, args: &[Arg], keys: &[KeyUse], names: Names<'_>) -> Words {
    for arg in args.iter().take(ARGS) {
        words.push(Role::Plain, " ");
        match keys.iter().find(|key| arg.known() == Some(key.key.as_slice())) {
            Some(key) => {
                let role = if key.declared == Some(false) { Role::Undeclared } else { Role::Key };
                names.key(&mut words, role, &key.key);
            }
            None => words.push(Role::Quiet, &value(arg)),
        }
    }
    if args.len() > ARGS {
        words.push(Role::Quiet, &format!(" and {} more", args.len() - ARGS));
    }
    words
}

/// An argument that is no key, cut where it is long.
fn value(arg: &Arg) -> String {
    match arg.known() {
        Some(bytes) => short(&Names("").short(bytes), VALUE).into_owned(),
        None => arg.to_string(),
    }
}

fn aside(read: &Read, names: Names<'_>) -> Line {
    let command = read.argv.first().map(|name| Names("").short(name.as_slice())).unwrap_or_default();
    let mut words = Words::of(Role::Strong, &command);
    for arg in read.argv.iter().skip(1).take(ARGS) {
        words.push(Role::Plain, " ");
        let is_own = !names.0.is_empty() && arg.as_slice().starts_with(names.0.as_bytes());
        if is_own {
            names.key(&mut words, Role::Key, arg);
        } else {
            words.push(Role::Quiet, &short(&Names("").short(arg.as_slice()), VALUE));
        }
    }
    let mut said = String::new();
    reply(&read.reply, &mut said);
    Line::new(words.and(Role::Plain, &format!(" → {}", short(&said, VALUE * 2))))
}

/// A reply in words, no more of it than is shown.
fn reply(reply: &Reply, out: &mut String) {
    if out.len() > VALUE * 16 {
        return;
    }
    match reply {
        Reply::Nil(()) => out.push_str("nothing"),
        Reply::Integer(number) => out.push_str(&number.to_string()),
        Reply::Text(text) => out.push_str(&Names("").short(text.as_slice())),
        Reply::Array(replies) => {
            for (at, one) in replies.iter().take(ARGS).enumerate() {
                out.push_str(if at > 0 { " " } else { "" });
                self::reply(one, out);
            }
        }
        Reply::Error { error } => out.push_str(&short(error, VALUE * 4)),
    }
}

/// The first lines, and of the others those that the figure points at; of all that is left out, how many: lines, and at the end commands
/// that were not kept.
fn thinned(lines: Vec<Line>, beyond: u64) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::new();
    let (mut pointed_at, mut left) = (0, 0);
    for (at, line) in lines.into_iter().enumerate() {
        let wanted = at < FIRST || (line.lit && pointed_at < POINTED_AT);
        if !wanted {
            left += 1;
            continue;
        }
        pointed_at += usize::from(at >= FIRST);
        if left > 0 {
            kept.push(Line::new(left_out(left, 0)));
            left = 0;
        }
        kept.push(line);
    }
    if left > 0 || beyond > 0 {
        kept.push(Line::new(left_out(left, beyond)));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{FIRST, thinned};
    use crate::core::figure::model::{Line, Words};

    /// The lines, each by what it says.
    fn kept(count: usize, lit: &[usize], beyond: u64) -> Vec<String> {
        let line = |at: usize| Line { lit: lit.contains(&at), ..Line::new(Words::plain(&at.to_string())) };
        thinned((0..count).map(line).collect(), beyond).iter().skip(FIRST).map(|line| line.words.text()).collect()
    }

    #[test]
    fn what_is_left_out_in_one_place_is_said_in_one_note() {
        assert_eq!(kept(FIRST, &[], 0), [""; 0]);
        assert_eq!(kept(FIRST, &[], 1), ["… 1 more command"]);
        assert_eq!(kept(FIRST + 2, &[], 0), ["… 2 more lines"]);
        assert_eq!(kept(FIRST + 2, &[], 7), ["… 2 more lines and 7 more commands"]);
        assert_eq!(kept(FIRST + 3, &[FIRST + 1], 7), ["… 1 more line", "61", "… 1 more line and 7 more commands"]);
    }
}
