//! `emq-conform record`: live traffic of any server, written as a capture while it happens.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::{self, not_blank, profile};
use super::failure::{self, Failure, Outcome};
use super::login::Login;
use super::progress::ProgressLine;
use super::{duration, files, size};
use crate::core::capture::{Capture, Source, SourceKind};
use crate::core::profile::{EMQ_1, Profile};
use crate::core::report::words::counted;
use crate::native::pipe::Pipe;
use crate::native::record::{Keep, Live, Parts, Progress, RecordError, Rotate, Setup, Texts, Whose, parts};
use crate::native::server::Target;
use crate::native::server::grant::Task;
use crate::native::shown;
use crate::native::stop::Stop;

/// Records live traffic as a capture, through MONITOR
///
/// It ends at the first of --for, --events and --until-idle, or when it is interrupted: then the file is complete and the
/// exit code 0. The file can be read at any moment before that, too. When the connection breaks, it connects again and says what it
/// lost. MONITOR shows the server's whole traffic and costs it throughput. Of a cluster, name any node: every primary is recorded
/// into the one capture, also one that takes over from another meanwhile.
#[derive(Args)]
pub(super) struct Record {
    /// The server: `valkey://HOST:PORT`, `valkeys://` for TLS, `unix:///PATH`; `redis://` and `rediss://` mean the same. A
    /// password may stand in `EMQ_PASSWORD` instead
    #[arg(long, value_name = "URL")]
    url: String,
    /// Where the capture goes; what is there is replaced
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    until: Until,
    #[command(flatten)]
    who: Who,
    #[command(flatten)]
    what: What,
    /// Begin a new numbered file when one is full: 100MB, 64MiB, or a number of events; each is a capture of its own
    #[arg(long, value_name = "SIZE|EVENTS", value_parser = size::rotate)]
    rotate: Option<Rotate>,
    /// How long the server may take to answer, and to come back when the connection breaks
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration::parse)]
    timeout: Duration,
    #[command(flatten)]
    login: Login,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// When it ends.
#[derive(Args)]
#[command(next_help_heading = "When it ends")]
struct Until {
    /// After this time, for example 30s or 5m
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
    /// After this many commands; a script that has begun is recorded to its end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    events: Option<u64>,
    /// When nothing has been recorded for this time; it counts from the first command on
    #[arg(long = "until-idle", value_name = "TIME", value_parser = duration::parse)]
    idle: Option<Duration>,
}

/// Whose commands.
#[derive(Args)]
#[command(next_help_heading = "Whose commands")]
struct Who {
    /// The queue it is about; only connections that touch it are recorded, unless others are picked
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// Record the connection with this address or CLIENT SETNAME name; may be given again
    #[arg(long, value_name = "ADDRESS|NAME", value_parser = not_blank)]
    client: Vec<String>,
    /// Record the connections of this user of the server; may be given again
    #[arg(long, value_name = "NAME", value_parser = not_blank)]
    user: Vec<String>,
    /// Record all connections, also with --queue
    #[arg(long, conflicts_with_all = ["client", "user"])]
    all_clients: bool,
    /// Which grammar of keys and which place of the version
    #[arg(long, value_name = "ID", default_value = EMQ_1.id, value_parser = profile)]
    profile: &'static Profile,
    /// One more prefix of the old keyspace by which the queue is known, beside the profile's own; may be given again
    #[arg(long, value_name = "PREFIX", value_parser = not_blank, requires = "queue")]
    legacy_prefix: Vec<String>,
}

/// What of them is kept.
#[derive(Args)]
#[command(next_help_heading = "What is kept")]
struct What {
    /// Keep values, and not only their lengths
    #[arg(long)]
    keep_values: bool,
    /// Take the names and texts of scripts from the .lua files in DIR, matched by SHA-1
    #[arg(long, value_name = "DIR")]
    scripts: Option<PathBuf>,
    /// Leave the texts of scripts out; a script that is called by its text is written as called by its SHA-1
    #[arg(long)]
    no_script_texts: bool,
}

