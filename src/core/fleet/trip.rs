//! One job's way from a producer to a consumer: what was seen of it.

use std::time::Duration;

use super::adapter::{Fault, Refusal, TakenJob};

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<T> {
    /// It was not made.
    NotTried,
    /// It was answered.
    Done(T),
    /// It was refused.
    Refused(Refusal),
    /// Nobody knows.
    Broken(Breakage),
}

/// How an adapter broke off.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Breakage {
    /// It could not be started.
    #[error("it could not be started: {0}")]
    NotStarted(String),
    /// It gave no answer.
    #[error("it gave no answer to {op} within {} s", .after.as_secs_f64())]
    TimeOut {
        /// What was asked.
        op: &'static str,
        /// How long it had.
        after: Duration,
    },
    /// It ended.
    #[error("it ended with {status} instead of an answer to {op}{}", within_a_line(*.partial))]
    Ended {
        /// What was asked.
        op: &'static str,
        /// How, as in "with …".
        status: String,
        /// It had begun a line.
        partial: bool,
    },
    /// What it printed is no answer.
    #[error("its answer to {op} is no valid answer: {fault}")]
    Fault {
        /// What was asked.
        op: &'static str,
        /// Why.
        fault: Fault,
    },
    /// It printed more than anybody reads.
    #[error("it printed more than 64 MiB")]
    Flood,
    /// The time for the pair was over.
    #[error("the time for the pair, {} s, was over before its answer to {op}", .after.as_secs_f64())]
    PairTime {
        /// What was asked.
        op: &'static str,
        /// How long the pair had.
        after: Duration,
    },
    /// The work was stopped from outside.
    #[error("the run was stopped")]
    Stopped,
}

fn within_a_line(partial: bool) -> &'static str {
    if partial { ", in the middle of a line" } else { "" }
}

/// Where a job was when somebody looked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    /// Its row is there.
    pub row: bool,
    /// The payload in its row.
    pub payload: Option<Vec<u8>>,
    /// How many bytes it has, where these are more than anybody reads; then it is not there.
    pub beyond: Option<u64>,
    /// How often it is among those that wait.
    pub waiting: u64,
    /// How often it is among those that are held.
    pub active: u64,
    /// How it is locked.
    pub lock: Locked,
    /// It is among those that are completed, where the profile has a list of them.
    pub completed: bool,
}

/// How a job is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locked {
    /// It is not.
    #[default]
    No,
    /// For so many milliseconds.
    For(u64),
    /// For ever: a worker that dies would keep it.
    Ever,
}

/// One job's way. What was not reached is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trip {
    /// The name it was sent under.
    pub name: String,
    /// The answer to `add`: its id.
    pub add: Step<String>,
    /// Where it was then.
    pub added: Option<Observation>,
    /// The answer to `take`.
    pub take: Step<Option<TakenJob>>,
    /// Where it was then.
    pub held: Option<Observation>,
    /// The answer to `complete`.
    pub complete: Step<()>,
    /// Where it was then.
    pub done: Option<Observation>,
    /// The answer to another `take`.
    pub again: Step<Option<TakenJob>>,
    /// How many jobs wait or are held in the end.
    pub left: Option<u64>,
    /// The events that complete it.
    pub completions: Option<Vec<u64>>,
}

impl Default for Trip {
    fn default() -> Self {
        Self {
            name: String::new(),
            add: Step::NotTried,
            added: None,
            take: Step::NotTried,
            held: None,
            complete: Step::NotTried,
            done: None,
            again: Step::NotTried,
            left: None,
            completions: None,
        }
    }
}

impl Trip {
    /// The way of a job that is as it should be.
    pub fn sound(name: &str, id: &str, data: &str) -> Self {
        let look = Observation { row: true, payload: Some(data.as_bytes().to_vec()), ..Observation::default() };
        let job = TakenJob { job_id: id.to_owned(), name: None, data: data.to_owned(), attempt: Some(1) };
        Self {
            name: name.to_owned(),
            add: Step::Done(id.to_owned()),
            added: Some(Observation { waiting: 1, ..look.clone() }),
            take: Step::Done(Some(job)),
            held: Some(Observation { active: 1, lock: Locked::For(30_000), ..look.clone() }),
            complete: Step::Done(()),
            done: Some(Observation { completed: true, ..look }),
            again: Step::Done(None),
            left: Some(0),
            completions: Some(vec![9]),
        }
    }

    /// The job's id, once it has one.
    pub fn id(&self) -> Option<&str> {
        match &self.add {
            Step::Done(id) => Some(id),
            _ => None,
        }
    }

    /// How one of the two broke off.
    pub fn breakage(&self) -> Option<&Breakage> {
        self.add.breakage().or(self.take.breakage()).or(self.complete.breakage()).or(self.again.breakage())
    }
}

impl<T> Step<T> {
    fn breakage(&self) -> Option<&Breakage> {
        match self {
            Self::Broken(breakage) => Some(breakage),
            _ => None,
        }
    }
}
