//! What tests share.

pub(crate) mod bullmq;
pub(crate) mod chance;
pub(crate) mod cluster;
pub(crate) mod command;
pub(crate) mod date;
pub(crate) mod encrypted;
pub(crate) mod engines;
pub(crate) mod fleet;
pub(crate) mod folder;
pub(crate) mod gate;
pub(crate) mod junit;
pub(crate) mod libraries;
pub(crate) mod made_up;
pub(crate) mod mortal;
pub(crate) mod node_adapter;
pub(crate) mod port;
pub(crate) mod process;
pub(crate) mod recorder;
pub(crate) mod recording;
pub(crate) mod sarif;
pub(crate) mod scenario;
pub(crate) mod schema;
pub(crate) mod shared;
pub(crate) mod tap;
pub(crate) mod walk;
