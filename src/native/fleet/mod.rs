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
mod look;
mod pair;
mod program;
mod recording;
pub mod reference;
mod talk;
mod tidy;
mod traffic;

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use crate::core::capture::{Capture, Engine, json};
use crate::core::fleet::adapter::{Introduction, Role};
use crate::core::fleet::battery::{Payload, battery};
use crate::core::fleet::cell;
pub use crate::core::fleet::model::REFERENCE;
use crate::core::fleet::model::{Cell, FORMAT, Fleet, Member};
use crate::core::fleet::places::Places;
use crate::core::fleet::roster::{Claim, Roster};
use crate::core::fleet::status::Status;
use crate::core::fleet::trip::{Breakage, Step};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::judge::Options;
use crate::core::profile::expected::accepts;
use crate::core::report::date::day;
use crate::core::report::model::Tool;
use crate::native::probe::{Place, ProbeError};
use crate::native::record::RecordError;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::stop::Stop;
use adapter::Adapter;
use ground::{Ground, Plan};
use recording::Recording;
use talk::{Setting, Side};

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

/// A run that goes on.
struct Run<'r> {
    place: &'r Place,
    plan: &'r FleetPlan<'r>,
    places: Places,
    mint: Mint,
    members: Vec<Member>,
    /// Why somebody cannot take part, by name.
    absent: Vec<(String, FleetVerdict, String)>,
    not_started: Vec<String>,
    engine: Option<Engine>,
    cells: Vec<Cell>,
}

impl<'r> Run<'r> {
    fn new(place: &'r Place, plan: &'r FleetPlan<'r>) -> Result<Self, ProbeError> {
        let places =
            Places::of(plan.wire.profile()).ok_or(ProbeError::Lost { next: "find the places of the profile" })?;
        if let Some(folder) = plan.record {
            fs::create_dir_all(folder).map_err(not_written)?;
        }
        let of_roster = |participant: &Participant| {
            let mut member = plan
                .roster
                .get(&participant.name)
                .map_or_else(|| Member::unknown(&participant.name), Member::of_roster);
            if let Some(label) = &participant.label {
                member.label.clone_from(label);
            }
            if let Some(claim) = participant.claim {
                member.claim = Some(claim);
                member.says = None;
                member.source = Some("the configuration of this run".to_owned());
            }
            member.status = Status::of(member.claim, member.evidence.as_ref());
            member
        };
        let mut members: Vec<Member> = plan.participants.iter().map(of_roster).collect();
        let takes_part = |name: &str| plan.participants.iter().any(|one| one.name == name);
        // The probe's own other fixtures are worth a row only where they run.
        let others = plan.roster.0.iter().filter(|entry| !takes_part(&entry.name) && !entry.fixture);
        members.extend(others.map(Member::of_roster));
        Ok(Self {
            place,
            plan,
            places,
            mint: Mint::new(),
            members,
            absent: Vec::new(),
            not_started: Vec::new(),
            engine: None,
            cells: Vec::new(),
        })
    }

    /// Asks everybody once who they are, so that one who cannot say it costs its time-out once.
    fn introduce(&mut self) -> Result<(), ProbeError> {
        let ground = self.ground();
        Ground::with(&ground, |at| {
            self.engine = Some(at.engine()?);
            self.plan.participants.iter().try_for_each(|participant| {
                let said = self.hello(participant, &ground, at);
                self.plan.stop.check()?;
                self.heard(&participant.name, said);
                Ok(())
            })
        })
    }

    /// Who one says that it is, or what else came, and what it printed.
    fn hello(&self, participant: &Participant, plan: &Plan<'_>, at: &Ground) -> (Step<Introduction>, String) {
        let side = self.side(participant);
        let (profile, patience) = (plan.wire.profile().id, plan.patience());
        let setting = Setting { url: &at.url, profile, queue: &at.queue, payloads: &[], patience };
        match Adapter::start(side.command, setting.patience.clone()) {
            Err(breakage) => (Step::Broken(breakage), String::new()),
            Ok(mut adapter) => {
                let step = talk::hello(&mut adapter, &side, &setting);
                if matches!(step, Step::Done(_)) {
                    drop(talk::goodbye(&mut adapter));
                    return (step, String::new());
                }
                (step, adapter.printed())
            }
        }
    }

