//! Bytes into records: what is one, and where the next begins.
//!
//! A record is a line. There are three exceptions, and all of them are whole documents:
//!
//! - a line of several documents, one behind the other, is several records;
//! - a line that begins with `{` and whose document goes on is one record with the lines up to the
//!   document's end, as programs write that indent their answers;
//! - a line of nothing but whitespace is none.
//!
//! A line that begins with `{` always begins a record: it ends a document before it that is not
//! complete. That is what lets several threads cut one file and agree on every record.

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
}

impl Cutter {
    pub(crate) fn new(limits: Limits) -> Self {
        Cutter { reader: Reader::new(limits) }
    }

    /// The record at `at`. `bytes` must end where a line ends that the next `{` at the beginning of
    /// a line, or the input's end, follows.
    pub(crate) fn step(&mut self, bytes: &[u8], at: usize) -> Step {
        let line = at..end_of_line(bytes, at);
        let next = (line.end + 1).min(bytes.len());
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
            return Step { record: Some(span), next: (rest.end + 1).min(bytes.len()) };
        }
        let first = skip_space(bytes, span.end);
        if bytes.get(first) == Some(&b'{') && self.are_documents(window, first) {
            return Step { record: Some(span), next: first };
        }
        let several = span.end > line.end;
        let torn = trim(bytes, span.start..rest.end);
        if several { Step { record: Some(torn), next: (rest.end + 1).min(bytes.len()) } } else { whole }
    }

    /// Whether documents and nothing else stand from `at` to the end of a line.
    fn are_documents(&mut self, bytes: &[u8], mut at: usize) -> bool {
        loop {
            let Ok(document) = self.reader.read_at(bytes, at) else { return false };
            let end = document.span().end;
            at = skip_space(bytes, end);
            match bytes.get(at) {
                None | Some(b'\n') => return true,
                Some(b'{') => {}
                Some(_) => return false,
            }
        }
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
        assert_eq!(records("{}\n\n  \r\n{\"a\":1}\r\nprose\n [1]"), ["{}", "{\"a\":1}", "prose", "[1]"]);
    }

    #[test]
    fn documents_behind_each_other_are_records() {
        assert_eq!(records("{}{\"a\":1} {}\n{}"), ["{}", "{\"a\":1}", "{}", "{}"]);
        assert_eq!(records("{}{x}\n{}"), ["{}{x}", "{}"]);
        assert_eq!(records("{} x\n{}"), ["{} x", "{}"]);
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
}
