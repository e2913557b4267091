//! Cuts a stream into documents, broken documents, text, escapes and byte-order marks.
//!
//! This is the only place that decides where a document begins and ends amid other output. [`Segmenter`]
//! yields each [`Segment`] with its bytes in the original stream; detection and the checker are views of
//! that sequence.
//!
//! The work is linear in the length of the stream. A broken document is never searched from inside, so
//! that a part of it is not taken for a whole document either: the search resumes where its brackets
//! close, or on a later line that cannot belong to it. A stream that ends inside a document ends the
//! search.

mod line;

use crate::ansi::Stripped;
use crate::json::{Document, Facts, Flaw, FlawKind, Reader, skip_whitespace};
pub use line::is_json_so_far;
use line::{
    after_prose, begins_line, end_of_broken, end_of_line, is_followed_by_words, line_is_blank,
    looks_like_json, next_line, trim_end,
};
use std::ops::Range;

/// The marks that may come before the first byte: UTF-8, and both orders of UTF-16.
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// What a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A mark before the first byte.
    ByteOrderMark,
    /// A terminal escape. One inside a document or a text follows it in the sequence.
    Escape,
    /// A JSON document: an object, an array, or a plain value that is all there is.
    Document(Placement),
    /// A document that begins and is not JSON to its end, and its first flaw. One that the stream cuts has
    /// [`FlawKind::UnexpectedEnd`].
    Broken(Placement, Flaw),
    /// Anything else.
    Text,
}

/// How a document stands among the lines of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// It begins a line or follows another document, or it follows text and ends its line.
    Line,
    /// It is part of a line of text.
    Inline,
}

/// A part of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub kind: SegmentKind,
    /// Its bytes in the original stream, without the whitespace around them.
    pub span: Range<usize>,
}

/// Yields the segments of a stream in the order of their first bytes.
///
/// Together they hold every byte that is not whitespace. Only escapes lie inside other segments.
#[derive(Debug)]
pub struct Segmenter<'s, 'r> {
    stripped: &'s Stripped<'s>,
    bytes: &'s [u8],
    reader: &'r mut Reader,
    /// Where the first line begins: behind the byte-order mark.
    first: usize,
    /// Where the first byte is that is not whitespace.
    begin: usize,
    /// Where the last byte that is not whitespace ends.
    end: usize,
    /// Where the search continues.
    at: usize,
    /// Where the text begins that no segment holds yet.
    text: usize,
    /// The end of a line that has a document amid its text: what follows on it is part of the text too.
    inline_until: usize,
    /// How many bytes were read again because a bracket was prose.
    reread: usize,
    mark: Option<Range<usize>>,
    escapes: usize,
    /// What is found and not yielded yet: perhaps text, and what follows it.
    found: [Option<Segment>; 2],
    document: Option<(&'s str, usize)>,
    is_yielded: bool,
}

impl<'s, 'r> Segmenter<'s, 'r> {
    /// Cuts the stream that was stripped of its escapes.
    pub fn new(stripped: &'s Stripped<'s>, reader: &'r mut Reader) -> Self {
        let bytes = stripped.bytes();
        let mark = byte_order_mark(bytes);
        let at = skip_whitespace(bytes, mark);
        let end = trim_end(bytes, at..bytes.len()).end;
        Segmenter {
            stripped,
            bytes,
            reader,
            first: mark,
            begin: at,
            end,
            at,
            text: at,
            inline_until: 0,
            reread: 0,
            mark: (mark > 0).then(|| stripped.original_span(0..mark)),
            escapes: 0,
            found: [None, None],
            document: None,
            is_yielded: false,
        }
    }

    /// From the first byte that is not whitespace to the last, in the original; empty if there is none.
    pub fn extent(&self) -> Range<usize> {
        self.stripped.original_span(self.begin..self.end)
    }

    /// The document of the segment that was yielded last. Its spans are offsets into the stripped bytes.
    pub fn document(&self) -> Option<Document<'s, '_>> {
        let (text, start) = self.document.filter(|_| self.is_yielded)?;
        Some(self.reader.document_of(text, start))
    }

