//! The adapter template for Node, with the client that it needs, installed once per machine into a cache outside the checkout.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, process};

use super::bullmq::succeed;

const FILES: [&str; 3] = ["adapter.mjs", "package.json", "package-lock.json"];

/// The command that runs it.
pub(crate) fn command() -> String {
    format!("node '{}'", installed().join("adapter.mjs").display())
}

/// The folder with it and its `node_modules`: one for each state of its files.
fn installed() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from).join("echomq-conformance");
    let texts = FILES.map(|file| fs::read(format!("docs/adapters/node/{file}")).expect("a template"));
    let name = sha1_smol::Sha1::from(texts.concat()).digest().to_string();
    let folder = cache.join(format!("node-adapter-{}", &name[..12]));
    if !folder.join("node_modules/iovalkey/package.json").is_file() {
        // Several tests may come here at once: the first that is done counts.
        let own = cache.join(format!("node-adapter.{}", process::id()));
        fs::create_dir_all(&own).expect("a cache");
        for (file, text) in FILES.iter().zip(&texts) {
            fs::write(own.join(file), text).expect("a cache");
        }
        succeed(Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&own));
        if fs::rename(&own, &folder).is_err() {
            drop(fs::remove_dir_all(&own));
        }
    }
    folder
}
