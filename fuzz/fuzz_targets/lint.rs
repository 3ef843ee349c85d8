//! Any bytes as a script: no panic, no overflow, and no more steps than the analysis is given.
#![no_main]

use std::thread;

use echomq_conformance::core::lua::analyze;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::policy::Policy;
use libfuzzer_sys::fuzz_target;

/// The sanitizer's frames are several times as large.
const ROOM: usize = 4;

fuzz_target!(|source: &[u8]| {
    let source = source.to_vec();
    let work = move || {
        let report = analyze("script-2.lua", &source, Policy::SlotRooted);
        assert!(report.effort.steps <= report.effort.budget * 3, "{:?}", report.effort);
    };
    let thread = thread::Builder::new().stack_size(STACK * ROOM).spawn(work).expect("a thread");
    thread.join().expect("the analysis ends");
});
