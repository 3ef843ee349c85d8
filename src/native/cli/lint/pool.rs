//! Threads with the stack that the analysis needs, as many as the machine runs at once.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, anyhow};

use crate::core::lua::limits::STACK;
use crate::native::cli::failure::Failure;

/// What comes of each of some, in their order, whichever thread was first.
pub(super) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let mut done = thread::scope(|scope| {
        let start = |_| {
            let thread = thread::Builder::new().name("lint".to_owned()).stack_size(STACK).spawn_scoped(scope, run);
            thread.context("cannot start a thread for the analysis").map_err(Failure::CannotRun)
        };
        let started = (0..threads).map(start).collect::<Result<Vec<_>, _>>()?;
        let mut done = Vec::with_capacity(items.len());
        for thread in started {
            let early = |_| Failure::CannotRun(anyhow!("{}", super::MISTAKE));
            done.extend(thread.join().map_err(early)?);
        }
        Ok::<_, Failure>(done)
    })?;
    done.sort_unstable_by_key(|(index, _)| *index);
    Ok(done.into_iter().map(|(_, outcome)| outcome).collect())
}
