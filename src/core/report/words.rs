//! Numbers and places in sentences.

use std::fmt::Write as _;

use super::model::{Evidence, LineProblem, Report, Witness};
use crate::core::bytes::shown;
use crate::core::capture::Engine;
use crate::core::commands::calls_a_script;

/// `1 key`, `2 keys`, `0 accesses`.
pub fn counted(n: u64, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

/// `5 of 6 keys lie`, `1 of 1 key lies`: a share with its verb, given in the plural.
pub fn share(part: u64, whole: u64, noun: &str, verb: &str) -> String {
    match (whole, verb) {
        (1, "are") => format!("{part} of 1 {noun} is"),
        (1, verb) => format!("{part} of 1 {noun} {verb}s"),
        (_, verb) => format!("{part} of {whole} {noun}s {verb}"),
    }
}

/// `once`, `2 times`.
pub fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}

/// `line 12: HSET emq:{payments}:02 (write): not in KEYS of claim-4`.
pub fn place(evidence: &Evidence) -> String {
    let mut text = match (evidence.line, evidence.seq) {
        (Some(line), _) => format!("line {line}: "),
        (None, Some(seq)) => format!("event {seq}: "),
        (None, None) => "read aside: ".to_owned(),
    };
    text.push_str(&command(evidence));
    text + ": " + &evidence.why
}

/// `HSET emq:{payments}:02 (write)`.
pub fn command(evidence: &Evidence) -> String {
    let mut text = evidence.command.clone();
    if let Some(key) = &evidence.key {
        let _ = write!(text, " {}", clipped(&key.to_string()));
    }
    text + &how(evidence)
}

/// ` (write)`: what the command may do to the key. A call that passes it to a script does neither, whatever the engine lets
/// the script do.
pub fn how(evidence: &Evidence) -> String {
    match evidence.access {
        Some(_) if calls_a_script(&evidence.command) => " (in KEYS)".to_owned(),
        Some(access) => format!(" ({})", access.name()),
        None => String::new(),
    }
}

/// What a reader should know of a report besides its verdicts: its notes, and where the input could not be read.
pub fn besides(report: &Report) -> Vec<String> {
    report.notes.iter().cloned().chain(problems(report)).collect()
}

/// `traffic.log, line 4, byte 55: no closing quote`: where the input could not be read.
pub fn problems(report: &Report) -> impl Iterator<Item = String> {
    let input =
        report.subject.source.as_ref().map_or(String::new(), |source| format!("{}, ", shown(source.as_bytes())));
    report.problems.iter().map(move |one| format!("{input}{}", problem(one)))
}

/// `line 4, byte 55: no closing quote`.
pub fn problem(problem: &LineProblem) -> String {
    format!("line {}, byte {}: {}", problem.line, problem.byte, problem.why)
}

/// A key for people to read, cut where it would fill their screen: a key may be half a gigabyte long. JSON has it whole.
fn clipped(key: &str) -> String {
    const KEPT: usize = 200;
    match key.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}… ({} bytes)", &key[..end], key.len()),
        None => key.to_owned(),
    }
}

/// `source: pass: the texts of 3 scripts: no path touches another key`.
pub fn witness(witness: &Witness) -> String {
    format!("{}: {}: {}", witness.id, witness.verdict.word(), witness.summary)
}

/// `queue payments · traffic.log`: what a report is about.
pub fn subject(report: &Report) -> String {
    let queue = report.subject.queue.as_deref().map_or("no queue".to_owned(), |queue| format!("queue {queue}"));
    let mut words = vec![queue];
    words.extend(report.subject.source.as_ref().map(|source| shown(source.as_bytes()).into_owned()));
    if report.subject.db > 0 {
        words.push(format!("database {}", report.subject.db));
    }
    words.join(" · ")
}

/// A capture may say anything of its engine, so it is shown as bytes are.
pub fn engine(engine: &Engine) -> String {
    format!("{} {}", shown(engine.name.as_bytes()), shown(engine.version.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{clipped, counted, share, times};

    #[test]
    fn one_is_not_many() {
        assert_eq!([counted(1, "key"), counted(0, "key"), counted(2, "access")], ["1 key", "0 keys", "2 accesses"]);
        assert_eq!([share(1, 1, "key", "lie"), share(5, 6, "key", "lie")], ["1 of 1 key lies", "5 of 6 keys lie"]);
        assert_eq!(share(0, 1, "operand key", "are"), "0 of 1 operand key is");
        assert_eq!([times(1), times(3)], ["once", "3 times"]);
    }

    #[test]
    fn a_key_is_cut_past_two_hundred_characters() {
        let at_the_limit = "é".repeat(200);
        assert_eq!(clipped(&at_the_limit), at_the_limit);
        assert_eq!(clipped(&"é".repeat(201)), format!("{at_the_limit}… (402 bytes)"));
    }
}