    fn heard(&mut self, name: &str, (step, printed): (Step<Introduction>, String)) {
        let Some(member) = self.members.iter_mut().find(|member| member.name == name) else { return };
        let last = talk::printed_last(&printed);
        let (verdict, why) = match step {
            Step::Done(introduction) => {
                let Introduction { runtime, version, wire, .. } = &introduction;
                (self.plan.note)(&format!("{name}: {runtime} {version}, wire {wire}"));
                member.introduction = Some(introduction);
                return;
            }
            Step::Refused(refusal) => refusal.said(name, "hello"),
            Step::Broken(breakage @ (Breakage::NotStarted(_) | Breakage::Ended { .. })) => {
                let why = format!("{name}: {breakage}{last}");
                self.not_started.push(why.clone());
                (FleetVerdict::NotRun, why)
            }
            Step::Broken(breakage) => (FleetVerdict::Indeterminate, format!("{name}: {breakage}{last}")),
            Step::NotTried => return,
        };
        (self.plan.note)(&why);
        member.absent = Some(why.clone());
        self.absent.push((name.to_owned(), verdict, why));
    }

    fn ground(&self) -> Plan<'r> {
        let FleetPlan { wire, answer, pair, url, stop, .. } = *self.plan;
        Plan { place: self.place, url, wire, answer, all: pair, stop }
    }

    fn side<'s>(&self, participant: &'s Participant) -> Side<'s> {
        let client = self.mint.mint(&format!("emq-fleet-{}", participant.name));
        Side { name: &participant.name, command: &participant.command, client }
    }

    fn pair(&mut self, producer: &str, consumer: &str) -> Result<Cell, ProbeError> {
        let plan = self.plan;
        let participant = |name: &str| plan.participants.iter().find(|one| one.name == name);
        let (Some(from), Some(to)) = (participant(producer), participant(consumer)) else {
            return Ok(cell::without(
                producer,
                consumer,
                FleetVerdict::NotRun,
                self.nothing_to_run(producer, consumer),
            ));
        };
        if let Some((verdict, why)) = self.cannot_meet(producer, consumer) {
            return Ok(cell::without(producer, consumer, verdict, why));
        }
        let (ground, command) = (self.ground(), self.command(producer, consumer));
        let (mut cell, capture) = Ground::with(&ground, |at| {
            let recording = Recording {
                ground: at,
                plan: &ground,
                places: self.places,
                payloads: plan.payloads,
                options: plan.options,
                note: plan.note,
                command: &command,
            };
            pair::meet(&self.side(from), &self.side(to), &recording)
        })?;
        cell.notes.extend(self.other_wires(producer, consumer));
        if let Some(folder) = plan.record {
            cell.capture = Some(keep(folder, producer, consumer, capture)?);
        }
        Ok(cell)
    }

    /// The command line that repeats a pair: the reference probe runtime takes part by itself.
    fn command(&self, producer: &str, consumer: &str) -> String {
        let FleetPlan { wire, options, payloads, .. } = self.plan;
        let mut command = format!("emq-conform fleet --profile {} --policy {}", wire.profile().id, options.policy.id());
        let others = [Some(producer), Some(consumer).filter(|consumer| *consumer != producer)];
        for name in others.into_iter().flatten().filter(|name| *name != REFERENCE) {
            let _ = write!(command, " --runtime {name}='…'");
        }
        if payloads.len() < battery().len() {
            let ids: Vec<&str> = payloads.iter().map(|payload| payload.id).collect();
            let _ = write!(command, " --payload {}", ids.join(","));
        }
        command
    }

    /// A word about each that says it speaks another wire than it is held to.
    fn other_wires(&self, producer: &str, consumer: &str) -> impl Iterator<Item = String> {
        let FleetPlan { wire, options, .. } = *self.plan;
        let expected = options.expected_version.as_deref().unwrap_or(wire.profile().expected_version);
        let both = self.members.iter().filter(move |member| member.name == producer || member.name == consumer);
        both.filter_map(move |member| {
            let wire = &member.introduction.as_ref()?.wire;
            let name = &member.name;
            (!accepts(expected, wire.as_bytes()))
                .then(|| format!("{name} says that its wire is {wire}, and {expected} is expected"))
        })
    }

    /// The roster's claims, where there is nothing to run.
    fn nothing_to_run(&self, producer: &str, consumer: &str) -> String {
        let plan = self.plan;
        let absent = self.members.iter().filter(|member| member.name == producer || member.name == consumer);
        let absent = absent.filter(|member| !plan.participants.iter().any(|one| one.name == member.name));
        let said = absent.map(|member| format!("{}: {}", member.name, member.status.words()));
        format!("nothing to run: {}", said.collect::<Vec<_>>().join("; "))
    }

    /// Why two cannot meet, by what they said before.
    fn cannot_meet(&self, producer: &str, consumer: &str) -> Option<(FleetVerdict, String)> {
        let absent = |name: &str| self.absent.iter().find(|(absent, ..)| absent == name);
        if let Some((_, verdict, why)) = absent(producer).or_else(|| absent(consumer)) {
            return Some((*verdict, why.clone()));
        }
        let lacks = |name: &str, role: Role| {
            let member = self.members.iter().find(|member| member.name == name)?;
            let can = member.introduction.as_ref()?.roles.contains(&role);
            (!can).then(|| (FleetVerdict::NotSupported, format!("{name} is no {}", role.word())))
        };
        lacks(producer, Role::Producer).or_else(|| lacks(consumer, Role::Consumer))
    }

    fn finish(self) -> Ran {
        let Self { plan, mut members, not_started, engine, cells, .. } = self;
        let (date, profile) = (today(), plan.wire.profile().id);
        let sent: Vec<&'static str> = plan.payloads.iter().map(|payload| payload.id).collect();
        let whole = battery().iter().all(|payload| sent.contains(&payload.id));
        // A part of the battery proves nothing of a runtime.
        if let Some(engine) = engine.as_ref().filter(|_| whole) {
            for member in &mut members {
                member.learn(&cells, &date, engine, profile);
            }
        }
        let fleet = Fleet {
            format: FORMAT,
            tool: Tool::THIS,
            date,
            profile,
            policy: plan.options.policy.id(),
            engine,
            battery: sent,
            whole,
            verdict: Fleet::overall(&members, &cells),
            runtimes: members,
            cells,
        };
        Ran { fleet, not_started }
    }
}

