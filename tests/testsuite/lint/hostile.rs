//! Scripts that nobody wrote: our fixtures with parts of them changed, including each other, come to an end, with findings that
//! are where they say, and every form of report says them.

use std::fs;
use std::thread;

use crate::common::walk::files;
use echomq_conformance::core::lua::baseline::Baseline;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::report::{FileReport, LintReport, github, json, junit, markdown, sarif, tap, text};
use echomq_conformance::core::lua::{File, Includes, analyze_with};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::core::report::text::Look;

/// Numbers that are the same in every run (`xorshift64*`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).expect("31 bits") % end.max(1)
    }
}

/// Parts that mean something, to be put in anywhere.
const PARTS: [&[u8]; 19] = [
    b"`",
    b"'a`b\\\r\n`'",
    b"\n--- @include \"0\"\n",
    b"\n-- @include '1.lua'\n",
    b"\n--- @include \"2\";\n--- @include \"3\"",
    b"\n--- @include \"all\"\n",
    b"\n--- @include \"\xff\"\n",
    b"-- emq: allow(undeclared-argv) why\n",
    b" -- emq: allow(derived-key, undeclared-literal, x",
    b"-- emq: allow()\n",
    b"redis.call('DEL', ARGV[1])\n",
    b"redis.call('DEL',\n KEYS[1] .. ':x')\n",
    b"--[[",
    b"]]",
    b"'",
    b"\r",
    b"\t\xe2\x80\xae",
    b"\xf0\x9f\x98",
    b"end\n",
];

/// The files of a case, each under its number.
struct Files(Vec<Vec<u8>>);

impl Files {
    fn file(&self, id: usize) -> File {
        File { id, path: format!("{id}.lua"), text: self.0[id].as_slice().into() }
    }
}

impl Includes for Files {
    fn find(&self, _: usize, reference: &str) -> Result<Vec<File>, String> {
        let name = reference.trim_end_matches(".lua");
        if name == "all" {
            return Ok((0..self.0.len()).map(|id| self.file(id)).collect());
        }
        let id = name.parse().ok().filter(|id| *id < self.0.len());
        id.map(|id| vec![self.file(id)]).ok_or_else(|| "there is none".to_owned())
    }
}

#[test]
fn changed_scripts_come_to_an_end_and_findings_are_where_they_say() {
    let work = || {
        let fixtures: Vec<Vec<u8>> =
            files("fixtures", ".lua").iter().map(|file| fs::read(file).expect("a fixture")).collect();
        let mut dice = Dice(0x5eed);
        let (mut findings, mut included, mut allowed) = (0, 0, 0);
        for _ in 0..1_400 {
            let mut texts = Vec::new();
            for _ in 0..4 {
                texts.push(changed(&fixtures[dice.below(fixtures.len())], &mut dice));
            }
            let case = Files(texts);
            let policy = Policy::ALL[dice.below(3)];
            let scripts = (0..4).map(|id| analyze_with(case.file(id), &case, policy)).collect();
            let mut report = LintReport::new(policy, scripts);
            for file in &report.files {
                findings += file.findings.len();
                included += file.findings.iter().filter(|finding| finding.path.is_some()).count();
                allowed += file.suppressed().count();
                all_is_there(file, &case);
            }
            render(&report);
            let baseline = Baseline::of(&report, &Baseline::default());
            baseline.apply(&mut report, |_| false);
            assert_eq!((report.conforms, report.stale.as_slice()), (Some(true), [].as_slice()), "all of it is known");
            render(&report);
        }
        assert!(findings > 2_000 && included > 200 && allowed > 20, "{findings} findings, {included}, {allowed}");
    };
    thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread").join().expect("it ends");
}

/// A text with some of its bytes gone, some others in, and some parts that mean something.
fn changed(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..dice.below(6) {
        let at = dice.below(text.len() + 1);
        match dice.below(4) {
            0 => drop(text.drain(at..(at + dice.below(4)).min(text.len()))),
            1 => text.insert(at, u8::try_from(dice.below(256)).expect("a byte")),
            _ => drop(text.splice(at..at, PARTS[dice.below(PARTS.len())].iter().copied())),
        }
    }
    text
}

/// Each finding and each step names a place that its file has.
fn all_is_there(file: &FileReport, case: &Files) {
    for finding in &file.findings {
        let place = finding.place;
        is_there(file, finding.path.as_deref(), (place.line, place.column), case);
        is_there(file, finding.path.as_deref(), (place.end_line, place.end_column), case);
        assert!((place.line, place.column) <= (place.end_line, place.end_column), "{finding:?}");
        for step in &finding.origin {
            is_there(file, step.path.as_deref(), (step.line, step.column), case);
        }
    }
}

fn is_there(file: &FileReport, included: Option<&str>, (line, column): (usize, usize), case: &Files) {
    let path = file.file_of(included);
    let id: usize = path.trim_end_matches(".lua").parse().expect("a file of the case");
    let text = String::from_utf8_lossy(&case.0[id]);
    let found = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("{path} has no line {line}"));
    assert!((1..=found.chars().count() + 1).contains(&column), "{path}:{line} has no column {column}");
}

fn render(report: &LintReport) {
    for (color, verbose) in [(false, false), (true, true)] {
        let text = text::render(report, Look { color, verbose });
        let odd = text.chars().find(|c| (c.is_control() && !matches!(c, '\n' | '\x1b')) || *c == '\u{202e}');
        assert!(odd.is_none(), "{odd:?} in {text}");
    }
    let forms = [json::render, sarif::render, github::render, junit::render, tap::render, markdown::render];
    for form in forms {
        assert!(form(report).ends_with('\n'));
    }
    roxmltree::Document::parse(&junit::render(report)).expect("XML");
}
