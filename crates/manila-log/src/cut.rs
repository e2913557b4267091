//! Bytes into records: what is one, and where the next begins.
//!
//! A record is a line. There are three exceptions, and all of them are whole documents:
//!
//! - a line of several documents, one behind the other, is several records;
//! - a line that begins with `{` and whose document continues is one record with the lines up to
//!   the document's end, as written by programs that indent their answers;
//! - a line of nothing but whitespace is none.
//!
//! A line that begins with `{` always begins a record: it ends a document before it that is not
//! complete. That is what lets several threads cut one file and agree on every record, and it is narrower
//! than what `manila::segment` does for one stream. Where documents begin lines or follow each other, both
//! find the same ones; a test compares them.

use manila::json::{Limits, Reader};
use std::ops::Range;

/// One step through a group of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The record's bytes, without the line break; nothing for a blank line.
    pub(crate) record: Option<Range<usize>>,
    /// Where the next step begins.
    pub(crate) next: usize,
}

/// Cuts records off the front of bytes that begin at the beginning of a line, or behind a record.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    reader: Reader,
    /// Where documents and nothing else are known to stand, so that a long line of them is not looked
    /// through for each.
    documents: Range<usize>,
}

impl Cutter {
    pub(crate) fn new(limits: Limits) -> Self {
        Cutter { reader: Reader::new(limits), documents: 0..0 }
    }

    /// Begins with other bytes.
    pub(crate) fn begin(&mut self) {
        self.documents = 0..0;
    }

    /// The record at `at`. `bytes` must end where a line ends that the next `{` at the beginning of
    /// a line, or the input's end, follows.
    pub(crate) fn step(&mut self, bytes: &[u8], at: usize) -> Step {
        if let Some(step) = self.known(bytes, at) {
            return step;
        }
        let line = at..end_of_line(bytes, at);
        let next = behind(bytes, line.end);
        if trim(bytes, line.clone()).is_empty() {
            return Step { record: None, next };
        }
        let whole = Step { record: Some(trim(bytes, line.clone())), next };
        if bytes.get(at) != Some(&b'{') {
            return whole;
        }
        let window = &bytes[..group(bytes, at)];
        let Ok(document) = self.reader.read_at(window, at) else { return whole };
        let span = document.span();
        // The rest of the line on which the document ends: nothing, or documents.
        let rest = span.end..end_of_line(bytes, span.end);
        if trim(bytes, rest.clone()).is_empty() {
            return Step { record: Some(span), next: behind(bytes, rest.end) };
        }
        let first = skip_space(bytes, span.end);
        if let Some(end) = self.end_of_documents(window, first) {
            self.documents = first..end;
            return Step { record: Some(span), next: first };
        }
        if span.end <= line.end {
            return whole;
        }
        let torn = trim(bytes, span.start..rest.end);
        Step { record: Some(torn), next: behind(bytes, rest.end) }
    }

    /// The record at `at` where documents are known to stand.
    fn known(&mut self, bytes: &[u8], at: usize) -> Option<Step> {
        let window = bytes.get(..self.documents.end).filter(|_| self.documents.contains(&at))?;
        let span = self.reader.read_at(window, at).ok()?.span();
        let next = skip_space(window, span.end);
        let next = if next == window.len() { behind(bytes, next) } else { next };
        Some(Step { record: Some(span), next })
    }

    /// Where a line ends, if documents and nothing else stand from `at` to there.
    fn end_of_documents(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        while bytes.get(at) == Some(&b'{') {
            let end = self.reader.read_at(bytes, at).ok()?.span().end;
            at = skip_space(bytes, end);
        }
        matches!(bytes.get(at), None | Some(b'\n')).then_some(at)
    }
}

/// The end of the lines that may belong to a document that begins at `at`: where a line begins with
/// a brace, or the end.
pub(crate) fn group(bytes: &[u8], at: usize) -> usize {
    let mut from = at;
    loop {
        let end = end_of_line(bytes, from);
        match bytes.get(end + 1) {
            None => return bytes.len(),
            Some(b'{') => return end + 1,
            Some(_) => from = end + 1,
        }
    }
}