impl Record {
    /// Records.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let queue = self.who.queue.as_deref().map(|queue| arguments::queue(self.who.profile, queue)).transpose()?;
        arguments::legacy_prefixes(self.who.profile, &self.who.legacy_prefix)?;
        let texts = self.check_files()?;
        let access = self.login.access()?;
        let target = Target::parse(&self.url, access, self.timeout).map_err(Failure::input)?.for_task(Task::Record);
        if target.is_unix_socket() && !self.who.user.is_empty() {
            let why = "cannot tell users apart on a unix socket: MONITOR names the socket there, not the client; record over TCP";
            return Err(Failure::Input(anyhow!("{why}, or leave --user out")));
        }
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        stop.outlive_file_limits().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        // Before anything is heard: while nobody reads, the server would have to hold its lines back.
        let pipe = Some(&*self.out).filter(|out| self.rotate.is_none() && Pipe::is_at(out));
        let pipe = pipe.map(|out| Pipe::open(out, self.timeout, &stop)).transpose();
        let pipe = pipe.map_err(|error| failure::unwritten(&self.out, error))?;
        let terminal = ProgressLine::new(!self.quiet);
        let note = |what: &str| {
            if !self.quiet {
                terminal.note(what);
            }
        };
        let db = target.db();
        if db > 0 {
            note(&format!("MONITOR shows every database: all are recorded, and check --db {db} judges that one"));
        }
        let setup = Setup {
            target,
            profile: self.who.profile,
            queue: queue.map(str::to_owned),
            whose: self.who.whose(),
            texts,
            asks_texts: !self.what.no_script_texts,
            patience: self.timeout,
            compares_every: Setup::COMPARES_EVERY,
            most: self.until.events,
        };
        let mut live = Live::start(setup, &stop, &note).map_err(|error| failed(error, &stop))?;
        let mut parts = self.begin(&live, pipe)?;
        if stop.asked().is_none() {
            note(&format!("recording {} at {}", self.who.shown(), crate::native::server::url::redacted(&self.url)));
        }
        let outcome = self.record(&mut live, &mut parts, &stop, &terminal);
        terminal.clear();
        // Where a write has failed, the file says how much does not stand in it, and is no whole recording.
        let is_written = !matches!(outcome, Err(RecordError::Write(_)));
        let finished = if is_written { parts.finish(&live.state()) } else { parts.leave(&live.state()) };
        let finished = finished.map_err(RecordError::Write);
        if !self.quiet {
            terminal.note(&summary(&live, &parts));
        }
        match outcome.and(finished) {
            Ok(()) if live.is_uncompared() => Err(failed(RecordError::Uncompared, &stop)),
            Ok(()) => Ok(Outcome::Done),
            Err(error) => Err(failed(error, &stop)),
        }
    }

    fn record(
        &self,
        live: &mut Live<'_>,
        parts: &mut Parts,
        stop: &Stop,
        terminal: &ProgressLine,
    ) -> Result<(), RecordError> {
        let run = live.run(parts, &mut |progress| {
            terminal.show(|| shown_progress(progress));
            stop.asked().is_some() || self.until.is_over(progress)
        });
        match run {
            Ok(()) => live.finish(parts, &mut |progress| terminal.show(|| shown_end(progress, stop))),
            Err(error @ RecordError::Write(_)) => Err(error),
            Err(error) => live.give_up(parts).and(Err(error)),
        }
    }

    /// Refuses files that are in each other's way or cannot be written, and reads the scripts, before anything is done.
    fn check_files(&self) -> Result<Texts, Failure> {
        if self.out == Path::new(files::STANDARD) {
            let why =
                "cannot write to standard output: a recording is a file, written anew at its end; name one with --out";
            return Err(Failure::Input(anyhow!(why)));
        }
        let first = if self.rotate.is_some() { parts::numbered(&self.out, 1) } else { self.out.clone() };
        let inputs: Vec<&Path> = self.login.files().collect();
        files::check(&inputs, &[&first])?;
        if let Some(part) = self.rotate.and_then(|_| parts::any_part(&self.out)) {
            let first = shown::path(&part).into_owned();
            return Err(Failure::Input(anyhow!(
                "parts of another recording are there ({first}, …): remove them, or name another file with --out"
            )));
        }
        let Some(folder) = &self.what.scripts else { return Ok(Texts::default()) };
        let texts = Texts::of_folder(folder).with_context(|| format!("cannot read {}", shown::path(folder)));
        let texts = texts.map_err(Failure::Input)?;
        if texts.is_empty() {
            let folder = shown::path(folder).into_owned();
            return Err(Failure::Input(anyhow!(
                "there is no script (.lua) in {folder}; name another folder with --scripts"
            )));
        }
        Ok(texts)
    }

    fn begin(&self, live: &Live<'_>, pipe: Option<Pipe>) -> Result<Parts, Failure> {
        let head = Capture {
            profile: Some(self.who.profile.id.to_owned()),
            queue: self.who.queue.clone(),
            engine: Some(live.engine().clone()),
            source: Source { kind: SourceKind::Record, command: Some(self.command()), ..Source::default() },
            ..Capture::default()
        };
        let keep = Keep { values: self.what.keep_values, texts: !self.what.no_script_texts };
        let begun = Parts::begin(&self.out, pipe, keep, self.rotate, head);
        begun.map_err(|error| failure::unwritten(&self.out, error))
    }

    /// The command line that repeats the recording, without what differs from machine to machine.
    fn command(&self) -> String {
        let queue = self.who.queue.iter().map(|queue| format!(" --queue {queue}"));
        let profile = Some(self.who.profile.id).filter(|id| *id != EMQ_1.id).map(|id| format!(" --profile {id}"));
        std::iter::once("emq-conform record".to_owned()).chain(queue).chain(profile).collect()
    }
}

