//! A stream without its terminal escapes, with offsets that still lead to the original bytes.

use std::borrow::Cow;
use std::ops::Range;

pub(super) const ESC: u8 = 0x1b;

/// The bytes of a stream, perhaps with stretches removed.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    bytes: Cow<'t, [u8]>,
    /// For each stretch removed: the offset in `bytes` where it stood, and how many bytes have been
    /// removed up to and with it.
    removed: Vec<(usize, usize)>,
}

impl<'t> Source<'t> {
    /// The stream as it is.
    pub(super) fn plain(bytes: &'t [u8]) -> Self {
        Source { bytes: Cow::Borrowed(bytes), removed: Vec::new() }
    }

    /// The stream without its terminal escapes.
    pub(super) fn uncoloured(bytes: &'t [u8]) -> Self {
        let mut kept = Vec::new();
        let mut removed = Vec::new();
        let mut at = 0;
        while let Some(ahead) = bytes[at..].iter().position(|&byte| byte == ESC) {
            let start = at + ahead;
            let end = end_of_escape(bytes, start);
            kept.extend(&bytes[at..start]);
            removed.push((kept.len(), end - kept.len()));
            at = end;
        }
        if removed.is_empty() {
            return Source::plain(bytes);
        }
        kept.extend(&bytes[at..]);
        Source { bytes: Cow::Owned(kept), removed }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn is_changed(&self) -> bool {
        !self.removed.is_empty()
    }

    /// Whether something was removed from within a span of the original stream.
    pub(super) fn is_changed_in(&self, original: &Range<usize>) -> bool {
        let kept = self.kept(original.end) - self.kept(original.start);
        kept != original.len()
    }

    /// The offset in the original stream of an offset into [`Source::bytes`].
    pub(crate) fn original(&self, offset: usize) -> usize {
        let before = self.removed.partition_point(|&(at, _)| at <= offset);
        offset + before.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }

    /// The offset into [`Source::bytes`] of an offset in the original stream.
    pub(crate) fn kept(&self, original: usize) -> usize {
        let before = self.removed.partition_point(|&(at, total)| at + total <= original);
        original - before.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }
}

/// The bytes without their terminal escapes.
#[doc(hidden)]
pub fn without_escapes(bytes: &[u8]) -> Cow<'_, [u8]> {
    Source::uncoloured(bytes).bytes
}

/// The offset after the terminal escape that begins at `start`; one that is not well formed ends
/// where it goes wrong, so that it takes nothing else with it.
fn end_of_escape(bytes: &[u8], start: usize) -> usize {
    let body = bytes.get(start + 2..).unwrap_or_default();
    let length = match bytes.get(start + 1) {
        Some(b'[') => {
            let parameters = body.iter().take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
            let ends = body.get(parameters).is_some_and(|byte| (0x40..=0x7e).contains(byte));
            2 + parameters + usize::from(ends)
        }
        Some(b']') => {
            let text = body.iter().take_while(|byte| !matches!(**byte, 0x07 | b'\n' | ESC)).count();
            let end = match (body.get(text), body.get(text + 1)) {
                (Some(0x07), _) => 1,
                (Some(&ESC), Some(b'\\')) => 2,
                _ => 0,
            };
            2 + text + end
        }
        Some(b'\n' | b'{') | None => 1,
        Some(_) => 2,
    };
    start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_and_offsets_lead_both_ways() {
        let source = Source::uncoloured(b"a\x1b[1;31mb\x1b]8;;x\x07c\x1b[0md");
        assert_eq!(source.bytes(), b"abcd");
        let places: Vec<usize> = (0..4).map(|offset| source.original(offset)).collect();
        assert_eq!(places, [0, 8, 16, 21]);
        assert!((0..4).all(|offset| source.kept(source.original(offset)) == offset));
    }

    #[test]
    fn an_escape_that_never_ends_takes_the_rest() {
        assert_eq!(Source::uncoloured(b"a\x1b[31").bytes(), b"a");
        assert_eq!(Source::uncoloured(b"a\x1b").bytes(), b"a");
    }
}
