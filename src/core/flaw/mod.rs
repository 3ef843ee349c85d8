//! The v1 flaw: our scripts, what real servers said of calls of them, and what the published package came to.
//!
//! It is read from the recording's file ([`Flaw::read`]); what the figures draw, and how, is theirs.

pub mod anchors;
mod read;

/// The ways to take a job: the names of their scripts, which say how many keys a caller passes, and what they are. Two have one
/// text: what v1's script gets beyond its two lists it does not look at.
pub const PASSES: [(&str, &str); 4] = [
    ("take-2.lua", "v1: two lists and a prefix"),
    ("take-4.lua", "v1’s script, all four keys passed"),
    ("passed-4.lua", "four keys passed, and used"),
    ("claim-4.lua", "v2: claim-4.lua"),
];

/// How keys are named: as the recording calls it, and in words.
pub const NAMES: [(&str, &str); 3] =
    [("no-tag", "emq:payments:…"), ("one-tag", "emq:{payments}:…"), ("half-tag", "{payments} in KEYS, not in ARGV")];

/// Who took a job meanwhile.
pub const FASTER: [&str; 2] = ["nobody", "another worker took job 01"];

/// The servers that were asked, in the order of the anchors.
pub const SERVERS: [&str; 3] = ["standalone", "restricted", "cluster"];

/// Everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flaw {
    /// The day of the recording.
    pub date: String,
    /// What takes it again.
    pub repeat: String,
    /// The engines, `valkey 8.0.1 and 9.1.2`.
    pub engines: String,
    /// The texts of the scripts, in the order of [`PASSES`].
    pub texts: Vec<String>,
    /// The calls: each way with each naming, first when nobody was faster.
    pub calls: Vec<Call>,
    /// How many calls of commands v2's script has, and what the analysis says of it.
    pub mended: (u64, String),
    /// Of this project's own scripts, how many declare all keys, and how many there are.
    pub own: (u64, u64),
    /// The published package.
    pub package: Package,
}

/// A call of a script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Call {
    /// Its KEYS.
    pub keys: Vec<String>,
    /// Its ARGV.
    pub args: Vec<String>,
    /// Every key that the script touched where nobody refused it.
    pub touched: Vec<String>,
    /// What each of [`SERVERS`] said; versions that said the same have one entry.
    pub said: Vec<Vec<Said>>,
}

/// What a server said, and how it left the queue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// The versions.
    pub versions: String,
    /// It is an error.
    pub refused: bool,
    /// Its words.
    pub words: String,
    /// The key that ACL LOG names.
    pub logged: Option<String>,
    /// The job that this call moved to active.
    pub moved: Option<String>,
    /// The lock of that job, where it is not there.
    pub unlocked: Option<String>,
    /// The lock of another worker's job is now this one's.
    pub stolen: bool,
}

/// What the scripts of a published package came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Package {
    /// `bullmq 5.65.1`.
    pub name: String,
    /// The day.
    pub date: String,
    /// What repeats it.
    pub repeat: String,
    /// How many scripts are undeclared, derived, declared and unknown.
    pub counts: [u64; 4],
}

/// Which call is looked at: places in [`PASSES`] and [`NAMES`], and whether somebody was faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choice {
    /// How.
    pub passes: usize,
    /// Under which names.
    pub names: usize,
    /// Somebody was faster.
    pub raced: bool,
}

/// What a server did with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end.
    Taken,
    /// It did not begin.
    Refused,
    /// It was ended when it had changed something.
    Halfway,
}

impl Choice {
    /// The call that shows the transition in v2.
    pub const MENDED: Self = Self { passes: 3, names: 1, raced: false };

    fn place(self) -> usize {
        (self.passes * NAMES.len() + self.names) * 2 + usize::from(self.raced)
    }
}

impl Flaw {
    /// A call.
    pub fn call(&self, choice: Choice) -> Option<&Call> {
        self.calls.get(choice.place())
    }

    /// What a server said of a call.
    pub fn said(&self, choice: Choice, server: usize) -> &[Said] {
        self.call(choice).and_then(|call| call.said.get(server)).map_or(&[], Vec::as_slice)
    }

    /// What a server did with it.
    pub fn outcome(&self, choice: Choice, server: usize) -> Option<Outcome> {
        self.said(choice, server).first().map(Said::outcome)
    }
}

impl Call {
    /// How many of the keys that were touched are in KEYS.
    pub fn declared(&self) -> usize {
        self.touched.iter().filter(|key| self.keys.contains(key)).count()
    }
}

impl Said {
    /// What came of it.
    pub fn outcome(&self) -> Outcome {
        match (self.refused, &self.moved) {
            (false, _) => Outcome::Taken,
            (true, None) => Outcome::Refused,
            (true, Some(_)) => Outcome::Halfway,
        }
    }

    /// Whether it did what was asked, and the queue is as it should be.
    pub fn is_well(&self) -> bool {
        !self.refused && self.unlocked.is_none() && !self.stolen
    }
}
