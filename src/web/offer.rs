//! Captures that a figure offers, and how each came out of its file.

use std::rc::Rc;

use super::packed;
use crate::core::capture::{Capture, Source, SourceKind, json};
use crate::core::facts::LogIntake;
use crate::core::policy::Policy;
use crate::core::profile::Profile;

/// A capture to choose from; one whose file is missing or damaged is offered too, with what is wrong.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The file's name without its ending: `payments`, `latest`; of a recording its own name.
    pub name: String,
    /// The capture, or why there is none.
    pub capture: Result<Rc<Capture>, String>,
    /// When a key counts as declared.
    pub policy: Policy,
    /// The recording that it is, where it is one.
    pub recorded: Option<&'static Recorded>,
}

/// A recording of a runtime that is not this project's own, as a figure offers it.
#[derive(Debug)]
pub struct Recorded {
    /// Its name in an address.
    pub name: &'static str,
    /// What a list calls it.
    pub label: &'static str,
    /// The packed file's name without its ending.
    pub file: &'static str,
    /// The file it was packed from, in `fixtures/recordings`.
    pub source: &'static str,
    /// When a key counts as declared.
    pub policy: Policy,
    /// Who spoke, and what else the capture itself does not say of where it was recorded.
    pub from: &'static str,
    /// What stands before the command that repeats it.
    pub before: &'static str,
}

/// The recordings, in the order of the list.
pub const RECORDED: [Recorded; 4] = [
    Recorded {
        name: "bullmq-bull",
        label: "BullMQ 5.65.1, prefix bull",
        file: "bullmq-bull",
        source: "bullmq-5.65.1-bull.capture.json",
        policy: Policy::Strict,
        from: "stock BullMQ 5.65.1",
        before: "",
    },
    Recorded {
        name: "bullmq-emq",
        label: "BullMQ 5.65.1, prefix emq",
        file: "bullmq-emq",
        source: "bullmq-5.65.1-emq.capture.json",
        policy: Policy::Strict,
        from: "stock BullMQ 5.65.1",
        before: "BULLMQ_PREFIX=emq ",
    },
    Recorded {
        name: "echomq-strict",
        label: "EchoMQ 2.4.2, strict",
        file: "echomq",
        source: "echomq-2.4.2-roundtrip.monitor.log",
        policy: Policy::Strict,
        from: ECHOMQ,
        before: "",
    },
    Recorded {
        name: "echomq-slot-rooted",
        label: "EchoMQ 2.4.2, slot-rooted",
        file: "echomq",
        source: "echomq-2.4.2-roundtrip.monitor.log",
        policy: Policy::SlotRooted,
        from: ECHOMQ,
        before: "",
    },
];

const ECHOMQ: &str =
    "a public recording, EchoMQ’s wire echomq:2.4.2 on valkey 8.0.1; texts of scripts removed, their source not known";

/// What is wrong with a file that nothing was packed into.
pub const ANOTHER: &str = "this is not what was written when the page was built";

/// What is wrong with a capture that is still on its way.
pub const LOADING: &str = "it is loading, and comes by itself";

/// What the capture that was taken while the page was built is called.
pub const LATEST: &str = "latest";

impl Offer {
    /// Reads a capture's JSON; what is wrong with it is said with its place.
    pub fn from_json(name: &str, bytes: &[u8]) -> Self {
        Self::new(name, json::parse(bytes).map(Rc::new).map_err(|error| format!("{name}.json: {error}")))
    }

    /// Reads a MONITOR log of one queue, which must be whole.
    pub fn from_log(name: &str, profile: &'static Profile, queue: &str, bytes: &[u8]) -> Self {
        let (mut intake, mut events) = (LogIntake::new(profile), Vec::new());
        intake.feed_telling(bytes, &mut |event| events.push(event.clone()));
        let facts = intake.finish_telling(&mut |event| events.push(event.clone()));
        if let Some(problem) = facts.unseen.problems.iter().chain(&facts.unseen.cut_end).next() {
            return Self::new(name, Err(format!("{name}.log: line {}: {}", problem.line, problem.why)));
        }
        let capture = Capture {
            profile: Some(profile.id.to_owned()),
            queue: Some(queue.to_owned()),
            source: Source { kind: SourceKind::Monitor, ..Source::default() },
            events,
            ..Capture::default()
        };
        Self::new(name, Ok(Rc::new(capture)))
    }

