//! Packages in a cache outside the checkout: fetched once per machine by their registry's own client, without what they
//! depend on, and their scripts taken out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use super::list::{PACKAGES, Package, Registry, Scripts};

const JS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testsuite/lint/packages/extract.cjs");
const PY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testsuite/lint/packages/extract.py");

/// The scripts of a package by name, as they are sent to a server.
pub(crate) fn scripts(package: &Package) -> Vec<(String, Vec<u8>)> {
    let folder = folder(package);
    let mut found: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .expect("the folder with the scripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "lua"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("a script"))
        })
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{} has no scripts in {}", package.name, folder.display());
    found
}

/// The folder with the scripts of a package.
pub(crate) fn folder(package: &Package) -> PathBuf {
    // Tests of one process wait for each other; another process makes what it needs in a folder of its own.
    static ALL: OnceLock<()> = OnceLock::new();
    ALL.get_or_init(install);
    cache().join(file_name(package))
}

fn cache() -> PathBuf {
    let home = || PathBuf::from(env::var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(home, PathBuf::from).join("echomq-conformance");
    env::var_os("EMQ_TOOLS").map_or(cache, PathBuf::from).join("packages")
}

fn file_name(package: &Package) -> String {
    format!("{}-{}", package.name.trim_start_matches('@').replace('/', "-"), package.version)
}

/// Fetches all that is missing, each registry's packages at once.
fn install() {
    let missing: Vec<&Package> = PACKAGES.iter().filter(|package| !cache().join(file_name(package)).is_dir()).collect();
    if missing.is_empty() {
        return;
    }
    // A folder counts only when it is whole: under another name until then.
    let work = cache().join(format!(".{}", std::process::id()));
    fs::create_dir_all(&work).expect("a cache");
    for registry in [Registry::Npm, Registry::Pypi] {
        let packages: Vec<&Package> = missing.iter().copied().filter(|package| package.registry == registry).collect();
        if !packages.is_empty() {
            fetch(registry, &packages, &work);
        }
    }
    for package in missing {
        let inside = work.join(format!("{}.package", file_name(package)));
        fs::create_dir(&inside).expect("a folder");
        unpack(package, &work, &inside);
        let scripts = work.join(format!("{}.scripts", file_name(package)));
        extract(package, &inside, &scripts);
        // Where another process was faster, its folder is as good.
        let _ = fs::rename(scripts, cache().join(file_name(package)));
    }
    fs::remove_dir_all(&work).expect("it is ours");
}

fn fetch(registry: Registry, packages: &[&Package], work: &Path) {
    match registry {
        Registry::Npm => {
            let names = packages.iter().map(|package| format!("{}@{}", package.name, package.version));
            succeed(Command::new("npm").args(["pack", "--silent"]).args(names).current_dir(work));
        }
        Registry::Pypi => {
            let names = packages.iter().map(|package| format!("{}=={}", package.name, package.version));
            // For any Python, so that the one that runs pip does not matter.
            let any = ["--python-version", "3.13", "--implementation", "py", "--abi", "none", "--platform", "any"];
            let pip =
                ["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"];
            succeed(Command::new("python3").args(pip).args(any).args(names).current_dir(work));
        }
    }
}

fn unpack(package: &Package, work: &Path, inside: &Path) {
    match package.registry {
        Registry::Npm => {
            let archive = work.join(format!("{}.tgz", file_name(package)));
            succeed(Command::new("tar").args(["--strip-components=1", "-xzf"]).arg(archive).current_dir(inside));
        }
        Registry::Pypi => {
            let start = file_name(package).replacen('-', "_", package.name.matches('-').count());
            let wheel =
                fs::read_dir(work).expect("our folder").map(|entry| entry.expect("an entry").path()).find(|path| {
                    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{start}-")))
                });
            let wheel = wheel.unwrap_or_else(|| panic!("no archive of {}", package.name));
            succeed(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(inside));
        }
    }
}

/// Takes the scripts out.
fn extract(package: &Package, inside: &Path, to: &Path) {
    let node = |how: &str, from: Vec<PathBuf>| succeed(Command::new("node").arg(JS).arg(how).arg(to).args(from));
    match package.scripts {
        Scripts::Folder(folder) => {
            fs::create_dir_all(to).expect("a folder");
            for entry in fs::read_dir(inside.join(folder)).expect("the package's scripts") {
                let path = entry.expect("an entry").path();
                if path.extension().is_some_and(|ending| ending == "lua") {
                    fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
                }
            }
        }
        Scripts::Modules(folder) => node("modules", vec![inside.join(folder)]),
        Scripts::Payloads(file, names) => node("payloads", vec![inside.join(file), names.into()]),
        Scripts::Within(files) => {
            let files: Vec<PathBuf> = files.iter().map(|file| inside.join(file)).collect();
            match package.registry {
                Registry::Npm => node("literals", files),
                Registry::Pypi => succeed(Command::new("python3").arg(PY).arg(to).args(files)),
            }
        }
    }
}

fn succeed(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
