//! The parts of a script call: what is called, with which KEYS and which ARGV.

use std::ops::Range;

use super::command::{Command, CommandFlags, resolve};
use super::key_spec::key_count;
use super::role::Role;

/// One call of a script or a function, by the places of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCall {
    /// How the script is named.
    pub kind: ScriptKind,
    /// Which argument names it: the source, the SHA-1 or the function's name.
    pub index: usize,
    /// Whether the engine lets the script write.
    pub read_only: bool,
    /// Which arguments are KEYS.
    pub keys: Range<usize>,
    /// Which arguments are ARGV.
    pub args: Range<usize>,
}

/// How a call names the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptKind {
    /// By its source: EVAL, `EVAL_RO`.
    Source,
    /// By the SHA-1 of its source, in any case: EVALSHA, `EVALSHA_RO`.
    Sha1,
    /// By the name of a loaded function: FCALL, `FCALL_RO`.
    Function,
}

/// Takes a script call apart; nothing when it is none, or one that the engine refuses to run.
///
/// ```
/// use echomq_conformance::core::commands::script_call;
///
/// let call = script_call(&[b"EVAL", b"return KEYS[1]", b"1", b"emq:{q}:wait", b"5"]).expect("a script call");
/// assert_eq!((call.index, call.keys, call.args), (1, 3..4, 4..5));
/// ```
pub fn script_call(argv: &[&[u8]]) -> Option<ScriptCall> {
    let command = resolve(argv).ok().filter(|command| command.role() == Role::Script)?;
    command.check_arity(argv.len()).ok()?;
    let end = 3_usize.checked_add(key_count(argv.get(2)?)?).filter(|&end| end <= argv.len())?;
    Some(ScriptCall {
        kind: kind(command),
        index: 1,
        read_only: command.has(CommandFlags::READONLY),
        keys: 3..end,
        args: end..argv.len(),
    })
}

/// Whether a command of that name calls a script.
pub fn calls_a_script(name: &str) -> bool {
    name.starts_with("EVAL") || name.starts_with("FCALL")
}

/// The engine does not say which is which; the names do.
fn kind(command: &Command) -> ScriptKind {
    match command.name() {
        "EVALSHA" | "EVALSHA_RO" => ScriptKind::Sha1,
        "FCALL" | "FCALL_RO" => ScriptKind::Function,
        _ => ScriptKind::Source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(call: &str) -> Option<ScriptCall> {
        script_call(&call.split(' ').map(str::as_bytes).collect::<Vec<_>>())
    }

    #[test]
    fn keys_and_arguments_part_at_the_count() {
        let call = parts("fcall_ro f 2 a b c").expect("a script call");
        assert_eq!((call.kind, call.read_only), (ScriptKind::Function, true));
        assert_eq!((call.keys, call.args), (3..5, 5..6));
        let call = parts("EVALSHA abc 0").expect("a script call");
        assert_eq!((call.kind, call.read_only), (ScriptKind::Sha1, false));
        assert!(call.keys.is_empty() && call.args.is_empty());
    }

    #[test]
    fn a_call_that_cannot_run_has_no_parts() {
        for call in ["EVAL s 2 a", "EVAL s -1 a", "EVAL s 01 a", "EVAL s", "GET a", "SCRIPT LOAD s", "NOSUCH"] {
            assert_eq!(parts(call), None, "{call}");
        }
    }
}
