//! What is wrong with the bytes on a stream that should be one document. Each stretch has one blemish,
//! so that one flaw is the matter of one rule.

use crate::evidence::Seen;
use crate::reading;
use crate::talk::{self, Talk};
use manila::Stream;
use manila::json::{Facts, Flaw, FlawKind, Limits, Reader};
use std::ops::Range;

/// What is wrong with a stretch of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blemish {
    /// A mark before the first byte.
    ByteOrderMark,
    /// What steers a terminal, and is not part of some text.
    Escape,
    /// Text beside the document, or amid it.
    Text(Talk),
    /// A document that is not JSON.
    NotJson(Flaw),
    /// The same among others that are, one on each line.
    BrokenLine(Flaw),
    /// A document that is not UTF-8.
    NotUtf8(Flaw),
    /// A document that stops before its end.
    Cut,
}

/// What stands on a stream that should be one document.
#[derive(Debug)]
pub(crate) struct Look {
    /// The stream.
    pub(crate) stream: Stream,
    /// The documents that are no records of a log.
    pub(crate) documents: Vec<Range<usize>>,
    /// Those that are.
    pub(crate) records: Vec<Range<usize>>,
    /// What is wrong, in the order of the bytes.
    pub(crate) blemishes: Vec<(Blemish, Range<usize>)>,
}

impl Look {
    /// Looks at standard output.
    pub(crate) fn at(seen: &Seen<'_>) -> Look {
        let (bytes, content) = (&seen.run.transcript.stdout, &seen.reading.stdout);
        let is_plain = !bytes.contains(&0x1b);
        if is_plain && content.is_one_document() && content.documents[0].start == 0 {
            return Look { documents: content.documents.clone(), ..Look::nothing() };
        }
        Look::of(bytes)
    }

    /// Looks at standard error where the answer stands there: nothing on standard output was meant as a
    /// document, and the call failed.
    pub(crate) fn at_failure(seen: &Seen<'_>) -> Option<Look> {
        let is_failure = seen.reading.says_failure() == Some(true) || !seen.exited_zero();
        let is_there = is_failure && !seen.reading.stderr.is_empty && !seen.look().has_json();
        is_there.then(|| Look::of_last(&seen.run.transcript.stderr))
    }

    /// Looks at the last document of standard error, where a failure stands in some dialects. Whatever
    /// else is there is for people, and no blemish.
    fn of_last(bytes: &[u8]) -> Look {
        let whole = Look::of(bytes);
        let mut look = Look { stream: Stream::Stderr, ..Look::nothing() };
        let is_object = |span: &Range<usize>| bytes.get(span.start) == Some(&b'{');
        let last = whole.documents.last().filter(|span| {
            is_object(span) && reading::begins_line(bytes, span.start) && !is_record(bytes, span)
        });
        let broken = whole.blemishes.into_iter().filter_map(|(blemish, span)| match blemish {
            // What is left over of no document is a piece of what is told in prose.
            Blemish::NotJson(flaw) | Blemish::BrokenLine(flaw)
                if last.is_none() && flaw.kind == FlawKind::TrailingBytes =>
            {
                None
            }
            Blemish::NotJson(flaw) | Blemish::BrokenLine(flaw) => {
                Some((Blemish::NotJson(flaw), span))
            }
            Blemish::Cut | Blemish::NotUtf8(_) | Blemish::Escape | Blemish::ByteOrderMark => {
                Some((blemish, span))
            }
            Blemish::Text(_) => None,
        });
        let begin = last.map_or(0, |span| span.start);
        look.blemishes = broken
            .filter(|(blemish, span)| match blemish {
                Blemish::Escape => {
                    last.is_some_and(|it| it.start < span.start && span.end < it.end)
                }
                Blemish::ByteOrderMark => last.is_some_and(|it| it.start == span.end),
                _ => span.start >= begin,
            })
            .collect();
        look.documents.extend(last.cloned());
        look
    }

