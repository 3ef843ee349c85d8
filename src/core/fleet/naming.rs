//! Which jobs a command names.

use crate::core::commands::script_call;

/// Those of `jobs` that a command names: by their keys, which start with `start`, or where it has no key of a job, as what it
/// looks for in a list or a set or puts there. An id may be a small number, and one that stands elsewhere is a count or a score.
/// A script's call names nobody: what it does are commands of their own.
pub(super) fn named<'j>(args: &[&[u8]], jobs: &[&'j str], start: &str) -> Vec<&'j str> {
    if script_call(args).is_some() {
        return Vec::new();
    }
    let those = |is_named: &dyn Fn(&str) -> bool| jobs.iter().copied().filter(|job| is_named(job)).collect::<Vec<_>>();
    let by_key = those(&|job| args.iter().skip(1).any(|arg| is_key_of(arg, job, start)));
    if !by_key.is_empty() {
        return by_key;
    }
    let members = members(args);
    those(&|job| members.contains(&job.as_bytes()))
}

fn is_key_of(arg: &[u8], job: &str, start: &str) -> bool {
    let rest = arg.strip_prefix(start.as_bytes()).and_then(|rest| rest.strip_prefix(job.as_bytes()));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b":"))
}

/// The arguments that stand for elements of a list or a set.
fn members<'a>(args: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let [name, _, rest @ ..] = args else { return Vec::new() };
    match name.to_ascii_uppercase().as_slice() {
        b"LPUSH" | b"LPUSHX" | b"RPUSH" | b"RPUSHX" | b"SADD" | b"SREM" | b"SMISMEMBER" | b"ZREM" | b"ZMSCORE" => {
            rest.to_vec()
        }
        b"ZADD" => {
            let is_option = |arg: &&[u8]| {
                let options: [&[u8]; 6] = [b"NX", b"XX", b"GT", b"LT", b"CH", b"INCR"];
                options.iter().any(|option| arg.eq_ignore_ascii_case(option))
            };
            rest.iter().copied().skip_while(is_option).skip(1).step_by(2).collect()
        }
        b"LINSERT" | b"LREM" | b"LSET" | b"SMOVE" | b"ZINCRBY" => rest.last().copied().into_iter().collect(),
        b"LPOS" | b"SISMEMBER" | b"ZRANK" | b"ZREVRANK" | b"ZSCORE" => rest.first().copied().into_iter().collect(),
        _ => Vec::new(),
    }
}