    /// What is odd about the document of the segment that was yielded last, in places of the original.
    pub fn facts(&self) -> Option<Facts> {
        let mut facts = Facts::default();
        facts.extend(self.document()?.facts(), |offset| self.stripped.original(offset));
        Some(facts)
    }

    /// Finds the next document, or whatever else ends the text before it.
    fn find(&mut self) {
        while self.at < self.end {
            if self.at == self.begin && self.find_plain_value() {
                return;
            }
            let opens = |byte: &u8| matches!(byte, b'{' | b'[');
            let Some(ahead) = self.bytes[self.at..self.end].iter().position(opens) else { break };
            let start = self.at + ahead;
            let is_found = match self.reader.read_at(self.bytes, start) {
                Ok(document) => {
                    let root = document.root();
                    self.document = Some((root.text(), start));
                    let span = root.span();
                    let placement = self.placement(&span);
                    self.add(SegmentKind::Document(placement), span);
                    true
                }
                Err(flaw) => self.recover(start, flaw),
            };
            if is_found {
                return;
            }
        }
        self.add_text(self.end);
        self.at = self.end;
        self.text = self.end;
    }

    /// A stream that is one number, string, `true`, `false` or `null` is a document too.
    fn find_plain_value(&mut self) -> bool {
        let is_plain = |byte: &u8| matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
        if !self.bytes.get(self.at).is_some_and(is_plain) {
            return false;
        }
        let Ok(document) = self.reader.read_at(self.bytes, self.at) else { return false };
        let root = document.root();
        if root.span().end != self.end {
            return false;
        }
        self.document = Some((root.text(), self.at));
        self.add(SegmentKind::Document(Placement::Line), root.span());
        true
    }

    /// Whether a document here begins a line, or follows something that is not text.
    fn begins(&self, start: usize) -> bool {
        self.text == start || begins_line(self.bytes, self.first, start)
    }

    fn placement(&mut self, span: &Range<usize>) -> Placement {
        let bytes = &self.bytes[span.clone()];
        let is_bare_list = bytes.starts_with(b"[") && is_followed_by_words(self.bytes, span.end);
        if self.begins(span.start) && !is_bare_list {
            return Placement::Line;
        }
        let is_meant = [&b"{\""[..], b"{}", b"[{"].iter().any(|opening| bytes.starts_with(opening));
        if !is_meant {
            return Placement::Inline;
        }
        // Prose has brackets too: behind text a document must end its line, and be the first on it.
        if span.start >= self.inline_until && line_is_blank(self.bytes, span.end) {
            return Placement::Line;
        }
        if span.end > self.inline_until {
            self.inline_until = end_of_line(self.bytes, span.end);
        }
        Placement::Inline
    }

    /// Where to continue after a failed attempt; true if it makes a segment.
    fn recover(&mut self, start: usize, flaw: Flaw) -> bool {
        let begins = self.begins(start);
        if !begins && let Some(next) = self.pardon(start, flaw) {
            self.at = next;
            return false;
        }
        let placement = if begins { Placement::Line } else { Placement::Inline };
        let ends_search =
            matches!(flaw.kind, FlawKind::UnexpectedEnd | FlawKind::TooDeep | FlawKind::TooLarge);
        if ends_search {
            self.add(SegmentKind::Broken(placement, self.original(flaw)), start..self.end);
            return true;
        }
        let behind = flaw.offset.max(start + 1);
        if !begins || !is_json_so_far(self.bytes, start) {
            self.at = match flaw.kind {
                // The reader may have been far behind these bytes.
                FlawKind::InvalidUtf8 => end_of_broken(self.bytes, start, behind),
                _ if !begins && looks_like_json(self.bytes, start) => next_line(self.bytes, behind),
                _ => behind,
            };
            return false;
        }
        let end = end_of_broken(self.bytes, start, behind).clamp(behind.min(self.end), self.end);
        let span = trim_end(self.bytes, start..end);
        self.add(SegmentKind::Broken(placement, self.original(flaw)), span);
        true
    }

