//! What scripts touch on a real server, and what the analysis says of them.
//!
//! No script that touched a key outside its KEYS may be called declared. `EMQ_TRUTH_SCRIPTS` says how many scripts are made;
//! `EMQ_TRUTH_FROM` which one is the first.

pub(crate) mod generate;
mod observe;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::thread;
use std::{env, fs};

use crate::common::engines;
use crate::common::walk::files;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::{Verdict, analyze};
use echomq_conformance::core::policy::Policy;

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
    let work = move || -> Vec<Verdict> {
        analysed.iter().map(|script| analyze("", script.as_bytes(), Policy::Strict).verdict).collect()
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let mut touched = vec![BTreeSet::new(); scripts.len()];
    for (_, program) in engines::engines() {
        for (all, more) in touched.iter_mut().zip(observe::undeclared(&program, &scripts)) {
            all.extend(more);
        }
    }
    let verdicts = thread.join().expect("the analysis ends");
    let mut tally: BTreeMap<(Verdict, bool), u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (index, ((script, verdict), touched)) in scripts.iter().zip(&verdicts).zip(&touched).enumerate() {
        *tally.entry((*verdict, !touched.is_empty())).or_default() += 1;
        if !touched.is_empty() && *verdict == Verdict::Declared {
            wrong.push(format!("touches {touched:?}:\n{script}"));
        }
        assert!(*verdict != Verdict::Invalid || index as u64 >= count, "{script}");
    }
    drop(writeln!(io::stderr(), "(verdict, touched an undeclared key): {tally:?}"));
    wrong.sort_by_key(String::len);
    let shortest = wrong.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} called declared; the shortest {shortest}", wrong.len());
    let declared = tally.get(&(Verdict::Declared, false)).copied().unwrap_or(0);
    assert!(u64::from(declared) * 10 > count, "a test of so few declared scripts shows nothing: {tally:?}");
}
