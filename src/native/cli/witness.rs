//! Which witnesses of `declared` are heard.

use clap::{Args, ValueEnum};

/// A witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Witness {
    /// What the run touched; always heard.
    Trace,
    /// The scripts' text: what any run could touch.
    Source,
    /// A private server on which each call runs as a user of its KEYS alone.
    Engine,
}

/// What a user says about witnesses.
#[derive(Args)]
#[command(next_help_heading = "What the queue is held to")]
pub(super) struct Hearing {
    /// Who is heard on declared: trace, which always is, source, engine; separated by commas
    #[arg(long = "witness", value_name = "ID,…", value_enum, value_delimiter = ',')]
    asked: Option<Vec<Witness>>,
}

impl Hearing {
    /// Whether the scripts' text is heard; it is unless others were asked for.
    pub(super) fn source(&self) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.contains(&Witness::Source))
    }

    /// Whether a private server is heard; `default` where nobody was asked for.
    pub(super) fn engine(&self, default: bool) -> bool {
        self.asked.as_ref().map_or(default, |asked| asked.contains(&Witness::Engine))
    }
}
