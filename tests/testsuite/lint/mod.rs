//! The analysis of scripts.

mod allow;
mod bullmq;
mod compiles;
mod corpus;
mod docs;
mod files;
mod fixtures;
mod formats;
mod hostile;
mod limits;
mod memory;
mod packages;
mod pre_commit;
mod truth;
