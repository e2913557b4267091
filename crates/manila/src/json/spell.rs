//! How text and numbers are spelled in JSON: as `serde_json` spells them.

use super::scan::skip_plain_text;
use std::fmt::LowerExp;
use std::io::Write;

/// Appends text in quotes. With `ascii`, characters beyond ASCII are escaped, as Python's `json.dumps`
/// does it.
pub(super) fn text(out: &mut Vec<u8>, text: &str, ascii: bool) {
    let bytes = text.as_bytes();
    if ascii || skip_plain_text(bytes, 0) < bytes.len() {
        return escaped(out, text, ascii);
    }
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    out.extend_from_slice(bytes);
    out.push(b'"');
}

/// The same for text that may have something to escape.
#[inline(never)]
fn escaped(out: &mut Vec<u8>, text: &str, ascii: bool) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        let plain = skip_plain_text(bytes, at);
        match text.get(at..plain) {
            Some(piece) if ascii => beyond_ascii(out, piece),
            _ => out.extend_from_slice(&bytes[at..plain]),
        }
        let Some(byte) = bytes.get(plain) else { break };
        escape(out, *byte);
        at = plain + 1;
    }
    out.push(b'"');
}

/// Appends a quote, a backslash or a control character.
fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => return unit(out, byte.into()),
    };
    out.extend_from_slice(&[b'\\', short]);
}

fn beyond_ascii(out: &mut Vec<u8>, text: &str) {
    for character in text.chars() {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => out.push(byte),
            _ => character.encode_utf16(&mut [0; 2]).iter().for_each(|code| unit(out, *code)),
        }
    }
}

/// Appends a code unit of UTF-16 by its number.
fn unit(out: &mut Vec<u8>, code: u16) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |place: u16| DIGITS[usize::from((code >> (4 * place)) & 0xf)];
    out.extend_from_slice(&[b'\\', b'u', digit(3), digit(2), digit(1), digit(0)]);
}

/// Appends a text in quotes.
pub fn append_text(memory: &mut Vec<u8>, text: &str) {
    self::text(memory, text, false);
}

/// The digits of a number that counts, in memory for the largest, which has twenty.
pub fn digits(mut number: u64, memory: &mut [u8; 20]) -> &[u8] {
    let mut at = memory.len();
    loop {
        at -= 1;
        // The remainder is below ten.
        memory[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &memory[at..];
        }
    }
}

/// Appends a number that counts.
pub(super) fn unsigned(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(digits(number, &mut [0; 20]));
}

/// Appends a whole number.
pub(super) fn signed(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    unsigned(out, number.unsigned_abs());
}

/// Appends a finite number with as few digits as distinguish it from every other. `plain` is the
/// range of places of the decimal point in which it has no exponent.
pub(super) fn float(
    out: &mut Vec<u8>,
    number: impl LowerExp,
    plain: std::ops::RangeInclusive<i32>,
) {
    let mut memory = [0; 40];
    let mut rest = &mut memory[..];
    let is_written = write!(rest, "{number:e}").is_ok();
    let free = rest.len();
    let written = &memory[..memory.len() - free];
    let text = std::str::from_utf8(written).unwrap_or_default();
    let Some((digits, exponent)) = text.split_once('e').filter(|_| is_written) else {
        return out.extend_from_slice(b"null");
    };
    let Ok(exponent) = exponent.parse::<i32>() else { return out.extend_from_slice(b"null") };
    let unsigned = digits.strip_prefix('-');
    if unsigned.is_some() {
        out.push(b'-');
    }
    let (first, others) = match unsigned.unwrap_or(digits).split_once('.') {
        Some((first, others)) => (first, others),
        None => (unsigned.unwrap_or(digits), ""),
    };
    // The decimal point follows so many digits.
    let point = exponent + 1;
    if !plain.contains(&point) {
        out.extend_from_slice(first.as_bytes());
        if !others.is_empty() {
            out.push(b'.');
            out.extend_from_slice(others.as_bytes());
        }
        out.push(b'e');
        if point > 0 {
            out.push(b'+');
        }
        return signed(out, exponent.into());
    }
    let all = first.bytes().chain(others.bytes());
    let count = 1 + others.len();
    match usize::try_from(point) {
        Ok(whole) if whole > 0 => {
            out.extend(all.clone().take(whole));
            out.resize(out.len() + whole.saturating_sub(count), b'0');
            out.push(b'.');
            let before = out.len();
            out.extend(all.skip(whole));
            if out.len() == before {
                out.push(b'0');
            }
        }
        _ => {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + point.unsigned_abs() as usize, b'0');
            out.extend(all);
        }
    }
}