/// Writes a pair's capture; gives its name.
fn keep(folder: &Path, producer: &str, consumer: &str, mut capture: Capture) -> Result<String, ProbeError> {
    let name = capture_name(producer, consumer);
    traffic::shorten(&mut capture);
    // Whole or not there: whoever reads it may come at any moment.
    let part = folder.join(format!("{name}.part"));
    let written = fs::write(&part, json::render(&capture)).and_then(|()| fs::rename(&part, folder.join(&name)));
    written.map_err(|error| {
        drop(fs::remove_file(&part));
        not_written(error)
    })?;
    Ok(name)
}

/// The file of a pair's capture: no name has the sign between the two.
pub fn capture_name(producer: &str, consumer: &str) -> String {
    format!("{producer}+{consumer}.json")
}

fn not_written(error: io::Error) -> ProbeError {
    ProbeError::Live(RecordError::Write(error))
}

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    day(u64::try_from(since.as_micros()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::traffic::{MOST_BYTES, MOST_EVENTS, MOST_VALUE};
    use crate::core::fleet::adapter::{MOST_LINE, MOST_OUTPUT};
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
            format!("| standard error that is kept | the last {LINES} lines, {LINE_BYTES} bytes of each |"),
            format!("| values in one line, and how deep they lie | {values}, and {MOST_DEPTH} |"),
            format!("| traffic of one pair that is kept | {} MiB of arguments, {events} commands;", MOST_BYTES / MIB),
            format!("| values in a capture of `--record` | {} KiB;", MOST_VALUE / 1024),
        ] {
            assert!(GUIDE.contains(&row), "the guide does not say: {row}");
        }
    }
}
