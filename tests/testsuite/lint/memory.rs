//! What calls are known to come to saves steps, and changes nothing else.

use std::fmt::Write as _;
use std::fs;
use std::thread;

use super::truth::generate;
use crate::common::chance::Chance;
use crate::common::walk::files;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::report::{FileReport, OperandCounts};
use echomq_conformance::core::lua::{Verdict, analyze, analyze_each_call};
use echomq_conformance::core::policy::Policy;

/// What a report says, but for the steps that it took and the ways that keys came.
type Said = (Verdict, OperandCounts, usize, Vec<String>);

#[test]
fn a_walk_that_remembers_calls_comes_to_the_same() {
    let written = [files("fixtures", ".lua"), files("fuzz/corpus/lint", "")].concat().into_iter();
    let written = written.map(|file| fs::read(file).expect("a script"));
    let made = (0..300).map(generate::script).chain((1..=1_500).map(calls)).map(String::into_bytes);
    let scripts: Vec<Vec<u8>> = written.chain(made).collect();
    let work = move || {
        let (mut compared, mut saved) = (0, 0);
        for script in &scripts {
            let (one, other) = (analyze("", script, Policy::Strict), analyze_each_call("", script, Policy::Strict));
            if ran_out(&one) || ran_out(&other) {
                continue;
            }
            assert_eq!(said(&one), said(&other), "{}", String::from_utf8_lossy(script));
            compared += 1;
            saved += u32::from(one.effort.steps < other.effort.steps);
        }
        (compared, saved)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let (compared, saved) = thread.join().expect("the analysis ends");
    assert!(compared > 1_900 && saved > 500, "{compared} compared, {saved} took fewer steps");
}

fn ran_out(report: &FileReport) -> bool {
    report.findings.iter().any(|finding| finding.message.contains("more steps"))
}

fn said(report: &FileReport) -> Said {
    let findings = report.findings.iter().map(|finding| {
        format!(
            "{} {:?} {} {:?} {:?}",
            finding.rule, finding.place, finding.message, finding.command, finding.expression
        )
    });
    let mut findings: Vec<String> = findings.collect();
    findings.sort();
    (report.verdict, report.operands, report.calls, findings)
}

/// Functions that are called alike and not alike: with other tables of the same shape, the same table twice, variables that
/// change between the calls, tables that one call made given to the next.
fn calls(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let mut script = "local a, b, c, d = { KEYS[1] }, { ARGV[1] }, { KEYS[2], f = { ARGV[2] } }, { KEYS[1] }\n\
        local up, made = KEYS[3], {}\n"
        .to_owned();
    for n in 1..=4 {
        let body = chance.pick(BODIES).replace("$n", &format!("f{}", n - 1));
        let body = if n == 1 { body.replace("f0", "type") } else { body };
        writeln!(script, "local function f{n}(t, u, k) {body} end").expect("a string");
    }
    script.push_str("local r = KEYS[1]\n");
    for _ in 0..10 {
        let function = 1 + chance.below(4);
        let [t, u] = [(); 2].map(|()| chance.pick(&["a", "b", "c", "d", "made", "{ KEYS[1] }"]));
        let k = chance.pick(&["KEYS[1]", "KEYS[1]", "ARGV[1]", "up", "a[1]", "r"]);
        writeln!(script, "r = f{function}({t}, {u}, {k})").expect("a string");
        script.push_str(chance.pick(&[
            "redis.call('GET', r)\n",
            "redis.call('GET', a[1])\n",
            "if type(r) == 'table' then made = r r = r[1] end\n",
            "if type(r) == 'function' then r = r() end\n",
            "up = KEYS[2]\n",
            "redis.call('GET', c.f[1])\n",
            "",
        ]));
    }
    script + "redis.call('GET', a[1], b[1], d[1], made[1], up, r)\n"
}

const BODIES: &[&str] = &[
    "t[1] = k return u[1]",
    "return { t[1], k }",
    "t.f = u return t",
    "up = k return up",
    "redis.call('GET', k) return t.f and t.f[1] or k",
    "return $n(u, t, k)",
    "$n(t, u, k) return $n(u, t, k)",
    "local n = {} n[1] = t[1] n.f = u t.f = n return n[1]",
    "return function() return t[1] end",
    "for i = 1, 2 do t[i] = k end return u[2]",
    "if k == t[1] then return u[1] end return k",
    "made[1] = { k } return made[1][1]",
    "if not t.seen then t.seen = { k } end return t.seen[1]",
    "u[k] = t return next(u)",
];
