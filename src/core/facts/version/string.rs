//! What commands do to a version that is a string.

use super::{VersionWhat, value};
use crate::core::bytes::{Arg, Bytes};

/// The commands whose effect on a version that is a string is followed; any other that writes it obscures it.
pub(super) const FOLLOWED: [&[u8]; 8] = [b"SET", b"SETNX", b"SETEX", b"PSETEX", b"GETSET", b"GETDEL", b"GET", b"MGET"];

/// What a command does to a version that is a string; `args` follow its key.
pub(super) fn effect(name: &[u8], args: &[Arg]) -> Option<VersionWhat> {
    let offered = |arg: Option<&Arg>| Some(value(arg?, VersionWhat::Offered, VersionWhat::Asked));
    let options = args.get(1..).unwrap_or_default();
    match name {
        b"SET" => set(args.first()?, options),
        b"SETNX" => offered(args.first()),
        b"GETSET" => Some(value(args.first()?, VersionWhat::Wrote, VersionWhat::WroteRedacted)),
        b"SETEX" | b"PSETEX" => Some(value(args.get(1)?, VersionWhat::WroteForATime, VersionWhat::WroteRedacted)),
        b"GETDEL" => Some(VersionWhat::Removed),
        _ => Some(VersionWhat::Asked),
    }
}

/// SET with its options; the engine refuses one that it does not know.
fn set(written: &Arg, options: &[Arg]) -> Option<VersionWhat> {
    let mut how: fn(Bytes) -> VersionWhat = VersionWhat::Wrote;
    let mut hidden = VersionWhat::WroteRedacted;
    if options.iter().any(|option| option.known().is_none()) {
        return Some(VersionWhat::Obscured);
    }
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_slice().to_ascii_uppercase().as_slice() {
            b"NX" => (how, hidden) = (VersionWhat::Offered, VersionWhat::Asked),
            b"XX" => (how, hidden) = (|_| VersionWhat::Obscured, VersionWhat::Obscured),
            b"IFEQ" => {
                options.next()?;
                (how, hidden) = (|_| VersionWhat::Obscured, VersionWhat::Obscured);
            }
            b"EX" | b"PX" | b"EXAT" | b"PXAT" => {
                options.next()?;
                // On a condition it stays what the condition makes it.
                if matches!(hidden, VersionWhat::WroteRedacted) {
                    how = VersionWhat::WroteForATime;
                }
            }
            b"KEEPTTL" | b"GET" => {}
            _ => return None,
        }
    }
    Some(value(written, how, hidden))
}
