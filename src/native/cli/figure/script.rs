//! `emq-conform figure script`.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use super::{Drawing, deep, one_file, shipped};
use crate::core::figure::script as figure;
use crate::core::lua::{File, NoIncludes, analyze_with_each};
use crate::core::policy::Policy;
use crate::native::cli::arguments::policy;
use crate::native::cli::failure::{Failure, Outcome};
use crate::native::cli::files::{self, is_standard};
use crate::native::cli::lint::{self, Each};
use crate::native::shown;

/// Which keys a Lua script can touch: its verdict, and each finding with the way of its key drawn over the code
///
/// Shipped are the examples of the page's script bench, by their files' names, such as v1-style.lua.
#[derive(Args)]
pub(super) struct Script {
    /// A Lua file; - is standard input; or an example that is shipped, by its file's name
    #[arg(value_name = "FILE|NAME", required_unless_present = "named")]
    input: Option<PathBuf>,
    /// The same
    #[arg(long = "script", value_name = "FILE|NAME", conflicts_with = "input")]
    named: Option<PathBuf>,
    /// When a key that the script touches counts as declared: strict, rooted, slot-rooted
    #[arg(long, value_name = "ID", default_value = "strict", value_parser = policy)]
    policy: Policy,
    #[command(flatten)]
    drawing: Drawing,
}

impl Script {
    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        // One of the two is there.
        let named = self.named.as_deref().or(self.input.as_deref()).unwrap_or(Path::new(files::STANDARD));
        let shipped = shipped::of_name(named, shipped::script);
        let inputs: Vec<&Path> = Some(named).filter(|_| shipped.is_none()).into_iter().collect();
        self.drawing.check(&inputs)?;
        if let (None, false) = (shipped, named.exists() || is_standard(named)) {
            let (name, all) = (shown::path(named), shipped::scripts());
            return Err(Failure::Input(anyhow!(
                "there is no file {name}, and nothing of that name is shipped: that is {all}"
            )));
        }
        let verbose = self.drawing.output.is_verbose();
        let drawn = deep(|| {
            let each = if let Some((name, text)) = shipped {
                let file = File { id: 0, path: name.to_owned(), text: text.as_bytes().into() };
                let text = file.text.clone();
                Each { reports: analyze_with_each(file, &NoIncludes, &Policy::ALL), text, included: Vec::new() }
            } else {
                one_file(named)?;
                lint::each(named, &Policy::ALL)?
            };
            let asked = figure::Asked { source: &each.text, reports: &each.reports, policy: self.policy, verbose };
            anyhow::Ok((figure::figure(&asked), each.included))
        })?;
        let (drawn, included) = drawn.map_err(Failure::Input)?;
        // What it includes is known now, and nothing is written yet.
        let read: Vec<&Path> = inputs.into_iter().chain(included.iter().map(PathBuf::as_path)).collect();
        self.drawing.check(&read)?;
        self.drawing.deliver(drawn)
    }
}
