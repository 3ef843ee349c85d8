//! `emq-conform check`: captures and MONITOR logs held to the five assertions.

use std::fs::File;
use std::io::{self, Read};

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::arguments::Rules;
use super::failure::{Failure, Outcome};
use super::output::Output;
use crate::core::capture::content::{self, Content};
use crate::core::capture::json;
use crate::core::facts::LogIntake;
use crate::core::judge::{Options, judge, judge_capture};
use crate::core::report::Reports;

/// Judges captures and MONITOR logs, told apart by their content
///
/// A log may be of any size: what is held in memory grows with its keys and scripts, not with its lines.
#[derive(Args)]
pub(super) struct Check {
    /// Captures (emq-capture/1) or MONITOR logs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<String>,
    /// The queue to judge, instead of each one seen
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    output: Output,
}

impl Check {
    /// Judges every input before anything is written.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let queue = self.queue.as_deref().map(|queue| self.rules.queue(queue)).transpose()?;
        if self.inputs.iter().filter(|input| *input == STANDARD_INPUT).count() > 1 {
            return Err(Failure::Input(anyhow!("- is given twice; standard input can be read once")));
        }
        let opened = self.output.open(None)?;
        let mut reports = Reports::default();
        for input in &self.inputs {
            let options = self.rules.options(queue.map(str::to_owned), Some(input.clone()));
            let judged = one(input, &options).map_err(Failure::Input)?;
            reports.0.extend(judged.0);
        }
        self.output.deliver(reports, &opened)
    }
}

const STANDARD_INPUT: &str = "-";

fn one(input: &str, options: &Options) -> anyhow::Result<Reports> {
    let mut stream = open(input)?;
    let mut start = Vec::new();
    let piece = (&mut stream).take(content::ENOUGH as u64).read_to_end(&mut start);
    piece.with_context(|| format!("cannot read {input}"))?;
    match content::tell(&start) {
        Err(neither) => bail!("cannot read {input}: {neither}"),
        Ok(Content::Json) => capture(input, start, stream, options),
        Ok(Content::Log) => log(input, start, stream, options),
    }
}

fn open(input: &str) -> anyhow::Result<Box<dyn Read>> {
    if input == STANDARD_INPUT {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(input).with_context(|| format!("cannot read {input}"))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        bail!("cannot read {input}: it is a directory; name the files in it");
    }
    Ok(Box::new(file))
}

fn capture(input: &str, mut bytes: Vec<u8>, mut rest: impl Read, options: &Options) -> anyhow::Result<Reports> {
    rest.read_to_end(&mut bytes).with_context(|| format!("cannot read {input}"))?;
    let capture =
        json::parse(&bytes).map_err(|error| anyhow!("{input}:{}:{}: {}", error.line, error.column, error.what))?;
    Ok(judge_capture(&capture, options))
}

fn log(input: &str, start: Vec<u8>, mut rest: impl Read, options: &Options) -> anyhow::Result<Reports> {
    let mut intake = LogIntake::new(options.profile);
    let mut piece = start;
    let mut length = piece.len();
    while length > 0 {
        intake.feed(&piece[..length]);
        piece.resize(content::ENOUGH, 0);
        length = read_some(&mut rest, &mut piece).with_context(|| format!("cannot read {input}"))?;
    }
    Ok(judge(&intake.finish(), options))
}

fn read_some(stream: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
