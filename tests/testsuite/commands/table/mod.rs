//! Holds that the command table is what real servers say.
//!
//! `EMQ_COMMANDS_FROM=<valkey-server>` writes the fixture of that server; `EMQ_BLESS=1` writes the table.

#![allow(clippy::disallowed_methods, reason = "a test reads its settings and writes what it generates")]

mod render;
mod reply;

use std::fs;
use std::path::{Path, PathBuf};

use crate::commands::fixture;
use crate::common::engines::engines;
use echomq_conformance::core::commands::{COMMANDS, ENGINES};
use echomq_conformance::native::server::PrivateServer;

/// The servers in the table, the oldest first.
const VERSIONS: [&str; 2] = ["8.0.1", "9.1.2"];

fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/commands/table.rs")
}

fn ask(program: &Path) -> (String, fixture::Commands) {
    let server = PrivateServer::start(program).expect("a server");
    reply::ask(&server.url())
}

#[test]
fn the_table_is_what_the_fixtures_say() {
    if let Some(program) = std::env::var_os("EMQ_COMMANDS_FROM") {
        let (version, commands) = ask(Path::new(&program));
        fs::write(fixture::path(&version), fixture::render(&commands)).expect("a fixture to write");
    }
    let rendered = render::table(VERSIONS.map(|version| (version, fixture::read(version))).into());
    if std::env::var_os("EMQ_BLESS").is_some() {
        fs::write(table_path(), &rendered).expect("a table to write");
    }
    let checked_in = fs::read_to_string(table_path()).expect("the table");
    assert!(rendered == checked_in, "src/core/commands/table.rs is not what the fixtures say: run `make commands`");
}

#[test]
fn the_fixtures_are_what_the_servers_say() {
    for (version, program) in engines() {
        let (found, commands) = ask(&program);
        // Another server than the one recorded, named by the environment, has nothing to be compared with.
        if found == version {
            let checked_in = fs::read_to_string(fixture::path(version)).expect("a fixture");
            assert!(fixture::render(&commands) == checked_in, "the fixture of {version} is stale: run `make commands`");
        }
    }
}

#[test]
fn the_table_says_where_it_comes_from() {
    assert_eq!(ENGINES, VERSIONS.map(|version| format!("valkey {version}")));
}

#[test]
fn every_command_of_every_server_is_in_the_table() {
    for version in VERSIONS {
        for name in fixture::read(version).keys() {
            assert!(COMMANDS.iter().any(|row| row.name() == name), "{name} of {version}");
        }
    }
}
