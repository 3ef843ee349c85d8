//! Hash tags and slots, as the Valkey cluster specification defines them.
//!
//! A cluster has 16,384 slots. A key's slot is the CRC16 (XMODEM) of its hash tag, or of the whole key where it has none,
//! modulo 16,384. Source: Valkey documentation, "Cluster specification", sections on key distribution and hash tags.

/// How many slots a cluster has.
pub const SLOTS: u16 = 16_384;

/// The hash tag: the bytes between the first `{` and the first `}` after it, when there are any.
///
/// ```
/// use echomq_conformance::core::keyspace::hash_tag;
/// assert_eq!(hash_tag(b"emq:{payments}:wait"), Some(&b"payments"[..]));
/// assert_eq!(hash_tag(b"emq:{}:wait"), None);
/// assert_eq!(hash_tag(b"}{a}"), Some(&b"a"[..]));
/// ```
pub fn hash_tag(key: &[u8]) -> Option<&[u8]> {
    let open = key.iter().position(|&byte| byte == b'{')?;
    let inside = &key[open + 1..];
    let length = inside.iter().position(|&byte| byte == b'}')?;
    (length > 0).then(|| &inside[..length])
}

/// The cluster slot of a key, 0 to 16,383.
///
/// ```
/// use echomq_conformance::core::keyspace::slot;
/// assert_eq!(slot(b"123456789"), 12739);
/// assert_eq!(slot(b"emq:{payments}:wait"), slot(b"payments"));
/// ```
pub fn slot(key: &[u8]) -> u16 {
    crc16(hash_tag(key).unwrap_or(key)) % SLOTS
}

/// CRC16-XMODEM: polynomial 0x1021, initial value 0, nothing reflected.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(
            crc ^ (u16::from(byte) << 8),
            |crc, _| {
                if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{hash_tag, slot};

    #[test]
    fn a_tag_ends_at_the_first_brace_after_its_start() {
        for (key, tag) in [
            (&b"{a}{b}"[..], Some(&b"a"[..])),
            (b"x{{a}}", Some(b"{a")),
            (b"{}{a}", None),
            (b"{a", None),
            (b"}a{", None),
            (b"", None),
            (b"{\xff}", Some(b"\xff")),
        ] {
            assert_eq!(hash_tag(key), tag, "{}", key.escape_ascii());
        }
    }

    #[test]
    fn slots_match_the_cluster_specification() {
        assert_eq!(slot(b"123456789"), 0x31C3);
        assert_eq!(slot(b"foo"), 12182);
        assert_eq!(slot(b""), 0);
    }
}
