//! How JSON and prose are distinguished by what surrounds a bracket on its lines.

use crate::json::skip_whitespace;
use std::ops::Range;

/// The words for no value, true and false in JSON and in the languages that programs are written in.
const LITERALS: [&[u8]; 10] = [
    b"null",
    b"true",
    b"false",
    b"NaN",
    b"Infinity",
    b"None",
    b"True",
    b"False",
    b"undefined",
    b"nil",
];

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Where a line is written over, a new one begins.
fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The range without the whitespace at its end.
pub(super) fn trim_end(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let spaces = bytes[span.clone()].iter().rev().take_while(|byte| is_space(**byte)).count();
    span.start..span.end - spaces
}

/// Whether only blanks come before `at` on its line; `first` is where the first line begins.
pub(super) fn begins_line(bytes: &[u8], first: usize, at: usize) -> bool {
    let blanks =
        bytes[first..at].iter().rev().take_while(|byte| matches!(**byte, b' ' | b'\t')).count();
    let before = at - blanks;
    before == first || is_break(bytes[before - 1])
}

pub(super) fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let ahead = bytes[at..].iter().position(|byte| is_break(*byte));
    ahead.map_or(bytes.len(), |ahead| at + ahead)
}

pub(super) fn next_line(bytes: &[u8], at: usize) -> usize {
    (end_of_line(bytes, at) + 1).min(bytes.len())
}

/// The first byte behind `at` on its line that is not blank.
fn next_on_line(bytes: &[u8], at: usize) -> Option<u8> {
    let next = bytes[at..].iter().find(|byte| !matches!(**byte, b' ' | b'\t'));
    next.copied().filter(|byte| !is_break(*byte))
}

/// Whether only blanks follow `at` on its line.
pub(super) fn line_is_blank(bytes: &[u8], at: usize) -> bool {
    next_on_line(bytes, at).is_none()
}

/// Whether words follow a document on its line, as in `[1] ready`.
pub(super) fn is_followed_by_words(bytes: &[u8], end: usize) -> bool {
    next_on_line(bytes, end).is_some_and(|byte| byte.is_ascii_alphabetic())
}

/// Whether what follows a bracket is what follows it in JSON, and not in prose.
pub(super) fn looks_like_json(bytes: &[u8], start: usize) -> bool {
    let next = bytes.get(skip_whitespace(bytes, start + 1));
    match bytes.get(start) {
        Some(b'{') => next == Some(&b'"'),
        _ => matches!(next, Some(b'{' | b'[' | b'"')),
    }
}

/// Whether the bracket at `begin` is the beginning of JSON, if not of valid JSON, and not of prose such
/// as `[info] ready` or `[2026-11-16] ready`.
pub fn is_json_so_far(bytes: &[u8], begin: usize) -> bool {
    let Some(rest) = bytes.get(begin + 1..).map(<[u8]>::trim_ascii_start) else { return false };
    let word =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let then = rest[word..].trim_ascii_start().first().copied();
    match (bytes[begin], rest.first().copied()) {
        (b'{' | b'[', None)
        | (b'{', Some(b'"' | b'}' | b'\''))
        | (b'[', Some(b'"' | b'\'' | b'{' | b'[' | b']')) => true,
        // Keys without quotes, as languages print their own objects.
        (b'{', Some(_)) => word > 0 && then == Some(b':'),
        (b'[', Some(b'-')) => rest.get(1).is_some_and(u8::is_ascii_digit),
        (b'[', Some(b'0'..=b'9')) => matches!(then, Some(b',' | b']' | b'.') | None),
        (b'[', Some(_)) => LITERALS.contains(&&rest[..word]) && matches!(then, Some(b',' | b']')),
        _ => false,
    }
}

/// The next line before `end` that begins with a brace, behind a bracket that is the last byte of its
/// line. Nothing if it is not the last: then it began a document.
pub(super) fn after_prose(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    if !line_is_blank(bytes, start + 1) {
        return None;
    }
    let rest = &bytes[start + 1..end.min(bytes.len())];
    let brace = rest.windows(2).position(|pair| is_break(pair[0]) && pair[1] == b'{')?;
    Some(start + 1 + brace + 1)
}

/// Where a broken document ends that begins at `start` and is valid up to `flaw`: where its brackets
/// close, or before a line that is not part of it.
pub(super) fn end_of_broken(bytes: &[u8], start: usize, flaw: usize) -> usize {
    let first_line = trim_end(bytes, start..end_of_line(bytes, start));
    let is_one_line = !goes_on(bytes[first_line.end - 1]);
    let (mut depth, mut in_string) = (0_usize, false);
    // The last byte that is not whitespace: it shows whether a line continues.
    let mut last = b'{';
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' | b'\r' => {
                in_string = false;
                let next = skip_whitespace(bytes, at);
                let is_document = bytes.get(next) == Some(&b'{') && is_break(bytes[next - 1]);
                let is_text = is_one_line && !continues(bytes.get(next).copied());
                if at > flaw && ((is_document && !goes_on(last)) || is_text) {
                    return at;
                }
                at = next;
            }
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 && at >= flaw {
                    return at;
                }
            }
            _ => {}
        }
        if !is_space(byte) {
            last = byte;
        }
    }
    bytes.len()
}

/// Whether a line that ends with this byte is continued on the next.
fn goes_on(last: u8) -> bool {
    matches!(last, b'{' | b'[' | b',' | b':')
}

/// Whether a line that begins with this byte can only continue a document.
fn continues(first: Option<u8>) -> bool {
    matches!(first, Some(b',' | b'}' | b']' | b':' | b'"'))
}
