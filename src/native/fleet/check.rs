//! One adapter alone, step by step: does it speak the protocol, and does its job go through a v2 queue?

use std::time::Duration;

use super::QUEUE;
use super::adapter::{Adapter, Patience};
use super::ground::Ground;
use super::look::Looker;
use super::talk::{self, Setting, Side};
use super::tidy::Tidy;
use crate::core::fleet::adapter::{ErrorKind, Introduction, Request, Role, added, nothing, taken};
use crate::core::fleet::battery::{Payload, battery};
use crate::core::fleet::checks::{ALL, Names, PayloadReport, judge};
use crate::core::fleet::places::Places;
use crate::core::fleet::trip::{Breakage, Step, Trip};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::profile::expected::accepts;
use crate::native::probe::{Place, ProbeError};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::stop::Stop;

/// What is checked.
pub struct CheckPlan<'p> {
    /// The adapter, as a shell reads it.
    pub command: &'p str,
    /// The wire.
    pub wire: Wire,
    /// How long one answer may take.
    pub answer: Duration,
    /// How long all may take.
    pub all: Duration,
    /// The URL of a server that is not ours, as the adapter gets it.
    pub url: Option<&'p str>,
    /// Who may stop it.
    pub stop: &'p Stop,
}

/// One step and what it came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    /// What was done.
    pub step: String,
    /// What it came to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// What to do about it.
    pub help: Option<&'static str>,
    /// Whether it counts: what JSON leaves open, or what a runtime says that it is not, does not.
    pub counts: bool,
}

/// Checks an adapter; gives each step, up to the one after which nothing more could be asked.
///
/// # Errors
/// A server that cannot be used, or somebody who asked to stop.
pub fn check(place: &Place, plan: &CheckPlan<'_>) -> Result<Vec<StepReport>, ProbeError> {
    let ground = Ground::open(place, plan.url, plan.answer, plan.stop)?;
    let mint = Mint::new();
    let drawn = mint.mint(QUEUE);
    let queue = if ground.is_private() { QUEUE } else { &drawn };
    let tidy = if ground.is_private() { None } else { Some(Tidy::begin(&ground.target, plan.wire, queue)?) };
    let profile = plan.wire.profile();
    let places = Places::of(profile).ok_or(ProbeError::Lost { next: "find the places of the profile" })?;
    let (connection, client) = ground.target.connect_known()?;
    let mut looker = Looker { connection, address: client.address, profile, places };
    let payloads = battery();
    let setting = Setting {
        url: &ground.url,
        profile: profile.id,
        queue,
        payloads: &payloads,
        patience: Patience::starting(plan.answer, plan.all, plan.stop),
    };
    let side = Side { name: "the adapter", command: plan.command, client: mint.mint("emq-adapter-check") };
    let mut checking = Checking { side, setting, places, wire: plan.wire, steps: Vec::new() };
    checking.all(&mut looker);
    let steps = checking.steps;
    let tidied = tidy.map_or(Ok(()), |tidy| tidy.finish());
    plan.stop.check()?;
    tidied.map(|()| steps)
}

struct Checking<'c> {
    side: Side<'c>,
    setting: Setting<'c>,
    places: Places,
    wire: Wire,
    steps: Vec<StepReport>,
}

