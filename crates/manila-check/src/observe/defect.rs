//! What is wrong with the bytes on a stream that should be one document. Each stretch has one defect,
//! so that one flaw is the matter of one rule.

use crate::observe::reading::{self, Content};
use crate::observe::text_kind::{self, TextKind};
use manila::Stream;
use manila::ansi::{self, ESC, Stripped};
use manila::json::{Facts, Flaw, FlawKind, Limits, Reader};
use manila::segment::{Placement, Segment, SegmentKind, Segmenter};
use std::ops::Range;

/// What is wrong with a stretch of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    /// A mark before the first byte.
    ByteOrderMark,
    /// What steers a terminal, and is not part of some text.
    Escape,
    /// Text beside the document, or amid it.
    Text(TextKind),
    /// A document that is not JSON.
    NotJson(Flaw),
    /// The same among others that are, one on each line.
    BrokenLine(Flaw),
    /// A document that is not UTF-8.
    NotUtf8(Flaw),
    /// A document that stops before its end.
    Cut,
}

/// What is on a stream that should be one document.
#[derive(Debug)]
pub(crate) struct StreamScan {
    /// The stream.
    pub(crate) stream: Stream,
    /// The documents that are not log records.
    pub(crate) documents: Vec<Range<usize>>,
    /// Those that are.
    pub(crate) records: Vec<Range<usize>>,
    /// What is wrong, in the order of the bytes.
    pub(crate) defects: Vec<(Defect, Range<usize>)>,
}

impl StreamScan {
    /// Scans stdout, which was read as `content`.
    pub(crate) fn of_stdout(bytes: &[u8], content: &Content) -> StreamScan {
        let is_plain = !bytes.contains(&ESC);
        if is_plain && content.is_one_document() && content.documents[0].start == 0 {
            return StreamScan { documents: content.documents.clone(), ..StreamScan::nothing() };
        }
        StreamScan::of(bytes)
    }

    /// Looks at the last document of stderr, where some dialects write failures. Everything else
    /// there is for people, and not a defect.
    pub(crate) fn of_last(bytes: &[u8]) -> StreamScan {
        let whole = StreamScan::of(bytes);
        let mut scan = StreamScan { stream: Stream::Stderr, ..StreamScan::nothing() };
        let is_object = |span: &Range<usize>| bytes.get(span.start) == Some(&b'{');
        let last = whole.documents.last().filter(|span| {
            is_object(span) && reading::begins_line(bytes, span.start) && !is_record(bytes, span)
        });
        let broken = whole.defects.into_iter().filter_map(|(defect, span)| match defect {
            // What is left over outside of any document is a part of prose.
            Defect::NotJson(flaw) | Defect::BrokenLine(flaw)
                if last.is_none() && flaw.kind == FlawKind::TrailingBytes =>
            {
                None
            }
            Defect::NotJson(flaw) | Defect::BrokenLine(flaw) => Some((Defect::NotJson(flaw), span)),
            Defect::Cut | Defect::NotUtf8(_) | Defect::Escape | Defect::ByteOrderMark => {
                Some((defect, span))
            }
            Defect::Text(_) => None,
        });
        let begin = last.map_or(0, |span| span.start);
        scan.defects = broken
            .filter(|(defect, span)| match defect {
                Defect::Escape => last.is_some_and(|it| it.start < span.start && span.end < it.end),
                Defect::ByteOrderMark => last.is_some_and(|it| it.start == span.end),
                _ => span.start >= begin,
            })
            .collect();
        scan.documents.extend(last.cloned());
        scan
    }

    fn nothing() -> StreamScan {
        let (documents, records, defects) = Default::default();
        StreamScan { stream: Stream::Stdout, documents, records, defects }
    }

