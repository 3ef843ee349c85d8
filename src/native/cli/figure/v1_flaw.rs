//! `emq-conform figure v1-flaw`.

use anyhow::anyhow;
use clap::Args;

use super::{Drawing, deep, shipped};
use crate::core::figure::v1_flaw as figure;
use crate::core::flaw::{Choice, Flaw, NAMES, PASSES};
use crate::core::lua::report::FileReport;
use crate::core::lua::{Verdict, analyze, analyze_under};
use crate::core::policy::Policy;
use crate::native::cli::arguments::unknown;
use crate::native::cli::failure::{Failure, Outcome};
use crate::native::runtime::scripts;

/// What the course points at in v1, what real servers said of it, and what mends it; all of it is recorded
#[derive(Args)]
pub(super) struct V1Flaw {
    /// How a job is taken: take-2 is v1's call, take-4 passes its script all four keys, passed-4 also uses them, claim-4 is v2's
    #[arg(long, value_name = "CALL", default_value = "take-2", value_parser = passes)]
    passes: usize,
    /// How keys are named: no-tag, one-tag, half-tag
    #[arg(long, value_name = "NAMES", default_value = "no-tag", value_parser = names)]
    names: usize,
    /// Another worker took the first job meanwhile
    #[arg(long)]
    faster: bool,
    /// Show so many of the twelve parts, as a reader who steps through them sees it
    #[arg(long, value_name = "0..12", value_parser = clap::value_parser!(u8).range(0..=12), allow_negative_numbers = true)]
    step: Option<u8>,
    #[command(flatten)]
    drawing: Drawing,
}

impl V1Flaw {
    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.drawing.check(&[])?;
        if self.drawing.output.is_verbose() && !self.drawing.output.is_written() {
            return Err(Failure::Input(anyhow!("--verbose has nothing more to show of v1-flaw: leave it out")));
        }
        let choice = Choice { passes: self.passes, names: self.names, raced: self.faster };
        let step = self.step.map(usize::from);
        let drawn = deep(|| {
            let flaw = flaw()?;
            let report = analysed(PASSES[choice.passes].0, shipped::FLAW[choice.passes]);
            Ok(figure::figure(&figure::Asked { flaw: &flaw, choice, report: &report, step }))
        })?;
        self.drawing.deliver(drawn.map_err(|why: String| Failure::CannotRun(anyhow!(why)))?)
    }
}

/// The recording, with what the analysis says of our scripts.
fn flaw() -> Result<Flaw, String> {
    let texts = shipped::FLAW.map(str::to_owned).into();
    let mut flaw = Flaw::read(shipped::FLAW_RECORDED, shipped::FLAW_COUNTS, texts)?;
    let mended = Choice::MENDED.passes;
    let under = analyze_under(PASSES[mended].0, shipped::FLAW[mended].as_bytes(), &Policy::ALL);
    let file = under.first().filter(|_| under.iter().all(|file| file.conforms == Some(true)));
    let file = file.ok_or("claim-4.lua does not conform under every policy")?;
    flaw.mended = (file.calls as u64, file.verdict.word().to_owned());
    let own = scripts::ALL.iter().map(|own| analysed(&format!("{}-{}.lua", own.name, own.keys), own.source).verdict);
    let declared = own.clone().filter(|verdict| *verdict == Verdict::Declared).count() as u64;
    flaw.own = (declared, own.count() as u64);
    Ok(flaw)
}

fn analysed(name: &str, text: &str) -> FileReport {
    analyze(name, text.as_bytes(), Policy::Strict)
}

fn passes(id: &str) -> Result<usize, String> {
    let ids = PASSES.map(|(name, _)| name.trim_end_matches(".lua"));
    ids.iter().position(|known| *known == id).ok_or_else(|| unknown(id, ids.into_iter()))
}

fn names(id: &str) -> Result<usize, String> {
    let ids = NAMES.map(|(name, _)| name);
    ids.iter().position(|known| *known == id).ok_or_else(|| unknown(id, ids.into_iter()))
}
