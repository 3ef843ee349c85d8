//! The shell that outlives this process just long enough to end the server.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::output::Tail;
use super::start_error::StartError;

/// By its path: `PATH` may be the user's to play with.
pub(in crate::native) const SHELL: &str = "/bin/sh";

/// Starts `"$@"` without the first argument, prints its process id, waits for a line or the end of standard input, then kills
/// and reaps it, removes the folder that the first argument names, if any, and at last whatever was started, and itself: all
/// that is left in their process group.
///
/// The trap comes after the start: an ignored signal would be inherited by the server. Nobody may listen any more when it speaks,
/// and it has work to do all the same. The shell lets go of
/// standard error so that its end means the server's end.
const WATCHDOG: &str = r#"
folder=$1
shift
"$@" </dev/null >&2 &
server=$!
trap '' HUP INT TERM PIPE
echo "$server"
exec 2>/dev/null
read -r _
kill -9 "$server"
wait "$server"
[ -z "$folder" ] || rm -rf -- "$folder"
echo gone
kill -9 0
"#;

/// The shell that owns the server, and the pipe whose end is the server's.
pub(super) struct Watchdog {
    shell: Child,
    pipe: Option<ChildStdin>,
    /// What the shell says: the server's process id, and at last that the server is gone.
    words: Option<BufReader<ChildStdout>>,
}

impl Watchdog {
    /// Starts `program`; gives its process id and what it prints. A `folder` goes when the server has gone.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        folder: Option<&Path>,
    ) -> Result<(Self, u32, Tail), StartError> {
        let mut command = Command::new(SHELL);
        command.args(["-c", WATCHDOG, "emq-conform-watchdog"]).arg(folder.unwrap_or(Path::new("")));
        command.arg(program).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut shell = command.spawn().map_err(StartError::Watchdog)?;
        let (pipe, stderr) = (shell.stdin.take(), shell.stderr.take());
        let words = shell.stdout.take().map(BufReader::new);
        let mut watchdog = Self { shell, pipe, words };
        let output = Tail::follow(stderr.ok_or_else(|| StartError::Watchdog(io::Error::other("it has no output")))?);
        let word = watchdog.word().map_err(StartError::Watchdog)?;
        let ended = |_| StartError::Ended { program: program.to_owned(), printed: output.text() };
        let pid = word.parse().map_err(ended)?;
        Ok((watchdog, pid, output))
    }

    /// The shell's process id.
    pub(super) fn id(&self) -> u32 {
        self.shell.id()
    }

    /// The next line the shell says; empty when it has ended.
    fn word(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if let Some(words) = &mut self.words {
            words.read_line(&mut line)?;
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let gone = self.word().is_ok_and(|word| word == "gone");
        drop(self.shell.wait());
        // Somebody killed the watchdog, so nobody ends the server; its group is still known by number.
        if !gone {
            let group = self.shell.id().to_string();
            drop(Command::new(SHELL).args(["-c", "kill -s KILL -- -$0", &group]).stderr(Stdio::null()).status());
        }
    }
}
