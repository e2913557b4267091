//! JSON strings: what an escaped spelling means.

use std::borrow::Cow;

/// What becomes of an escape that names half of a surrogate pair.
#[derive(Clone, Copy)]
enum Lone {
    /// Kept as its own three bytes, so that two different halves stay different.
    Kept,
    /// Replaced by U+FFFD, so that the result is text.
    Replaced,
}

/// The text that the inside of a validated JSON string means.
pub(super) fn unescape(inside: &str) -> Cow<'_, str> {
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    match String::from_utf8(decode(inside.as_bytes(), Lone::Replaced)) {
        Ok(text) => Cow::Owned(text),
        Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

/// Bytes that are equal exactly when two validated keys mean the same.
pub(super) fn identity(inside: &[u8]) -> Cow<'_, [u8]> {
    if inside.contains(&b'\\') {
        Cow::Owned(decode(inside, Lone::Kept))
    } else {
        Cow::Borrowed(inside)
    }
}

fn decode(inside: &[u8], lone: Lone) -> Vec<u8> {
    let mut out = Vec::with_capacity(inside.len());
    let mut at = 0;
    while let Some(&byte) = inside.get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escape = inside.get(at).copied().unwrap_or(b'\\');
        at += 1;
        match escape {
            b'b' => out.push(0x08),
            b'f' => out.push(0x0c),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let unit = hex4(inside, at).unwrap_or_default();
                at += 4;
                let low = if is_high_surrogate(unit) && inside.get(at..at + 2) == Some(b"\\u") {
                    hex4(inside, at + 2).filter(|&low| is_low_surrogate(low))
                } else {
                    None
                };
                if low.is_some() {
                    at += 6;
                }
                push_unit(&mut out, unit, low, lone);
            }
            literal => out.push(literal),
        }
    }
    out
}

fn push_unit(out: &mut Vec<u8>, unit: u16, low: Option<u16>, lone: Lone) {
    let scalar = match low {
        Some(low) => 0x1_0000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00),
        None => u32::from(unit),
    };
    match (char::from_u32(scalar), lone) {
        (Some(character), _) => out.extend(character.encode_utf8(&mut [0; 4]).bytes()),
        (None, Lone::Replaced) => out.extend("\u{fffd}".bytes()),
        (None, Lone::Kept) => {
            let [high, low] = unit.to_be_bytes();
            out.extend([
                0xe0 | (high >> 4),
                0x80 | ((high & 0x0f) << 2) | (low >> 6),
                0x80 | (low & 0x3f),
            ]);
        }
    }
}

/// The four hexadecimal digits at `at`, if they are that.
pub(super) fn hex4(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 4)?.iter().try_fold(0u16, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some((unit << 4) | u16::try_from(value).ok()?)
    })
}

pub(super) fn is_high_surrogate(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

pub(super) fn is_low_surrogate(unit: u16) -> bool {
    (0xdc00..0xe000).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_mean_what_the_grammar_says() {
        assert_eq!(unescape(r"a\u00e9\n\/\ud83d\ude00"), "aé\n/😀");
    }

    #[test]
    fn half_a_pair_becomes_the_replacement_character() {
        assert_eq!(unescape(r"\ud83dx\ude00"), "\u{fffd}x\u{fffd}");
    }

    #[test]
    fn two_different_halves_are_different_keys() {
        assert_ne!(identity(br"\ud800"), identity(br"\ud801"));
        assert_eq!(identity(br"\u0061"), identity(b"a"));
    }
}
