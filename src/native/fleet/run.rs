//! A run that goes on: who there is, who cannot take part and why, and the cells so far.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use super::adapter::Adapter;
use super::ground::{Ground, Plan};
use super::recording::Recording;
use super::talk::{self, Setting, Side};
use super::{FleetPlan, Participant, REFERENCE, Ran, keep, pair};
use crate::core::capture::Engine;
use crate::core::fleet::adapter::{Introduction, Role};
use crate::core::fleet::battery::battery;
use crate::core::fleet::cell;
use crate::core::fleet::model::{Cell, FORMAT, Fleet, Member};
use crate::core::fleet::places::Places;
use crate::core::fleet::status::Status;
use crate::core::fleet::trip::{Breakage, Step};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::profile::expected::accepts;
use crate::core::report::date::day;
use crate::core::report::model::Tool;
use crate::native::probe::{Place, ProbeError};
use crate::native::runtime::ids::Mint;

/// A run that goes on.
pub(super) struct Run<'r> {
    place: &'r Place,
    plan: &'r FleetPlan<'r>,
    places: Places,
    mint: Mint,
    pub(super) members: Vec<Member>,
    /// Why somebody cannot take part, by name.
    absent: Vec<(String, FleetVerdict, String)>,
    not_started: Vec<String>,
    engine: Option<Engine>,
    pub(super) cells: Vec<Cell>,
}

impl<'r> Run<'r> {
    pub(super) fn new(place: &'r Place, plan: &'r FleetPlan<'r>) -> Result<Self, ProbeError> {
        let places =
            Places::of(plan.wire.profile()).ok_or(ProbeError::Lost { next: "find the places of the profile" })?;
        if let Some(folder) = plan.record {
            keep::open(folder)?;
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

    /// Asks everybody once who they are, so that one who cannot say it costs its time-out once. Each on a ground of its own: what
    /// one does there, a version that it states or a server that it ends, is no matter of the others.
    pub(super) fn introduce(&mut self) -> Result<(), ProbeError> {
        let ground = self.ground();
        self.plan.participants.iter().try_for_each(|participant| {
            Ground::with(&ground, |at| {
                if self.engine.is_none() {
                    self.engine = Some(at.engine()?);
                }
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
        let (profile, deadline) = (plan.wire.profile().id, plan.deadline());
        let setting = Setting { url: &at.url, profile, queue: &at.queue, payloads: &[], deadline };
        match Adapter::start(side.command, setting.deadline.clone()) {
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
            // One that had begun an answer had started.
            Step::Broken(breakage @ (Breakage::NotStarted(_) | Breakage::Ended { partial: false, .. })) => {
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

    pub(super) fn pair(&mut self, producer: &str, consumer: &str) -> Result<Cell, ProbeError> {
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
            cell.capture = Some(keep::write(folder, producer, consumer, capture)?);
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

    pub(super) fn finish(self) -> Ran {
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

fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    day(u64::try_from(since.as_micros()).unwrap_or_default())
}
