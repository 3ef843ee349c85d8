//! `emq.1`: the wire of the course page. Source: the page, rung emq.1, drafted.

use super::{JobIds, Profile, VersionAt};

/// The wire of the course page.
pub const EMQ_1: Profile = Profile {
    id: "emq.1",
    title: "EchoMQ 2.0 as the course page states it (rung drafted)",
    source: "the course page, rung emq.1",
    prefix: "emq:",
    types: &["wait", "active", "delayed", "prioritized", "completed", "failed", "meta", "events", "id", "marker"],
    job_prefix: "",
    job_ids: JobIds::Any,
    subkeys: &["lock", "logs", "dependencies", "processed", "failed", "unsuccessful"],
    other_types: &[
        "paused",
        "waiting-children",
        "stalled",
        "stalled-check",
        "limiter",
        "pc",
        "repeat",
        "metrics",
        "de",
    ],
    reserve: None,
    legacy_prefixes: &["emq:", "bull:"],
    version: VersionAt::HashField { kind: "meta", field: "version" },
    settles_version: false,
    titles: &[],
    expected_version: "echomq:2.0.0",
    reserved_name: "emq",
};
