//! The bytes below the grammar: whitespace, text, digits, words, and what is wrong with them.

use super::flaw::{Flaw, FlawKind};
use std::ops::Range;

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) fn text_of(bytes: &[u8], span: Range<usize>) -> Result<&str, Flaw> {
    std::str::from_utf8(&bytes[span.clone()]).map_err(|error| Flaw {
        kind: FlawKind::InvalidUtf8,
        offset: span.start + error.valid_up_to(),
    })
}

/// The byte at `at`, or after the end a byte that can stand nowhere.
#[inline]
pub(super) fn peek(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Why the byte at `at` is not allowed there.
pub(super) fn unexpected(bytes: &[u8], at: usize) -> Flaw {
    match bytes.get(at) {
        Some(&byte) => Flaw { kind: FlawKind::UnexpectedByte(byte), offset: at },
        None => Flaw { kind: FlawKind::UnexpectedEnd, offset: bytes.len() },
    }
}

/// Why the escape that begins at `at` and goes wrong at `wrong` is none.
pub(super) fn bad_escape(bytes: &[u8], at: usize, wrong: usize) -> Flaw {
    let cut = wrong >= bytes.len();
    if cut { unexpected(bytes, wrong) } else { Flaw { kind: FlawKind::BadEscape, offset: at } }
}

/// Why the byte at `at` begins no value.
pub(super) fn not_a_value(bytes: &[u8], at: usize) -> Flaw {
    let rest = bytes.get(at..).unwrap_or_default();
    if rest.starts_with(b"NaN") || rest.starts_with(b"Infinity") {
        return Flaw { kind: FlawKind::NotANumber, offset: at };
    }
    unexpected(bytes, at)
}

pub(super) fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Flaw> {
    if bytes[at..].starts_with(word) {
        return Ok(at + word.len());
    }
    let alike = bytes[at..].iter().zip(word).take_while(|(byte, letter)| byte == letter).count();
    Err(unexpected(bytes, at + alike))
}

pub(super) fn digits(bytes: &[u8], start: usize) -> Result<usize, Flaw> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start {
        let flaw = unexpected(bytes, at);
        let cut = flaw.kind == FlawKind::UnexpectedEnd;
        return Err(if cut { flaw } else { Flaw { kind: FlawKind::BadNumber, offset: at } });
    }
    Ok(at)
}

#[inline]
pub(crate) fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    if bytes.get(at).is_some_and(|byte| *byte > b' ') {
        return at;
    }
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
const C1_LEAD: u8 = 0xc2;

/// The high bit of each byte that is zero, exact up to the first.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

/// The high bit of each byte that ends or interrupts a string, exact up to the first.
#[inline]
fn stops(word: u64) -> u64 {
    let quote = zeros(word ^ (ONES * u64::from(b'"')));
    let backslash = zeros(word ^ (ONES * u64::from(b'\\')));
    let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    quote | backslash | control
}

/// The same, and bytes that may be DEL or begin a C1 control.
#[inline]
fn odd_stops(word: u64) -> u64 {
    let delete = word.wrapping_add(ONES) & !word & HIGHS;
    let lead = if word & HIGHS == 0 { 0 } else { zeros(word ^ (ONES * u64::from(C1_LEAD))) };
    stops(word) | delete | lead
}

#[inline]
fn skip(
    bytes: &[u8],
    mut at: usize,
    stops: impl Fn(u64) -> u64,
    stop: impl Fn(u8) -> bool,
) -> usize {
    while let Some(chunk) = bytes.get(at..at + 8).and_then(|chunk| chunk.first_chunk::<8>()) {
        let found = stops(u64::from_le_bytes(*chunk));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    // The last bytes, with those before them shifted out: what is shifted in ends the text.
    if let Some(last) = bytes.last_chunk::<8>().filter(|_| at < bytes.len()) {
        let rest = u64::from_le_bytes(*last) >> (8 * (8 - (bytes.len() - at)));
        return at + (stops(rest).trailing_zeros() / 8) as usize;
    }
    while bytes.get(at).is_some_and(|&byte| !stop(byte)) {
        at += 1;
    }
    at
}

/// Which of eight bytes is the first that is not ordinary text.
#[inline]
pub(super) fn first_stop(word: [u8; 8]) -> Option<usize> {
    let found = odd_stops(u64::from_le_bytes(word));
    (found != 0).then(|| (found.trailing_zeros() / 8) as usize)
}

#[inline]
fn is_stop(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// The offset of the next quote, backslash or control character, eight bytes at a time.
#[inline]
pub(super) fn skip_plain_text(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at, stops, is_stop)
}

/// The same, or of a byte that may be DEL or begin a C1 control.
#[inline]
pub(super) fn skip_ordinary_text(bytes: &[u8], at: usize) -> usize {
    skip(bytes, at, odd_stops, |byte| is_stop(byte) || byte == 0x7f || byte == C1_LEAD)
}

/// How many bytes the control character at `at` has that JSON lets stand as it is.
pub(super) fn raw_control(bytes: &[u8], at: usize) -> Option<usize> {
    match (peek(bytes, at), peek(bytes, at + 1)) {
        (0x7f, _) => Some(1),
        (C1_LEAD, 0x80..=0x9f) => Some(2),
        _ => None,
    }
}

/// How many of the bytes are left without a character that the end cuts.
pub(super) fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

/// Whether a number is infinite or zero as a double although it is spelled as neither.
pub(super) fn is_out_of_range(spelling: &[u8]) -> bool {
    let mantissa = spelling.split(|byte| matches!(byte, b'e' | b'E')).next().unwrap_or_default();
    let is_zero = !mantissa.iter().any(|byte| (b'1'..=b'9').contains(byte));
    let value = std::str::from_utf8(spelling).ok().and_then(|text| text.parse::<f64>().ok());
    value.is_some_and(|value| value.is_infinite() || (value == 0.0 && !is_zero))
}

/// Whether the value at `first` is a number that continues at `end`.
pub(super) fn continues_number(bytes: &[u8], first: usize, end: usize) -> bool {
    let is_number = matches!(peek(bytes, first), b'-' | b'0'..=b'9');
    is_number && matches!(peek(bytes, end), b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')
}
