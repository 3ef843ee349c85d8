//! The scripts of well-known packages: what the analysis says of them, and what they touch on a real server.
//!
//! `docs/packages.md` and `docs/bullmq.md` say what they come to; `EMQ_BLESS=1` rewrites both. The scripts themselves are
//! never part of this repository. `EMQ_PACKAGES_ROUNDS` says how often each is run.

mod bullmq;
mod drive;
mod install;
mod list;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use crate::common::walk;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::report::{FileReport, OperandCounts};
use echomq_conformance::core::lua::{Verdict, analyze};
use echomq_conformance::core::policy::Policy;
use list::{PACKAGES, Package, Registry};

/// A script of a package.
struct Script {
    package: &'static Package,
    name: String,
    source: Vec<u8>,
}

fn all_scripts() -> Vec<Script> {
    let of = |package: &'static Package| {
        install::scripts(package).into_iter().map(move |(name, source)| Script { package, name, source })
    };
    PACKAGES.iter().flat_map(of).collect()
}

fn analysed(scripts: &[Script]) -> Vec<FileReport> {
    let work = |scripts: &[Script]| -> Vec<FileReport> {
        scripts.iter().map(|script| analyze(&script.name, &script.source, Policy::Strict)).collect()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || work(scripts)).expect("a thread");
        thread.join().expect("the analysis ends")
    })
}

#[test]
fn the_table_says_what_the_packages_come_to() {
    let scripts = all_scripts();
    let reports = analysed(&scripts);
    let mut all = OperandCounts::default();
    let mut rows: BTreeMap<(&str, &str), (Row, &Package)> = BTreeMap::new();
    for (script, report) in scripts.iter().zip(&reports) {
        assert_ne!(report.verdict, Verdict::Invalid, "{} {}: {:?}", script.package.name, script.name, report.findings);
        let registry = if script.package.registry == Registry::Npm { "npm" } else { "PyPI" };
        let (row, _) = rows.entry((registry, script.package.name)).or_insert((Row::default(), script.package));
        row.add(report);
        for (sum, more) in [
            (&mut all.declared, report.operands.declared),
            (&mut all.derived, report.operands.derived),
            (&mut all.undeclared, report.operands.undeclared),
            (&mut all.unknown, report.operands.unknown),
        ] {
            *sum += more;
        }
    }
    let operands = all.declared + all.derived + all.undeclared + all.unknown;
    let mut table = String::new();
    let mut sum = Row::default();
    for ((registry, name), (row, package)) in &rows {
        let Package { version, licence, .. } = package;
        writeln!(table, "| {name} | {registry} | {version} | {licence} | {row}").expect("a string");
        sum.join(row);
    }
    let text = format!(
        "# What the scripts of well-known packages come to\n\n\
         Measured by `tests/testsuite/lint/packages`, which fetches each package at the version below into a cache outside the checkout,\n\
         takes its Lua scripts out, and analyses them under the policy strict. None of their code is part of this repository.\n\
         The same test runs each script on a real Valkey with keys, arguments and data made at random, and compares what MONITOR\n\
         shows with the verdict: no script called `declared` may touch a key outside its KEYS.\n\n\
         | package | from | version | licence | scripts | declared | derived | undeclared | unknown | keys of unknown origin |\n\
         |---|---|---|---|---|---|---|---|---|---|\n{table}| all | | | | {sum}\n\
         Of {operands} operand keys, {} are elements of KEYS, {} are made of one, {} have another origin and {} an unknown one.\n",
        all.declared, all.derived, all.undeclared, all.unknown,
    );
    walk::expect(Path::new("docs/packages.md"), &text).expect("the table is what was measured");
    assert!(all.unknown * 50 < operands, "{} of {operands} operand keys are unknown", all.unknown);
}

/// The counts of one line.
#[derive(Default)]
struct Row {
    scripts: usize,
    verdicts: BTreeMap<Verdict, usize>,
    operands: usize,
    unknown: usize,
}

impl Row {
    fn add(&mut self, report: &FileReport) {
        let OperandCounts { declared, derived, undeclared, unknown } = report.operands;
        self.scripts += 1;
        *self.verdicts.entry(report.verdict).or_default() += 1;
        self.operands += declared + derived + undeclared + unknown;
        self.unknown += unknown;
    }

    fn join(&mut self, other: &Self) {
        self.scripts += other.scripts;
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        self.operands += other.operands;
        self.unknown += other.unknown;
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |verdict| self.verdicts.get(&verdict).copied().unwrap_or(0);
        write!(
            f,
            "{} | {} | {} | {} | {} | {} of {} |",
            self.scripts,
            count(Verdict::Declared),
            count(Verdict::Derived),
            count(Verdict::Undeclared),
            count(Verdict::Unknown),
            self.unknown,
            self.operands
        )
    }
}

#[test]
fn no_script_called_declared_touches_another_key() {
    let rounds = env::var("EMQ_PACKAGES_ROUNDS").map_or(24, |text| text.parse().expect("a number"));
    let scripts = all_scripts();
    let reports = analysed(&scripts);
    let mut driver = drive::Driver::new();
    let (mut wrong, mut silent, mut confirmed, mut undeclared) = (Vec::new(), Vec::new(), 0, 0);
    for (script, report) in scripts.iter().zip(&reports) {
        let seen = driver.drive(&script.source, rounds);
        let name = format!("{} {}", script.package.name, script.name);
        if seen.commands == 0 {
            silent.push(name.clone());
        }
        undeclared += usize::from(report.verdict == Verdict::Undeclared);
        confirmed += usize::from(report.verdict == Verdict::Undeclared && !seen.undeclared.is_empty());
        if report.verdict == Verdict::Declared && !seen.undeclared.is_empty() {
            wrong.push(format!("{name} touches {:?}", seen.undeclared));
        }
    }
    assert!(wrong.is_empty(), "called declared: {wrong:#?}");
    // Runs that do nothing would prove nothing.
    assert!(silent.len() * 20 < scripts.len(), "of {} scripts these ran no command: {silent:?}", scripts.len());
    assert!(
        confirmed * 10 > undeclared * 6,
        "of {undeclared} undeclared scripts {confirmed} touched an undeclared key"
    );
}
