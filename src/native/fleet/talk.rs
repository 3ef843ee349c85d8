//! A pair's conversation: every payload goes from the producer to the consumer, and between the steps somebody looks.

use super::adapter::{Adapter, Deadline};
use super::observer::Observer;
use crate::core::fleet::adapter::{Introduction, Request, added, introduction, nothing, taken};
use crate::core::fleet::battery::Payload;
use crate::core::fleet::trip::{Breakage, Step, Trip};
use crate::core::fleet::verdict::FleetVerdict;

/// What the consumer says a job came to.
const RESULT: &str = "{\"paid\":true}";

/// One of the two, and where it finds the server.
pub(super) struct Side<'s> {
    /// Its name.
    pub(super) name: &'s str,
    /// Its command.
    pub(super) command: &'s str,
    /// A name for its connections.
    pub(super) client: String,
}

/// What is the same for both.
pub(super) struct Setting<'s> {
    /// The server.
    pub(super) url: &'s str,
    /// The profile's id.
    pub(super) profile: &'static str,
    /// The queue.
    pub(super) queue: &'s str,
    /// What is sent.
    pub(super) payloads: &'s [Payload],
    /// How long it may take.
    pub(super) deadline: Deadline,
}

/// What came of it.
pub(super) struct Talk {
    /// The payloads that were sent, in their order.
    pub(super) trips: Vec<Trip>,
    /// Why the rest was not sent.
    pub(super) rest: Option<String>,
    /// Why nothing could be sent at all.
    pub(super) refused: Option<(FleetVerdict, String)>,
    /// What else is worth a word.
    pub(super) notes: Vec<String>,
}

/// Has both speak, one after the other.
pub(super) fn talk(producer: &Side<'_>, consumer: &Side<'_>, setting: &Setting<'_>, observer: &mut Observer) -> Talk {
    let mut talk = Talk { trips: Vec::new(), rest: None, refused: None, notes: Vec::new() };
    let opened = open(producer, setting).and_then(|from| Ok((from, open(consumer, setting)?)));
    let (mut from, mut to) = match opened {
        Ok(both) => both,
        Err(refused) => {
            talk.refused = Some(refused);
            return talk;
        }
    };
    for payload in setting.payloads {
        let trip = trip(&mut from, Some(&mut to), setting, payload, observer);
        let broken = trip.breakage().map(ToString::to_string);
        let left = trip.left;
        talk.trips.push(trip);
        talk.rest = match (broken, left) {
            (Some(_), _) => Some(format!("not sent: {} had broken off before", payload.id)),
            (None, Some(0)) => None,
            (None, _) => Some(format!("not sent: the job of {} was not done, and would be in the way", payload.id)),
        };
        if talk.rest.is_some() {
            break;
        }
    }
    let is_whole = talk.trips.last().is_none_or(|trip| trip.breakage().is_none());
    for (side, adapter) in [(producer, &mut from), (consumer, &mut to)] {
        if is_whole && let Some(note) = goodbye(adapter) {
            talk.notes.push(format!("{}: {note}", side.name));
        }
        let printed = if is_whole { String::new() } else { adapter.printed() };
        if let Some(last) = printed.lines().last() {
            talk.notes.push(format!("{} printed last: {last}", side.name));
        }
    }
    talk
}

/// Starts one and has it say who it is.
pub(super) fn open(side: &Side<'_>, setting: &Setting<'_>) -> Result<Adapter, (FleetVerdict, String)> {
    let said = |breakage: &Breakage, printed: &str| {
        (FleetVerdict::Indeterminate, format!("{}: {breakage}{}", side.name, printed_last(printed)))
    };
    let started = Adapter::start(side.command, setting.deadline.clone());
    let mut adapter = started.map_err(|breakage| said(&breakage, ""))?;
    match hello(&mut adapter, side, setting) {
        Step::Done(_) => Ok(adapter),
        Step::Broken(breakage) => Err(said(&breakage, &adapter.printed())),
        Step::Refused(refusal) => Err(refusal.said(side.name, "hello")),
        Step::NotTried => Err((FleetVerdict::NotRun, String::new())),
    }
}

/// The last line that one printed, to be put after what it did.
pub(super) fn printed_last(printed: &str) -> String {
    printed.lines().last().map(|last| format!("; it printed last: {last}")).unwrap_or_default()
}

/// Asks one who it is.
pub(super) fn hello(adapter: &mut Adapter, side: &Side<'_>, setting: &Setting<'_>) -> Step<Introduction> {
    let request = Request::Hello { url: setting.url, profile: setting.profile, client_name: &side.client };
    adapter.ask(&request, introduction)
}

/// Ends one, and gives what was not as it should be.
pub(super) fn goodbye(adapter: &mut Adapter) -> Option<String> {
    match adapter.ask(&Request::Bye, nothing) {
        Step::Done(()) => adapter.end(),
        Step::Refused(refusal) => Some(format!("it refuses bye: {}", refusal.message)),
        Step::Broken(breakage) => Some(breakage.to_string()),
        Step::NotTried => None,
    }
}

/// Sends one job from end to end; without `to`, the first is both.
pub(super) fn trip(
    from: &mut Adapter,
    to: Option<&mut Adapter>,
    setting: &Setting<'_>,
    payload: &Payload,
    observer: &mut Observer,
) -> Trip {
    let mut trip = sent(from, setting, payload, observer);
    if trip.id().is_some() {
        fetch(&mut trip, to.unwrap_or(from), setting, observer);
    }
    trip.left = observer.left(setting);
    trip
}

fn sent(from: &mut Adapter, setting: &Setting<'_>, payload: &Payload, observer: &mut Observer) -> Trip {
    let mut trip = Trip { name: format!("fleet-{}", payload.id), ..Trip::default() };
    trip.add = from.ask(&Request::Add { queue: setting.queue, name: &trip.name, data: &payload.text }, added);
    trip.added = trip.id().and_then(|id| observer.look(setting, id));
    trip
}

fn fetch(trip: &mut Trip, to: &mut Adapter, setting: &Setting<'_>, observer: &mut Observer) {
    let queue = setting.queue;
    let Some(id) = trip.id().map(str::to_owned) else { return };
    trip.take = to.ask(&Request::Take { queue }, taken);
    let Step::Done(Some(job)) = &trip.take else { return };
    trip.held = observer.look(setting, &job.job_id);
    if job.job_id != id {
        return;
    }
    trip.complete = to.ask(&Request::Complete { queue, job_id: &id, result: RESULT }, nothing);
    // Of a job that is not complete, nothing that comes now would be this trip's.
    if !matches!(trip.complete, Step::Done(())) {
        return;
    }
    trip.done = observer.look(setting, &id);
    trip.again = to.ask(&Request::Take { queue }, taken);
}
