//! The masks of a chunk with AVX2 and carry-less multiplication: the only unsafe code of the crate.
//!
//! All of it is calls of instructions that the processor may not have. An [`Avx2`] can only be had
//! from [`Avx2::detect`], which asks the processor, so that code that holds one may execute them.
//! The only memory that is read is a [`Chunk`], by one unaligned read of its 64 bytes.
#![allow(unsafe_code)]

use super::index::{Depth, run};
use super::lines::Index;
use super::masks::{Chunk, Machine, Masks};
use std::arch::x86_64::{
    __m256i, _mm_clmulepi64_si128, _mm_cvtsi128_si64, _mm_set_epi64x, _mm_set1_epi8,
    _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set1_epi8, _mm256_setr_epi8, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_testz_si256,
};

/// Proof that the processor has what the methods need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("pclmulqdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }

    /// Indexes a block with everything compiled for this processor.
    pub(super) fn index(self, bytes: &[u8], depth: Depth, index: &mut Index) {
        // SAFETY: `self` proves that the processor has all these features.
        unsafe { index_with(self, bytes, depth, index) }
    }
}

#[target_feature(enable = "avx2,pclmulqdq,bmi1,bmi2,lzcnt,popcnt")]
fn index_with(machine: Avx2, bytes: &[u8], depth: Depth, index: &mut Index) {
    run(machine, bytes, depth, index);
}

/// Two halves of a chunk.
type Halves = [__m256i; 2];

/// One bit per byte: its highest.
#[inline]
#[target_feature(enable = "avx2")]
fn bits([low, high]: Halves) -> u64 {
    let low = _mm256_movemask_epi8(low).cast_unsigned();
    let high = _mm256_movemask_epi8(high).cast_unsigned();
    u64::from(low) | (u64::from(high) << 32)
}

/// One bit per byte: whether it is that byte.
#[inline]
#[target_feature(enable = "avx2")]
fn equal([low, high]: Halves, byte: u8) -> u64 {
    let wanted = _mm256_set1_epi8(byte.cast_signed());
    bits([_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted)])
}

/// One bit per byte: whether it is at most that.
#[inline]
#[target_feature(enable = "avx2")]
fn at_most([low, high]: Halves, limit: i8) -> u64 {
    let limit = _mm256_set1_epi8(limit);
    bits([
        _mm256_cmpeq_epi8(_mm256_min_epu8(low, limit), low),
        _mm256_cmpeq_epi8(_mm256_min_epu8(high, limit), high),
    ])
}

#[inline]
#[target_feature(enable = "avx2")]
fn masks(chunk: &Chunk) -> Masks {
    let halves: *const Halves = std::ptr::from_ref(chunk).cast();
    // SAFETY: a chunk and two halves are both 64 bytes of any value, and nothing is aligned.
    let halves = unsafe { halves.read_unaligned() };
    let [low, high] = halves;
    // `[` and `]` differ from `{` and `}` in the sixth bit alone.
    let sixth = _mm256_set1_epi8(0x20);
    let bracket = [_mm256_or_si256(low, sixth), _mm256_or_si256(high, sixth)];
    // At each low nibble the one whitespace byte that has it, or a byte that has another.
    #[rustfmt::skip]
    let table = _mm256_setr_epi8(
        0x20, 2, 1, 1, 1, 1, 1, 1, 1, 0x09, 1, 1, 1, 0x0d, 1, 1,
        0x20, 2, 1, 1, 1, 1, 1, 1, 1, 0x09, 1, 1, 1, 0x0d, 1, 1,
    );
    let spaces = [
        _mm256_cmpeq_epi8(low, _mm256_shuffle_epi8(table, low)),
        _mm256_cmpeq_epi8(high, _mm256_shuffle_epi8(table, high)),
    ];
    // Backslashes and control characters are rare: one test shows that there are none.
    let backslash = _mm256_set1_epi8(b'\\'.cast_signed());
    let lowest = _mm256_min_epu8(low, high);
    let rare = _mm256_or_si256(
        _mm256_or_si256(_mm256_cmpeq_epi8(low, backslash), _mm256_cmpeq_epi8(high, backslash)),
        _mm256_cmpeq_epi8(_mm256_min_epu8(lowest, _mm256_set1_epi8(0x1f)), lowest),
    );
    let (backslash, newline, control) = if _mm256_testz_si256(rare, rare) == 1 {
        (0, 0, 0)
    } else {
        (equal(halves, b'\\'), equal(halves, b'\n'), at_most(halves, 0x1f))
    };
    let from_zero = _mm256_set1_epi8(-0x30);
    let digits = [_mm256_add_epi8(low, from_zero), _mm256_add_epi8(high, from_zero)];
    Masks {
        backslash,
        quote: equal(halves, b'"'),
        open: equal(bracket, b'{'),
        close: equal(bracket, b'}'),
        brace: bits([_mm256_slli_epi16::<2>(low), _mm256_slli_epi16::<2>(high)]),
        colon: equal(halves, b':'),
        comma: equal(halves, b','),
        newline,
        space: bits(spaces),
        control,
        digit: at_most(digits, 9),
        zero: equal(halves, b'0'),
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq,sse2")]
fn parity(bits: u64) -> u64 {
    let product =
        _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits.cast_signed()), _mm_set1_epi8(-1));
    _mm_cvtsi128_si64(product).cast_unsigned()
}

impl Machine for Avx2 {
    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn masks(self, chunk: &Chunk) -> Masks {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { masks(chunk) }
    }

    #[expect(
        clippy::inline_always,
        reason = "must become part of a function that has the features"
    )]
    #[inline(always)]
    fn parity(self, bits: u64) -> u64 {
        // SAFETY: `self` proves that the processor can multiply without carry.
        unsafe { parity(bits) }
    }
}
