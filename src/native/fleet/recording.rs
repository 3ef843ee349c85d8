//! A conversation on one ground, recorded while it goes on, and what the five assertions say of its traffic.

use std::thread;
use std::time::Duration;

use super::ground::{Ground, Plan};
use super::observer::Observer;
use super::talk::Setting;
use super::traffic::Traffic;
use crate::core::capture::{Capture, Read, Reply, Source, SourceKind};
use crate::core::fleet::battery::Payload;
use crate::core::fleet::places::Places;
use crate::core::fleet::trip::Trip;
use crate::core::judge::Options;
use crate::core::report::Report;
use crate::core::witness::Witnesses;
use crate::native::probe::ProbeError;
use crate::native::record::{Live, RecordError, Setup, Texts, Whose};
use crate::native::witness::input::LiveInput;
use crate::native::witness::judge_with;

/// What is recorded where, and how it is judged.
pub(super) struct Recording<'r> {
    /// Where.
    pub(super) ground: &'r Ground,
    /// Which wire, and how long it may take.
    pub(super) plan: &'r Plan<'r>,
    /// Where jobs are.
    pub(super) places: Places,
    /// What is sent.
    pub(super) payloads: &'r [Payload],
    /// How the traffic is judged.
    pub(super) options: &'r Options,
    /// Who hears what is done.
    pub(super) note: &'r dyn Fn(&str),
    /// The command line that repeats it.
    pub(super) command: &'r str,
}

/// What came of a conversation.
pub(super) struct Recorded<T> {
    /// What was said.
    pub(super) said: T,
    /// The traffic.
    pub(super) capture: Capture,
    /// Why the traffic is not whole, where the server is to blame, or whoever broke it.
    pub(super) broken: Option<Broken>,
}

/// A private server of which no more was heard.
pub(super) struct Broken {
    /// Why.
    pub(super) why: String,
    /// It ended, and does not only fall behind.
    pub(super) ended: bool,
}

