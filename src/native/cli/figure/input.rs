//! Captures and logs for figures: read by the profile that is asked for, or that they look like.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::one_file;
use super::shipped::{self, Recording};
use crate::core::capture::content::Content;
use crate::core::capture::{Capture, Event, Source, SourceKind};
use crate::core::facts::{Collector, Facts, LogIntake};
use crate::core::judge::Options;
use crate::core::likeness::recognised;
use crate::core::policy::Policy;
use crate::core::profile::{self, EMQ_1, Profile};
use crate::native::cli::arguments::{not_blank, policy, profile, queue};
use crate::native::cli::failure::Failure;
use crate::native::cli::{files, input};
use crate::native::shown;
use kept::Kept;

mod kept;

/// What a user says of the input.
#[derive(Args)]
pub(super) struct Input {
    /// A capture (emq-capture/1) or MONITOR log; - is standard input; or one that is shipped, by its name
    #[arg(id = "file_or_name", value_name = "FILE|NAME", required_unless_present = "capture")]
    file: Option<PathBuf>,
    /// The same
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "file_or_name")]
    capture: Option<PathBuf>,
    /// The queue to judge, instead of each one seen
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// The database to judge, instead of each one in which the queue lies
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    db: Option<u32>,
    /// Which grammar of keys and which place of the version, instead of what the input names or looks like
    #[arg(long, value_name = "ID", value_parser = profile)]
    profile: Option<&'static Profile>,
    /// When a key that a script touches counts as declared: strict (unless what is shipped has its own), rooted, slot-rooted
    #[arg(long, value_name = "ID", value_parser = policy)]
    policy: Option<Policy>,
    /// What the version must read, instead of the profile's own
    #[arg(long, value_name = "VERSION", value_parser = not_blank)]
    expect_version: Option<String>,
}

/// An input that was read.
pub(super) struct Brought {
    /// What was learnt of it.
    pub(super) facts: Facts,
    /// Its commands, as many as are kept.
    pub(super) capture: Capture,
    /// How many are not.
    pub(super) beyond: u64,
    /// How it is judged.
    pub(super) options: Options,
    /// Nobody asked for the profile.
    pub(super) recognised: bool,
    /// Who spoke, of what is shipped.
    pub(super) from: Option<&'static str>,
    /// How many queues it holds besides the one that was chosen of them.
    pub(super) besides: u64,
}

impl Input {
    /// The file, unless it is one that is shipped.
    pub(super) fn file(&self) -> Option<&Path> {
        Some(self.named()).filter(|_| self.shipped().is_none())
    }

    /// One of the two is there.
    fn named(&self) -> &Path {
        self.capture.as_deref().or(self.file.as_deref()).unwrap_or(Path::new(files::STANDARD))
    }

    /// A file comes before what is shipped under the same name.
    fn shipped(&self) -> Option<&'static Recording> {
        shipped::of_name(self.named(), shipped::recording)
    }

    /// Reads it, and keeps so many bytes of its commands.
    pub(super) fn read(&self, most: usize) -> Result<Brought, Failure> {
        let named = self.named();
        let shipped = self.shipped();
        if let (None, false) = (shipped, named.exists() || files::is_standard(named)) {
            let (name, all) = (shown::path(named), shipped::names());
            return Err(Failure::Input(anyhow!(
                "there is no file {name}, and nothing of that name is shipped: that is {all}"
            )));
        }
        let opened = match shipped {
            Some(Recording { name, bytes, .. }) => input::known(name, bytes),
            None => one_file(named).and_then(|()| input::open(named)),
        };
        let opened = opened.map_err(Failure::Input)?;
        let (facts, capture, beyond, profile) = match opened.content {
            Content::Json => of_capture(opened.capture().map_err(Failure::Input)?, self.profile, most),
            Content::Log => of_log(opened, self.profile, most).map_err(Failure::Input)?,
        };
        let options = Options {
            profile,
            policy: self.policy.or(shipped.map(|one| one.policy)).unwrap_or_default(),
            expected_version: self.expect_version.clone(),
            queue: self.queue.as_deref().map(|name| queue(profile, name)).transpose()?.map(str::to_owned),
            db: self.db,
            source: Some(named.to_str().map_or_else(|| shown::path(named).into_owned(), str::to_owned)),
            ..Options::default()
        };
        let from = shipped.and_then(|one| one.from);
        Ok(Brought { facts, capture, beyond, options, recognised: self.profile.is_none(), from, besides: 0 })
    }
}

type Read = (Facts, Capture, u64, &'static Profile);

fn of_capture((mut capture, cut): (Capture, Option<u64>), asked: Option<&'static Profile>, most: usize) -> Read {
    let named = capture.profile.as_deref().and_then(profile::by_id);
    let profile = asked.or(named).unwrap_or_else(|| recognised(&Collector::capture(&EMQ_1, &capture)));
    let mut facts = Collector::capture(profile, &capture);
    if let Some(line) = cut {
        facts.unseen.cut_short(line);
    }
    let beyond = kept::cut(&mut capture.events, most);
    (facts, capture, beyond, profile)
}

/// A log is read once, by each profile that may be meant: standard input does not come twice.
fn of_log(log: input::Opened<'_>, asked: Option<&'static Profile>, most: usize) -> anyhow::Result<Read> {
    let profiles: Vec<&'static Profile> = asked.map_or_else(|| profile::ALL.to_vec(), |profile| vec![profile]);
    let mut intakes: Vec<LogIntake> = profiles.iter().map(|profile| LogIntake::new(profile)).collect();
    let mut kept = Kept::new(most);
    let mut keep = |event: &Event| kept.keep(event);
    log.pieces(|piece| {
        for (at, intake) in intakes.iter_mut().enumerate() {
            if at == 0 { intake.feed_telling(piece, &mut keep) } else { intake.feed(piece) }
        }
    })?;
    let mut read: Vec<Facts> = Vec::new();
    for (at, intake) in intakes.into_iter().enumerate() {
        read.push(if at == 0 { intake.finish_telling(&mut keep) } else { intake.finish() });
    }
    let first = read.first().map_or(&EMQ_1, |facts| recognised(facts));
    let at = profiles.iter().position(|profile| profile.id == first.id).unwrap_or_default();
    let (events, beyond) = kept.all();
    let source = Source { kind: SourceKind::Monitor, ..Source::default() };
    let capture = Capture { source, events, ..Capture::default() };
    Ok((read.swap_remove(at), capture, beyond, profiles[at]))
}
