//! `emq-conform reference-adapter`: the reference probe runtime as an adapter.

use std::{env, io};

use anyhow::Context;
use clap::Args;

use super::failure::{Failure, Outcome};
use crate::native::fleet::reference;

/// Speaks emq-adapter/1 on standard input and output as the reference probe runtime, which is the probe's own and not EchoMQ's
///
/// It is what every adapter of fleet meets. To see the protocol, send it a line:
/// {"id":1,"op":"hello","protocol":"emq-adapter/1","url":"valkey://127.0.0.1:6379","profile":"emq.1","client_name":"me"}
#[derive(Args)]
pub(super) struct ReferenceAdapter {}

impl ReferenceAdapter {
    /// Answers until `bye`.
    #[allow(clippy::unused_self, reason = "a command like the others")]
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let password = env::var("EMQ_PASSWORD").ok().filter(|password| !password.is_empty());
        let served = reference::serve(io::stdin().lock(), io::stdout().lock(), password);
        served.context("cannot speak on standard input and output").map_err(Failure::CannotRun)?;
        Ok(Outcome::Done)
    }
}
