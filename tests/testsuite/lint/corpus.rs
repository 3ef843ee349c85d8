//! Inputs that fuzzing found worth keeping, each of which once ended the analysis early or led somewhere new.

use std::fs;
use std::thread;

use crate::common::walk::files;
use echomq_conformance::core::lua::analyze;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::policy::Policy;

#[test]
fn nothing_in_the_corpus_ends_the_analysis() {
    let inputs = files("fuzz/corpus/lint", "");
    let work = move || {
        for input in inputs {
            let report = analyze("script-2.lua", &fs::read(&input).expect("an input"), Policy::SlotRooted);
            assert!(report.effort.steps <= report.effort.budget * 3, "{}: {:?}", input.display(), report.effort);
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread").join().expect("the analysis ends");
}
