//! Which keys a Lua script can touch, and whether they were declared.
//!
//! ```text
//! source (with what it includes) → limits (size, nesting) → parse (full_moon, then a tree of our own) → provenance (where values come from)
//!        → calls (which arguments are keys) → rules → report
//! ```
//!
//! The analysis follows values, not patterns: it walks the script as the engine would run it, with what is known of each
//! value. What it cannot follow it says, and such a script is never called declared.

mod advice;
mod allow;
mod analyze;
pub mod baseline;
mod calls;
mod case;
mod declaration;
mod hashed;
mod ir;
pub mod limits;
mod ordered;
mod parse;
mod provenance;
pub mod report;
pub mod rules;
pub(crate) mod shebang;
mod source;
mod text;
mod unreached;
mod verdict;

pub use advice::{clean, replacement};
pub use analyze::{analyze, analyze_each_call, analyze_under, analyze_with, analyze_with_each};
pub use parse::tokens::{Kind, Token, tokens};
pub use source::{File, Includes, NoIncludes, references};
pub use verdict::Verdict;

/// Every function that a script finds, by the library it is in, as the analysis knows them.
pub fn known_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    provenance::known_functions()
}
