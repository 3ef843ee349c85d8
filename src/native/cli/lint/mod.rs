//! `emq-conform lint`: which keys Lua scripts can touch, and whether they were declared.

mod find;
mod library;
mod parts;
mod pattern;
mod pool;

use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::policy;
use super::failure::{Failure, Outcome};
use super::files::STANDARD;
use super::known::Known;
use super::output::{Format, Output, Render};
use crate::core::baseline::document;
use crate::core::lua::baseline::Baseline;
use crate::core::lua::report::{FileReport, LintReport, Unread, github, json, junit, markdown, sarif, tap, text};
use crate::core::lua::{File, analyze_with, analyze_with_each};
use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::core::report::text::Look;
use crate::native::shown;
use find::{Found, find};
use library::{Library, limited};

/// Analyses Lua scripts: which keys they can touch, and whether these were declared
///
/// Folders are searched for files that end in .lua; what .gitignore leaves out is left out, and so is a file that another
/// script found there includes: it is judged as a part of that. A script within a program in another language is not found:
/// pipe it in.
#[derive(Args)]
pub(super) struct Lint {
    /// Lua files, folders with Lua files, or patterns such as 'scripts/**/*.lua'; - is standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// When a key that a script touches counts as declared: strict, rooted, slot-rooted
    #[arg(long, value_name = "ID", default_value = "strict", value_parser = policy)]
    policy: Policy,
    /// The name of what comes on standard input, for the report; what it includes is looked for beside it
    #[arg(long, value_name = "PATH")]
    stdin_name: Option<PathBuf>,
    /// Search what .gitignore and .ignore leave out as well
    #[arg(long)]
    no_ignore: bool,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    gate: Gate,
}

/// What fails a run.
#[derive(Args)]
#[command(next_help_heading = "What fails the run")]
struct Gate {
    #[command(flatten)]
    known: Known,
    /// Exit with 0 when nothing failed but something is indeterminate
    #[arg(long)]
    allow_indeterminate: bool,
}

impl Lint {
    /// Analyses every script before anything is written.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.check_standard_input()?;
        let found = find(&self.paths, !self.no_ignore);
        let inputs: Vec<&Path> = found.scripts.iter().map(|script| script.path.as_path()).collect();
        self.output.check(&inputs, self.gate.known.writes().into_iter())?;
        let baseline = self.gate.known.read()?.map(Baseline);
        let mut report = self.analyze(found)?;
        self.gate.accept(&mut report, baseline, &self.output)?;
        if !report.files.is_empty() || report.unread.is_empty() {
            self.output.deliver(&report)?;
        }
        match report.unread.as_slice() {
            [] => Ok(Outcome::Judged(self.gate.counts_as(&report))),
            unread => {
                let unwritten = self.gate.known.writes().map_or("", |_| "; so no baseline was written");
                Err(Failure::Input(anyhow!("{}{unwritten}", unread_message(unread))))
            }
        }
    }

    fn check_standard_input(&self) -> Result<(), Failure> {
        let refused = |why| Err(Failure::Input(anyhow!("{why}")));
        match (self.paths.iter().filter(|path| is_standard(path)).count(), &self.stdin_name) {
            (0, Some(_)) => refused("--stdin-name names what comes on standard input: give - as a path as well"),
            (0 | 1, _) => Ok(()),
            _ => refused("- is given twice; standard input can be read once"),
        }
    }

    /// What the scripts come to, in their order.
    fn analyze(&self, found: Found) -> Result<LintReport, Failure> {
        let library = Library::default();
        let standard = if found.scripts.iter().any(|script| is_standard(&script.path)) {
            Some(self.standard(&library)?)
        } else {
            None
        };
        let scripts = parts::without_parts(found.scripts, standard.as_ref(), &library);
        let outcomes = pool::map(&scripts, |script| {
            let file = match (&standard, is_standard(&script.path)) {
                (Some(standard), true) => Ok(standard.clone()),
                _ => library.script(&script.path),
            };
            match file {
                // A mistake of ours in one script must not cost the results of the others.
                Ok(file) => catch_unwind(AssertUnwindSafe(|| analyze_with(file, &library, self.policy)))
                    .map_err(|_| Unread { path: name(&script.path), why: MISTAKE.to_owned() }),
                Err(error) => Err(Unread { path: name(&script.path), why: format!("cannot be read: {error}") }),
            }
        })?;
        let (mut files, mut unread): (Vec<FileReport>, Vec<Unread>) = (Vec::new(), found.unread);
        for outcome in outcomes {
            match outcome {
                Ok(file) => files.push(file),
                Err(one) => unread.push(one),
            }
        }
        Ok(LintReport::new(self.policy, files).with_unread(unread))
    }

    /// The script on standard input.
    fn standard(&self, library: &Library) -> Result<File, Failure> {
        let text = limited(io::stdin().lock()).context("cannot read standard input").map_err(Failure::Input)?;
        let path = self.stdin_name.as_deref().unwrap_or(Path::new(STANDARD));
        Ok(library.keep(path, text))
    }
}

