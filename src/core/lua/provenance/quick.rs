//! A fast hash for the walk's own small keys, which nobody from outside can choose.

use std::hash::Hasher;

/// Multiplies and turns, word by word.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::core::lua) struct Mixer(u64);

/// An odd number without a pattern: the fraction of pi.
const FACTOR: u64 = 0x243f_6a88_85a3_08d3;

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // The lowest bits have seen the fewest of the words.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        let mut last = [0; 8];
        for (place, byte) in last.iter_mut().zip(words.remainder()) {
            *place = *byte;
        }
        self.mix(u64::from_le_bytes(last));
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.mix(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
}