impl Recording<'_> {
    /// Has a conversation in a thread of its own while the server is recorded. A private server that is broken meanwhile is
    /// no error: an adapter may have broken it.
    pub(super) fn of<T: Send>(
        &self,
        conversation: impl FnOnce(&Setting<'_>, &mut Observer) -> T + Send,
    ) -> Result<Recorded<T>, ProbeError> {
        let (plan, ground) = (self.plan, self.ground);
        let profile = plan.wire.profile();
        let mut observer = Observer::open(&ground.target, profile, self.places)?;
        let mut traffic = Traffic::but(&observer.address);
        let mut live = Live::start(self.setup(), plan.stop, self.note).map_err(|error| self.failed(error))?;
        let setting = Setting {
            url: &ground.url,
            profile: profile.id,
            queue: &ground.queue,
            payloads: self.payloads,
            deadline: plan.deadline(),
        };
        let (said, heard) = thread::scope(|scope| {
            let speaking = scope.spawn(|| conversation(&setting, &mut observer));
            let heard = live.run(&mut traffic, &mut |_| speaking.is_finished());
            (speaking.join(), heard)
        });
        let said = said.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        plan.stop.check()?;
        let broken = match heard.and_then(|()| live.finish(&mut traffic, &mut |_| ())) {
            Err(error @ RecordError::Write(_)) => return Err(self.failed(error)),
            Err(error) if !ground.is_private() => return Err(self.failed(error)),
            Err(error) => Some(self.broken(&error)),
            Ok(()) => ground.ended(Duration::ZERO).map(|printed| Broken::ended(&printed)),
        };
        if broken.is_some() {
            live.give_up(&mut traffic).map_err(|error| self.failed(error))?;
        }
        Ok(Recorded { said, capture: self.capture(&live, traffic, broken.is_some()), broken })
    }

    /// What was heard, as a capture.
    fn capture(&self, live: &Live<'_>, traffic: Traffic, is_broken: bool) -> Capture {
        let (profile, ground) = (self.plan.wire.profile(), self.ground);
        let state = live.state();
        let dropped = state.dropped + traffic.beyond + u64::from(is_broken);
        // Of a recording that broke off, that nothing stood somewhere is no word on the end.
        let tells = |read: &Read| dropped == 0 || read.reply != Reply::Nil(());
        Capture {
            profile: Some(profile.id.to_owned()),
            queue: Some(ground.queue.clone()),
            engine: Some(live.engine().clone()),
            source: Source {
                kind: SourceKind::Probe,
                private: ground.is_private(),
                command: Some(self.command.to_owned()),
                left_out: state.left_out,
                ..Source::default()
            },
            reads: state.reads().into_iter().filter(tells).collect(),
            dropped,
            events: traffic.events,
            ..Capture::default()
        }
    }

    /// What the five assertions say of the traffic, the texts of its scripts as well.
    pub(super) fn report(&self, capture: &Capture) -> Result<Report, ProbeError> {
        let queue = Some(self.ground.queue.clone());
        let options = Options { queue, ..self.options.clone() };
        let mut input = LiveInput::new(self.plan.wire.profile(), false);
        capture.events.iter().for_each(|event| input.push(event));
        let input = input.finish(capture);
        let witnesses = Witnesses { source: true, ..Witnesses::default() };
        let reports = judge_with(&input, &options, &witnesses).map_err(ProbeError::Analysis)?;
        reports.0.into_iter().next().ok_or(ProbeError::Lost { next: "judge the traffic of a pair" })
    }

    /// Has the traffic say how often each job was completed, where it is whole.
    pub(super) fn count_completions(&self, mut trips: Vec<&mut Trip>, capture: &Capture) {
        if capture.dropped > 0 {
            return;
        }
        let (profile, queue, events) = (self.plan.wire.profile(), &self.ground.queue, &capture.events);
        let ids: Vec<Option<String>> = trips.iter().map(|trip| trip.id().map(str::to_owned)).collect();
        let jobs: Vec<&str> = ids.iter().flatten().map(String::as_str).collect();
        for (at, trip) in trips.iter_mut().enumerate() {
            let Some(id) = trip.id() else { continue };
            let all = self.places.completions(profile, queue, id, &jobs, events);
            // An id that was free again may be another job's later: each of these has one of the events.
            let same = |ids: &[Option<String>]| ids.iter().flatten().filter(|own| *own == id).count();
            let (before, times) = (same(&ids[..at]), same(&ids));
            let own = all.get(before).filter(|_| all.len() == times).map(|event| vec![*event]);
            trip.completions = Some(own.unwrap_or(all));
        }
    }

    fn setup(&self) -> Setup {
        let (profile, queue) = (self.plan.wire.profile(), &self.ground.queue);
        let whose = if self.ground.is_private() {
            Whose::All
        } else {
            let legacy_prefixes = self.options.legacy_prefixes.clone();
            Whose::Queue { profile, legacy_prefixes, queue: queue.clone() }
        };
        Setup {
            target: self.ground.target.clone(),
            profile,
            queue: Some(queue.clone()),
            whose,
            texts: Texts::default(),
            asks_texts: false,
            patience: self.ground.target.patience().min(self.plan.all.max(super::LEAST)),
            compares_every: Setup::COMPARES_EVERY,
            most: None,
        }
    }

    fn failed(&self, error: RecordError) -> ProbeError {
        match (self.plan.stop.asked(), error) {
            (Some(stopped), _) => ProbeError::Stopped(stopped),
            (None, RecordError::Server(trouble)) => ProbeError::Server(trouble),
            (None, error) => ProbeError::Live(error),
        }
    }

    fn broken(&self, error: &RecordError) -> Broken {
        /// A server that goes closes its connections first.
        const SOON: Duration = Duration::from_millis(500);
        let printed = self.ground.ended(SOON);
        printed.map_or_else(|| Broken { why: error.to_string(), ended: false }, |printed| Broken::ended(&printed))
    }
}

impl Broken {
    fn ended(printed: &str) -> Self {
        let last = printed.lines().last().unwrap_or("nothing");
        Self { why: format!("the private server ended meanwhile; it printed last: {last}"), ended: true }
    }
}
