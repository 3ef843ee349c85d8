//! What the figure shows: a capture, perhaps with a rule broken, as steps, slots and the core's report on it.

use std::rc::Rc;

use crate::core::bytes::{Bytes, shown};
use crate::core::capture::breaks::Break;
use crate::core::capture::{Capture, Engine, Event, Read};
use crate::core::judge::{Options, judge_capture};
use crate::core::keyspace::{hash_tag, slot};
use crate::core::policy::Policy;
use crate::core::profile::{self, EMQ_1, Profile};
use crate::core::report::date::day;
use crate::core::report::steps::{Step, steps};
use crate::core::report::{AssertionReport, Evidence, Report, Verdict};
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
    /// Who spoke, where it was not this project's own runtime.
    pub from: Option<&'static str>,
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
    /// Of a log, the line of each event.
    lines: Vec<(u64, u64)>,
}

impl Shown {
    /// Breaks the rule, if one is to be broken, and has the core judge what comes of it.
    ///
    /// # Errors
    /// Why the offer holds no capture.
    pub fn of(offer: &Offer, broken: Option<Break>) -> Result<Self, String> {
        let recorded = offer.capture.as_ref().map_err(Clone::clone)?;
        let profile = profile(recorded);
        let capture = broken.map_or_else(|| Rc::clone(recorded), |broken| Rc::new(broken.apply(profile, recorded)));
        Self::judged(offer, profile, recorded, &capture).ok_or_else(|| "the core gave no report".to_owned())
    }

    fn judged(offer: &Offer, profile: &'static Profile, recorded: &Capture, capture: &Capture) -> Option<Self> {
        let report = judge(profile, offer.policy, capture)?;
        let queue = report.subject.queue.clone();
        let steps = steps(capture);
        Some(Self {
            slots: slots(&steps),
            steps,
            reads: capture.reads.clone(),
            base: queue.as_deref().map(|queue| profile.base(queue)).unwrap_or_default(),
            home: queue.map(|queue| slot(queue.as_bytes())),
            changed: changed(recorded, capture),
            measured: measured(offer, recorded),
            lines: capture.events.iter().filter_map(|event| Some((event.seq, event.line?))).collect(),
            report,
        })
    }

    /// A key with `…:` for the queue's base, so that whatever does not lie in it stands out.
    pub fn short(&self, key: &Bytes) -> String {
        let rest = key.as_slice().strip_prefix(self.base.as_bytes()).filter(|_| !self.base.is_empty());
        rest.map_or_else(|| key.to_string(), |rest| format!("…:{}", shown(rest)))
    }

    /// The number beside a line, that of the log where there is one; what was read aside has none.
    pub fn number(&self, place: Place) -> String {
        match place {
            Place::Event(seq) => self.line(seq).to_string(),
            Place::Read(_) => "–".to_owned(),
        }
    }

    /// What a sentence calls a line.
    pub fn name(&self, place: Place) -> String {
        match place {
            Place::Event(seq) => format!("line {}", self.line(seq)),
            Place::Read(_) => "what was read aside".to_owned(),
        }
    }

    fn line(&self, seq: u64) -> u64 {
        self.lines.iter().find(|(own, _)| *own == seq).map_or(seq, |(_, line)| *line)
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

/// Whether breaking a rule shows something on a capture, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The assertion that the break is aimed at passes, and then no longer.
    Shows,
    /// It does not pass as it is.
    Broken,
    /// It passes all the same, under the policy in force.
    Allowed,
}

/// What each break, in the order of [`Break::ALL`], would show on what is offered.
pub fn fits(offer: &Offer) -> [Fit; Break::ALL.len()] {
    let Ok(capture) = &offer.capture else { return [Fit::Shows; Break::ALL.len()] };
    let profile = profile(capture);
    let passes = |capture: &Capture, aim: usize| {
        let report = judge(profile, offer.policy, capture);
        report.and_then(|report| Some(report.assertions.get(aim)?.verdict == Verdict::Pass))
    };
    Break::ALL.map(|broken| match passes(capture, broken.aim()) {
        Some(false) => Fit::Broken,
        Some(true) if passes(&broken.apply(profile, capture), broken.aim()) == Some(true) => Fit::Allowed,
        None | Some(true) => Fit::Shows,
    })
}

fn profile(capture: &Capture) -> &'static Profile {
    capture.profile.as_deref().and_then(profile::by_id).unwrap_or(&EMQ_1)
}

