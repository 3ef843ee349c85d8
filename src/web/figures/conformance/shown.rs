//! What the figure shows: a capture, perhaps with a rule broken, as steps, slots and the core's report on it.

use std::rc::Rc;

use crate::core::bytes::{Bytes, shown};
use crate::core::capture::breaks::Break;
use crate::core::capture::{Capture, Engine, Event, Read};
use crate::core::judge::{Options, judge_capture};
use crate::core::keyspace::{hash_tag, slot};
use crate::core::profile::{self, EMQ_1, Profile};
use crate::core::report::date::day;
use crate::core::report::steps::{Step, steps};
use crate::core::report::{AssertionReport, Evidence, Report};
use crate::web::offer::Offer;

/// A line of the capture: an event by its number, or one of the reads aside by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A command of a client or a script.
    Event(u64),
    /// What the recorder asked the server aside from the traffic.
    Read(usize),
}

impl Place {
    /// The name by which the document knows it.
    pub fn id(self) -> String {
        match self {
            Self::Event(seq) => format!("event-{seq}"),
            Self::Read(index) => format!("read-{index}"),
        }
    }

    /// The number beside it; what was read aside has none.
    pub fn number(self) -> String {
        match self {
            Self::Event(seq) => seq.to_string(),
            Self::Read(_) => "–".to_owned(),
        }
    }

    /// What a sentence calls it.
    pub fn name(self) -> String {
        match self {
            Self::Event(seq) => format!("line {seq}"),
            Self::Read(_) => "what was read aside".to_owned(),
        }
    }
}

/// One slot that keys of the capture fall into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotUse {
    /// The slot.
    pub slot: u16,
    /// The hash tag of its first key, in braces, or that key where it has no tag.
    pub tag: String,
    /// Its keys.
    pub keys: Vec<Bytes>,
}

/// What a capture was recorded from, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The server.
    pub engine: Option<Engine>,
    /// The day, `2026-11-29`.
    pub day: String,
    /// The command line that repeats it.
    pub command: Option<String>,
}

/// A capture ready to be drawn.
#[derive(Debug)]
pub struct Shown {
    /// The commands.
    pub steps: Vec<Step>,
    /// What was read aside.
    pub reads: Vec<Read>,
    /// The core's report.
    pub report: Report,
    /// What every key of the queue starts with, `emq:{payments}:`.
    pub base: String,
    /// The slots, in order.
    pub slots: Vec<SlotUse>,
    /// The slot of the queue's tag.
    pub home: Option<u16>,
    /// The lines that breaking a rule changed or added.
    pub changed: Vec<Place>,
    /// Where the capture comes from; `None` where no server was involved.
    pub measured: Option<Measured>,
}

impl Shown {
    /// Breaks the rule, if one is to be broken, and has the core judge what comes of it.
    ///
    /// # Errors
    /// Why the offer holds no capture.
    pub fn of(offer: &Offer, broken: Option<Break>) -> Result<Self, String> {
        let recorded = offer.capture.as_ref().map_err(Clone::clone)?;
        let profile = recorded.profile.as_deref().and_then(profile::by_id).unwrap_or(&EMQ_1);
        let capture = broken.map_or_else(|| Rc::clone(recorded), |broken| Rc::new(broken.apply(profile, recorded)));
        Self::judged(profile, recorded, &capture).ok_or_else(|| "the core gave no report".to_owned())
    }

    fn judged(profile: &'static Profile, recorded: &Capture, capture: &Capture) -> Option<Self> {
        let options = Options { profile, likeness: None, ..Options::default() };
        let report = judge_capture(capture, &options).0.into_iter().next()?;
        let queue = report.subject.queue.clone();
        let steps = steps(capture);
        Some(Self {
            slots: slots(&steps),
            steps,
            reads: capture.reads.clone(),
            base: queue.as_deref().map(|queue| profile.base(queue)).unwrap_or_default(),
            home: queue.map(|queue| slot(queue.as_bytes())),
            changed: changed(recorded, capture),
            measured: measured(recorded),
            report,
        })
    }

