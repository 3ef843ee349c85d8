//! Runs scripts on a real server and says which keys outside KEYS each one touched.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use echomq_conformance::core::bytes::Arg;
use echomq_conformance::core::capture::model::Origin;
use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::core::commands::operand_keys;
use echomq_conformance::native::server::{PrivateServer, Recorder, Target, recorder};

use super::generate::function_name;

const PATIENCE: Duration = Duration::from_secs(60);
/// Keys and arguments that lead through different branches; one argument names a declared key, some keys have a zero byte.
const RUNS: [(&[&str], &[&str]); 7] = [
    (&["k:1", "k:2", "k:3"], &["a", "b", "1"]),
    (&["k:1", "k:2", "k:3"], &["a", "k:2", "0"]),
    (&["k:1", "k:2", "k:3"], &["k:1", "a", "2"]),
    (&["k:1\0", "k:2\0k:2", "k:3"], &["a", "k:3", "0"]),
    // Fewer than are read.
    (&["k:1", "k:2"], &[]),
    (&["k:1"], &["a", "b", "1"]),
    (&[], &["a", "b", "1"]),
];

/// Says whether a script is read as if the caller passed all that it names by number, as the documentation says: a list that was added to
/// is spread, or a text is made that a missing argument does not end.
fn is_read_as_written(script: &str) -> bool {
    let has = |forms: &[&str]| forms.iter().any(|form| script.contains(form));
    // As the last argument of a command, or of a function that gives it to one.
    let is_spread = script.match_indices("unpack(").any(|(at, _)| {
        let before = &script[..at];
        let is_word = |text: &str| text.ends_with(|last: char| last.is_ascii_alphanumeric());
        before.ends_with("call(") || before.ends_with("run(") || before.strip_suffix("', ").is_some_and(is_word)
    });
    has(&["tostring", "concat"]) || (has(&["insert", "+ 1] ="]) && is_spread)
}

/// What the runs of a script touched.
#[derive(Clone, Default)]
pub(crate) struct Touched {
    /// Keys outside KEYS.
    pub(crate) undeclared: BTreeSet<String>,
    /// Keys that begin with no element of KEYS.
    pub(crate) rootless: BTreeSet<String>,
}

/// For each script, what its runs touched.
pub(crate) fn touched(program: &Path, scripts: &[String]) -> Vec<Touched> {
    let server = PrivateServer::start(program).expect("a private server");
    let target = Target::private(&server, PATIENCE).expect("its address");
    let mut client = target.connect().expect("a connection");
    let recording = Recorder::start(&target).expect("MONITOR");
    for scripts in scripts.chunks(100) {
        let mut pipe = redis::pipe();
        for script in scripts {
            let function = function_name(script);
            if function.is_some() {
                pipe.cmd("FUNCTION").arg("FLUSH").ignore();
                pipe.cmd("FUNCTION").arg("LOAD").arg(script).ignore();
            }
            for (keys, arguments) in RUNS {
                match &function {
                    Some(function) => pipe.cmd("FCALL").arg(function),
                    None => pipe.cmd("EVAL").arg(script),
                };
                pipe.arg(keys.len()).arg(keys).arg(arguments).ignore();
            }
        }
        // Scripts that fail have touched what they touched.
        let _ = pipe.query::<()>(&mut client);
    }
    recorder::mark(&mut client, "the-end").expect("the marker");
    let mut reader = Reader::new();
    let (mut runs, mut touched) = (0, vec![Touched::default(); scripts.len()]);
    let keep = |line: &str| {
        let Some(event) = reader.line(line.as_bytes()).expect("a line of MONITOR") else { return };
        let argv: Vec<&[u8]> = event.argv.iter().map(Arg::as_slice).collect();
        if event.origin != Origin::Script {
            runs += usize::from(
                argv.first().is_some_and(|name| matches!(name.to_ascii_uppercase().as_slice(), b"EVAL" | b"FCALL")),
            );
            return;
        }
        let (script, (own, _)) = ((runs - 1) / RUNS.len(), RUNS[(runs - 1) % RUNS.len()]);
        if own.len() < 3 && is_read_as_written(&scripts[script]) {
            return;
        }
        for key in keys(&argv) {
            if !own.iter().any(|own| key.starts_with(own)) {
                touched[script].rootless.insert(key.clone());
            }
            if !own.contains(&key.as_str()) {
                touched[script].undeclared.insert(key);
            }
        }
    };
    recording.finish("the-end", PATIENCE, keep).expect("the whole recording");
    assert_eq!(runs, scripts.len() * RUNS.len(), "every script ran");
    touched
}

fn keys(argv: &[&[u8]]) -> Vec<String> {
    let Ok(operands) = operand_keys(argv) else { return Vec::new() };
    let places = operands.keys.iter().map(|key| key.index).chain(operands.patterns.iter().map(|pattern| pattern.index));
    places.map(|index| String::from_utf8_lossy(argv[index]).into_owned()).collect()
}