    fn nothing() -> Look {
        let (documents, records, blemishes) = Default::default();
        Look { stream: Stream::Stdout, documents, records, blemishes }
    }

    /// Looks at bytes.
    pub(crate) fn of(bytes: &[u8]) -> Look {
        let mut look = Look::nothing();
        if let Some(mark) = byte_order_mark(bytes) {
            look.blemishes.push((Blemish::ByteOrderMark, 0..mark));
        }
        let plain = Plain::of(bytes);
        look.read(bytes, &plain);
        look.blemishes.extend(plain.escapes_outside_text(&look));
        look.blemishes.sort_by_key(|(_, span)| span.start);
        look
    }

    /// Whether there is anything that is, or was meant as, a document.
    pub(crate) fn has_json(&self) -> bool {
        !self.documents.is_empty()
            || !self.records.is_empty()
            || self.blemishes.iter().any(|(blemish, _)| {
                matches!(
                    blemish,
                    Blemish::NotJson(_)
                        | Blemish::BrokenLine(_)
                        | Blemish::NotUtf8(_)
                        | Blemish::Cut
                )
            })
    }

    /// The first stretch of text that is of this kind.
    pub(crate) fn text(&self, talk: Talk) -> Option<&Range<usize>> {
        self.blemishes.iter().find_map(|(it, span)| (*it == Blemish::Text(talk)).then_some(span))
    }

    fn read(&mut self, bytes: &[u8], plain: &Plain) {
        let mut text = plain.text.clone();
        let mut content = reading::content(&text);
        let mut reader = Reader::new(Limits::default());
        let mut amid = Vec::new();
        if let Some((span, _)) = &content.broken {
            amid = lines_amid(&mut text, span.start, &mut reader);
            if !amid.is_empty() {
                content = reading::content(&text);
            }
        }
        for span in amid {
            self.add_text(bytes, plain, span);
        }
        for span in &content.documents {
            let is_record = reader
                .read_at(&text, span.start)
                .is_ok_and(|document| talk::is_log_record(document.root()));
            let list = if is_record { &mut self.records } else { &mut self.documents };
            list.push(plain.original(span.clone()));
        }
        // A program may have nothing to say but records: then they are its answer.
        if self.documents.is_empty() && content.broken.is_none() {
            self.documents = std::mem::take(&mut self.records);
        }
        let has_others = !self.documents.is_empty();
        if let Some((span, flaw)) = content.broken {
            let end = span.end.max(flaw.offset + 1).min(text.len()).max(flaw.offset);
            let place = plain.original(flaw.offset..end);
            let flaw = Flaw { offset: place.start, ..flaw };
            let blemish = match flaw.kind {
                FlawKind::UnexpectedEnd => Blemish::Cut,
                FlawKind::InvalidUtf8 => Blemish::NotUtf8(flaw),
                _ if has_others => Blemish::BrokenLine(flaw),
                _ => Blemish::NotJson(flaw),
            };
            self.blemishes.push((blemish, place));
        }
        if self.has_json() {
            for span in content.text {
                let line = &text[span.clone()];
                if is_rest_of_json(line) {
                    self.add_rest(plain.original(span));
                } else if !reading::is_json_so_far(&text, span.start) {
                    self.add_text(bytes, plain, span);
                }
            }
        }
    }

    /// Brackets and commas that are left over are no prose: somebody wrote one too many.
    fn add_rest(&mut self, span: Range<usize>) {
        let flaw = Flaw { kind: FlawKind::TrailingBytes, offset: span.start };
        let blemish = if self.documents.len() > 1 {
            Blemish::BrokenLine(flaw)
        } else {
            Blemish::NotJson(flaw)
        };
        self.blemishes.push((blemish, span));
    }

    fn add_text(&mut self, bytes: &[u8], plain: &Plain, span: Range<usize>) {
        let span = plain.original(span);
        // What rewrites its line is seen in the original alone.
        let around = &bytes[span.start..(span.end + 1).min(bytes.len())];
        self.blemishes.push((Blemish::Text(Talk::of(around)), span));
    }
}

