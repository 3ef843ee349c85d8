//! A group of processes that ends with us, whatever happens.
//!
//! A small shell leads it and waits on a pipe whose other end only this process holds. When the pipe closes, by our doing or
//! because this process is gone, the shell kills the whole group. A process that left the group is known by a word in its
//! environment, and is ended too where the system shows environments.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

use crate::native::marked::{end_marked, kill};
use crate::native::server::watchdog::SHELL;

/// Stays until the pipe is closed, whoever asks it to end; then kills all there is in the group.
const WATCH: &str = "trap '' HUP INT TERM PIPE; read -r _; kill -9 0";

/// The group; dropping it ends everything in it.
pub(in crate::native) struct Group {
    shell: Child,
    pipe: Option<ChildStdin>,
    mark: String,
}

impl Group {
    /// A new group, for others to join. Whoever joins has [`MARK`](crate::native::marked::MARK) with this word in its
    /// environment, which nobody else knows.
    pub(in crate::native) fn watch(name: &str, mark: &str) -> io::Result<Self> {
        let mut shell = Command::new(SHELL);
        shell.args(["-c", WATCH, name]).stdout(Stdio::null()).stderr(Stdio::null());
        Self::lead(shell, mark)
    }

    /// A new group that this shell leads, which kills the group when its standard input ends.
    pub(in crate::native) fn lead(mut shell: Command, mark: &str) -> io::Result<Self> {
        let mut shell = shell.stdin(Stdio::piped()).process_group(0).spawn()?;
        let pipe = shell.stdin.take();
        Ok(Self { shell, pipe, mark: mark.to_owned() })
    }

    /// What the shell says, where somebody is to hear it.
    pub(in crate::native) fn take_output(&mut self) -> Option<(ChildStdout, ChildStderr)> {
        self.shell.stdout.take().zip(self.shell.stderr.take())
    }

    /// Its number.
    pub(in crate::native) fn id(&self) -> u32 {
        self.shell.id()
    }

    /// Sends a signal to everything in it.
    pub(in crate::native) fn signal(&self, name: &str) {
        kill(name, &format!("-{}", self.id()));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        drop(self.pipe.take());
        // Somebody may have killed the shell that should do it: while it is not waited for, its number is the group's.
        self.signal("KILL");
        drop(self.shell.wait());
        end_marked(&self.mark);
    }
}
