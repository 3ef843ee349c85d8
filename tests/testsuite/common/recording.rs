//! A recording in this process, whose comparisons with the server's counts may come at any pace.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use echomq_conformance::core::capture::{Capture, Source, SourceKind};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::native::record::{Keep, Live, Parts, Setup, Texts, Whose};
use echomq_conformance::native::server::Target;
use echomq_conformance::native::server::grant::Task;
use echomq_conformance::native::server::url::Access;
use echomq_conformance::native::stop::Stop;

use super::folder::Folder;
use super::recorder::{FILE, read};

/// The recording.
pub(crate) struct Recording {
    thread: JoinHandle<Capture>,
    is_over: Arc<AtomicBool>,
    said: Receiver<String>,
}

const PATIENCE: Duration = Duration::from_secs(30);

impl Recording {
    /// Starts it; when this returns, it records.
    pub(crate) fn start(url: &str, compares_every: Duration) -> Self {
        let target = Target::parse(url, Access::default(), PATIENCE).expect("a URL").for_task(Task::Record);
        let setup = Setup {
            target,
            profile: &EMQ_1,
            queue: None,
            whose: Whose::All,
            texts: Texts::default(),
            asks_texts: true,
            patience: PATIENCE,
            compares_every,
            most: None,
        };
        let (say, said) = mpsc::channel();
        let is_over = Arc::<AtomicBool>::default();
        let ends = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let stop = Stop::listen().expect("it listens");
            let note = |what: &str| drop(say.send(what.to_owned()));
            let mut live = Live::start(setup, &stop, &note).expect("it starts");
            let folder = Folder::new();
            let keep = Keep { values: true, texts: true };
            let source = Source { kind: SourceKind::Record, ..Source::default() };
            let head = Capture { profile: Some(EMQ_1.id.to_owned()), source, ..Capture::default() };
            let mut parts = Parts::begin(&folder.path(FILE), None, keep, None, head).expect("it is begun");
            note("recording");
            live.run(&mut parts, &mut |_| ends.load(Ordering::SeqCst)).expect("it records");
            live.finish(&mut parts, &mut |_| ()).expect("it ends");
            parts.finish(&live.state()).expect("it is written");
            assert!(!live.is_uncompared(), "its end is compared");
            read(&folder)
        });
        let recording = Self { thread, is_over, said };
        recording.wait_for("recording");
        recording
    }

    /// Waits until it says this.
    pub(crate) fn wait_for(&self, part: &str) {
        while !self.said.recv_timeout(Duration::from_secs(60)).expect("it says so").contains(part) {}
    }

    /// Ends it; gives what it has written.
    pub(crate) fn capture(self) -> Capture {
        self.is_over.store(true, Ordering::SeqCst);
        self.thread.join().expect("it ends")
    }
}
