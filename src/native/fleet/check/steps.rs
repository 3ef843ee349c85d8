//! The steps themselves, each a request and what is to come of it.

use super::advice;
use super::{Breakage, FleetVerdict, Payload, Step, StepReport, Trip, Wire};
use crate::core::fleet::adapter::{ErrorKind, Introduction, Request, Role, nothing, taken};
use crate::core::profile::expected::accepts;
use crate::native::fleet::adapter::Adapter;
use crate::native::fleet::observer::Observer;
use crate::native::fleet::talk::{self, Setting, Side};

/// What was done: a step that is known for what it is, or a job that is judged when the recording is whole.
pub(super) enum Done {
    /// A step.
    Step(StepReport),
    /// A job.
    Job {
        /// What was sent.
        payload: Payload,
        /// Its way.
        trip: Box<Trip>,
        /// What the adapter printed last, of one that broke off.
        printed: String,
    },
}

impl Done {
    /// The way of a job.
    pub(super) fn trip(&mut self) -> Option<&mut Trip> {
        match self {
            Self::Step(_) => None,
            Self::Job { trip, .. } => Some(trip),
        }
    }
}

/// Which parts the adapter takes; the other is the reference probe runtime's.
#[derive(Clone, Copy)]
pub(super) enum Parts {
    /// Both.
    Both,
    /// It adds.
    Producer,
    /// It takes and completes.
    Consumer,
}

/// An adapter that is being checked.
pub(super) struct Checking<'c> {
    pub(super) side: &'c Side<'c>,
    pub(super) reference: &'c Side<'c>,
    pub(super) setting: &'c Setting<'c>,
    pub(super) wire: Wire,
    pub(super) done: Vec<Done>,
}

/// Nothing once the adapter cannot be asked any more.
type Goes = Option<()>;