    /// A key with `…:` for the queue's base, so that whatever does not lie in it stands out.
    pub fn short(&self, key: &Bytes) -> String {
        let rest = key.as_slice().strip_prefix(self.base.as_bytes()).filter(|_| !self.base.is_empty());
        rest.map_or_else(|| key.to_string(), |rest| format!("…:{}", shown(rest)))
    }

    /// Every line, from top to bottom.
    pub fn places(&self) -> Vec<Place> {
        let events = self.steps.iter().flat_map(|step| {
            let ran = step.call.iter().flat_map(|call| call.ran.iter().map(|ran| ran.seq));
            std::iter::once(step.seq).chain(ran).map(Place::Event)
        });
        events.chain((0..self.reads.len()).map(Place::Read)).collect()
    }

    /// The line that a piece of evidence is about.
    pub fn place(&self, evidence: &Evidence) -> Option<Place> {
        if let Some(seq) = evidence.seq {
            return Some(Place::Event(seq));
        }
        let is_key = |read: &Read| evidence.key.as_ref().is_none_or(|key| read.argv.contains(key));
        self.reads.iter().position(is_key).map(Place::Read)
    }

    /// What an assertion rests on at a line or, where the line is a script call, in what its script ran.
    pub fn evidence_at<'s>(
        &'s self,
        assertion: &'s AssertionReport,
        place: Place,
    ) -> impl Iterator<Item = &'s Evidence> {
        let lines = self.lines_of(place);
        assertion.evidence.iter().filter(move |evidence| self.place(evidence).is_some_and(|at| lines.contains(&at)))
    }

    fn lines_of(&self, place: Place) -> Vec<Place> {
        let step = self.steps.iter().find(|step| Place::Event(step.seq) == place);
        let ran = step.and_then(|step| step.call.as_ref()).map_or(&[][..], |call| &call.ran);
        std::iter::once(place).chain(ran.iter().map(|ran| Place::Event(ran.seq))).collect()
    }

    /// The keys of a line and, where it is a script call, of what its script ran.
    pub fn keys_at(&self, place: Place) -> Vec<&Bytes> {
        let lines = self.lines_of(place);
        let steps = self.steps.iter().flat_map(|step| {
            let ran = step.call.iter().flat_map(|call| &call.ran).map(|ran| (ran.seq, &ran.keys));
            std::iter::once((step.seq, &step.keys)).chain(ran)
        });
        let uses = steps.filter(|(seq, _)| lines.contains(&Place::Event(*seq))).flat_map(|(_, keys)| keys);
        uses.map(|use_of| &use_of.key).collect()
    }
}

fn changed(recorded: &Capture, capture: &Capture) -> Vec<Place> {
    let stood = |event: &Event| recorded.events.iter().any(|old| old.seq == event.seq && old.argv == event.argv);
    let events = capture.events.iter().filter(|event| !stood(event)).map(|event| Place::Event(event.seq));
    let replies = capture.reads.iter().zip(&recorded.reads).zip(0..).filter(|((read, old), _)| read.reply != old.reply);
    events.chain(replies.map(|(_, index)| Place::Read(index))).collect()
}

fn measured(capture: &Capture) -> Option<Measured> {
    let time = capture.events.first()?.time;
    (time > 0).then(|| Measured {
        engine: capture.engine.clone(),
        day: day(time),
        command: capture.source.command.clone(),
    })
}

fn slots(steps: &[Step]) -> Vec<SlotUse> {
    // Few slots, so no map, which would bring its own code into the page.
    let mut uses: Vec<SlotUse> = Vec::new();
    for step in steps {
        let inside = step.call.iter().flat_map(|call| &call.ran).flat_map(|ran| &ran.keys);
        for key in step.keys.iter().chain(inside) {
            let at = uses.partition_point(|one| one.slot < key.slot);
            if uses.get(at).is_none_or(|one| one.slot != key.slot) {
                uses.insert(at, SlotUse { slot: key.slot, tag: tag(&key.key), keys: Vec::new() });
            }
            let keys = &mut uses[at].keys;
            if !keys.contains(&key.key) {
                keys.push(key.key.clone());
            }
        }
    }
    uses
}

fn tag(key: &Bytes) -> String {
    hash_tag(key.as_slice()).map_or_else(|| key.to_string(), |tag| format!("{{{}}}", shown(tag)))
}