impl Gate {
    /// Writes the baseline if one is wanted, and accepts what is known.
    fn accept(&self, report: &mut LintReport, baseline: Option<Baseline>, output: &Output) -> Result<(), Failure> {
        if let Some(file) = self.known.writes() {
            // It would lose what is known of what was not read.
            if !report.unread.is_empty() {
                return Ok(());
            }
            let older = Baseline(self.known.older(baseline.map(|baseline| baseline.0)));
            output.write(file, &document::render(&Baseline::of(report, &older).0))?;
            Baseline::accept_all(report);
        } else if let Some(baseline) = baseline {
            let unread: BTreeSet<String> = report.unread.iter().map(|one| one.path.clone()).collect();
            baseline.apply(report, |path| !unread.contains(path) && !Path::new(path).exists());
        }
        Ok(())
    }

    fn counts_as(&self, report: &LintReport) -> Verdict {
        match report.judged() {
            Verdict::Indeterminate if self.allow_indeterminate => Verdict::Pass,
            judged => judged,
        }
    }
}

impl Render for LintReport {
    fn render(&self, format: Format, look: Look) -> String {
        match format {
            Format::Text => text::render(self, look),
            Format::Json => json::render(self),
            Format::Junit => junit::render(self),
            Format::Tap => tap::render(self),
            Format::Sarif => sarif::render(self),
            Format::Github => github::render(self),
            Format::Markdown => markdown::render(self),
        }
    }
}

/// A script that was analysed under several policies.
pub(super) struct Each {
    /// What each policy makes of it.
    pub(super) reports: Vec<FileReport>,
    /// Its text.
    pub(super) text: Arc<[u8]>,
    /// The files that it includes.
    pub(super) included: Vec<PathBuf>,
}

/// Analyses one script under each of the policies.
pub(super) fn each(path: &Path, policies: &[Policy]) -> anyhow::Result<Each> {
    let library = Library::default();
    let file = if is_standard(path) {
        library.keep(path, limited(io::stdin().lock()).context("cannot read standard input")?)
    } else {
        library.script(path).with_context(|| format!("cannot read {}", shown::path(path)))?
    };
    let text = Arc::clone(&file.text);
    let reports = analyze_with_each(file, &library, policies);
    Ok(Each { reports, text, included: library.read() })
}

const MISTAKE: &str = "the analysis ended early; this is a mistake of emq-conform";

fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// A script's name in a report, which is text.
fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn unread_message(unread: &[Unread]) -> String {
    /// How many are named.
    const MOST: usize = 10;
    let named: Vec<String> = unread
        .iter()
        .take(MOST)
        .map(|one| format!("{}: {}", crate::core::bytes::shown(one.path.as_bytes()), one.why))
        .collect();
    let more = unread.len().saturating_sub(MOST);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    named.join("; ") + &more
}