    /// Scans bytes.
    pub(crate) fn of(bytes: &[u8]) -> StreamScan {
        let mut scan = StreamScan::nothing();
        let mut stripped = ansi::strip(bytes);
        let mut reader = Reader::new(Limits::default());
        let amid = lines_amid(&mut stripped, &mut reader);
        let mut segments = Segmenter::new(&stripped, &mut reader);
        let (mut texts, mut escapes, mut broken) = (Vec::<Range<usize>>::new(), Vec::new(), None);
        let mut follows_text = false;
        while let Some(Segment { kind, span }) = segments.next() {
            match kind {
                SegmentKind::ByteOrderMark => scan.defects.push((Defect::ByteOrderMark, span)),
                SegmentKind::Escape => {
                    escapes.push(span);
                    continue;
                }
                SegmentKind::Document(Placement::Line) => {
                    let document = segments.document();
                    let is_record = document.is_some_and(|it| text_kind::is_log_record(it.root()));
                    let list = if is_record { &mut scan.records } else { &mut scan.documents };
                    list.push(span);
                }
                SegmentKind::Broken(Placement::Line, flaw) => {
                    broken.get_or_insert((span, flaw));
                }
                SegmentKind::Document(Placement::Inline)
                | SegmentKind::Broken(Placement::Inline, _)
                | SegmentKind::Text => {
                    match texts.last_mut().filter(|_| follows_text) {
                        Some(last) => last.end = span.end,
                        None => texts.push(span),
                    }
                    follows_text = true;
                    continue;
                }
            }
            follows_text = false;
        }
        // A program may have nothing to say but records: then they are its answer.
        if scan.documents.is_empty() && broken.is_none() {
            scan.documents = std::mem::take(&mut scan.records);
        }
        if let Some((span, flaw)) = broken {
            scan.add_broken(bytes, span.end, flaw);
        }
        if scan.has_json() {
            for span in amid {
                scan.add_text(bytes, span);
            }
            for span in texts {
                if is_rest_of_json(&bytes[span.clone()]) {
                    scan.add_rest(span);
                } else {
                    scan.add_text(bytes, span);
                }
            }
            scan.add_escapes(escapes);
        }
        scan.defects.sort_by_key(|(_, span)| span.start);
        scan
    }

    /// Whether there is anything that is, or was meant as, a document.
    pub(crate) fn has_json(&self) -> bool {
        !self.documents.is_empty()
            || !self.records.is_empty()
            || self.defects.iter().any(|(defect, _)| {
                matches!(
                    defect,
                    Defect::NotJson(_) | Defect::BrokenLine(_) | Defect::NotUtf8(_) | Defect::Cut
                )
            })
    }

    /// The first stretch of text that is of this kind.
    pub(crate) fn text(&self, kind: TextKind) -> Option<&Range<usize>> {
        self.defects.iter().find_map(|(it, span)| (*it == Defect::Text(kind)).then_some(span))
    }

    /// Adds the first document that is broken, from its flaw to its end.
    fn add_broken(&mut self, bytes: &[u8], end: usize, flaw: Flaw) {
        let end = end.max(flaw.offset + 1).min(bytes.len()).max(flaw.offset);
        let defect = match flaw.kind {
            FlawKind::UnexpectedEnd => Defect::Cut,
            FlawKind::InvalidUtf8 => Defect::NotUtf8(flaw),
            _ if !self.documents.is_empty() => Defect::BrokenLine(flaw),
            _ => Defect::NotJson(flaw),
        };
        self.defects.push((defect, flaw.offset..end));
    }

    /// Brackets and commas that are left over are not prose: the program wrote one too many.
    fn add_rest(&mut self, span: Range<usize>) {
        let flaw = Flaw { kind: FlawKind::TrailingBytes, offset: span.start };
        let defect =
            if self.documents.len() > 1 { Defect::BrokenLine(flaw) } else { Defect::NotJson(flaw) };
        self.defects.push((defect, span));
    }

    fn add_text(&mut self, bytes: &[u8], span: Range<usize>) {
        // What rewrites its line is seen behind its end.
        let around = &bytes[span.start..(span.end + 1).min(bytes.len())];
        self.defects.push((Defect::Text(TextKind::of(around)), span));
    }

