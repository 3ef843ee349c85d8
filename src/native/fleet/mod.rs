//! The fleet-interop probe: a job crosses from each runtime to each, on a real server, and what is seen of it is judged.
//!
//! ```text
//! roster ─▶ who takes part ─▶ each introduced ─▶ each ordered pair: a server, two adapters, a recording ─▶ cells ─▶ report
//! ```
//!
//! An adapter is somebody else's program. It may hang, flood, lie or die; it is held to time-outs and limits, and it and
//! whatever it started is gone afterwards.

mod adapter;
pub mod check;
mod ground;
mod keep;
mod observer;
mod pair;
mod program;
mod recording;
pub mod reference;
mod run;
mod talk;
mod tidy;
mod traffic;

use std::path::Path;
use std::time::Duration;

use crate::core::fleet::battery::Payload;
use crate::core::fleet::model::Fleet;
pub use crate::core::fleet::model::REFERENCE;
use crate::core::fleet::roster::{Claim, Roster};
use crate::core::judge::Options;
use crate::native::probe::{Place, ProbeError};
use crate::native::runtime::wire::Wire;
use crate::native::stop::Stop;
pub use keep::capture_name;
use run::Run;

/// The least time that a server has to start, and to come back to a recording.
const LEAST: Duration = Duration::from_secs(10);

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Its name.
    pub name: String,
    /// Its adapter, as a shell reads it.
    pub command: String,
    /// What to call it, where the roster does not say.
    pub label: Option<String>,
    /// What is claimed of it, where the roster does not say.
    pub claim: Option<Claim>,
}

/// What is run.
pub struct FleetPlan<'p> {
    /// Who takes part.
    pub participants: &'p [Participant],
    /// Who there is besides.
    pub roster: &'p Roster,
    /// The wire whose rules all are held to.
    pub wire: Wire,
    /// How traffic is judged.
    pub options: &'p Options,
    /// What is sent.
    pub payloads: &'p [Payload],
    /// How long one answer may take.
    pub answer: Duration,
    /// How long a pair may take.
    pub pair: Duration,
    /// The URL of a server that is not ours, as the adapters get it.
    pub url: Option<&'p str>,
    /// The folder where the captures are kept.
    pub record: Option<&'p Path>,
    /// Who may stop it.
    pub stop: &'p Stop,
    /// Who hears what it does.
    pub note: &'p dyn Fn(&str),
}

/// What came of it.
pub struct Ran {
    /// The report.
    pub fleet: Fleet,
    /// Who could not be started at all, and why.
    pub not_started: Vec<String>,
}

/// Runs every ordered pair.
///
/// # Errors
/// A server that cannot be used, a capture that cannot be written, or somebody who asked to stop. What an adapter does is no
/// error, and neither is a private server that it broke: that is what the report is about.
pub fn run(place: &Place, plan: &FleetPlan<'_>) -> Result<Ran, ProbeError> {
    let mut run = Run::new(place, plan)?;
    run.introduce()?;
    let names: Vec<String> = run.members.iter().map(|member| member.name.clone()).collect();
    for producer in &names {
        for consumer in &names {
            plan.stop.check()?;
            let cell = run.pair(producer, consumer)?;
            (plan.note)(&format!("{producer} → {consumer}: {}: {}", cell.verdict.word(), cell.why));
            run.cells.push(cell);
        }
    }
    Ok(run.finish())
}

#[cfg(test)]
mod tests {
    use super::traffic::{MOST_BYTES, MOST_EVENTS, MOST_VALUE};
    use crate::core::fleet::adapter::{MOST_ID, MOST_LINE, MOST_OUTPUT};
    use crate::core::fleet::json::{MOST_DEPTH, MOST_VALUES};
    use crate::native::server::output::{LINE_BYTES, LINES};

    const GUIDE: &str = include_str!("../../../docs/fleet.md");

    fn thousands(n: usize) -> String {
        format!("{},{:03}", n / 1000, n % 1000)
    }

    #[test]
    fn the_guide_says_the_limits() {
        const MIB: usize = 1024 * 1024;
        let (values, events) = (thousands(MOST_VALUES), thousands(MOST_EVENTS));
        for row in [
            format!("| one line of an answer | {} MiB |", MOST_LINE / MIB),
            format!("| all that an adapter prints on standard output | {} MiB |", MOST_OUTPUT / MIB as u64),
            format!("| a job's id | {} KiB |", MOST_ID / 1024),
            format!("| what is read of a job's row | {} MiB |", MOST_LINE / MIB),
            format!("| standard error that is kept | the last {LINES} lines, {LINE_BYTES} bytes of each |"),
            format!("| values in one line, and how deep they lie | {values}, and {MOST_DEPTH} |"),
            format!("| traffic of one pair that is kept | {} MiB of arguments, {events} commands;", MOST_BYTES / MIB),
            format!("| values in a capture of `--record` | {} KiB;", MOST_VALUE / 1024),
        ] {
            assert!(GUIDE.contains(&row), "the guide does not say: {row}");
        }
    }
}
