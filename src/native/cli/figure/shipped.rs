//! What figures can be drawn from without a file: the captures, scripts and runs of the course page.

use std::path::Path;

use crate::core::flaw::PASSES;
use crate::core::policy::Policy;

/// A capture or log that is shipped.
pub(super) struct Recording {
    /// Its name, as an element in a page has it.
    pub(super) name: &'static str,
    /// What is in it.
    pub(super) bytes: &'static [u8],
    /// When a key counts as declared, where nobody says.
    pub(super) policy: Policy,
    /// Who spoke, where it was not this project's own runtime.
    pub(super) from: Option<&'static str>,
}

const ECHOMQ: &[u8] = include_bytes!("../../../../fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log");
const ECHOMQ_FROM: &str = "a public recording, EchoMQ’s wire echomq:2.4.2 on valkey 8.0.1";
const BULLMQ_FROM: &str = "stock BullMQ 5.65.1";

const RECORDINGS: [Recording; 5] = [
    Recording {
        name: "payments",
        bytes: include_bytes!("../../../../fixtures/captures/payments.json"),
        policy: Policy::Strict,
        from: None,
    },
    Recording {
        name: "bullmq-bull",
        bytes: include_bytes!("../../../../fixtures/recordings/bullmq-5.65.1-bull.capture.json"),
        policy: Policy::Strict,
        from: Some(BULLMQ_FROM),
    },
    Recording {
        name: "bullmq-emq",
        bytes: include_bytes!("../../../../fixtures/recordings/bullmq-5.65.1-emq.capture.json"),
        policy: Policy::Strict,
        from: Some(BULLMQ_FROM),
    },
    Recording { name: "echomq-strict", bytes: ECHOMQ, policy: Policy::Strict, from: Some(ECHOMQ_FROM) },
    Recording { name: "echomq-slot-rooted", bytes: ECHOMQ, policy: Policy::SlotRooted, from: Some(ECHOMQ_FROM) },
];

const CLAIM: &str = include_str!("../../../../fixtures/scripts/claim-4.lua");
const TAKE: &str = include_str!("../../../../fixtures/flaw/take-2.lua");

const SCRIPTS: [(&str, &str); 8] = [
    ("v1-style.lua", include_str!("../../../../fixtures/page-scripts/v1-style.lua")),
    ("claim-4.lua", CLAIM),
    ("rate-limit-1.lua", include_str!("../../../../fixtures/page-scripts/rate-limit-1.lua")),
    ("unlock-1.lua", include_str!("../../../../fixtures/page-scripts/unlock-1.lua")),
    ("either-2.lua", include_str!("../../../../fixtures/page-scripts/either-2.lua")),
    ("queue-functions.lua", include_str!("../../../../fixtures/page-scripts/queue-functions.lua")),
    ("transfer-3.lua", include_str!("../../../../fixtures/page-scripts/transfer-3.lua")),
    ("any-command-1.lua", include_str!("../../../../fixtures/page-scripts/any-command-1.lua")),
];

/// The recorded run of the fleet.
pub(super) const FLEET: &[u8] = include_bytes!("../../../../fixtures/fleet/recorded/battery.json");

/// What servers said of the v1 flaw, what a published package came to, and our scripts in the order of [`PASSES`].
pub(super) const FLAW_RECORDED: &[u8] = include_bytes!("../../../../fixtures/flaw/recorded.json");
pub(super) const FLAW_COUNTS: &[u8] = include_bytes!("../../../../fixtures/flaw/bullmq.json");
pub(super) const FLAW: [&str; PASSES.len()] =
    [TAKE, TAKE, include_str!("../../../../fixtures/flaw/passed-4.lua"), CLAIM];

/// What is shipped under a name, where there is no file of that name. A directory is none.
pub(super) fn of_name<T>(named: &Path, of: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    if named.exists() && !named.is_dir() { None } else { named.to_str().and_then(of) }
}

/// A capture or log of that name.
pub(super) fn recording(name: &str) -> Option<&'static Recording> {
    RECORDINGS.iter().find(|one| one.name == name)
}

/// All of their names.
pub(super) fn names() -> String {
    RECORDINGS.map(|one| one.name).join(", ")
}

/// A script of that name, and its text.
pub(super) fn script(name: &str) -> Option<(&'static str, &'static str)> {
    SCRIPTS.into_iter().find(|(known, _)| *known == name)
}

/// All of their names.
pub(super) fn scripts() -> String {
    SCRIPTS.map(|(name, _)| name).join(", ")
}