    /// Adds the escapes that are not part of some text, which is a defect itself.
    fn add_escapes(&mut self, escapes: Vec<Range<usize>>) {
        let is_text = |(defect, _): &&(Defect, Range<usize>)| matches!(defect, Defect::Text(_));
        let texts = self.defects.iter().filter(is_text).map(|(_, span)| span.clone());
        let mut texts: Vec<_> = texts.collect();
        texts.sort_by_key(|span| span.start);
        // Both are in the order of the bytes, so that each text is passed once.
        let mut texts = texts.into_iter().peekable();
        let outside = escapes.into_iter().filter(|escape| {
            while texts.next_if(|text| text.end < escape.start).is_some() {}
            texts.peek().is_none_or(|text| escape.end < text.start)
        });
        self.defects.extend(outside.map(|span| (Defect::Escape, span)));
    }
}

/// What is odd about each document of an answer, whatever else is on its stream.
pub(crate) fn facts(bytes: &[u8], content: &Content, scan: &StreamScan) -> Vec<Facts> {
    if content.documents.len() == 1 {
        return vec![content.facts.clone()];
    }
    let documents =
        if scan.stream == Stream::Stdout { &content.documents } else { &scan.documents };
    let mut reader = Reader::new(Limits::default());
    let mut read =
        |span: &Range<usize>| Some(reader.read_at(bytes, span.start).ok()?.facts().clone());
    documents.iter().filter_map(&mut read).collect()
}

fn is_record(bytes: &[u8], span: &Range<usize>) -> bool {
    let mut reader = Reader::new(Limits::default());
    reader
        .read_at(bytes, span.start)
        .is_ok_and(|document| text_kind::is_log_record(document.root()))
}

/// Lines of text that were written into the middle of a document: with them gone it is one. They are
/// blanked, so that every other byte stays where it is.
fn lines_amid(stripped: &mut Stripped<'_>, reader: &mut Reader) -> Vec<Range<usize>> {
    const MOST: usize = 32;
    let is_broken = |it: &Segment| matches!(it.kind, SegmentKind::Broken(Placement::Line, _));
    let Some(broken) = Segmenter::new(stripped, reader).find(is_broken) else { return Vec::new() };
    let begin = stripped.kept(broken.span.start);
    let mut blanked = stripped.bytes().to_vec();
    let mut lines: Vec<Range<usize>> = Vec::new();
    while lines.len() < MOST {
        let Err(flaw) = reader.read_at(&blanked, begin) else {
            for line in &lines {
                stripped.blank(line.clone());
            }
            return lines.into_iter().map(|line| stripped.original_span(line)).collect();
        };
        let start =
            blanked[..flaw.offset.min(blanked.len())].iter().rposition(|byte| *byte == b'\n');
        let Some(start) = start.map(|end| end + 1).filter(|start| *start > begin) else { break };
        let length = blanked[start..].iter().position(|byte| *byte == b'\n');
        let end = length.map_or(blanked.len(), |length| start + length);
        if !is_sentence(&blanked[start..end]) {
            break;
        }
        blanked[start..end].fill(b' ');
        lines.push(start..end);
    }
    Vec::new()
}

/// Whether a line is text and no spoilt part of a document: it begins with a letter, a digit, a bracket
/// or a glyph, and has more than one word.
fn is_sentence(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let begins = line.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
        || (line.starts_with(b"[") && line.get(1).is_some_and(u8::is_ascii_alphanumeric));
    begins && line.contains(&b' ') && !line.ends_with(b",")
}

