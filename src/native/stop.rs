//! Asked to stop: Ctrl-C, a termination, a hang-up. The work looks here between its steps and tidies up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fmt, io, thread};

use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::flag;

/// Whether this process was asked to stop, and by which signal.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    signal: Arc<AtomicUsize>,
    /// The next signal ends the process.
    is_last: Arc<AtomicBool>,
}

/// The signal that asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Stopped {
    /// Its number.
    pub signal: u8,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl Stop {
    /// Listens to the signals from now on. A second one ends the process at once, for whoever cannot wait.
    ///
    /// # Errors
    /// When the system takes no more handlers.
    pub fn listen() -> io::Result<Self> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2] {
            flag::register_conditional_default(signal, Arc::clone(&stop.is_last))?;
            flag::register(signal, Arc::clone(&stop.is_last))?;
            flag::register_usize(signal, Arc::clone(&stop.signal), usize::try_from(signal).unwrap_or_default())?;
        }
        Ok(stop)
    }

    /// What `work` comes to, during which nothing is to be tidied up: the first signal ends the process.
    pub fn at_once<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_last.store(true, Ordering::SeqCst);
        let outcome = work();
        self.is_last.store(self.asked().is_some(), Ordering::SeqCst);
        outcome
    }

    /// Has a write that would make a file too large fail, instead of ending this process.
    ///
    /// # Errors
    /// When the system takes no more handlers.
    pub fn outlive_file_limits(&self) -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
    }

    /// Whether somebody asked.
    pub fn asked(&self) -> Option<Stopped> {
        let signal = u8::try_from(self.signal.load(Ordering::SeqCst)).unwrap_or_default();
        (signal != 0).then_some(Stopped { signal })
    }

    /// What `work` comes to in a thread of its own; where somebody asks to stop before it has ended, nobody waits for it.
    ///
    /// # Errors
    /// Somebody asked.
    pub fn wait_for<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Stopped> {
        const LOOK: Duration = Duration::from_millis(2);
        let working = thread::spawn(work);
        while !working.is_finished() {
            self.check()?;
            thread::sleep(LOOK);
        }
        Ok(working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    /// Goes on unless somebody asked.
    pub fn check(&self) -> Result<(), Stopped> {
        self.asked().map_or(Ok(()), Err)
    }
}