/// What is odd about each document of an answer, whatever else stands on its stream.
pub(crate) fn facts(seen: &Seen<'_>, look: &Look) -> Vec<Facts> {
    let (bytes, content) = (seen.run.transcript.stream(look.stream), seen.reading.on(look.stream));
    if content.documents.len() == 1 {
        return vec![content.facts.clone()];
    }
    let documents =
        if look.stream == Stream::Stdout { &content.documents } else { &look.documents };
    let mut reader = Reader::new(Limits::default());
    let mut read =
        |span: &Range<usize>| Some(reader.read_at(bytes, span.start).ok()?.facts().clone());
    documents.iter().filter_map(&mut read).collect()
}

fn is_record(bytes: &[u8], span: &Range<usize>) -> bool {
    let mut reader = Reader::new(Limits::default());
    reader.read_at(bytes, span.start).is_ok_and(|document| talk::is_log_record(document.root()))
}

/// The bytes without what steers a terminal. Where a line is rewritten a new one begins.
struct Plain {
    text: Vec<u8>,
    /// Where each byte of it stood, and the end.
    places: Option<Vec<usize>>,
    escapes: Vec<Range<usize>>,
}

impl Plain {
    fn of(bytes: &[u8]) -> Plain {
        let mut plain =
            Plain { text: Vec::with_capacity(bytes.len()), places: None, escapes: Vec::new() };
        let mark = byte_order_mark(bytes).unwrap_or(0);
        let mut places = Vec::new();
        let is_altered = mark > 0 || bytes.contains(&0x1b);
        let mut at = mark;
        while at < bytes.len() {
            if bytes[at] == 0x1b {
                let end = end_of_escape(bytes, at);
                plain.escapes.push(at..end);
                at = end;
                continue;
            }
            let begins_anew =
                bytes[at] == b'\r' && bytes.get(at + 1).is_some_and(|next| *next != b'\n');
            plain.text.push(if begins_anew { b'\n' } else { bytes[at] });
            if is_altered {
                places.push(at);
            }
            at += 1;
        }
        places.push(bytes.len());
        plain.places = is_altered.then_some(places);
        plain
    }

    fn original(&self, span: Range<usize>) -> Range<usize> {
        let Some(places) = &self.places else { return span };
        let last = places.len() - 1;
        let start = places[span.start.min(last)];
        let end = span.end.checked_sub(1).map_or(0, |at| places[at.min(last)] + 1);
        start..end.max(start)
    }

    /// Escapes are only told where they are not part of some text, which is told itself.
    fn escapes_outside_text(&self, look: &Look) -> Vec<(Blemish, Range<usize>)> {
        if !look.has_json() {
            return Vec::new();
        }
        let is_text = |(blemish, _): &&(Blemish, Range<usize>)| matches!(blemish, Blemish::Text(_));
        let mut texts: Vec<_> =
            look.blemishes.iter().filter(is_text).map(|(_, span)| span).collect();
        texts.sort_by_key(|span| span.start);
        // Both are in the order of the bytes, so that each text is passed once.
        let mut texts = texts.into_iter().peekable();
        let outside = self.escapes.iter().filter(|escape| {
            while texts.next_if(|text| text.end < escape.start).is_some() {}
            texts.peek().is_none_or(|text| escape.end < text.start)
        });
        outside.map(|span| (Blemish::Escape, span.clone())).collect()
    }
}

