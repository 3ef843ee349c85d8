//! What replies that were read aside show of a version.

use super::{VersionFact, VersionWhat, whose};
use crate::core::bytes::Bytes;
use crate::core::capture::{Read, Reply};
use crate::core::profile::{Profile, VersionAt};

/// What a reply read aside shows of a version.
pub(in crate::core::facts) fn replied(profile: &Profile, read: &Read) -> Option<VersionFact> {
    let [name, key, fields @ ..] = read.argv.as_slice() else { return None };
    let of = whose(profile, &key.0)?;
    let command = name.to_string().to_ascii_uppercase();
    let value = match profile.version {
        VersionAt::HashField { field, .. } => hash_reply(&command, fields, &read.reply, field)?,
        VersionAt::String { .. } => (command == "GET").then(|| text(&read.reply))?,
    };
    if matches!(read.reply, Reply::Error { .. }) {
        return None;
    }
    let what = VersionWhat::Replied(value);
    Some(VersionFact { of, key: key.clone(), db: None, what, command, first: None, last: None })
}

/// The field's value in the reply to a command that asked for it; the inner `None` says that there is none.
#[allow(clippy::option_option, reason = "not asked for, asked for and absent, asked for and there")]
fn hash_reply(command: &str, fields: &[Bytes], reply: &Reply, field: &str) -> Option<Option<Bytes>> {
    let field = field.as_bytes();
    match command {
        "HGET" => (fields.first()?.0 == field).then(|| text(reply)),
        "HMGET" => Some(text(array(reply)?.get(fields.iter().position(|name| name.0 == field)?)?)),
        "HGETALL" => {
            let mut pairs = array(reply)?.chunks_exact(2);
            // Pairs as arrays of their own are not how a capture writes a hash: they say nothing, not even of what is absent.
            if array(reply)?.iter().any(|item| matches!(item, Reply::Array(_))) {
                return None;
            }
            let found = pairs.rfind(|pair| text(&pair[0]).is_some_and(|name| name.0 == field));
            Some(found.and_then(|pair| text(&pair[1])))
        }
        _ => None,
    }
}

fn text(reply: &Reply) -> Option<Bytes> {
    match reply {
        Reply::Text(bytes) => Some(bytes.clone()),
        Reply::Integer(number) => Some(number.to_string().as_str().into()),
        Reply::Nil(()) | Reply::Array(_) | Reply::Error { .. } => None,
    }
}

fn array(reply: &Reply) -> Option<&[Reply]> {
    match reply {
        Reply::Array(items) => Some(items),
        _ => None,
    }
}
