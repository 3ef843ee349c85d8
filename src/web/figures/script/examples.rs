//! The texts of the bench's examples, as the page loads them: one file, since each by itself is small.

use crate::web::packed::{Packer, Unpacker};

/// Packs them, as [captures](crate::web::packed) are.
pub fn pack(texts: &[&str]) -> Vec<u8> {
    let mut out = Packer::default();
    out.list(texts.iter(), |out, text| out.bytes(text.as_bytes()));
    out.into_bytes()
}

/// Unpacks them; `None` for bytes that nothing was packed into.
pub fn unpack(bytes: &[u8]) -> Option<Vec<String>> {
    let mut rest = Unpacker::new(bytes);
    let texts = rest.list(Unpacker::text)?;
    rest.is_empty().then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};

    #[test]
    fn what_is_packed_comes_out_the_same() {
        let packed = pack(&["a", "", "return 'ä'"]);
        assert_eq!(unpack(&packed), Some(vec!["a".to_owned(), String::new(), "return 'ä'".to_owned()]));
        assert_eq!(unpack(&packed[..packed.len() - 1]), None);
        assert_eq!(unpack(b"<!doctype html>"), None);
    }
}
