//! The command line: arguments in, report out, exit code.
//!
//! One file for each subcommand; each reads its input, calls the library, and gives its output to one place.

mod adapter_check;
mod arguments;
mod atomic;
mod check;
mod duration;
mod explain;
mod failure;
mod figure;
mod files;
mod fleet;
mod gate;
mod input;
mod known;
mod lint;
mod list;
mod login;
mod nearest;
mod output;
mod probe;
mod progress;
mod record;
mod reference_adapter;
mod screen;
mod selftest;
mod size;
mod witness;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::{Failure, Outcome};

/// Judges whether an EchoMQ 2.0 queue conforms to its own protocol: which keys its commands and Lua scripts really touch.
#[derive(Parser)]
#[command(name = "emq-conform", version, about, after_help = EXIT_CODES, propagate_version = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Probe(probe::Probe),
    Record(record::Record),
    Check(check::Check),
    Fleet(fleet::FleetCommand),
    AdapterCheck(adapter_check::AdapterCheck),
    ReferenceAdapter(reference_adapter::ReferenceAdapter),
    Selftest(selftest::Selftest),
    Lint(lint::Lint),
    List(list::List),
    Explain(explain::Explain),
    Figure(figure::Figure),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  conforms
  1  does not conform
  2  bad usage, or input that cannot be read
  3  could not run: server, runtime, time-out
  4  nothing failed, but something is indeterminate (0 with --allow-indeterminate)";

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    match CommandLine::try_parse() {
        Ok(line) => finish(run(&line.command)),
        Err(error) => usage(&error),
    }
}

fn run(command: &Command) -> Result<Outcome, Failure> {
    match command {
        Command::Probe(probe) => probe.run(),
        Command::Record(record) => record.run(),
        Command::Check(check) => check.run(),
        Command::Fleet(fleet) => fleet.run(),
        Command::AdapterCheck(check) => check.run(),
        Command::ReferenceAdapter(adapter) => adapter.run(),
        Command::Selftest(selftest) => selftest.run(),
        Command::Lint(lint) => lint.run(),
        Command::List(list) => list.run(),
        Command::Explain(explain) => explain.run(),
        Command::Figure(figure) => figure.run(),
    }
}

fn finish(outcome: Result<Outcome, Failure>) -> ExitCode {
    match outcome {
        Ok(outcome) => outcome.code(),
        Err(failure) => {
            screen::complain(&failure.to_string());
            failure.code()
        }
    }
}

/// Help and version are what was asked for; anything else is bad usage.
fn usage(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell when even this cannot be written.
    drop(error.print());
    if error.use_stderr() { ExitCode::from(failure::USAGE) } else { ExitCode::SUCCESS }
}
