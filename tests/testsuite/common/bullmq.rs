//! Stock BullMQ from npm, installed once per machine into a cache outside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// The version that the claims of these tests are about.
pub(crate) const VERSION: &str = "5.65.1";

/// The folder with its `node_modules`.
pub(crate) fn installed() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from).join("echomq-conformance");
    let folder = cache.join(format!("bullmq-{VERSION}"));
    if !is_installed(&folder) {
        // Several tests may come here at once: the first that is done counts.
        let own = cache.join(format!("bullmq-{VERSION}.{}", process::id()));
        fs::create_dir_all(&own).expect("a cache");
        let package = format!("bullmq@{VERSION}");
        let install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", ".", package.as_str()];
        succeed(Command::new("npm").args(install).current_dir(&own));
        if fs::rename(&own, &folder).is_err() {
            drop(fs::remove_dir_all(&own));
        }
        assert!(is_installed(&folder), "remove {}: it is there and holds no bullmq", folder.display());
    }
    folder
}

/// Runs a command that must succeed.
pub(crate) fn succeed(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn is_installed(folder: &Path) -> bool {
    folder.join("node_modules/bullmq/package.json").is_file()
}
