//! A picture of a place in a record: what stands around it, and a mark below.

use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// How many bytes are shown before the place and after it.
const BEFORE: usize = 40;
const AFTER: usize = 30;

/// What stands around a place, on one line and with nothing in it that steers a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// How many columns come before the place.
    pub(crate) column: usize,
}

impl Excerpt {
    /// The picture of an offset into these bytes.
    pub(crate) fn of(bytes: &[u8], offset: usize) -> Excerpt {
        let offset = offset.min(bytes.len());
        let line = bytes[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let begin = boundary(bytes, offset.saturating_sub(BEFORE).max(line)).min(offset);
        let rest = bytes[offset..].iter().position(|byte| *byte == b'\n');
        let end = rest.map_or(bytes.len(), |length| offset + length);
        let end = boundary(bytes, end.min(offset + AFTER)).max(offset);
        let mut text = String::from(if begin > line { "…" } else { "" });
        shown(&bytes[begin..offset], &mut text);
        let column = text.width();
        shown(&bytes[offset..end], &mut text);
        if end < bytes.len() && bytes[end] != b'\n' {
            text.push('…');
        }
        Excerpt { text, column }
    }
}

/// The next place that is not in the middle of a character.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let inside = bytes[at..].iter().take(3).take_while(|byte| (**byte & 0xc0) == 0x80).count();
    at + inside
}

/// Adds bytes as text; what is not text, or would control a terminal, is spelled out.
fn shown(bytes: &[u8], into: &mut String) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' => into.push_str("\\t"),
                '\r' => into.push_str("\\r"),
                _ => into.push_str(&manila_clap::visible(character.encode_utf8(&mut [0; 4]))),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(into, "\\x{byte:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bytes: &[u8], offset: usize) -> String {
        let Excerpt { text, column } = Excerpt::of(bytes, offset);
        format!("{text}\n{:column$}^", "")
    }

    #[test]
    fn the_mark_stands_below_the_place() {
        assert_eq!(drawn(b"{\"a\":x}", 5), "{\"a\":x}\n     ^");
        assert_eq!(drawn(b"{\"a\":", 5), "{\"a\":\n     ^");
        assert_eq!(drawn("{\"日本\":x}".as_bytes(), 10), "{\"日本\":x}\n        ^");
        assert_eq!(drawn(b"", 9), "\n^");
        assert_eq!(drawn(b"\x80\x80", 0), "\\x80\\x80\n^");
    }

    #[test]
    fn only_what_is_near_is_shown() {
        let long = [&b"a".repeat(100)[..], b"!", &b"b".repeat(100)[..]].concat();
        let Excerpt { text, column } = Excerpt::of(&long, 100);
        assert_eq!(text, format!("…{}!{}…", "a".repeat(BEFORE), "b".repeat(AFTER - 1)));
        assert_eq!(column, BEFORE + 1);
        assert_eq!(drawn(b"{\n \"a\": x,\n}", 8), " \"a\": x,\n      ^");
    }

    #[test]
    fn nothing_steers_a_terminal() {
        let Excerpt { text, column } = Excerpt::of(b"\x1b[2J\t\xff\x00|", 7);
        assert_eq!((text.as_str(), column), ("\\u{1b}[2J\\t\\xff\\u{0}|", 20));
        for cut in 0..6 {
            let text = Excerpt::of("€€".as_bytes(), cut).text;
            assert!(!text.contains('\u{fffd}'), "{text}");
        }
    }
}
