//! One ordered pair on one server: recorded while it speaks, and judged.

use std::thread;
use std::time::Duration;

use super::adapter::Patience;
use super::look::Looker;
use super::talk::{Setting, Side, Talk, talk};
use super::traffic::Traffic;
use crate::core::capture::{Capture, Source, SourceKind};
use crate::core::fleet::battery::Payload;
use crate::core::fleet::cell;
use crate::core::fleet::checks::{self, Names};
use crate::core::fleet::model::Cell;
use crate::core::fleet::places::Places;
use crate::core::judge::Options;
use crate::core::witness::Witnesses;
use crate::native::probe::ProbeError;
use crate::native::record::{Live, RecordError, Setup, Texts, Whose};
use crate::native::runtime::wire::Wire;
use crate::native::server::Target;
use crate::native::stop::Stop;
use crate::native::witness::{Input, judge_with};

/// Where a pair meets.
pub(super) struct Meeting<'m> {
    /// The server.
    pub(super) target: Target,
    /// Its URL, as the adapters get it.
    pub(super) url: &'m str,
    /// It is private: all of its traffic is the pair's.
    pub(super) private: bool,
    /// The queue.
    pub(super) queue: &'m str,
    /// The wire.
    pub(super) wire: Wire,
    /// Where its jobs are.
    pub(super) places: Places,
    /// What is sent.
    pub(super) payloads: &'m [Payload],
    /// How the traffic is judged.
    pub(super) options: &'m Options,
    /// How long one answer may take, and all of it.
    pub(super) answer: Duration,
    /// See there.
    pub(super) pair: Duration,
    /// Who may stop it.
    pub(super) stop: &'m Stop,
    /// Who hears what is done.
    pub(super) note: &'m dyn Fn(&str),
    /// The command line that repeats it.
    pub(super) command: &'m str,
}

/// Has a pair meet; gives what it comes to, and its traffic.
pub(super) fn meet(
    producer: &Side<'_>,
    consumer: &Side<'_>,
    meeting: &Meeting<'_>,
) -> Result<(Cell, Capture), ProbeError> {
    let profile = meeting.wire.profile();
    let (connection, client) = meeting.target.connect_known()?;
    let mut looker = Looker { connection, address: client.address, profile, places: meeting.places };
    let mut traffic = Traffic::but(&looker.address);
    let mut live = Live::start(setup(meeting), meeting.stop, meeting.note).map_err(|error| failed(error, meeting))?;
    let setting = Setting {
        url: meeting.url,
        profile: profile.id,
        queue: meeting.queue,
        payloads: meeting.payloads,
        patience: Patience::starting(meeting.answer, meeting.pair, meeting.stop),
    };
    let (said, recorded) = thread::scope(|scope| {
        let speaking = scope.spawn(|| talk(producer, consumer, &setting, &mut looker));
        let recorded = live.run(&mut traffic, &mut |_| speaking.is_finished());
        (speaking.join(), recorded)
    });
    let said = said.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    meeting.stop.check()?;
    recorded.and_then(|()| live.finish(&mut traffic)).map_err(|error| failed(error, meeting))?;
    let state = live.state();
    let capture = Capture {
        profile: Some(profile.id.to_owned()),
        queue: Some(meeting.queue.to_owned()),
        engine: Some(live.engine().clone()),
        source: Source {
            kind: SourceKind::Probe,
            private: meeting.private,
            command: Some(meeting.command.to_owned()),
            left_out: state.left_out,
        },
        reads: state.reads(),
        dropped: state.dropped + traffic.beyond,
        events: std::mem::take(&mut traffic.events),
        ..Capture::default()
    };
    let cell = judged(producer, consumer, meeting, said, &capture)?;
    Ok((cell, capture))
}

fn setup(meeting: &Meeting<'_>) -> Setup {
    let profile = meeting.wire.profile();
    let whose = if meeting.private {
        Whose::All
    } else {
        Whose::Queue {
            profile,
            legacy_prefixes: meeting.options.legacy_prefixes.clone(),
            queue: meeting.queue.to_owned(),
        }
    };
    Setup {
        target: meeting.target.clone(),
        profile,
        queue: Some(meeting.queue.to_owned()),
        whose,
        texts: Texts::default(),
        asks_texts: false,
        patience: meeting.answer.max(Duration::from_secs(10)),
        most: None,
    }
}

fn judged(
    producer: &Side<'_>,
    consumer: &Side<'_>,
    meeting: &Meeting<'_>,
    said: Talk,
    capture: &Capture,
) -> Result<Cell, ProbeError> {
    let (profile, queue) = (meeting.wire.profile(), meeting.queue);
    let options = Options { queue: Some(queue.to_owned()), ..meeting.options.clone() };
    let input = Input::of_capture(profile, capture.clone());
    let witnesses = Witnesses { source: true, ..Witnesses::default() };
    let reports = judge_with(&input, &options, &witnesses).map_err(ProbeError::Analysis)?;
    let report = reports.0.into_iter().next().ok_or(ProbeError::Lost { next: "judge the traffic of a pair" })?;
    if let Some((verdict, why)) = said.refused {
        return Ok(cell::without(producer.name, consumer.name, verdict, why));
    }
    let names = Names::of(profile, queue, meeting.places, producer.name, consumer.name);
    let mut trips = said.trips.into_iter();
    let payloads = meeting.payloads.iter().map(|payload| match trips.next() {
        None => checks::not_sent(payload, said.rest.as_deref().unwrap_or("not sent")),
        Some(mut trip) => {
            let whole = capture.dropped == 0;
            trip.completions =
                trip.id().filter(|_| whole).map(|id| meeting.places.completions(profile, queue, id, &capture.events));
            checks::judge(payload, &trip, &names)
        }
    });
    let payloads = payloads.collect();
    Ok(cell::of(producer.name, consumer.name, queue, payloads, report, said.notes))
}

fn failed(error: RecordError, meeting: &Meeting<'_>) -> ProbeError {
    match (meeting.stop.asked(), error) {
        (Some(stopped), _) => ProbeError::Stopped(stopped),
        (None, RecordError::Server(trouble)) => ProbeError::Server(trouble),
        (None, error) => ProbeError::Live(error),
    }
}
