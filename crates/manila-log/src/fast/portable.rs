//! The masks of a chunk on any processor.

use super::masks::{Chunk, Machine, Masks};

/// Needs nothing of the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

fn mask(chunk: &Chunk, is: impl Fn(u8) -> bool) -> u64 {
    chunk.iter().enumerate().fold(0, |bits, (at, &byte)| bits | (u64::from(is(byte)) << at))
}

impl Machine for Portable {
    fn masks(self, chunk: &Chunk) -> Masks {
        Masks {
            backslash: mask(chunk, |byte| byte == b'\\'),
            quote: mask(chunk, |byte| byte == b'"'),
            open: mask(chunk, |byte| byte | 0x20 == b'{'),
            close: mask(chunk, |byte| byte | 0x20 == b'}'),
            brace: mask(chunk, |byte| byte & 0x20 != 0),
            colon: mask(chunk, |byte| byte == b':'),
            comma: mask(chunk, |byte| byte == b','),
            newline: mask(chunk, |byte| byte == b'\n'),
            space: mask(chunk, |byte| matches!(byte, b' ' | b'\t' | b'\r')),
            control: mask(chunk, |byte| byte < 0x20),
            digit: mask(chunk, |byte| byte.is_ascii_digit()),
            zero: mask(chunk, |byte| byte == b'0'),
        }
    }

    fn parity(self, mut bits: u64) -> u64 {
        for shift in [1, 2, 4, 8, 16, 32] {
            bits ^= bits << shift;
        }
        bits
    }
}
