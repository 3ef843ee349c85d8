//! `emq-conform lint`: which keys Lua scripts can touch, and whether they were declared.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::arguments::policy;
use super::failure::{Failure, Outcome};
use super::screen::{self, Color, Form};
use crate::core::lua::analyze;
use crate::core::lua::limits::{MAX_SOURCE, STACK};
use crate::core::lua::report::{FileReport, LintReport, json, text};
use crate::core::policy::Policy;
use crate::core::report::Verdict;

/// Analyses Lua scripts: which keys they can touch, and whether these were declared
///
/// Folders are searched for files that end in .lua. A script within a program in another language is not found: pipe it in.
#[derive(Args)]
pub(super) struct Lint {
    /// Lua files, or folders with Lua files; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// When a key that a script touches counts as declared: strict, rooted, slot-rooted
    #[arg(long, value_name = "ID", default_value = "strict", value_parser = policy)]
    policy: Policy,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Form,
    /// When to use colour: auto is on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print no report: the exit code tells
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// List what the policy allows as well
    #[arg(short, long)]
    verbose: bool,
    /// Exit with 0 when nothing failed but something is indeterminate
    #[arg(long)]
    allow_indeterminate: bool,
}

const STANDARD_INPUT: &str = "-";

impl Lint {
    /// Analyses every script before anything is written.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        if self.paths.iter().filter(|path| *path == STANDARD_INPUT).count() > 1 {
            return Err(Failure::Input(anyhow!("- is given twice; standard input can be read once")));
        }
        let scripts = self.paths.iter().map(|path| scripts(path)).collect::<anyhow::Result<Vec<_>>>();
        let scripts = scripts.map_err(Failure::Input)?.concat();
        let files = in_thread(scripts, self.policy)?;
        let report = LintReport::new(self.policy, files);
        if !self.quiet {
            let data = match self.format {
                Form::Text => text::render(&report, text::Look { color: self.color.on(), verbose: self.verbose }),
                Form::Json => json::render(&report),
            };
            screen::print(&data).context("cannot write to standard output").map_err(Failure::CannotRun)?;
        }
        let verdict = match report.conforms() {
            Some(true) => Verdict::Pass,
            Some(false) => Verdict::Fail,
            None if self.allow_indeterminate => Verdict::Pass,
            None => Verdict::Indeterminate,
        };
        Ok(Outcome::Judged(verdict))
    }
}

/// A script and its name.
type Script = (String, Vec<u8>);

/// Analyses in a thread with the stack that the analysis needs.
fn in_thread(scripts: Vec<Script>, policy: Policy) -> Result<Vec<FileReport>, Failure> {
    let work = move || scripts.iter().map(|(name, source)| analyze(name, source, policy)).collect();
    let thread = thread::Builder::new().name("lint".to_owned()).stack_size(STACK).spawn(work);
    let thread = thread.context("cannot start a thread for the analysis").map_err(Failure::CannotRun)?;
    thread.join().map_err(|_| Failure::CannotRun(anyhow!("the analysis ended early; this is a mistake of emq-conform")))
}

/// The scripts that a path names: a file, standard input, or every `.lua` below a folder, in the order of their names.
fn scripts(path: &str) -> anyhow::Result<Vec<Script>> {
    if path == STANDARD_INPUT {
        return Ok(vec![(path.to_owned(), limited(io::stdin().lock()).context("cannot read standard input")?)]);
    }
    if !Path::new(path).is_dir() {
        return Ok(vec![file(Path::new(path))?]);
    }
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(path)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            let kind = entry.file_type().with_context(|| format!("cannot read {}", entry.path().display()))?;
            // A link to a folder may lead back here, so links are followed to files only.
            if kind.is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|ending| ending == "lua") {
                found.push(entry.path());
            }
        }
    }
    if found.is_empty() {
        bail!("{path} has no file that ends in .lua");
    }
    found.sort();
    found.iter().map(|path| file(path)).collect()
}

fn file(path: &Path) -> anyhow::Result<Script> {
    let reading = || format!("cannot read {}", path.display());
    let source = fs::File::open(path).and_then(limited).with_context(reading)?;
    Ok((path.display().to_string(), source))
}

/// No more than shows that a script is too large.
fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut source = Vec::new();
    from.take(MAX_SOURCE as u64 + 1).read_to_end(&mut source)?;
    Ok(source)
}
