//! The two real servers every claim is tested on.

use std::env;
use std::path::PathBuf;

/// Both engine versions with their server programs.
pub(crate) fn engines() -> [(&'static str, PathBuf); 2] {
    [("8.0.1", valkey_8()), ("9.1.2", valkey_9())]
}

/// `valkey-server` 8.0.1: `EMQ_VALKEY_8`, or the system's.
pub(crate) fn valkey_8() -> PathBuf {
    found("EMQ_VALKEY_8", "/usr/bin/valkey-server".into())
}

/// `valkey-server` 9.1.2: `EMQ_VALKEY_9`, or the one that set-up keeps outside the checkout.
pub(crate) fn valkey_9() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map_or_else(|| PathBuf::from(env::var_os("HOME").expect("HOME is set")).join(".cache"), PathBuf::from);
    found("EMQ_VALKEY_9", cache.join("echomq-conformance/valkey-9.1.2/valkey-server"))
}

/// A missing server fails the test: a skipped claim looks like a kept one.
fn found(variable: &str, default: PathBuf) -> PathBuf {
    let program = env::var_os(variable).map_or(default, PathBuf::from);
    assert!(program.is_file(), "no server at {} ({variable}): run `make setup`", program.display());
    program
}
