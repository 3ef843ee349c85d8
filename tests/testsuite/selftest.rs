//! `emq-conform selftest`: every mutant is caught on both servers, by what should catch it.

use crate::common::command::run;
use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::process::{is_alive, written_pid};
use echomq_conformance::native::selftest::{CHECKS, MUTANTS, WITNESSES};

#[test]
fn every_mutant_is_caught_on_both_servers() {
    for (version, program) in engines() {
        let run = run(&["selftest", "--server", program.to_str().expect("text")]).expect(0);
        let rows: Vec<&str> = run.stdout.lines().skip(1).take_while(|line| !line.is_empty()).collect();
        assert_eq!(rows.len(), MUTANTS.len() + 1, "{}", run.stdout);
        assert_eq!(rows[0].matches('✓').count(), CHECKS.len() + WITNESSES.len(), "{}", rows[0]);
        for (row, mutant) in rows[1..].iter().zip(MUTANTS) {
            let cells: Vec<&str> = row.split_whitespace().skip(1).collect();
            let (checks, witnesses) = cells.split_at(CHECKS.len());
            let marks = |mark| checks.iter().filter(|cell| **cell == mark).count();
            assert!(row.starts_with(mutant.id), "{row}");
            // Each of the further witnesses catches by itself what the trace catches, and nothing else.
            let failed = witnesses.iter().filter(|cell| **cell == "✕").count();
            assert_eq!(failed, if mutant.fails.contains(&"declared") { WITNESSES.len() } else { 0 }, "{row}");
            assert_eq!((marks("✕"), marks("?")), (mutant.fails.len(), mutant.open.len()), "{row}");
        }
        let ending = format!("mutants caught, each by what should and by nothing else · valkey {version}\n");
        assert!(run.stdout.ends_with(&ending), "{}", run.stdout);
    }
}

/// Nothing is aimed at that no mutant hits, and none is there for show.
#[test]
fn every_check_is_hit_and_every_mutant_is_caught_by_something() {
    assert!(MUTANTS.len() >= 20);
    for check in CHECKS {
        assert!(MUTANTS.iter().any(|mutant| mutant.fails == [check] || mutant.fails.contains(&check)), "{check}");
    }
    for (at, mutant) in MUTANTS.iter().enumerate() {
        assert!(!mutant.fails.is_empty(), "{}", mutant.id);
        assert!(MUTANTS[..at].iter().all(|other| other.id != mutant.id), "{} is there twice", mutant.id);
    }
}

#[test]
fn the_server_is_gone_afterwards() {
    let folder = Folder::new();
    let server = folder.server(&valkey_8());
    let verbose = run(&["selftest", "--server", &server, "-v"]).expect(0).says(&["undeclared-argv: a script builds"]);
    assert!(!verbose.stdout.contains("undeclared-argv:"));
    assert!(!is_alive(written_pid(&folder.path("pid"))));
    run(&["selftest", "--server", "/nowhere/valkey-server"]).expect(3).says(&["/nowhere/valkey-server"]);
}
