//! The masks of a chunk on any processor: eight bytes at a time.

use super::masks::{Chunk, Machine, Masks};

/// Needs nothing of the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const LOWS: u64 = u64::from_ne_bytes([0x7f; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The high bit of each byte that is zero.
#[inline]
fn zeros(word: u64) -> u64 {
    !(((word & LOWS) + LOWS) | word) & HIGHS
}

/// The high bit of each byte that is that byte.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ (ONES * u64::from(byte)))
}

/// The high bit of each byte that is below `limit`, which is at most 0x80.
#[inline]
fn below(word: u64, limit: u8) -> u64 {
    !(((word & LOWS) + ONES * u64::from(0x80 - limit)) | word) & HIGHS
}

/// The high bits of eight bytes as eight bits.
#[inline]
fn gather(highs: u64) -> u64 {
    (highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl Machine for Portable {
    #[inline]
    fn masks(self, chunk: &Chunk) -> Masks {
        let mut masks = Masks::default();
        for (number, word) in chunk.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let at = 8 * number;
            // `[` and `]` differ from `{` and `}` in the sixth bit alone.
            let bracket = word | (ONES * 0x20);
            let space = equal(word, b' ') | equal(word, b'\t') | equal(word, b'\r');
            masks.backslash |= gather(equal(word, b'\\')) << at;
            masks.quote |= gather(equal(word, b'"')) << at;
            masks.open |= gather(equal(bracket, b'{')) << at;
            masks.close |= gather(equal(bracket, b'}')) << at;
            masks.brace |= gather((word << 2) & HIGHS) << at;
            masks.colon |= gather(equal(word, b':')) << at;
            masks.comma |= gather(equal(word, b',')) << at;
            masks.newline |= gather(equal(word, b'\n')) << at;
            masks.space |= gather(space) << at;
            masks.control |= gather(below(word, 0x20)) << at;
            masks.digit |= gather(below(word, b'9' + 1) & !below(word, b'0')) << at;
            masks.zero |= gather(equal(word, b'0')) << at;
        }
        masks
    }

    #[inline]
    fn parity(self, mut bits: u64) -> u64 {
        for shift in [1, 2, 4, 8, 16, 32] {
            bits ^= bits << shift;
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte, as the names say.
    fn plainly(chunk: &Chunk) -> Masks {
        let mask = |is: &dyn Fn(u8) -> bool| {
            chunk.iter().enumerate().fold(0, |bits, (at, byte)| bits | (u64::from(is(*byte)) << at))
        };
        Masks {
            backslash: mask(&|byte| byte == b'\\'),
            quote: mask(&|byte| byte == b'"'),
            open: mask(&|byte| matches!(byte, b'{' | b'[')),
            close: mask(&|byte| matches!(byte, b'}' | b']')),
            brace: mask(&|byte| byte & 0x20 != 0),
            colon: mask(&|byte| byte == b':'),
            comma: mask(&|byte| byte == b','),
            newline: mask(&|byte| byte == b'\n'),
            space: mask(&|byte| matches!(byte, b' ' | b'\t' | b'\r')),
            control: mask(&|byte| byte < 0x20),
            digit: mask(&|byte| byte.is_ascii_digit()),
            zero: mask(&|byte| byte == b'0'),
        }
    }

    /// The same with the processor's own instructions, if it has them; says so if it has not.
    #[cfg(target_arch = "x86_64")]
    fn machine() -> Option<super::super::avx2::Avx2> {
        use std::io::Write;
        let machine = super::super::avx2::Avx2::detect();
        if machine.is_none() {
            // Not a macro: what those print is only shown when a test fails.
            let _ = writeln!(std::io::stderr(), "SKIPPED: this processor has no AVX2");
        }
        machine
    }

    #[test]
    fn every_byte_beside_every_other_is_what_it_is() {
        #[cfg(target_arch = "x86_64")]
        let machine = machine();
        for first in 0..=255 {
            for second in 0..=255 {
                let mut chunk = [first; 64];
                chunk.iter_mut().skip(1).step_by(2).for_each(|byte| *byte = second);
                let right = plainly(&chunk);
                assert_eq!(Portable.masks(&chunk), right, "{first} {second}");
                #[cfg(target_arch = "x86_64")]
                if let Some(machine) = machine {
                    assert_eq!(machine.masks(&chunk), right, "{first} {second}");
                }
            }
        }
    }

    #[test]
    fn parity_is_the_count_of_the_bits_so_far() {
        #[cfg(target_arch = "x86_64")]
        let machine = machine();
        for bits in [0u64, 1, 0b1010, !0, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef] {
            let count = |at: u64| u64::from((bits & (!0 >> (63 - at))).count_ones() & 1);
            let right = (0..64).fold(0, |parity, at| parity | (count(at) << at));
            assert_eq!(Portable.parity(bits), right);
            #[cfg(target_arch = "x86_64")]
            if let Some(machine) = machine {
                assert_eq!(machine.parity(bits), right);
            }
        }
    }
}
