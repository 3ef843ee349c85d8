//! A folder of a test's own, removed with everything in it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("emq-test-{}-{number}", process::id()));
        fs::create_dir(&path).expect("a folder is made");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A path as a command line takes it.
    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("a path of ours is text").to_owned()
    }

    /// Writes a file, and the folders that it is in.
    pub(crate) fn write(&self, name: &str, data: impl AsRef<[u8]>) -> String {
        fs::create_dir_all(self.path(name).parent().expect("it is in this folder")).expect("its folder is made");
        fs::write(self.path(name), data).expect("the file is written");
        self.text(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file is there")
    }

    /// A shell script that can be run.
    pub(crate) fn script(&self, name: &str, text: &str) -> String {
        let path = self.write(name, format!("#!/bin/sh\n{text}"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the script is made executable");
        path
    }

    /// A named pipe.
    pub(crate) fn pipe(&self, name: &str) -> String {
        let path = self.text(name);
        assert!(process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs").success());
        path
    }

    /// A server program that writes its process id into the file `pid` and then is `server`.
    pub(crate) fn server(&self, server: &Path) -> String {
        let text = format!("echo $$ >'{}'\nexec '{}' \"$@\"\n", self.text("pid"), server.display());
        self.script("server", &text)
    }

    /// The names of the files in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
