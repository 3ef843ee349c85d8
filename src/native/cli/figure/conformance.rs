//! `emq-conform figure conformance`.

use anyhow::anyhow;
use clap::Args;

use super::Drawing;
use super::input::{Brought, Input};
use crate::core::assertions::ALL;
use crate::core::capture::breaks::Break;
use crate::core::facts::Collector;
use crate::core::figure::conformance as figure;
use crate::core::judge::judge;
use crate::native::cli::arguments::unknown;
use crate::native::cli::failure::{Failure, Outcome};

/// The five assertions over a capture, what each rests on, its commands, and where its keys lie
///
/// Shipped are payments, bullmq-bull, bullmq-emq, echomq-strict and echomq-slot-rooted.
#[derive(Args)]
pub(super) struct Conformance {
    #[command(flatten)]
    input: Input,
    /// Show so many of the five assertions, as a reader who steps through them sees it
    #[arg(long, value_name = "0..5", value_parser = clap::value_parser!(u8).range(0..=5), allow_negative_numbers = true)]
    step: Option<u8>,
    /// Show what this assertion rests on, and of the others their verdicts
    #[arg(long, value_name = "ID", value_parser = assertion)]
    show: Option<usize>,
    /// Break a rule in it first: outside, second-tag, legacy-read, undeclared, wrong-version, empty
    #[arg(long = "break", value_name = "RULE", value_parser = rule)]
    broken: Option<Break>,
    #[command(flatten)]
    drawing: Drawing,
}

/// So many bytes of commands are kept for drawing: far more than are drawn.
const KEPT: usize = 16 << 20;

impl Conformance {
    /// Refuses to show what a walk has not come to.
    fn shown_is_stepped(&self) -> Result<(), Failure> {
        match (self.step, self.show) {
            (Some(step), Some(show)) if show >= usize::from(step) => {
                let (id, enough) = (ALL[show].about().id, show + 1);
                Err(Failure::Input(anyhow!(
                    "--show {id} shows nothing with --step {step}: that assertion is number {enough}; step so far"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.drawing.check(&self.input.file().into_iter().collect::<Vec<_>>())?;
        self.shown_is_stepped()?;
        let mut brought = self.input.read(KEPT)?;
        if let Some(broken) = self.broken {
            change(&mut brought, broken)?;
        }
        let Brought { facts, capture, beyond, options, from, besides, .. } = &brought;
        self.drawing.deliver(figure::figure(&figure::Asked {
            facts,
            capture,
            beyond: *beyond,
            options,
            from: *from,
            broken: self.broken,
            besides: *besides,
            step: self.step.map(usize::from),
            show: self.show,
            verbose: self.drawing.output.is_verbose(),
        }))
    }
}

/// Breaks a rule in what was brought; the same judge then looks at it.
fn change(brought: &mut Brought, broken: Break) -> Result<(), Failure> {
    let Brought { facts, capture, beyond, options, besides, .. } = brought;
    if *beyond > 0 {
        let (kept, all) = (capture.events.len(), capture.events.len() as u64 + *beyond);
        return Err(Failure::Input(anyhow!("--break changes no more than {kept} commands, and the input holds {all}")));
    }
    let reports = judge(facts, options);
    let all = || figure::subject(&reports).into_iter().chain(&reports.0);
    let report = all().find(|report| report.subject.queue.is_some());
    let Some((report, queue)) = report.and_then(|report| Some((report, report.subject.queue.clone()?))) else {
        return Err(Failure::Input(anyhow!("--break needs a queue, and the input holds none: name one with --queue")));
    };
    capture.queue = Some(queue.clone());
    if reports.0.iter().filter(|one| one.subject.queue == report.subject.queue).count() > 1 {
        options.db = Some(report.subject.db);
    }
    options.queue = Some(queue);
    *besides = reports.0.len().saturating_sub(1) as u64;
    *capture = broken.apply(options.profile, capture);
    let read = std::mem::take(&mut facts.unseen);
    *facts = Collector::capture(options.profile, capture);
    facts.unseen.carry(read);
    Ok(())
}

fn assertion(id: &str) -> Result<usize, String> {
    let place = ALL.iter().position(|assertion| assertion.about().id == id);
    place.ok_or_else(|| unknown(id, ALL.iter().map(|assertion| assertion.about().id)))
}

fn rule(id: &str) -> Result<Break, String> {
    let known = Break::ALL.into_iter().find(|broken| broken.id() == id);
    known.ok_or_else(|| unknown(id, Break::ALL.iter().map(|broken| broken.id())))
}
