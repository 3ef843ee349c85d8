//! What scripts touch on a real server, and what the analysis says of them.
//!
//! No script that touched a key outside its KEYS may be called declared, and none may conform under `rooted` that touched a key
//! that begins with no element of KEYS. `EMQ_TRUTH_SCRIPTS` says how many scripts are made;
//! `EMQ_TRUTH_FROM` which one is the first.

pub(crate) mod generate;
mod observe;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::thread;
use std::{env, fs};

use crate::common::engines;
use crate::common::walk::files;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::report::LintReport;
use echomq_conformance::core::lua::{Verdict, analyze};
use echomq_conformance::core::policy::Policy;
use observe::Touched;

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn no_script_that_touches_an_undeclared_key_is_called_declared() {
    let (from, count) = (number("EMQ_TRUTH_FROM", 0), number("EMQ_TRUTH_SCRIPTS", 2_000));
    // What people wrote by hand, too, but for libraries, whose functions have names of their own.
    let written = files("fixtures/lint", ".lua").into_iter().map(|file| fs::read_to_string(file).expect("a fixture"));
    let written = written.filter(|script| !script.starts_with("#!lua name=") && !script.contains("SCAN"));
    let scripts: Vec<String> = (from..from + count).map(generate::script).chain(written).collect();
    let analysed = scripts.clone();
    let work = move || -> Vec<(Verdict, bool)> {
        let one = |script: &String| {
            let report = |policy| analyze("", script.as_bytes(), policy);
            let rooted = LintReport::new(Policy::Rooted, vec![report(Policy::Rooted)]);
            (report(Policy::Strict).verdict, rooted.conforms == Some(true))
        };
        analysed.iter().map(one).collect()
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let mut all = vec![Touched::default(); scripts.len()];
    for (_, program) in engines::engines() {
        for (all, more) in all.iter_mut().zip(observe::touched(&program, &scripts)) {
            all.undeclared.extend(more.undeclared);
            all.rootless.extend(more.rootless);
        }
    }
    let verdicts = thread.join().expect("the analysis ends");
    let mut tally: BTreeMap<(Verdict, bool), u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut rooted = 0;
    for (index, ((script, (verdict, is_rooted)), touched)) in scripts.iter().zip(&verdicts).zip(&all).enumerate() {
        let Touched { undeclared, rootless } = touched;
        *tally.entry((*verdict, !undeclared.is_empty())).or_default() += 1;
        rooted += u64::from(*is_rooted && *verdict != Verdict::Declared);
        if !undeclared.is_empty() && *verdict == Verdict::Declared {
            wrong.push(format!("declared, and touches {undeclared:?}:\n{script}"));
        } else if !rootless.is_empty() && *is_rooted {
            wrong.push(format!("conforms under rooted, and touches {rootless:?}:\n{script}"));
        }
        assert!(*verdict != Verdict::Invalid || index as u64 >= count, "{script}");
    }
    drop(writeln!(io::stderr(), "(verdict, touched an undeclared key): {tally:?}; {rooted} more conform under rooted"));
    wrong.sort_by_key(String::len);
    let shortest = wrong.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} called what they are not; the shortest {shortest}", wrong.len());
    let declared = tally.get(&(Verdict::Declared, false)).copied().unwrap_or(0);
    let are_enough = u64::from(declared) * 10 > count && rooted * 200 > count;
    assert!(are_enough, "a test of so few such scripts shows nothing: {tally:?}, {rooted}");
}
