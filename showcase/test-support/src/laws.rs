//! The laws of the fuzz targets on stable: how often they are tried, on what, and how a broken one is reported.

use std::ops::Range;
use std::panic::{RefUnwindSafe, catch_unwind};

/// How often a law is tried, unless `MANILA_FUZZ_ROUNDS` says otherwise.
pub fn rounds(default: u64) -> u64 {
    std::env::var("MANILA_FUZZ_ROUNDS").map_or(default, |rounds| {
        rounds.parse().unwrap_or_else(|_| panic!("MANILA_FUZZ_ROUNDS={rounds} is not a number"))
    })
}

/// Tries a law, and shows the bytes that break it.
pub fn assert_law(law: impl Fn(&[u8]) + RefUnwindSafe, input: &[u8], name: &str) {
    let holds = catch_unwind(|| law(input)).is_ok();
    assert!(holds, "{name} breaks a law: b\"{}\"", input.escape_ascii());
}

/// Numbers that look random and are the same for the same seed: xorshift64*.
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.draw();
        random
    }

    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 8
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.draw() % limit as u64).unwrap_or_default()
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        self.draw().to_le_bytes()[0]
    }

    /// One of a list.
    pub fn one_of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A slice, short or, now and then, of any length.
    pub fn slice_of(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.below(bytes.len() + 1);
        let rest = bytes.len() - start;
        let longest = if self.below(4) == 0 { rest } else { rest.min(16) };
        start..start + self.below(longest + 1)
    }
}