    /// Where to look on behind a bracket that ends a line of prose. No more bytes are read again than were
    /// read before, so that the work stays linear and does not depend on what follows.
    fn pardon(&mut self, start: usize, flaw: Flaw) -> Option<usize> {
        if self.reread > start {
            return None;
        }
        let next = after_prose(self.bytes, start, flaw.offset)?;
        self.reread += flaw.offset - start;
        Some(next)
    }

    /// Adds a segment, and the text before it.
    fn add(&mut self, kind: SegmentKind, span: Range<usize>) {
        self.add_text(span.start);
        let next = skip_whitespace(self.bytes, span.end);
        self.found[1] = Some(Segment { kind, span: self.stripped.original_span(span) });
        self.at = next;
        self.text = next;
    }

    fn add_text(&mut self, end: usize) {
        let span = trim_end(self.bytes, self.text..end.max(self.text));
        if !span.is_empty() {
            let span = self.stripped.original_span(span);
            self.found[0] = Some(Segment { kind: SegmentKind::Text, span });
        }
    }

    fn original(&self, flaw: Flaw) -> Flaw {
        Flaw { offset: self.stripped.original(flaw.offset), ..flaw }
    }
}

impl Iterator for Segmenter<'_, '_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        self.is_yielded = false;
        if let Some(span) = self.mark.take() {
            return Some(Segment { kind: SegmentKind::ByteOrderMark, span });
        }
        if self.found == [None, None] {
            self.document = None;
            self.find();
        }
        let slot = usize::from(self.found[0].is_none());
        let escape = self.stripped.escape(self.escapes);
        let begins = self.found[slot].as_ref().map(|segment| segment.span.start);
        match escape {
            Some(span) if begins.is_none_or(|start| span.start < start) => {
                self.escapes += 1;
                Some(Segment { kind: SegmentKind::Escape, span })
            }
            _ => {
                self.is_yielded = slot == 1;
                self.found[slot].take()
            }
        }
    }
}

