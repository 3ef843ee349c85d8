//! The shape of the tree: layers, headers, and that each assertion has its file and its fixtures.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::walk::{all_pass, files};
use echomq_conformance::core::assertions;

#[test]
fn the_core_does_no_input_or_output() {
    const FORBIDDEN: [&str; 12] = [
        "std::fs",
        "std::env",
        "std::process",
        "std::net",
        "std::thread",
        "std::io",
        "SystemTime",
        "Instant",
        "println!",
        "cfg(target",
        "cfg(unix",
        "unsafe ",
    ];
    none_says("src/core", &FORBIDDEN);
}

#[test]
fn arrows_only_point_down() {
    none_says("src/core", &["crate::native", "crate::web", "super::native", "super::web"]);
    none_says("src/native", &["crate::web"]);
    none_says("src/web", &["crate::native"]);
}

#[test]
fn features_are_told_apart_in_one_place() {
    none_says("src/core", &["cfg(feature", "cfg(all(feature", "cfg(not(feature"]);
    none_says("src/native", &["cfg(feature"]);
}

#[test]
fn nothing_lies_about_at_the_top() {
    const EXPECTED: [&str; 28] = [
        ".ci",
        ".git",
        ".gitignore",
        ".pre-commit-hooks.yaml",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "Makefile",
        "README.md",
        "benches",
        "build.rs",
        "clippy.toml",
        "dist",
        "dist-embed",
        "dist-gallery",
        "docs",
        "fixtures",
        "fuzz",
        "rust-toolchain.toml",
        "rustfmt.toml",
        "src",
        "target",
        "tests",
        "trunk.toml",
        "www",
    ];
    all_pass(fs::read_dir(".").expect("the package's folder").map(|entry| {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if EXPECTED.contains(&name.as_str()) { Ok(()) } else { Err(format!("{name}: what is it, and why is it here?")) }
    }));
}

#[test]
fn every_file_opens_with_what_it_is() {
    all_pass(sources().into_iter().map(|file| {
        let text = read(&file);
        if text.starts_with("//! ") { Ok(()) } else { Err(format!("{}: no //! header", file.display())) }
    }));
}

#[test]
fn every_assertion_has_its_file_and_fixtures_of_each_outcome() {
    let reports: Vec<String> = files("fixtures/check", ".report.txt").iter().map(|file| read(file)).collect();
    for assertion in assertions::ALL {
        let id = assertion.about().id;
        assert!(Path::new(&format!("src/core/assertions/{id}.rs")).is_file(), "{id} has no file of its own");
        for verdict in ["✓ pass", "✕ fail", "? indeterminate"] {
            let line =
                |line: &str| line.trim_start().starts_with(verdict) && line.split_whitespace().nth(2) == Some(id);
            assert!(reports.iter().any(|report| report.lines().any(line)), "no fixture where {id} is {verdict}");
        }
    }
}

#[test]
fn reference_scripts_are_what_their_names_say() {
    all_pass(files("fixtures/scripts", ".lua").into_iter().map(|file| {
        let text = read(&file);
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let count: usize =
            name.rsplit_once('-').and_then(|(_, count)| count.parse().ok()).ok_or("no key count in the name")?;
        let (header, body) = text.split_once("]]").ok_or("no header comment")?;
        let used = |n: usize| body.contains(&format!("KEYS[{n}]")) && header.contains(&format!("KEYS[{n}]"));
        let right = (1..=count).all(used) && !body.contains(&format!("KEYS[{}]", count + 1));
        if right { Ok(()) } else { Err(format!("{name}: name, header and body do not agree on the keys")) }
    }));
}

/// No line of code below `folder` says one of these words; comments and docs may.
fn none_says(folder: &str, words: &[&str]) {
    all_pass(files(folder, ".rs").into_iter().map(|file| {
        let text = read(&file);
        let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let found = code.into_iter().find_map(|(number, line)| {
            let word = words.iter().find(|word| line.contains(**word))?;
            Some(format!("{}:{}: {word}", file.display(), number + 1))
        });
        found.map_or(Ok(()), Err)
    }));
}

fn sources() -> Vec<PathBuf> {
    [files("src", ".rs"), files("tests", ".rs")].concat()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
