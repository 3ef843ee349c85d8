//! How fast scripts are analysed, beside what parsing alone takes: bytes a second over 5 MB.
//!
//! `make bench` runs it. `parsed` is the parser alone, the least that an analysis can take. Compare figures of one run only.
//!
//! No script is remembered from one analysis to the next. `benches/lint.sh` sets the command line beside other linters, on the same
//! scripts.

use std::path::{Path, PathBuf};
use std::{env, fs, thread};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use echomq_conformance::core::lua::analyze;
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::policy::Policy;
use full_moon::LuaVersion;

fn main() {
    // The analysis needs the stack that whoever calls it provides.
    let thread = thread::Builder::new().stack_size(STACK).spawn(divan::main).expect("a thread");
    thread.join().expect("it ends");
}

/// How much is analysed: a little where it runs as a test, without optimisation.
const SIZE: usize = if cfg!(debug_assertions) { 100_000 } else { 5_000_000 };

/// The scripts of this repository over and over.
fn corpus(folders: &[PathBuf]) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut folders = folders.to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "lua") {
                scripts.extend(fs::read_to_string(&path).ok().filter(|script| parses(script)));
            }
        }
    }
    scripts.sort();
    let mut size = 0;
    let endless = scripts.iter().cycle().cloned();
    endless
        .take_while(|script| {
            size += script.len();
            size < SIZE
        })
        .collect()
}

fn parses(script: &str) -> bool {
    !script.contains('`') && full_moon::parse_fallible(script, LuaVersion::lua51()).errors().is_empty()
}

fn ours() -> Vec<String> {
    corpus(&[PathBuf::from("fixtures/lint"), PathBuf::from("fixtures/scripts")])
}

/// The scripts of other packages, where `tests/testsuite/lint/packages` has fetched them; ours where it has not.
fn theirs() -> Vec<String> {
    let home = env::var_os("HOME").map_or_else(PathBuf::new, PathBuf::from).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or(home, PathBuf::from).join("echomq-conformance/packages");
    if Path::new(&cache).is_dir() { corpus(&[cache]) } else { ours() }
}

fn bytes(scripts: &[String]) -> BytesCount {
    BytesCount::new(scripts.iter().map(String::len).sum::<usize>())
}

#[divan::bench(sample_count = 3, args = ["ours", "theirs"])]
fn analysed(bencher: Bencher<'_, '_>, whose: &str) {
    let scripts = if whose == "ours" { ours() } else { theirs() };
    bencher.counter(bytes(&scripts)).bench_local(|| {
        for script in &scripts {
            black_box(analyze("script.lua", black_box(script.as_bytes()), Policy::Strict));
        }
    });
}

#[divan::bench(sample_count = 3, args = ["ours", "theirs"])]
fn parsed(bencher: Bencher<'_, '_>, whose: &str) {
    let scripts = if whose == "ours" { ours() } else { theirs() };
    bencher.counter(bytes(&scripts)).bench_local(|| {
        for script in &scripts {
            black_box(full_moon::parse_fallible(black_box(script), LuaVersion::lua51()));
        }
    });
}