fn is_rest_of_json(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'}' | b']' | b',') || byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(bytes: &[u8]) -> Vec<(&'static str, Range<usize>)> {
        let word = |defect: &Defect| match defect {
            Defect::ByteOrderMark => "mark",
            Defect::Escape => "escape",
            Defect::Text(TextKind::Prose) => "prose",
            Defect::Text(TextKind::Log) => "log",
            Defect::Text(TextKind::Progress) => "progress",
            Defect::Text(_) => "other",
            Defect::NotJson(_) => "not-json",
            Defect::BrokenLine(_) => "broken-line",
            Defect::NotUtf8(_) => "not-utf8",
            Defect::Cut => "cut",
        };
        StreamScan::of(bytes).defects.iter().map(|(it, span)| (word(it), span.clone())).collect()
    }

    #[test]
    fn each_stretch_has_one_defect() {
        for (bytes, expected) in [
            (&b"{\"a\":1}\n"[..], &[][..]),
            (b"Hi\n{\"a\":1}\n", &[("prose", 0..2)]),
            (b"Result: {\"a\":1}\n", &[("prose", 0..7)]),
            (b"Result: [{\"a\":1}]\n", &[("prose", 0..7)]),
            (b"\xef\xbb\xbf{\"a\":1}\n", &[("mark", 0..3)]),
            (b"\x1b[32m{\"a\":1}\x1b[0m\n", &[("escape", 0..5), ("escape", 12..16)]),
            (b"\x1b]11;?\x07{\"a\":1}\n", &[("escape", 0..7)]),
            (b"\x1b[1mHi\x1b[0m\n{\"a\":1}\n", &[("prose", 4..6)]),
            (b"{\"a\":\"\x1b[31mred\"}", &[("escape", 6..11)]),
            (b"Loading\r       \r{\"a\":1}\n", &[("progress", 0..7)]),
            (b"[INFO] x\n{\"a\":1}\n", &[("log", 0..8)]),
            (b"[2026-11-16 10:00:00] x\n{\"a\":1}\n", &[("log", 0..23)]),
            (b"{\"a\":1\n", &[("cut", 7..7)]),
            (b"{\"a\":NaN}\n", &[("not-json", 5..9)]),
            (b"{'a':1}\n", &[("not-json", 1..7)]),
            (b"{a: 1}\n", &[("not-json", 1..6)]),
            (b"{\"a\":1}}\n", &[("not-json", 7..8)]),
            (b"{\"a\":\"\xff\"}\n", &[("not-utf8", 6..9)]),
            (b"{\"a\":1}\n{\"a\":2,}\n{\"a\":3}\n", &[("broken-line", 15..16)]),
            (b"{\n\"a\":1,\nerror: disk full\n\"b\":2}\n", &[("prose", 9..25)]),
            (b"{\n\"a\":[1,\nNaN,\n{\"b\":2}]}\n", &[("not-json", 10..24)]),
            (b"Hi\n", &[]),
        ] {
            assert_eq!(kinds(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_torn_escape_hides_no_document() {
        for bytes in [
            &b"\x1b[31{\"ok\":true}\n"[..],
            b"\x1b[{\"ok\":true}\n",
            b"\x1b]0;title\n{\"ok\":true}\n",
            b"\x1b{\"ok\":true}\n",
        ] {
            let transcript = manila::Transcript::from_stdout(bytes, manila::Status::Exited(0));
            let (scan, reading) = (StreamScan::of(bytes), reading::Reading::of(&transcript));
            assert_eq!(scan.documents.len(), 1, "{}", bytes.escape_ascii());
            assert_eq!(scan.documents, reading.stdout.documents);
            assert_eq!(reading.answer.and_then(|it| it.ok), Some(true));
        }
    }

    #[test]
    fn records_of_a_log_are_no_answers() {
        let scan = StreamScan::of(b"{\"level\":\"info\",\"msg\":\"x\"}\n{\"a\":1}\n");
        assert_eq!(
            (scan.records.first(), scan.documents.first()),
            (Some(&(0..26)), Some(&(27..34)))
        );
        let scan = StreamScan::of(b"{\"level\":\"info\",\"msg\":\"x\"}\n");
        assert_eq!(scan.documents.len(), 1);
    }

    #[test]
    fn of_standard_error_only_the_last_document_counts() {
        let scan = |bytes: &[u8]| {
            let scan = StreamScan::of_last(bytes);
            let defect = scan.defects.first().map(|(_, span)| span.clone());
            (scan.documents.first().cloned(), defect)
        };
        assert_eq!(scan(b"\x1b[1mhi\x1b[0m\n{\"error\":1}\n"), (Some(11..22), None));
        assert_eq!(scan(b"hi\n{\"error\":1,}\n"), (None, Some(14..15)));
        assert_eq!(scan(b"{bad: 1}\n{\"error\":1}\n"), (Some(9..20), None));
        assert_eq!(scan(b"{\"e\":\x1b[1m1}\n"), (Some(0..11), Some(5..9)));
        assert_eq!(scan(b"{\"level\":\"info\",\"msg\":\"x\"}\n"), (None, None));
    }
}