/// The beginning of the line behind the one that ends at `end`.
fn behind(bytes: &[u8], end: usize) -> usize {
    (end + 1).min(bytes.len())
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)).map_or(bytes.len(), |n| at + n)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| is_space(**byte)).count()
}

/// The range without the whitespace around it.
fn trim(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let inside = &bytes[span.clone()];
    let before = inside.iter().take_while(|byte| is_space(**byte)).count();
    let after = inside[before..].iter().rev().take_while(|byte| is_space(**byte)).count();
    span.start + before..span.end - after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<&str> {
        let mut cutter = Cutter::default();
        cutter.begin();
        let mut list = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let step = cutter.step(text.as_bytes(), at);
            list.extend(step.record.map(|span| &text[span]));
            assert!(step.next > at);
            at = step.next;
        }
        list
    }

    #[test]
    fn a_record_is_a_line() {
        assert_eq!(
            records("{}\n\n  \r\n{\"a\":1}\r\nprose\n [1]"),
            ["{}", "{\"a\":1}", "prose", "[1]"]
        );
    }

    #[test]
    fn documents_behind_each_other_are_records() {
        assert_eq!(records("{}{\"a\":1} {}\n{}"), ["{}", "{\"a\":1}", "{}", "{}"]);
        assert_eq!(records("{}{x}\n{}"), ["{}{x}", "{}"]);
        assert_eq!(records("{} x\n{}"), ["{} x", "{}"]);
    }

    #[test]
    fn a_long_line_of_documents_is_looked_through_once() {
        let line = "{}".repeat(200_000);
        assert_eq!(records(&line).len(), 200_000);
        assert_eq!(records(&format!("{line}x")).len(), 1);
    }

    #[test]
    fn an_indented_document_is_one_record() {
        assert_eq!(records("{\n  \"a\": 1\n}\n{}\n"), ["{\n  \"a\": 1\n}", "{}"]);
        assert_eq!(records("{\n \"a\": 1\n}{\n}\n{}\n"), ["{\n \"a\": 1\n}", "{\n}", "{}"]);
        assert_eq!(records("{\n \"a\": 1\n} x\n{}\n"), ["{\n \"a\": 1\n} x", "{}"]);
    }

    #[test]
    fn a_line_that_is_cut_takes_nothing_with_it() {
        assert_eq!(records("{\"a\":\n{}\nx\n"), ["{\"a\":", "{}", "x"]);
        assert_eq!(records("{\"a\":\n\"b\nx\n{}"), ["{\"a\":", "\"b", "x", "{}"]);
    }

    #[test]
    fn records_are_the_documents_that_the_segments_of_a_stream_are() {
        const PARTS: [&str; 10] = [
            "{}",
            "{\"a\":1}",
            "{\"a\":[{}],\"b\":\"{\"}",
            "{\n  \"a\": 1\n}",
            "{\n  \"a\": [\n    {}\n  ]\n} {}",
            "{}{\"a\":1} {}",
            "prose",
            "42 things\r",
            "",
            "  two words",
        ];
        let mut random: u32 = 1;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random as usize / 65_536 % limit
        };
        for _ in 0..500 {
            let count = 1 + below(12);
            let lines: Vec<&str> = (0..count).map(|_| PARTS[below(PARTS.len())]).collect();
            let text = lines.join("\n");
            let stripped = manila::ansi::strip(text.as_bytes());
            let mut reader = Reader::default();
            let segments = manila::segment::Segmenter::new(&stripped, &mut reader);
            let documents = segments.map(|it| &text[it.span]).filter(|it| it.starts_with('{'));
            let records = records(&text).into_iter().filter(|it| it.starts_with('{'));
            assert_eq!(records.collect::<Vec<_>>(), documents.collect::<Vec<_>>(), "{text:?}");
        }
    }
}