impl Checking<'_> {
    /// All steps; gives which parts the adapter takes.
    pub(super) fn run(&mut self, observer: &mut Observer) -> Parts {
        let mut parts = Parts::Both;
        let mut adapter = match Adapter::start(self.side.command, self.setting.deadline.clone()) {
            Ok(adapter) => adapter,
            Err(breakage) => {
                self.broken("start", &breakage, None);
                return parts;
            }
        };
        if self.ask_all(&mut adapter, observer, &mut parts).is_none() {
            let printed = adapter.printed();
            let last = if printed.is_empty() { printed } else { format!("; it printed last:\n{printed}") };
            match self.done.last_mut() {
                Some(Done::Step(step)) => step.why += &last,
                Some(Done::Job { printed, .. }) => *printed = last,
                None => {}
            }
        }
        parts
    }

    fn ask_all(&mut self, adapter: &mut Adapter, observer: &mut Observer, parts: &mut Parts) -> Goes {
        let Introduction { roles, .. } = self.hello(adapter)?;
        *parts = match (roles.contains(&Role::Producer), roles.contains(&Role::Consumer)) {
            (true, false) => Parts::Producer,
            (false, true) => Parts::Consumer,
            _ => Parts::Both,
        };
        self.unknown(adapter)?;
        if !matches!(parts, Parts::Producer) {
            self.empty(adapter)?;
        }
        self.jobs(adapter, observer, *parts)?;
        self.goodbye(adapter);
        Some(())
    }

    fn push(&mut self, step: &str, verdict: FleetVerdict, why: impl Into<String>, help: Option<&'static str>) {
        self.done.push(Done::Step(StepReport::new(step, verdict, why, help)));
    }

    fn broken(&mut self, step: &str, breakage: &Breakage, help: Option<&'static str>) {
        self.done.push(Done::Step(StepReport::broken(step, breakage, help)));
    }

    fn hello(&mut self, adapter: &mut Adapter) -> Option<Introduction> {
        match talk::hello(adapter, self.side, self.setting) {
            Step::Done(introduction) => {
                let expected = self.wire.profile().expected_version;
                let Introduction { runtime, version, wire, roles } = &introduction;
                let roles: Vec<&str> = roles.iter().map(|role| role.word()).collect();
                let who = format!("{runtime} {version}, wire {wire}, {}", roles.join(" and "));
                if accepts(expected, wire.as_bytes()) {
                    self.push("hello", FleetVerdict::Pass, who, None);
                } else {
                    let why = format!("{who}: this profile expects wire {expected}");
                    self.push("hello", FleetVerdict::Fail, why, Some(advice::WIRE));
                }
                Some(introduction)
            }
            Step::Refused(refusal) => {
                let (verdict, why) = refusal.said("it", "hello");
                self.push("hello", verdict, why, Some(advice::HELLO));
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
    fn unknown(&mut self, adapter: &mut Adapter) -> Goes {
        let (step, help) = ("a request that it does not know", Some(advice::UNKNOWN));
        match adapter.ask(&Request::Unknown, nothing) {
            Step::Refused(refusal) if refusal.kind == ErrorKind::NotSupported => {
                self.push(step, FleetVerdict::Pass, "refused as not-supported", None);
            }
            Step::Refused(refusal) => {
                self.push(step, FleetVerdict::Fail, format!("refused as {}", refusal.kind.word()), help);
            }
            Step::Done(()) => self.push(step, FleetVerdict::Fail, "it says that it did it", help),
            Step::Broken(breakage) => {
                self.broken(step, &breakage, help);
                return None;
            }
            Step::NotTried => {}
        }
        Some(())
    }

    fn empty(&mut self, adapter: &mut Adapter) -> Goes {
        let (step, help) = ("take from an empty queue", Some(advice::EMPTY));
        match adapter.ask(&Request::Take { queue: self.setting.queue }, taken) {
            Step::Done(None) => self.push(step, FleetVerdict::Pass, "job is null", None),
            Step::Done(Some(job)) => {
                self.push(step, FleetVerdict::Fail, format!("it found job {}, and nobody added one", job.job_id), help);
            }
            Step::Refused(refusal) => {
                self.push(step, FleetVerdict::Fail, format!("{}: {}", refusal.kind.word(), refusal.message), help);
            }
            Step::Broken(breakage) => {
                self.broken(step, &breakage, help);
                return None;
            }
            Step::NotTried => {}
        }
        Some(())
    }

    /// Every payload, the part that it does not take done by the reference probe runtime.
    fn jobs(&mut self, adapter: &mut Adapter, observer: &mut Observer, parts: Parts) -> Goes {
        let setting = self.setting;
        let mut other = match parts {
            Parts::Both => None,
            Parts::Producer | Parts::Consumer => match talk::open(self.reference, setting) {
                Ok(other) => Some(other),
                Err((verdict, why)) => {
                    self.push("jobs", verdict, why, None);
                    return Some(());
                }
            },
        };
        for payload in setting.payloads {
            let trip = match (&mut other, parts) {
                (Some(producer), Parts::Consumer) => {
                    talk::trip(producer, Some(&mut *adapter), setting, payload, observer)
                }
                (consumer, _) => talk::trip(adapter, consumer.as_mut(), setting, payload, observer),
            };
            let (is_broken, is_left) = (trip.breakage().is_some(), trip.left != Some(0));
            self.done.push(Done::Job { payload: payload.clone(), trip: Box::new(trip), printed: String::new() });
            if is_broken {
                return None;
            }
            if is_left {
                let why = "the job was not done, and would be in the way of the next: no more were sent";
                self.push("more payloads", FleetVerdict::NotRun, why, None);
                return Some(());
            }
        }
        Some(())
    }

    fn goodbye(&mut self, adapter: &mut Adapter) {
        match talk::goodbye(adapter) {
            None => self.push("bye", FleetVerdict::Pass, "answered, and ended with 0", None),
            Some(why) => self.push("bye", FleetVerdict::Fail, why, Some(advice::BYE)),
        }
    }
}
