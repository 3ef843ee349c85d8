//! Comments that allow findings: `-- emq: allow(rule, …) reason`.
//!
//! One that has a line to itself is about the next line with code; one behind code, about its own line. It allows a finding of
//! a rule that it names when some part of the finding's call (or of its place, where it is about no call) is on that line.

use super::ir::Span;
use super::limits::line_comments;
use super::ordered::Ordered;
use super::report::{Finding, Place, Suppression, SuppressionKind};
use super::rules::{self, allow_unused};
use super::source::{InFile, Source};

/// A comment that allows findings, or means to.
#[derive(Debug)]
pub(super) struct Comment {
    pub(super) at: InFile,
    /// The rules it names, as it names them; none where it is not of the form.
    pub(super) rules: Vec<String>,
    /// Why they are allowed.
    pub(super) reason: String,
    /// The line that it is about, where there is one.
    target: Option<usize>,
}

/// What a comment allows, and whether anything was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    pub(super) rule: &'static str,
    pub(super) used: bool,
    /// What to say if nothing was.
    pub(super) unused: Box<Finding>,
}

impl Comment {
    /// Whether it says why.
    pub(super) fn has_reason(&self) -> bool {
        self.reason.chars().any(is_of_word)
    }
}

/// The comments of a script that allow findings, or mean to.
pub(super) fn comments(source: &Source) -> Vec<Comment> {
    let text = source.text();
    // Most scripts have none.
    if !text.windows(MARK.len()).any(|window| window == MARK) {
        return Vec::new();
    }
    let mut lines = CodeLines { source, next: Ordered::default() };
    let found = line_comments(text).into_iter().filter_map(|range| {
        let (rules, reason) = read(text.get(range.clone())?)?;
        let small = |place| u32::try_from(place).unwrap_or(u32::MAX);
        let at = source.locate(Span { start: small(range.start), end: small(range.end) });
        let Place { line, column, .. } = source.place(&at);
        let before = source.line(at.file, line).unwrap_or_default();
        let alone = before.iter().take(column - 1).all(u8::is_ascii_whitespace);
        let target = if alone { lines.after(at.file, line) } else { Some(line) };
        Some(Comment { at, rules, reason, target })
    });
    found.collect()
}

const MARK: &[u8] = b"emq:";

/// Whether a word can have the letter: beyond ASCII all do that are no punctuation. The exact table weighs two thousand bytes, which the
/// page's analyzer would load for this alone.
fn is_of_word(letter: char) -> bool {
    let is_punctuation = matches!(letter, '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}');
    letter.is_ascii_alphanumeric() || !(letter.is_ascii() || is_punctuation)
}

/// The rules and the reason of a comment that allows something, or means to.
fn read(comment: &[u8]) -> Option<(Vec<String>, String)> {
    let dashes = comment.iter().take_while(|byte| **byte == b'-').count();
    let rest = comment.get(dashes..)?.trim_ascii().strip_prefix(MARK)?.trim_ascii_start().strip_prefix(b"allow")?;
    let rest = String::from_utf8_lossy(rest);
    if rest.starts_with(|c: char| is_of_word(c) || c == '_' || c == '-') {
        return None;
    }
    let Some((names, reason)) = rest.trim_ascii_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return Some((Vec::new(), rest.trim_ascii().to_owned()));
    };
    let names = names.split(',').map(str::trim_ascii).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Some((names, reason.trim_ascii().to_owned()))
}

/// For each line of a file, the next one with code.
struct CodeLines<'s> {
    source: &'s Source,
    next: Ordered<usize, Vec<Option<usize>>>,
}

impl CodeLines<'_> {
    fn after(&mut self, file: usize, line: usize) -> Option<usize> {
        let next = self.next.entry(file, || {
            let lines: Vec<&[u8]> = (1..).map_while(|line| self.source.line(file, line)).collect();
            let mut code = None;
            let mut next = Vec::with_capacity(lines.len());
            for (index, line) in lines.iter().enumerate().rev() {
                next.push(code);
                let line = line.trim_ascii();
                if !line.is_empty() && !line.starts_with(b"--") {
                    code = Some(index + 1);
                }
            }
            next.reverse();
            next
        });
        next?.get(line.checked_sub(1)?).copied().flatten()
    }
}

/// A line of the script, or of a file that it includes.
type Line<'p> = (Option<&'p str>, usize);

/// Marks the findings that comments allow, and says which allowances were of use. A comment without a reason allows nothing.
pub(super) fn apply(source: &Source, comments: &[Comment], findings: &mut [Finding]) -> Vec<Allowance> {
    let mut allowances = Vec::new();
    let mut by_line: Ordered<(Line<'_>, usize), &Comment> = Ordered::default();
    for comment in comments.iter().filter(|comment| comment.has_reason()) {
        let mut names: Vec<&'static str> = comment.rules.iter().filter_map(|name| rules::allowable(name)).collect();
        names.sort_unstable();
        names.dedup();
        for rule in names {
            let unused = Box::new(allow_unused::finding(source, comment, rule));
            if let Some(target) = comment.target {
                let file = source.included(comment.at.file);
                by_line.add(((file, target), allowances.len()), comment);
            }
            allowances.push(Allowance { rule, used: false, unused });
        }
    }
    for finding in findings {
        let (first, last) = finding.lines;
        let file = finding.path.as_deref();
        let start = ((file, first), 0);
        let near = by_line.from(&start).take_while(|((line, _), _)| *line <= (file, last.max(first)));
        let mut suppressions = Vec::new();
        for ((_, index), comment) in near {
            let Some(allowance) = allowances.get_mut(*index).filter(|one| one.rule == finding.rule) else { continue };
            allowance.used = true;
            let line = Some(source.place(&comment.at).line);
            let reason = crate::core::bytes::shown(comment.reason.as_bytes()).into_owned();
            suppressions.push(Suppression { kind: SuppressionKind::InSource, reason, line });
        }
        finding.suppressions = suppressions;
    }
    allowances
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_comment_says_which_rules_and_why() {
        let read = |text: &str| read(text.as_bytes()).map(|(rules, reason)| (rules.join("+"), reason));
        let some = |rules: &str, reason: &str| Some((rules.to_owned(), reason.to_owned()));
        assert_eq!(read("-- emq: allow(derived-key) the lock, by design"), some("derived-key", "the lock, by design"));
        assert_eq!(read("--emq:allow( a , b )why"), some("a+b", "why"));
        assert_eq!(read("--- emq: allow (a) "), some("a", ""));
        assert_eq!(read("-- emq: allow"), some("", ""));
        assert_eq!(read("-- emq: allow a why"), some("", "a why"));
        assert_eq!(read("-- emq: allow() why"), some("", "why"));
        for other in
            ["-- emq: allowed(a) b", "-- emq:{q}:wait", "-- allow(a) b", "-- an emq: allow(a) b", "-- emq: deny(a) b"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