fn byte_order_mark(bytes: &[u8]) -> Option<usize> {
    [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .find(|mark| bytes.starts_with(mark))
        .map(|mark| mark.len())
}

/// The end of what begins with ESC; one that is not well formed takes nothing else with it.
fn end_of_escape(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start + 2..).unwrap_or_default();
    let length = match bytes.get(start + 1) {
        None => 1,
        Some(b'[') => {
            let parameters = rest.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            let ends = rest.get(parameters).is_some_and(|byte| (0x40..0x7f).contains(byte));
            2 + parameters + usize::from(ends)
        }
        Some(b']' | b'P' | b'_' | b'^' | b'X') => {
            // It goes no further than its line, and no further than another escape.
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | 0x07 | 0x1b));
            match end.map(|end| (end, &rest[end..])) {
                Some((end, [0x07, ..])) => 2 + end + 1,
                Some((end, [0x1b, b'\\', ..])) => 2 + end + 2,
                _ => 2,
            }
        }
        Some(b'(' | b')' | b'#' | b'%') => 3,
        Some(_) => 2,
    };
    (start + length).min(bytes.len())
}

/// Lines of text that were written into the middle of a document: with them gone it is one. They are
/// blanked, so that every other byte stays where it is.
fn lines_amid(text: &mut [u8], begin: usize, reader: &mut Reader) -> Vec<Range<usize>> {
    const MOST: usize = 32;
    let mut blanked = text.to_vec();
    let mut lines: Vec<Range<usize>> = Vec::new();
    while lines.len() < MOST {
        let Err(flaw) = reader.read_at(&blanked, begin) else {
            text.copy_from_slice(&blanked);
            return lines;
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
        let word = |blemish: &Blemish| match blemish {
            Blemish::ByteOrderMark => "mark",
            Blemish::Escape => "escape",
            Blemish::Text(Talk::Prose) => "prose",
            Blemish::Text(Talk::Log) => "log",
            Blemish::Text(Talk::Progress) => "progress",
            Blemish::Text(_) => "other",
            Blemish::NotJson(_) => "not-json",
            Blemish::BrokenLine(_) => "broken-line",
            Blemish::NotUtf8(_) => "not-utf8",
            Blemish::Cut => "cut",
        };
        Look::of(bytes).blemishes.iter().map(|(it, span)| (word(it), span.clone())).collect()
    }

    #[test]
    fn each_stretch_has_one_blemish() {
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
            (b"{\n\"a\":[1,\nNaN,\n{\"b\":2}]}\n", &[("not-json", 10..25)]),
            (b"Hi\n", &[]),
        ] {
            assert_eq!(kinds(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_escape_without_an_end_takes_nothing_with_it() {
        assert_eq!(end_of_escape(b"\x1b]0;title\x1b]1;\x07", 0), 2);
        assert_eq!(end_of_escape(b"\x1b]0;title\x1b\\x", 0), 11);
        assert_eq!(end_of_escape(b"\x1b]0;t\n\x07", 0), 2);
    }

    #[test]
    fn records_of_a_log_are_no_answers() {
        let look = Look::of(b"{\"level\":\"info\",\"msg\":\"x\"}\n{\"a\":1}\n");
        assert_eq!(
            (look.records.first(), look.documents.first()),
            (Some(&(0..26)), Some(&(27..34)))
        );
        let look = Look::of(b"{\"level\":\"info\",\"msg\":\"x\"}\n");
        assert_eq!(look.documents.len(), 1);
    }

    #[test]
    fn of_standard_error_only_the_last_document_counts() {
        let look = |bytes: &[u8]| {
            let look = Look::of_last(bytes);
            let blemish = look.blemishes.first().map(|(_, span)| span.clone());
            (look.documents.first().cloned(), blemish)
        };
        assert_eq!(look(b"\x1b[1mhi\x1b[0m\n{\"error\":1}\n"), (Some(11..22), None));
        assert_eq!(look(b"hi\n{\"error\":1,}\n"), (None, Some(14..15)));
        assert_eq!(look(b"{bad: 1}\n{\"error\":1}\n"), (Some(9..20), None));
        assert_eq!(look(b"{\"e\":\x1b[1m1}\n"), (Some(0..11), Some(5..9)));
        assert_eq!(look(b"{\"level\":\"info\",\"msg\":\"x\"}\n"), (None, None));
    }
}
