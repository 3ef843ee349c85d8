//! `emq-conform selftest`: runtimes broken on purpose, and which check catches each.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::failure::{Failure, Outcome};
use super::{probe, screen};
use crate::core::report::Verdict;
use crate::native::selftest::{self, CHECKS, Matrix, Row, WITNESSES};
use crate::native::stop::Stop;

/// Drives runtimes that are broken on purpose; each must be caught, by the check that should and by no other
///
/// It starts a private valkey-server, as probe does, and proves nothing about your runtime: it shows that the checks can fail.
#[derive(Args)]
pub(super) struct Selftest {
    /// The program of the private server, instead of valkey-server on PATH
    #[arg(long = "server", value_name = "PATH", env = "EMQ_SERVER", hide_env_values = true)]
    program: Option<PathBuf>,
    /// Say what each runtime does wrong, before it runs
    #[arg(short, long)]
    verbose: bool,
}

impl Selftest {
    /// Prints the matrix.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let program = self.program.as_deref().filter(|program| !program.as_os_str().is_empty());
        let note = |what: &str| {
            if self.verbose {
                screen::note(what);
            }
        };
        let matrix = selftest::run(program, &stop, &note).map_err(probe::failure)?;
        screen::print(&text(&matrix)).map_err(Failure::cannot_run)?;
        Ok(Outcome::Judged(if matrix.survivors() == 0 { Verdict::Pass } else { Verdict::Fail }))
    }
}

/// How wide the mutants' names are.
const WIDEST: usize = 24;

fn text(matrix: &Matrix) -> String {
    let mut out = format!("{:WIDEST$}", "");
    for check in CHECKS.iter().chain(&WITNESSES) {
        let _ = write!(out, "{check:<11}");
    }
    let mut out = out.trim_end().to_owned() + "\n";
    for row in &matrix.rows {
        line(&mut out, row);
    }
    let (mutants, survivors) = (matrix.rows.len() - 1, matrix.survivors());
    let _ = match survivors {
        0 => writeln!(
            out,
            "\n✓ {mutants} of {mutants} mutants caught, each by what should and by nothing else · {}",
            matrix.engine
        ),
        _ => writeln!(out, "\n✕ {survivors} of {} rows are not as they should be · {}", mutants + 1, matrix.engine),
    };
    out
}

fn line(out: &mut String, row: &Row) {
    let _ = write!(out, "{:WIDEST$}", row.mutant.id);
    let mut cells = String::new();
    for verdict in row.verdicts {
        let _ = write!(cells, "{:<11}", verdict.mark());
    }
    for witness in row.witnesses {
        let _ = write!(cells, "{:<11}", witness.map_or('–', Verdict::mark));
    }
    out.push_str(cells.trim_end());
    if !row.is_as_meant() {
        let names = |checks: &[&str]| if checks.is_empty() { "nothing".to_owned() } else { checks.join(", ") };
        let _ = write!(out, "   should fail: {}; open: {}", names(row.mutant.fails), names(row.mutant.open));
    }
    out.push('\n');
}