impl Until {
    fn is_over(&self, progress: &Progress) -> bool {
        self.time.is_some_and(|time| progress.time >= time)
            || self.idle.is_some_and(|most| progress.idle.is_some_and(|idle| idle >= most))
    }
}

impl Who {
    fn whose(&self) -> Whose {
        match &self.queue {
            _ if !self.client.is_empty() || !self.user.is_empty() => {
                Whose::Picked { clients: self.client.clone(), users: self.user.clone() }
            }
            Some(queue) if !self.all_clients => Whose::Queue {
                profile: self.profile,
                legacy_prefixes: self.legacy_prefix.iter().map(|prefix| prefix.as_bytes().to_vec()).collect(),
                queue: queue.clone(),
            },
            _ => Whose::All,
        }
    }

    fn shown(&self) -> String {
        let picked: BTreeSet<&str> = self.client.iter().chain(&self.user).map(String::as_str).collect();
        match (self.whose(), &self.queue) {
            (Whose::Picked { .. }, _) => picked.into_iter().collect::<Vec<_>>().join(", "),
            (Whose::Queue { .. }, Some(queue)) => format!("queue {queue}"),
            _ => "everything".to_owned(),
        }
    }
}

fn shown_progress(progress: &Progress) -> String {
    let lost = if progress.dropped == 0 { String::new() } else { format!(", {} lost", progress.dropped) };
    format!("{} in {} s{lost}", counted(progress.events, "command"), progress.time.as_secs())
}

/// What is shown while what came before the end is heard: that may take as long as the recorder is behind.
fn shown_end(progress: &Progress, stop: &Stop) -> String {
    let ends = if stop.asked().is_some() { "; Ctrl-C again ends it at once, and leaves the file as it is" } else { "" };
    format!("{}, hearing what came before the end{ends}", shown_progress(progress))
}

fn summary(live: &Live<'_>, parts: &Parts) -> String {
    let (progress, left_out, held) = (live.progress(), live.state().left_out, parts.held());
    let file = match parts.files() {
        [] => "nothing that can be read".to_owned(),
        [file] => shown::path(file).into_owned(),
        [first, .., last] => format!("{} to {}", shown::path(first), shown::path(last)),
    };
    let others = if left_out == 0 { String::new() } else { format!(", left out {left_out} of others") };
    let lost = match progress.dropped + (progress.events - held) {
        0 => "none lost".to_owned(),
        lost => format!("at least {lost} lost: what is judged of it will be indeterminate"),
    };
    let servers = if live.servers() == 1 { String::new() } else { format!(" of {} nodes", live.servers()) };
    format!("recorded {}{servers} in {file}{others}; {lost}", counted(held, "command"))
}

fn failed(error: RecordError, stop: &Stop) -> Failure {
    match stop.asked() {
        Some(stopped) if matches!(error, RecordError::StoppedBefore) => Failure::Stopped(stopped, error.into()),
        _ => Failure::cannot_run(error),
    }
}
