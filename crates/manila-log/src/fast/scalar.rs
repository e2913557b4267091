//! Whether numbers and words are spelled as JSON spells them.

use std::hint::select_unpredictable;

/// A word in the lowest of eight bytes.
#[derive(Clone, Copy)]
struct Word {
    bytes: u64,
    mask: u64,
    length: u32,
}

/// The word that each byte begins; for a byte that begins none, something that nothing is.
static WORDS: [Word; 256] = {
    let mut table = [Word { bytes: 1, mask: 0, length: 0 }; 256];
    table[b't' as usize] = word(*b"true\0\0\0\0", 4);
    table[b'n' as usize] = word(*b"null\0\0\0\0", 4);
    table[b'f' as usize] = word(*b"false\0\0\0", 5);
    table
};

const fn word(bytes: [u8; 8], length: u32) -> Word {
    Word { bytes: u64::from_le_bytes(bytes), mask: (1 << (8 * length)) - 1, length }
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The bytes that end a number or word: structural ones, whitespace and quotes.
static ENDS: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b",}] \n\r\t:{[\"";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = true;
        at += 1;
    }
    table
};

/// Whether a number or word is spelled correctly; the byte at `at` is its first that is not a
/// digit. The bytes before it are digits without a leading zero.
#[cold]
pub(super) fn is_good(bytes: &[u8], at: usize) -> bool {
    is_scalar(&bytes[start(bytes, at)..])
}

/// Whether it is a word, a small negative integer, or a fraction of a few digits: found without
/// branches, because which of them comes next cannot be foreseen.
#[expect(clippy::needless_bitwise_bool, reason = "branches could not be foreseen")]
#[inline]
pub(super) fn is_usual(bytes: &[u8], at: usize) -> bool {
    let Some(window) = bytes.get(at.wrapping_sub(1)..).and_then(|rest| rest.first_chunk::<16>())
    else {
        return false;
    };
    let (before, first, second) = (window[0], window[1], window[2]);
    // In one load, which it would not be as an array of bytes of the window.
    let word = window.split_at(1).1.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    let starts = !before.is_ascii_digit();
    let expected = &WORDS[first as usize];
    let is_word = word & expected.mask == expected.bytes;
    // The high bit of each byte after the first that is not a digit, exact up to the first of them.
    let behind = (word >> 8) ^ (ONES * u64::from(b'0'));
    let others = (behind.wrapping_add(ONES * (0x80 - 10)) | behind) & HIGHS;
    let digits = others.trailing_zeros() / 8;
    let mark = select_unpredictable(starts, b'-', b'.');
    let is_number = (first == mark)
        & (digits.wrapping_sub(1) < 6)
        & (!starts | (second != b'0') | (digits == 1));
    let length = select_unpredictable(is_word, expected.length, 1 + digits);
    ((is_word & starts) | is_number) & ENDS[window[(1 + length as usize) & 15] as usize]
}

/// Where the run of digits begins that ends before `at`.
fn start(bytes: &[u8], at: usize) -> usize {
    at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Whether the bytes begin with a number or word that ends where the next token may begin.
fn is_scalar(bytes: &[u8]) -> bool {
    let end = match bytes {
        [b't', b'r', b'u', b'e', ..] | [b'n', b'u', b'l', b'l', ..] => 4,
        [b'f', b'a', b'l', b's', b'e', ..] => 5,
        _ => match number(bytes) {
            Some(end) => end,
            None => return false,
        },
    };
    bytes.get(end).is_none_or(|byte| ENDS[*byte as usize])
}

/// The end of the number that the bytes begin with.
fn number(bytes: &[u8]) -> Option<usize> {
    let whole = usize::from(bytes.first() == Some(&b'-'));
    let mut at = digits(bytes, whole)?;
    if at > whole + 1 && bytes.get(whole) == Some(&b'0') {
        return None;
    }
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(bytes, at + 1 + sign)?;
    }
    Some(at)
}

/// The end of the digits at `start`, of which there must be one.
fn digits(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    (at > start).then_some(at)
}
