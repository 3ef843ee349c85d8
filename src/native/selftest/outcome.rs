//! One mutant driven, recorded and judged.

use std::io;

use redis::RedisError;

use super::mutants::Mutant;
use super::round_trip::{Whereabouts, holds, look};
use super::stage::{QUEUE, Stage};
use crate::core::bytes::Bytes;
use crate::core::capture::{Capture, Read, Reply, Source, SourceKind};
use crate::core::judge::Options;
use crate::core::profile::EMQ_1;
use crate::core::report::{AssertionReport, Verdict};
use crate::core::witness::{Replay, Witnesses};
use crate::native::probe::ProbeError;
use crate::native::probe::recording::Recording;
use crate::native::probe::stranger::Watch;
use crate::native::record::scope::{Scope, Senders};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::keys::QueueKeys;
use crate::native::server::{Recorder, Target, recorder};
use crate::native::witness::{Input, ReplayError, judge_with};

/// What can catch a mutant: the five assertions, and the round trip's own check.
pub const CHECKS: [&str; 6] = ["keyspace", "hashtag", "legacy", "declared", "version", "roundtrip"];

/// The witnesses of `declared` beside the trace.
pub const WITNESSES: [&str; 2] = ["source", "engine"];

/// What each check said of a mutant.
#[derive(Debug)]
pub struct Row {
    /// The mutant.
    pub mutant: &'static Mutant,
    /// The verdicts, in the order of [`CHECKS`].
    pub verdicts: [Verdict; 6],
    /// What the further witnesses of `declared` said, in the order of [`WITNESSES`]; nothing where no script was called.
    pub witnesses: [Option<Verdict>; 2],
}

impl Row {
    /// Whether exactly what should have caught it did.
    pub fn is_as_meant(&self) -> bool {
        let declared = self.mutant.fails.contains(&"declared");
        let heard = |said: &Option<Verdict>| said.is_none_or(|said| (said == Verdict::Fail) == declared);
        self.which(Verdict::Fail) == self.mutant.fails
            && self.which(Verdict::Indeterminate) == self.mutant.open
            && self.witnesses.iter().all(heard)
    }

    /// The checks with that verdict.
    pub fn which(&self, verdict: Verdict) -> Vec<&'static str> {
        let of_verdict = CHECKS.into_iter().zip(self.verdicts).filter(|(_, found)| *found == verdict);
        of_verdict.map(|(check, _)| check).collect()
    }
}

/// Drives a mutant on an empty server.
pub(super) fn of(
    mutant: &'static Mutant,
    target: &Target,
    mint: &Mint,
    witness: &dyn Fn(&Input) -> Result<Replay, ReplayError>,
) -> Result<Row, ProbeError> {
    let (mut control, own) = target.connect_named()?;
    let mut stage = Stage::new(target.connect()?);
    let trouble = |error: RedisError| target.trouble(format!("drive {}", mutant.id))(error);
    let recording = Recorder::start(target)?;
    let steps = mutant.steps;
    let mut after: [Whereabouts; 3] = Default::default();
    for (at, parts) in [&[steps.open, steps.add][..], &[steps.claim], &[steps.work, steps.complete]].iter().enumerate()
    {
        parts.iter().try_for_each(|step| step(&mut stage)).map_err(trouble)?;
        after[at] = look(&mut control).map_err(trouble)?;
    }
    (steps.close)(&mut stage).map_err(trouble)?;
    let marker = mint.mint("end");
    recorder::mark(&mut control, &marker).map_err(trouble)?;
    let mut recorded = Recording::new(
        Scope::AllBut(Senders::Addresses(vec![own])),
        Watch { profile: &EMQ_1, queue: QUEUE.to_owned(), db: 0 },
    );
    recording.finish(&marker, super::PATIENCE, |line| recorded.line(line)).map_err(ProbeError::Record)?;
    let meta = QueueKeys::of(QUEUE).meta;
    let version: Option<Vec<u8>> = redis::cmd("HGET").arg(&meta).arg("version").query(&mut control).map_err(trouble)?;
    let input = Input::of_capture(&EMQ_1, capture(recorded, &meta, version));
    let replay = witness(&input).map_err(ProbeError::Replay)?;
    let (verdicts, witnesses) =
        judge(&input, &replay, holds(&after, stage.completions)).map_err(ProbeError::Analysis)?;
    Ok(Row { mutant, verdicts, witnesses })
}

fn capture(recorded: Recording, meta: &str, version: Option<Vec<u8>>) -> Capture {
    let reply = version.map_or(Reply::Nil(()), |version| Reply::Text(Bytes(version)));
    Capture {
        queue: Some(QUEUE.to_owned()),
        source: Source { kind: SourceKind::Probe, private: true, ..Source::default() },
        events: recorded.events,
        reads: vec![Read { argv: ["HGET", meta, "version"].map(Into::into).into(), reply }],
        dropped: recorded.lost,
        ..Capture::default()
    }
}

type Verdicts = ([Verdict; 6], [Option<Verdict>; 2]);

fn judge(input: &Input, replay: &Replay, round_trip: bool) -> io::Result<Verdicts> {
    let witnesses = Witnesses { source: true, engine: Some(replay), ..Witnesses::default() };
    let reports = judge_with(input, &Options::default(), &witnesses)?;
    let entry = |check: &str| reports.0.iter().flat_map(|report| &report.assertions).find(|entry| entry.id == check);
    let own = if round_trip { Verdict::Pass } else { Verdict::Fail };
    let said = |witness: &str| {
        let mut witnesses = entry("declared").into_iter().flat_map(|entry| &entry.witnesses);
        witnesses.find(|one| one.id == witness).map(|one| one.verdict)
    };
    // What is tested is that each catches a mutant by itself, so `declared` is the trace's word here.
    let by_itself = |entry: &AssertionReport| entry.witnesses.first().map_or(entry.verdict, |trace| trace.verdict);
    Ok((CHECKS.map(|check| entry(check).map_or(own, by_itself)), WITNESSES.map(said)))
}

#[cfg(test)]
mod tests {
    use super::{Row, Verdict};
    use crate::native::selftest::MUTANTS;

    #[test]
    fn a_row_is_as_meant_only_if_all_of_it_is() {
        let mutant = MUTANTS.iter().find(|mutant| mutant.id == "tag-first").expect("it is one");
        let row = |failed: &[usize], open: &[usize]| {
            let mut verdicts = [Verdict::Pass; 6];
            for &at in failed {
                verdicts[at] = Verdict::Fail;
            }
            for &at in open {
                verdicts[at] = Verdict::Indeterminate;
            }
            Row { mutant, verdicts, witnesses: [Some(Verdict::Pass), None] }
        };
        assert!(row(&[0], &[]).is_as_meant());
        for (failed, open) in [(&[][..], &[][..]), (&[1], &[]), (&[0, 1], &[]), (&[0], &[3])] {
            assert!(!row(failed, open).is_as_meant(), "{failed:?} {open:?}");
        }
        let heard = Row { witnesses: [Some(Verdict::Pass), Some(Verdict::Fail)], ..row(&[0], &[]) };
        assert!(!heard.is_as_meant(), "the engine refused what is declared");
    }
}