fn judge(profile: &'static Profile, policy: Policy, capture: &Capture) -> Option<Report> {
    let options = Options { profile, policy, notes: None, ..Options::default() };
    judge_capture(capture, &options).0.into_iter().next()
}

fn changed(recorded: &Capture, capture: &Capture) -> Vec<Place> {
    let stood = |event: &Event| recorded.events.iter().any(|old| old.seq == event.seq && old.argv == event.argv);
    let events = capture.events.iter().filter(|event| !stood(event)).map(|event| Place::Event(event.seq));
    let replies = capture.reads.iter().zip(&recorded.reads).zip(0..).filter(|((read, old), _)| read.reply != old.reply);
    events.chain(replies.map(|(_, index)| Place::Read(index))).collect()
}

fn measured(offer: &Offer, capture: &Capture) -> Option<Measured> {
    let time = capture.events.first()?.time;
    let before = offer.recorded.map_or("", |recorded| recorded.before);
    (time > 0).then(|| Measured {
        engine: capture.engine.clone(),
        from: offer.recorded.map(|recorded| recorded.from),
        day: day(time),
        command: capture.source.command.as_ref().map(|command| format!("{before}{command}")),
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Fit, Shown, fits, profile};
    use crate::core::capture::breaks::Break;
    use crate::core::judge::{Options, judge_capture};
    use crate::core::report::{Reports, Verdict, json};
    use crate::web::offer::fixture::recordings;

    #[test]
    fn the_page_says_of_a_recording_what_lies_beside_it() {
        for offer in recordings() {
            let recorded = offer.recorded.expect("a recording");
            let mut report = Shown::of(&offer, None).expect(recorded.name).report;
            let capture = offer.capture.as_ref().expect(recorded.name);
            let options = Options { profile: profile(capture), policy: offer.policy, ..Options::default() };
            // The page draws no notes.
            report.notes.clone_from(&judge_capture(capture, &options).0[0].notes);
            let file = format!("fixtures/recordings/{}", recorded.source);
            let beside = file.strip_suffix(".json").or(file.strip_suffix(".log")).expect("an ending");
            let beside =
                fs::read_to_string(format!("{beside}.{}.report.json", offer.policy.id())).expect(recorded.name);
            report.subject.source = Some(file);
            assert!(json::render(&Reports(vec![report])) == beside, "{}", recorded.name);
        }
    }

    #[test]
    fn where_a_recording_has_lines_they_are_numbered_as_in_the_log() {
        for offer in recordings() {
            let shown = Shown::of(&offer, None).expect("a capture");
            for evidence in shown.report.assertions.iter().flat_map(|one| &one.evidence) {
                let Some(place) = shown.place(evidence).filter(|_| evidence.seq.is_some()) else { continue };
                let number = evidence.line.or(evidence.seq).expect("a place");
                assert_eq!(shown.name(place), format!("line {number}"), "{}", offer.name);
            }
            let added = Shown::of(&offer, Some(Break::LegacyRead)).expect("a capture");
            let numbers: Vec<String> = added.places().into_iter().map(|place| added.number(place)).collect();
            let twice =
                numbers.iter().any(|one| one != "–" && numbers.iter().filter(|other| one == *other).count() > 1);
            assert!(!twice, "{numbers:?}");
        }
    }

    #[test]
    fn a_break_is_offered_where_it_shows_something() {
        use Fit::{Allowed, Broken, Shows};
        let expected = [
            [Broken, Broken, Broken, Broken, Broken, Shows],
            [Broken, Broken, Broken, Broken, Broken, Shows],
            [Shows, Shows, Shows, Broken, Shows, Shows],
            [Shows, Shows, Shows, Allowed, Shows, Shows],
        ];
        for (offer, expected) in recordings().iter().zip(expected) {
            assert_eq!(fits(offer), expected, "{}", offer.name);
            for (broken, fit) in Break::ALL.into_iter().zip(expected) {
                let verdict = |at: Option<Break>| {
                    Shown::of(offer, at).expect("a capture").report.assertions.get(broken.aim()).map(|one| one.verdict)
                };
                let (was, is) = (verdict(None), verdict(Some(broken)));
                let shows = was.is_none() || was == Some(Verdict::Pass) && is != was;
                assert_eq!(shows, fit == Shows, "{} {}", offer.name, broken.id());
            }
        }
    }
}
