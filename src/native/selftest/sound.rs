//! The sound runtime: what every mutant does but for the one step that it breaks.

use super::stage::{Done, JOB, Stage, TOKEN};
use crate::native::runtime::reference::VERSION;
use crate::native::runtime::scripts;

/// One step of a runtime.
pub(super) type Step = fn(&mut Stage) -> Done;

/// A runtime: its round trip, step by step.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// States the version.
    pub open: Step,
    /// Adds the job.
    pub add: Step,
    /// Takes the job.
    pub claim: Step,
    /// Does something while it has the job.
    pub work: Step,
    /// Ends the job.
    pub complete: Step,
    /// Does something after all.
    pub close: Step,
}

/// The steps that keep every rule.
pub(super) const STEPS: Steps = Steps { open, add, claim, work: nothing, complete, close: nothing };

/// States the version.
pub(super) fn open(stage: &mut Stage) -> Done {
    let meta = stage.keys.meta.clone();
    stage.run(&format!("HSET {meta} version {VERSION}")).map(drop)
}

/// Adds the job.
pub(super) fn add(stage: &mut Stage) -> Done {
    let (wait, job) = (stage.keys.wait.clone(), stage.job.clone());
    stage.script(scripts::ADD.source, &[&wait, &job], &[JOB, "42"]).map(drop)
}

/// Takes the job.
pub(super) fn claim(stage: &mut Stage) -> Done {
    claim_by(stage, scripts::CLAIM.source)
}

/// Takes the job by another script.
pub(super) fn claim_by(stage: &mut Stage, source: &str) -> Done {
    let [wait, active] = [stage.keys.wait.clone(), stage.keys.active.clone()];
    let (job, lock) = (stage.job.clone(), stage.lock.clone());
    stage.script(source, &[&wait, &active, &job, &lock], &[JOB, TOKEN, "30000"]).map(drop)
}

/// Ends the job.
pub(super) fn complete(stage: &mut Stage) -> Done {
    stage.complete_by(scripts::COMPLETE.source)
}

/// Does nothing.
#[allow(clippy::unnecessary_wraps, reason = "a step like the others")]
pub(super) fn nothing(_: &mut Stage) -> Done {
    Ok(())
}