impl Checking<'_> {
    fn all(&mut self, looker: &mut Looker) {
        let mut adapter = match Adapter::start(self.side.command, self.setting.patience.clone()) {
            Ok(adapter) => adapter,
            Err(breakage) => return self.broken("start", &breakage, None),
        };
        let is_whole = self.with(&mut adapter, looker);
        if !is_whole && let Some(last) = self.steps.last_mut() {
            let printed = adapter.printed();
            if !printed.is_empty() {
                last.why = format!("{}; it printed last:\n{printed}", last.why);
            }
        }
    }

    /// False once the adapter cannot be asked any more.
    fn with(&mut self, adapter: &mut Adapter, looker: &mut Looker) -> bool {
        let Some(introduction) = self.hello(adapter) else { return false };
        if !self.unknown(adapter) {
            return false;
        }
        let can = |role| introduction.roles.contains(&role);
        if can(Role::Consumer) && !self.empty(adapter) {
            return false;
        }
        match (can(Role::Producer), can(Role::Consumer)) {
            (true, true) => {
                if !self.battery(adapter, looker) {
                    return false;
                }
            }
            (true, false) => {
                if !self.only_add(adapter, looker) {
                    return false;
                }
            }
            (false, _) => {
                self.say(
                    "add",
                    FleetVerdict::NotSupported,
                    "it is no producer: take and complete were not tried",
                    None,
                );
            }
        }
        self.goodbye(adapter);
        true
    }

    fn say(&mut self, step: &str, verdict: FleetVerdict, why: impl Into<String>, help: Option<&'static str>) {
        self.steps.push(StepReport { step: step.to_owned(), verdict, why: why.into(), help, counts: true });
    }

    fn does_not_count(&mut self) {
        if let Some(last) = self.steps.last_mut() {
            last.counts = false;
        }
    }

    fn broken(&mut self, step: &str, breakage: &Breakage, help: Option<&'static str>) {
        self.say(step, FleetVerdict::Fail, breakage.to_string(), help.or(advice(breakage)));
    }

    fn hello(&mut self, adapter: &mut Adapter) -> Option<Introduction> {
        match talk::hello(adapter, &self.side, &self.setting) {
            Step::Done(introduction) => {
                let expected = self.wire.profile().expected_version;
                let Introduction { runtime, version, wire, roles } = &introduction;
                let roles: Vec<&str> = roles.iter().map(|role| role.word()).collect();
                let who = format!("{runtime} {version}, wire {wire}, {}", roles.join(" and "));
                if accepts(expected, wire.as_bytes()) {
                    self.say("hello", FleetVerdict::Pass, who, None);
                } else {
                    let why = format!("{who}: this profile expects wire {expected}");
                    self.say(
                        "hello",
                        FleetVerdict::Fail,
                        why,
                        Some("answer with the wire that your runtime states as its version"),
                    );
                }
                Some(introduction)
            }
            Step::Refused(refusal) => {
                let (verdict, why) = refusal.said("it", "hello");
                self.say("hello", verdict, why, Some("hello needs no more than the server to answer"));
                None
            }
            Step::Broken(breakage) => {
                self.broken("hello", &breakage, None);
                None
            }
            Step::NotTried => None,
        }
    }

    /// What nobody knows is refused, and is not the end.
    fn unknown(&mut self, adapter: &mut Adapter) -> bool {
        let step = "a request that it does not know";
        let help = Some(
            "answer what you do not know with {\"error\":{\"kind\":\"not-supported\",\"message\":\"…\"}} and go on",
        );
        match adapter.ask(&Request::Unknown, nothing) {
            Step::Refused(refusal) if refusal.kind == ErrorKind::NotSupported => {
                self.say(step, FleetVerdict::Pass, "refused as not-supported", None);
            }
            Step::Refused(refusal) => {
                self.say(step, FleetVerdict::Fail, format!("refused as {}", refusal.kind.word()), help);
            }
            Step::Done(()) => self.say(step, FleetVerdict::Fail, "it says that it did it", help),
            Step::Broken(breakage) => {
                self.broken(step, &breakage, help);
                return false;
            }
            Step::NotTried => {}
        }
        true
    }

    fn empty(&mut self, adapter: &mut Adapter) -> bool {
        let step = "take from an empty queue";
        let help = Some("answer {\"ok\":{\"job\":null}} when no job waits, and do not wait for one for long");
        match adapter.ask(&Request::Take { queue: self.setting.queue }, taken) {
            Step::Done(None) => self.say(step, FleetVerdict::Pass, "job is null", None),
            Step::Done(Some(job)) => {
                self.say(step, FleetVerdict::Fail, format!("it found job {}, and nobody added one", job.job_id), help);
            }
            Step::Refused(refusal) => {
                self.say(step, FleetVerdict::Fail, format!("{}: {}", refusal.kind.word(), refusal.message), help);
            }
            Step::Broken(breakage) => {
                self.broken(step, &breakage, help);
                return false;
            }
            Step::NotTried => {}
        }
        true
    }

    /// A producer alone: its jobs must lie where a consumer would find them.
    fn only_add(&mut self, adapter: &mut Adapter, looker: &mut Looker) -> bool {
        let payloads = self.setting.payloads;
        for payload in payloads {
            let mut trip = Trip::default();
            let request = Request::Add { queue: self.setting.queue, name: payload.id, data: &payload.text };
            trip.add = adapter.ask(&request, added);
            trip.added = trip.id().map(str::to_owned).and_then(|id| looker.look(self.setting.queue, &id));
            let report = self.judged(payload, &trip);
            let broken = trip.breakage().cloned();
            let is_wrong =
                report.checks.iter().any(|check| check.id == "payload" && check.verdict == FleetVerdict::Fail);
            if !self.tell(&report, if is_wrong { &["added", "payload"] } else { &["added"] }, broken) {
                return false;
            }
        }
        true
    }

    fn battery(&mut self, adapter: &mut Adapter, looker: &mut Looker) -> bool {
        let payloads = self.setting.payloads;
        for payload in payloads {
            let trip = talk::trip(adapter, None, &self.setting, payload, looker);
            let report = self.judged(payload, &trip);
            if !self.tell(&report, &ALL.map(|check| check.id), trip.breakage().cloned()) {
                return false;
            }
            if trip.left != Some(0) {
                let why = "the job was not done, and would be in the way of the next: no more were sent";
                self.say("more payloads", FleetVerdict::NotRun, why, None);
                return true;
            }
        }
        true
    }

    fn judged(&self, payload: &Payload, trip: &Trip) -> PayloadReport {
        let (profile, queue) = (self.wire.profile(), self.setting.queue);
        let names = Names::of(profile, queue, self.places, "it", "it");
        // Nothing is recorded here, so how often a job is completed is the fleet's to tell.
        let once = Trip { completions: Some(vec![0]), ..trip.clone() };
        judge(payload, &once, &names)
    }

    /// Says what a payload came to; false where the adapter broke off.
    fn tell(&mut self, report: &PayloadReport, checks: &[&str], broken: Option<Breakage>) -> bool {
        let step = format!("a job: {}", report.about);
        if let Some(breakage) = broken {
            self.broken(&step, &breakage, None);
            return false;
        }
        let asked = report.checks.iter().filter(|check| checks.contains(&check.id));
        let worst = FleetVerdict::of_all(asked.clone().map(|check| check.verdict));
        let first = asked.clone().find(|check| check.verdict == worst && worst != FleetVerdict::Pass);
        // Of one that only adds, its own checks tell more than what a whole way would come to.
        let passed = || if checks.len() == ALL.len() { report.why.clone() } else { last_of(report, checks) };
        let why = first.map_or_else(passed, |check| check.why.clone());
        let help = first.and_then(|first| ALL.iter().find(|check| check.id == first.id).map(|check| check.help));
        self.say(&step, worst, why, help);
        if !report.counts {
            self.does_not_count();
        }
        true
    }

    fn goodbye(&mut self, adapter: &mut Adapter) {
        match talk::goodbye(adapter) {
            None => self.say("bye", FleetVerdict::Pass, "answered, and ended with 0", None),
            Some(why) => {
                let help = Some("answer {\"ok\":{}}, close your connections, and end with exit code 0");
                self.say("bye", FleetVerdict::Fail, why, help);
            }
        }
    }
}

fn last_of(report: &PayloadReport, checks: &[&str]) -> String {
    let last = report.checks.iter().rfind(|check| checks.contains(&check.id));
    last.map(|check| check.why.clone()).unwrap_or_default()
}

fn advice(breakage: &Breakage) -> Option<&'static str> {
    match breakage {
        Breakage::NotStarted(_) => Some("the command is run by sh -c: try it there"),
        Breakage::TimeOut { .. } | Breakage::PairTime { .. } => Some(
            "flush standard output after each line, and answer each request before the next; --timeout gives it longer",
        ),
        Breakage::Ended { .. } => Some("an adapter answers until bye, and also when something goes wrong"),
        Breakage::Fault { .. } => {
            Some("standard output takes answers only, one JSON object a line; log to standard error")
        }
        Breakage::Flood => Some("standard output takes answers only; log to standard error"),
        Breakage::Stopped => None,
    }
}
