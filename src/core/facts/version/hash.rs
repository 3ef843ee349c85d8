//! What commands do to a version that is a field of a hash.

use super::{VersionWhat, value};
use crate::core::bytes::Arg;

/// The commands whose effect on one field of a hash is followed; any other that writes the hash obscures it.
pub(super) const FOLLOWED: [&[u8]; 16] = [
    b"HSET",
    b"HMSET",
    b"HSETEX",
    b"HSETNX",
    b"HDEL",
    b"HGETDEL",
    b"HGET",
    b"HMGET",
    b"HGETALL",
    b"HGETEX",
    b"HINCRBY",
    b"HINCRBYFLOAT",
    b"HEXPIRE",
    b"HPEXPIRE",
    b"HEXPIREAT",
    b"HPEXPIREAT",
];

/// What a command on the hash does to the field.
pub(super) fn effect(name: &[u8], args: &[Arg], field: &[u8]) -> Option<VersionWhat> {
    let is_field = |arg: &Arg| arg.known() == Some(field);
    let named = |what| args.iter().any(is_field).then_some(what);
    match name {
        // The engine refuses a field without its value.
        b"HSET" | b"HMSET" if !args.len().is_multiple_of(2) => None,
        b"HSET" | b"HMSET" => written(args, field),
        // HSETEX key [options] FIELDS n field value …; FNX and FXX make it conditional, the other options let it expire.
        b"HSETEX" => {
            let fields = args.iter().position(|arg| arg.as_slice().eq_ignore_ascii_case(b"FIELDS"))?;
            let (options, fields) = args.split_at_checked(fields)?;
            let wrote = written(fields.get(2..)?, field)?;
            Some(match wrote {
                _ if has_word(options, b"FNX") => VersionWhat::Asked,
                _ if has_word(options, b"FXX") => VersionWhat::Obscured,
                VersionWhat::Wrote(value) if !options.is_empty() && !has_word(options, b"KEEPTTL") => {
                    VersionWhat::WroteForATime(value)
                }
                wrote => wrote,
            })
        }
        b"HDEL" | b"HGETDEL" if args.iter().any(is_field) => Some(VersionWhat::Removed),
        b"HDEL" | b"HGETDEL" => args.iter().any(|arg| may_hide(arg, field)).then_some(VersionWhat::Obscured),
        b"HSETNX" => match args {
            [name, offered] if is_field(name) => Some(value(offered, VersionWhat::Offered, VersionWhat::Asked)),
            _ => None,
        },
        b"HGET" | b"HMGET" => named(VersionWhat::Asked),
        b"HGETALL" => Some(VersionWhat::Asked),
        _ => named(VersionWhat::Obscured),
    }
}

fn has_word(args: &[Arg], word: &[u8]) -> bool {
    args.iter().any(|arg| arg.as_slice().eq_ignore_ascii_case(word))
}

/// The last value given to the field among `field value` pairs: a command that names it twice keeps the last. A name that
/// the capture leaves out, and that is as long, may be the field's.
fn written(pairs: &[Arg], field: &[u8]) -> Option<VersionWhat> {
    let pair = pairs.chunks_exact(2).rfind(|pair| pair[0].known() == Some(field) || may_hide(&pair[0], field))?;
    match pair[0].known() {
        Some(_) => Some(value(&pair[1], VersionWhat::Wrote, VersionWhat::WroteRedacted)),
        None => Some(VersionWhat::Obscured),
    }
}

fn may_hide(arg: &Arg, field: &[u8]) -> bool {
    matches!(arg, Arg::Redacted(length) if usize::try_from(*length) == Ok(field.len()))
}
