//! `emq-conform figure capture`.

use clap::Args;

use super::Drawing;
use super::input::{Brought, Input};
use crate::core::figure::capture as figure;
use crate::native::cli::failure::{Failure, Outcome};

/// What a capture or log comes to: each queue, the five assertions over the one that matters most, every key in its slot
///
/// Shipped are payments, bullmq-bull, bullmq-emq, echomq-strict and echomq-slot-rooted.
#[derive(Args)]
pub(super) struct Capture {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    drawing: Drawing,
}

impl Capture {
    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.drawing.check(&self.input.file().into_iter().collect::<Vec<_>>())?;
        let Brought { facts, options, recognised, .. } = self.input.read(0)?;
        let verbose = self.drawing.output.is_verbose();
        self.drawing.deliver(figure::figure(&figure::Asked { facts: &facts, options: &options, recognised, verbose }))
    }
}