fn byte_order_mark(bytes: &[u8]) -> usize {
    let mark = BYTE_ORDER_MARKS.iter().find(|mark| bytes.starts_with(mark));
    mark.map_or(0, |mark| mark.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ansi;
    use crate::json::Limits;

    fn segments(bytes: &[u8]) -> Vec<(&'static str, Range<usize>)> {
        let stripped = ansi::strip(bytes);
        let mut reader = Reader::new(Limits::default());
        let name = |kind| match kind {
            SegmentKind::ByteOrderMark => "mark",
            SegmentKind::Escape => "escape",
            SegmentKind::Document(Placement::Line) => "document",
            SegmentKind::Document(Placement::Inline) => "inline",
            SegmentKind::Broken(_, flaw) if flaw.kind == FlawKind::UnexpectedEnd => "cut",
            SegmentKind::Broken(..) => "broken",
            SegmentKind::Text => "text",
        };
        let found = Segmenter::new(&stripped, &mut reader);
        found.map(|segment| (name(segment.kind), segment.span)).collect()
    }

    #[test]
    fn a_stream_is_cut_into_segments() {
        for (bytes, expected) in [
            (&b""[..], &[][..]),
            (b" \n", &[]),
            (b"{\"a\":1}\n", &[("document", 0..7)]),
            (b"42\n", &[("document", 0..2)]),
            (b"4 2\n", &[("text", 0..3)]),
            (b"Hi\n{\"a\":1}\nbye {x\n", &[("text", 0..2), ("document", 3..10), ("text", 11..17)]),
            (b"{}{}\n[1]", &[("document", 0..2), ("document", 2..4), ("document", 5..8)]),
            (b"Sure? [y/N] {\"ok\":true}\n", &[("text", 0..11), ("document", 12..23)]),
            (b"see {\"a\":1} there", &[("text", 0..3), ("inline", 4..11), ("text", 12..17)]),
            (b"[1] ready\n{}", &[("inline", 0..3), ("text", 4..9), ("document", 10..12)]),
            (b"Loading\r{}\n", &[("text", 0..7), ("document", 8..10)]),
            (b"\xef\xbb\xbf{}", &[("mark", 0..3), ("document", 3..5)]),
            (b"\xff\xfe{\0", &[("mark", 0..2), ("text", 2..4)]),
            (b"[info] x\n{}", &[("text", 0..8), ("document", 9..11)]),
        ] {
            assert_eq!(segments(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn escapes_are_segments_and_hide_nothing() {
        for (bytes, expected) in [
            (
                &b"\x1b[32m{}\x1b[0m\n"[..],
                &[("escape", 0..5), ("document", 5..7), ("escape", 7..11)][..],
            ),
            (b"{\x1b[1m\"a\":1}", &[("document", 0..11), ("escape", 1..5)]),
            (b"\x1b[1mHi\x1b[0m\n", &[("escape", 0..4), ("text", 4..6), ("escape", 6..10)]),
            // Torn escapes.
            (b"\x1b[31{\"ok\":true}", &[("escape", 0..4), ("document", 4..15)]),
            (b"\x1b[{\"ok\":true}", &[("escape", 0..2), ("document", 2..13)]),
            (
                b"\x1b]0;t\n{}\x07",
                &[("escape", 0..2), ("text", 2..5), ("document", 6..8), ("text", 8..9)],
            ),
            (b"\x1b", &[("escape", 0..1)]),
        ] {
            assert_eq!(segments(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_broken_document_ends_with_its_brackets_or_its_line() {
        for (bytes, expected) in [
            (&b"{\"a\":NaN}\n{}"[..], &[("broken", 0..9), ("document", 10..12)][..]),
            (b"{\"a\":\"\xff\"}\n{}", &[("broken", 0..9), ("document", 10..12)]),
            (b"{'a':{'b':1}}\n{}", &[("broken", 0..13), ("document", 14..16)]),
            (b"{\n\"a\":NaN,\n{\"b\":2}}\n{}", &[("broken", 0..19), ("document", 20..22)]),
            (b"{\"a\": NaN\n{}\n", &[("broken", 0..9), ("document", 10..12)]),
            (b"{\"a\": NaN\nDone\n{}", &[("broken", 0..9), ("text", 10..14), ("document", 15..17)]),
            (b"{\"a\": NaN\n\n, \"b\":{}}\n", &[("broken", 0..20)]),
            (b"{}{\"a\":1,}", &[("document", 0..2), ("broken", 2..10)]),
            (b"{\"a\":\n{}", &[("cut", 0..8)]),
            (b"x {\"a\":\n{}", &[("text", 0..1), ("cut", 2..10)]),
            (b"Building [\n{}\n", &[("text", 0..10), ("document", 11..13)]),
            (
                b"Building [\n{}\n{}\n",
                &[("text", 0..10), ("document", 11..13), ("document", 14..16)],
            ),
            (b"log: {\"a\":NaN,\"b\":{}}\n{}", &[("text", 0..21), ("document", 22..24)]),
        ] {
            assert_eq!(segments(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    /// Each takes hours if a part of the stream is looked at once for each other part.
    #[test]
    fn hostile_streams_take_linear_time() {
        for (part, count) in [
            ("[", 100_000),
            ("{\"a\":", 50_000),
            ("x [\n", 50_000),
            ("x [\n{}\n", 50_000),
            ("{\"a\":1", 50_000),
            ("{'a':1\n\n\n", 50_000),
            ("{\"a\":NaN\n, ", 50_000),
            ("[1] x {} y ", 50_000),
            ("\u{1b}]0;", 50_000),
            ("\u{1b}[", 50_000),
            ("[   ", 50_000),
            ("{}", 50_000),
        ] {
            let stream = part.repeat(count);
            assert!(!segments(stream.as_bytes()).is_empty(), "{part:?}");
        }
        let ended = format!("{{\"a\": NaN\n{}}}", "\n".repeat(100_000));
        assert_eq!(segments(ended.as_bytes()).len(), 1);
    }
}