    /// Takes what was packed while the page was built.
    pub fn from_packed(name: &str, bytes: &[u8]) -> Self {
        match packed::unpack(bytes) {
            Some(content) => Self::new(name, content.map(Rc::new)),
            None => Self::missing(name, ANOTHER),
        }
    }

    /// Packs it for the page.
    pub fn pack(&self) -> Vec<u8> {
        packed::pack(self.capture.as_deref().map_err(String::as_str))
    }

    /// An offer whose file could not be had.
    pub fn missing(name: &str, why: &str) -> Self {
        Self::new(name, Err(format!("{}: {why}", path(name))))
    }

    /// A recording whose file is on its way.
    pub fn awaited(recorded: &'static Recorded) -> Self {
        Self::new(recorded.file, Err(LOADING.to_owned())).recording(recorded)
    }

    /// The same, as the recording that it is.
    #[must_use]
    pub fn recording(self, recorded: &'static Recorded) -> Self {
        Self { name: recorded.name.to_owned(), policy: recorded.policy, recorded: Some(recorded), ..self }
    }

    fn new(name: &str, capture: Result<Rc<Capture>, String>) -> Self {
        Self { name: name.to_owned(), capture, policy: Policy::default(), recorded: None }
    }

    /// What a list calls it.
    pub fn label(&self) -> String {
        match (self.recorded, self.name.as_str()) {
            (Some(recorded), _) => recorded.label.to_owned(),
            (None, LATEST) => "taken for this build".to_owned(),
            (None, name) => format!("{name}, fixed"),
        }
    }
}

/// Where the packed capture of that name lies, from the page; its JSON lies beside it.
pub fn path(name: &str) -> String {
    format!("captures/{name}.bin")
}

/// The name of the capture that lies there.
pub fn name(path: &str) -> &str {
    let file = path.strip_prefix("captures/").and_then(|file| file.strip_suffix(".bin"));
    file.unwrap_or(path)
}

#[cfg(test)]
pub(super) mod fixture {
    //! The recordings, as they come out of their packed files, for tests.

    use std::fs;
    use std::path::Path;

    use super::{Offer, RECORDED};
    use crate::core::profile::ECHOMQ_2X;

    pub(crate) fn recordings() -> Vec<Offer> {
        let packed = RECORDED.iter().map(|recorded| {
            let file = Path::new("fixtures/recordings").join(recorded.source);
            let bytes = fs::read(&file).expect("a recording");
            let offer = if file.extension().is_some_and(|ending| ending == "json") {
                Offer::from_json(recorded.file, &bytes)
            } else {
                Offer::from_log(recorded.file, &ECHOMQ_2X, "payments", &bytes)
            };
            Offer::from_packed(recorded.file, &offer.pack()).recording(recorded)
        });
        packed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{LOADING, Offer, RECORDED, name, path};
    use crate::core::profile::ECHOMQ_2X;

    #[test]
    fn a_name_survives_its_path() {
        for one in ["payments", "a.b", "latest"] {
            assert_eq!(name(&path(one)), one);
        }
    }

    #[test]
    fn a_recording_on_its_way_says_so_under_its_own_name() {
        let offer = Offer::awaited(&RECORDED[3]);
        assert_eq!((offer.name.as_str(), offer.label().as_str()), ("echomq-slot-rooted", "EchoMQ 2.4.2, slot-rooted"));
        assert_eq!(offer.capture.map(drop), Err(LOADING.to_owned()));
    }

    #[test]
    fn a_damaged_log_is_refused_with_its_place() {
        let log = |text: &str| Offer::from_log("a", &ECHOMQ_2X, "q", text.as_bytes()).capture.map(drop);
        assert_eq!(log("OK\n1.000001 [0 a:1] \"GET\" \"k\"\n"), Ok(()));
        for damaged in ["OK\nno\n", "OK\n1.000001 [0 a:1] \"GET\" \"k"] {
            assert!(log(damaged).expect_err(damaged).starts_with("a.log: line 2: "), "{damaged}");
        }
    }
}
