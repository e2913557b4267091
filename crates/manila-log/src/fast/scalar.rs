//! Whether numbers and words are spelled as JSON spells them.

const TRUE: u32 = u32::from_le_bytes(*b"true");
const NULL: u32 = u32::from_le_bytes(*b"null");
const FALS: u32 = u32::from_le_bytes(*b"fals");
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

/// Whether a number or word is spelled as it must be, of which the byte at `at` is the first that is
/// no digit. What stands before it are digits, of which the first is no zero before others.
#[cold]
pub(super) fn is_good(bytes: &[u8], at: usize) -> bool {
    is_scalar(&bytes[start(bytes, at)..])
}

/// Whether it is a word, a small negative integer, or a fraction of a few digits: found without
/// branches, because which of them comes next cannot be foreseen.
#[expect(clippy::needless_bitwise_bool, reason = "branches could not be foreseen")]
#[expect(clippy::inline_always, reason = "must become part of a function that has the features")]
#[inline(always)]
pub(super) fn is_usual(bytes: &[u8], at: usize) -> bool {
    let Some(window) = bytes.get(at.wrapping_sub(1)..).and_then(|rest| rest.first_chunk::<9>())
    else {
        return false;
    };
    let [before, word @ ..] = *window;
    let ends = |byte: u8| ENDS[byte as usize];
    let word = u64::from_le_bytes(word);
    #[expect(clippy::cast_possible_truncation, reason = "the first four bytes are meant")]
    let four = word as u32;
    let starts = !before.is_ascii_digit();
    let short = ((four == TRUE) | (four == NULL)) & ends(window[5]);
    let long = (four == FALS) & (window[5] == b'e') & ends(window[6]);
    // The high bit of each byte behind the first that is no digit, exact up to the first of them.
    let behind = word >> 8;
    let above = behind.wrapping_add(ONES * (0x7f - u64::from(b'9'))) | behind;
    let below = behind.wrapping_sub(ONES * u64::from(b'0')) & !behind;
    let others = (above | below) & HIGHS;
    let digits = (others.trailing_zeros() / 8) as usize;
    let ended = (digits > 0) & (digits < 7) & ends(window[2 + (digits & 7).min(6)]);
    let negative = starts & (window[1] == b'-') & ((window[2] != b'0') | (digits == 1));
    let fraction = !starts & (window[1] == b'.');
    (starts & (short | long)) | (ended & (negative | fraction))
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
