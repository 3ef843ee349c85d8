//! One ordered pair on one server: recorded while it speaks, and judged.

use super::recording::{Recorded, Recording};
use super::talk::{Side, Talk, talk};
use crate::core::capture::Capture;
use crate::core::fleet::cell;
use crate::core::fleet::checks::{self, Names};
use crate::core::fleet::model::Cell;
use crate::native::probe::ProbeError;

/// Has a pair meet; gives what it comes to, and its traffic.
pub(super) fn meet(
    producer: &Side<'_>,
    consumer: &Side<'_>,
    recording: &Recording<'_>,
) -> Result<(Cell, Capture), ProbeError> {
    let Recorded { said, capture, broken } =
        recording.of(|setting, observer| talk(producer, consumer, setting, observer))?;
    let Talk { mut trips, rest, refused, mut notes } = said;
    notes.extend(broken.map(|broken| broken.why));
    let report = recording.report(&capture)?;
    let (profile, queue, places) = (recording.plan.wire.profile(), &recording.ground.queue, recording.places);
    if let Some(refused) = refused {
        return Ok((cell::broken_off(producer.name, consumer.name, queue, refused, report, notes), capture));
    }
    let names = Names::of(profile, queue, places, producer.name, consumer.name);
    recording.count_completions(trips.iter_mut().collect(), &capture);
    let mut trips = trips.iter();
    let payloads = recording.payloads.iter().map(|payload| match trips.next() {
        None => checks::not_sent(payload, rest.as_deref().unwrap_or("not sent")),
        Some(trip) => checks::judge(payload, trip, &names),
    });
    let payloads = payloads.collect();
    Ok((cell::of(producer.name, consumer.name, queue, payloads, report, notes), capture))
}
