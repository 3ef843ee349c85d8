//! Somebody's command in a process group of its own, which ends with us, whatever happens.

use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::native::group::Group;
use crate::native::marked::MARK;
use crate::native::server::output::Tail;
use crate::native::server::watchdog::SHELL;

/// Starts `$1`, says with which status it ended, and stays until the pipe is closed; then kills all there is in the group.
///
/// The traps come after the start, for an ignored signal would be inherited. The shell lets go of standard error, so that
/// its end means that nobody can print any more.
const WATCHDOG: &str = r#"
/bin/sh -c "$1" </dev/null >&2 &
command=$!
trap '' HUP INT TERM PIPE
exec 3<&0 2>/dev/null
{ read -r _ <&3; kill -9 0; } &
wait "$command"
echo "$?"
wait
"#;

/// How long a command that is asked to end may take.
const GRACE: Duration = Duration::from_secs(2);

/// The running command; dropping it ends its whole group.
pub(super) struct Process {
    group: Group,
    status: Receiver<Option<i32>>,
    output: Tail,
}

impl Process {
    /// Starts `command` with more in its environment; `mark` is a word that nobody else knows.
    pub(super) fn start(command: &str, environment: &[(&str, String)], mark: &str) -> io::Result<Self> {
        let mut shell = Command::new(SHELL);
        shell.args(["-c", WATCHDOG, "emq-conform-runtime", command]);
        shell.envs(environment.iter().map(|(name, value)| (name, value))).env(MARK, mark);
        shell.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::lead(shell, mark)?;
        let (words, output) = group.take_output().ok_or_else(|| io::Error::other("it has no output"))?;
        let (say, status) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(words).read_line(&mut line);
            // Nobody listens any more where the group has been ended.
            let _ = say.send(read.ok().and_then(|_| line.trim_end().parse().ok()));
        });
        Ok(Self { group, status, output: Tail::follow(output) })
    }

    /// The status with which the command has ended, as a shell gives it; nothing while it runs. One that nobody knows, for
    /// its shell was killed, is 137.
    pub(super) fn ended(&self) -> Option<i32> {
        const KILLED: i32 = 128 + 9;
        match self.status.try_recv() {
            Ok(status) => Some(status.unwrap_or(KILLED)),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(KILLED),
        }
    }

    /// Asks everything in the group to end, and gives it a moment for that.
    pub(super) fn ask_to_end(&self) {
        self.group.signal("TERM");
        // Whether it heeded or not: what is left is ended next.
        let _ = self.status.recv_timeout(GRACE);
    }

    /// What was printed last.
    pub(super) fn printed(&self) -> String {
        self.output.wait_end(Duration::from_millis(100));
        self.output.text()
    }
}
