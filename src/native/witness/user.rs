//! The user as whom a script call is replayed: the server lets it touch the call's own keys and nothing else.

use crate::core::commands::ScriptCall;
use crate::core::keyspace::hash_tag;
use crate::core::policy::Policy;

/// Its name.
pub(super) const CALLER: &str = "emq-caller";
/// The user that rebuilds the state: every key, and no command that reaches beyond this server's data.
pub(super) const KEEPER: &str = "emq-keeper";

/// What both may run. A capture may come from anywhere, so nothing that administrates the server or connects to another.
const COMMANDS: [&str; 3] = ["+@all", "-@admin", "-migrate"];

/// The rules that make a user who may touch every key, or none.
pub(super) fn rules(name: &str, keys: &'static str) -> Vec<Vec<u8>> {
    let words = [name, "reset", "on", "nopass", "allchannels"].into_iter().chain(COMMANDS).chain([keys]);
    words.map(|word| word.as_bytes().to_vec()).collect()
}

/// The rules that let the caller touch what a call declares under a policy.
pub(super) fn keys_of(call: &ScriptCall, args: &[&[u8]], policy: Policy) -> Vec<Vec<u8>> {
    let keys = args.get(call.keys.clone()).unwrap_or_default();
    let mut rules = vec![b"resetkeys".to_vec()];
    rules.extend(keys.iter().map(|key| pattern(key, false)));
    if policy >= Policy::Rooted {
        rules.extend(keys.iter().filter(|key| !key.is_empty()).map(|key| pattern(key, true)));
    }
    if policy >= Policy::SlotRooted {
        let tags: Vec<&[u8]> = keys.iter().filter_map(|key| hash_tag(key)).collect();
        let bases = args.get(call.args.clone()).unwrap_or_default().iter();
        let tagged = bases.filter(|base| hash_tag(base).is_some_and(|tag| tags.contains(&tag)));
        rules.extend(tagged.map(|base| pattern(base, true)));
    }
    rules
}

/// A rule that takes exactly this key, or all that start with it.
///
/// The server takes no space and no zero byte in a pattern: one byte of any kind stands for each.
fn pattern(key: &[u8], longer: bool) -> Vec<u8> {
    let mut rule = vec![b'~'];
    for &byte in key {
        match byte {
            0 | b' ' | b'\t'..=b'\r' => rule.push(b'?'),
            b'*' | b'?' | b'[' | b']' | b'\\' | b'^' => rule.extend([b'\\', byte]),
            byte => rule.push(byte),
        }
    }
    rule.extend(longer.then_some(b'*'));
    rule
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::commands::script_call;

    fn rules(call: &str, policy: Policy) -> Vec<String> {
        let args: Vec<&[u8]> = call.split(' ').map(str::as_bytes).collect();
        let rules = keys_of(&script_call(&args).expect("a call"), &args, policy);
        rules.into_iter().skip(1).map(|rule| String::from_utf8(rule).expect("text")).collect()
    }

    #[test]
    fn each_policy_allows_what_it_takes_for_declared() {
        let call = "EVAL s 1 emq:{q}:wait emq:{q}:job: emq:{r}:";
        assert_eq!(rules(call, Policy::Strict), ["~emq:{q}:wait"]);
        assert_eq!(rules(call, Policy::Rooted), ["~emq:{q}:wait", "~emq:{q}:wait*"]);
        assert_eq!(rules(call, Policy::SlotRooted), ["~emq:{q}:wait", "~emq:{q}:wait*", "~emq:{q}:job:*"]);
        assert_eq!(rules("EVAL s 0 emq:{q}:", Policy::SlotRooted), [""; 0]);
    }

    #[test]
    fn a_key_is_no_pattern() {
        assert_eq!(pattern(b"a*[b]?\\^", false), b"~a\\*\\[b\\]\\?\\\\\\^");
        assert_eq!(pattern(b"a b\0\n", true), b"~a?b??*");
    }
}
