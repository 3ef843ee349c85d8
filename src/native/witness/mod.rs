//! Judges an input and hears further witnesses on it: the scripts' text, and a private server.

mod answer;
mod aside;
mod fate;
pub mod input;
pub mod node;
mod path;
mod recorded;
pub mod replay;
mod stage;
mod user;

use std::{io, thread};

use crate::core::judge::{Options, judge};
use crate::core::lua::limits::STACK;
use crate::core::report::Reports;
use crate::core::witness::{Witnesses, hear};
pub use input::Input;
pub use node::Node;
pub use replay::{Plan, ReplayError, Replayer};

/// Judges an input, and lets further witnesses speak.
///
/// # Errors
/// When the system has no room for the stack that an analysis of scripts needs.
///
/// # Panics
/// When the analysis does: a mistake of ours.
pub fn judge_with(input: &Input, options: &Options, witnesses: &Witnesses<'_>) -> io::Result<Reports> {
    let work = || {
        let mut reports = judge(&input.facts, options);
        hear(&mut reports, &input.facts, options, &input.calls, witnesses);
        reports
    };
    if !witnesses.source {
        return Ok(work());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("analysis".to_owned()).stack_size(STACK).spawn_scoped(scope, work)?;
        match thread.join() {
            Ok(reports) => Ok(reports),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
