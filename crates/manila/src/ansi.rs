//! Terminal escapes (ECMA-48): their grammar, and bytes without them.
//!
//! An escape that is not well formed ends where it goes wrong, and never takes the beginning of a JSON
//! document with it: `{` and `[` end no control sequence that programs write.

use std::borrow::Cow;
use std::ops::Range;

/// The byte that begins every terminal escape.
pub const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// The length of the terminal escape at the beginning of `bytes`, or 0 if there is none.
///
/// | begins with | is | ends with |
/// |---|---|---|
/// | `ESC [` | a control sequence, such as a colour | a byte of 0x40 to 0x7e |
/// | `ESC ]`, `P`, `X`, `^`, `_` | a control string, such as a title or a link | BEL or `ESC \` |
/// | `ESC` and 0x20 to 0x2f | a character set | a byte of 0x30 to 0x7e |
/// | `ESC` and 0x30 to 0x7e | one other function | itself |
///
/// A control string ends no later than its line: without a terminator it is the two bytes that begin it.
pub fn escape_length(bytes: &[u8]) -> usize {
    match bytes {
        [ESC, b'[', rest @ ..] => {
            let parameters = count(rest, |byte| matches!(byte, 0x30..=0x3f));
            let length = parameters + count(&rest[parameters..], is_intermediate);
            2 + length + final_byte(&rest[length..], 0x40)
        }
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', rest @ ..] => {
            let text = count(rest, |byte| !matches!(byte, BEL | ESC | b'\n'));
            match rest[text..] {
                [BEL, ..] => 2 + text + 1,
                [ESC, b'\\', ..] => 2 + text + 2,
                _ => 2,
            }
        }
        [ESC, rest @ ..] => {
            let intermediates = count(rest, is_intermediate);
            1 + intermediates + final_byte(&rest[intermediates..], 0x30)
        }
        _ => 0,
    }
}

fn count(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_part(**byte)).count()
}

fn is_intermediate(byte: u8) -> bool {
    matches!(byte, 0x20..=0x2f)
}

/// 1 if a final byte of at least `lowest` is next.
fn final_byte(bytes: &[u8], lowest: u8) -> usize {
    let ends = |byte: &u8| (lowest..=0x7e).contains(byte) && !matches!(byte, b'{' | b'[');
    usize::from(bytes.first().is_some_and(ends))
}

/// Removes every terminal escape.
pub fn strip(bytes: &[u8]) -> Stripped<'_> {
    let mut kept = Vec::new();
    let mut removed = Vec::new();
    let mut at = 0;
    while let Some(ahead) = bytes[at..].iter().position(|&byte| byte == ESC) {
        let start = at + ahead;
        kept.extend_from_slice(&bytes[at..start]);
        at = start + escape_length(&bytes[start..]);
        removed.push((kept.len(), at - kept.len()));
    }
    if removed.is_empty() {
        return Stripped { bytes: Cow::Borrowed(bytes), removed };
    }
    kept.extend_from_slice(&bytes[at..]);
    Stripped { bytes: Cow::Owned(kept), removed }
}

/// Bytes without their terminal escapes, with offsets that lead to the original.
#[derive(Clone, Debug)]
pub struct Stripped<'t> {
    bytes: Cow<'t, [u8]>,
    /// For each escape: the offset in `bytes` where it stood, and how many bytes were removed up to and
    /// with it.
    removed: Vec<(usize, usize)>,
}

impl<'t> Stripped<'t> {
    /// What is left.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is left, borrowed from the original where nothing was removed.
    pub fn into_bytes(self) -> Cow<'t, [u8]> {
        self.bytes
    }

    /// The offset in the original of an offset into [`Stripped::bytes`].
    pub fn original(&self, offset: usize) -> usize {
        let before = self.removed.partition_point(|&(at, _)| at <= offset);
        offset + before.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }

    /// The bytes of the original that a range of [`Stripped::bytes`] stands for: from its first byte to its
    /// last, with the escapes between them and without those around them.
    pub fn original_span(&self, span: Range<usize>) -> Range<usize> {
        let start = self.original(span.start);
        let end = span.end.checked_sub(1).filter(|last| *last >= span.start);
        start..end.map_or(start, |last| self.original(last) + 1)
    }

    /// The offset into [`Stripped::bytes`] of an offset in the original.
    pub fn kept(&self, original: usize) -> usize {
        let before = self.removed.partition_point(|&(at, total)| at + total <= original);
        original - before.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }

    /// Replaces a range of [`Stripped::bytes`] with spaces.
    pub fn blank(&mut self, span: Range<usize>) {
        if let Some(bytes) = self.bytes.to_mut().get_mut(span) {
            bytes.fill(b' ');
        }
    }

    /// The escapes, as ranges of the original in their order.
    pub fn escapes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        (0..self.removed.len()).map(|index| self.escape(index).unwrap_or_default())
    }

    pub(crate) fn escape(&self, index: usize) -> Option<Range<usize>> {
        let (at, total) = *self.removed.get(index)?;
        let before = index.checked_sub(1).map_or(0, |before| self.removed[before].1);
        Some(at + before..at + total)
    }

    /// Whether a range of the original contains an escape.
    pub fn has_escape_in(&self, original: &Range<usize>) -> bool {
        let first = self.removed.partition_point(|&(at, total)| at + total <= original.start);
        self.escape(first).is_some_and(|escape| escape.start < original.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_offsets_lead_both_ways() {
        let stripped = strip(b"a\x1b[1;31mb\x1b]8;;x\x07c\x1b[0md");
        assert_eq!(stripped.bytes(), b"abcd");
        let places: Vec<usize> = (0..4).map(|offset| stripped.original(offset)).collect();
        assert_eq!(places, [0, 8, 16, 21]);
        assert!((0..4).all(|offset| stripped.kept(stripped.original(offset)) == offset));
        assert_eq!(stripped.escapes().collect::<Vec<_>>(), [1..8, 9..16, 17..21]);
        assert_eq!(stripped.original_span(1..2), 8..9);
        assert!(stripped.has_escape_in(&(8..17)) && !stripped.has_escape_in(&(8..9)));
    }

    #[test]
    fn every_kind_of_escape_has_its_end() {
        for (bytes, length) in [
            (&b"\x1b[0mx"[..], 4),
            (b"\x1b[?25lx", 6),
            (b"\x1b[38;5;1 qx", 10),
            (b"\x1b(Bx", 3),
            (b"\x1b#8x", 3),
            (b"\x1bcx", 2),
            (b"\x1b]0;title\x07x", 10),
            (b"\x1b]0;title\x1b\\x", 11),
            (b"\x1bP1$r\x1b\\x", 7),
            (b"x", 0),
        ] {
            assert_eq!(escape_length(bytes), length, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_torn_escape_takes_nothing_with_it() {
        for (bytes, length) in [
            (&b"\x1b"[..], 1),
            (b"\x1b\n", 1),
            (b"\x1b\x1b[0m", 1),
            (b"\x1b{\"ok\":true}", 1),
            (b"\x1b[{\"ok\":true}", 2),
            (b"\x1b[31{\"ok\":true}", 4),
            (b"\x1b[31[1]", 4),
            (b"\x1b[31\n{}", 4),
            (b"\x1b]0;title\x1b]1;\x07", 2),
            (b"\x1b]0;title\n{}\x07", 2),
            (b"\x1b\xc3\xa9", 1),
        ] {
            assert_eq!(escape_length(bytes), length, "{}", bytes.escape_ascii());
        }
    }
}
