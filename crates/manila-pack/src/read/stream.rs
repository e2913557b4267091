//! A stream as lines and as JSON documents, bounded: floods and long lines cost no more than a page.

use manila::without_escapes;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// How much of the beginning and of the end of a stream is looked at.
pub(crate) const PART: usize = 256 * 1024;
/// How much of a line is looked at.
const LONGEST_LINE: usize = 8 * 1024;
/// How many documents of a stream are looked at.
const MOST_DOCUMENTS: usize = 2_000;

/// The text of a stream.
#[derive(Debug)]
pub(crate) struct Text {
    /// The beginning and the end, without terminal escapes.
    parts: Vec<String>,
    /// Where the lines of the parts stand, found once because each rule looks at all of them.
    lines: Vec<(usize, Range<usize>)>,
    documents: OnceCell<Vec<Value>>,
}

impl Text {
    pub(crate) fn new(bytes: &[u8]) -> Text {
        let parts = if bytes.len() <= 2 * PART {
            vec![plain(bytes)]
        } else {
            let (head, tail) = (&bytes[..PART], &bytes[bytes.len() - PART..]);
            // The lines that the cuts go through are left out.
            let head = head.rsplitn(2, |byte| *byte == b'\n').last().unwrap_or(head);
            let tail = tail.splitn(2, |byte| *byte == b'\n').last().unwrap_or(tail);
            vec![plain(head), plain(tail)]
        };
        let lines = parts
            .iter()
            .enumerate()
            .flat_map(|(number, part)| lines_of(part).map(move |span| (number, span)));
        Text { lines: lines.collect(), parts, documents: OnceCell::new() }
    }

    /// Its lines, but for blank ones. What a carriage return overwrites is a line too.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.lines.iter().map(|(number, span)| &self.parts[*number][span.clone()])
    }

    /// Its JSON documents: the whole stream, one on each line, or some amid text.
    pub(crate) fn documents(&self) -> &[Value] {
        self.documents.get_or_init(|| {
            let mut documents = Vec::new();
            for part in &self.parts {
                documents_in(part, &mut documents);
            }
            documents
        })
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.parts.iter().all(|part| part.trim().is_empty())
    }
}

fn plain(bytes: &[u8]) -> String {
    match String::from_utf8_lossy(&without_escapes(bytes)) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}

/// The spans of the lines that are not blank.
fn lines_of(part: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    part.split(['\n', '\r']).filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let line = shortened(line.trim_end());
        (!line.is_empty()).then(|| start..start + line.len())
    })
}

fn shortened(line: &str) -> &str {
    if line.len() <= LONGEST_LINE {
        return line;
    }
    let end = (0..=LONGEST_LINE).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    &line[..end]
}

/// Documents that begin where a line does. A failed attempt is not read again from inside.
fn documents_in(text: &str, documents: &mut Vec<Value>) {
    let mut at = 0;
    while at < text.len() && documents.len() < MOST_DOCUMENTS {
        let line = &text[at..];
        let end = line.find('\n').map_or(text.len(), |end| at + end + 1);
        let trimmed = line.trim_start_matches([' ', '\t']);
        if !trimmed.starts_with(['{', '[']) {
            at = end;
            continue;
        }
        let start = text.len() - trimmed.len();
        let mut stream = serde_json::Deserializer::from_str(trimmed).into_iter::<Value>();
        match stream.next() {
            Some(Ok(document)) => {
                let after = start + stream.byte_offset();
                at = text[after..].find('\n').map_or(text.len(), |end| after + end + 1);
                // `[7] Could not connect` is a line of text.
                if text[after..at].trim().is_empty() {
                    documents.push(document);
                }
            }
            // An attempt that went past its line is not repeated for the lines it took.
            Some(Err(error)) => {
                let lines = error.line().max(1);
                at = start + nth_line_end(trimmed, lines.saturating_sub(1)).max(1);
                at = at.max(end);
            }
            None => return,
        }
    }
}

/// The offset after the first `count` lines, at least one.
fn nth_line_end(text: &str, count: usize) -> usize {
    let mut ends = text.match_indices('\n').map(|(at, _)| at + 1);
    ends.nth(count.saturating_sub(1)).unwrap_or(text.len())
}

/// The values that a pointer leads to; `*` as a segment is any element.
pub(crate) fn pointed<'v>(document: &'v Value, pointer: &str) -> Vec<&'v Value> {
    let mut found = vec![document];
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        found = found
            .into_iter()
            .flat_map(|value| -> Vec<&'v Value> {
                match value {
                    Value::Object(map) if segment == "*" => map.values().collect(),
                    Value::Array(list) if segment == "*" => list.iter().collect(),
                    Value::Object(map) => map.get(&segment).into_iter().collect(),
                    Value::Array(list) => {
                        let index = segment.parse::<usize>().ok();
                        index.and_then(|index| list.get(index)).into_iter().collect()
                    }
                    _ => Vec::new(),
                }
            })
            .collect();
    }
    found
}

/// A value as the text that patterns are held against.
pub(crate) fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(truth) => Some(Cow::Borrowed(if *truth { "true" } else { "false" })),
        Value::Null => Some(Cow::Borrowed("null")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_carriage_returns_do_not_hide_a_line() {
        let text = Text::new(b"10%\r\x1b[31mfatal\x1b[0m: x\r\nnext\xff");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["10%", "fatal: x", "next\u{fffd}"]);
    }

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let mut bytes = b"first\n".to_vec();
        bytes.extend(b"noise\n".repeat(2 * PART / 6 + 10));
        bytes.extend(b"last\n");
        let text = Text::new(&bytes);
        assert_eq!(text.lines().next(), Some("first"));
        assert!(text.lines().any(|line| line == "last"));
    }

    #[test]
    fn documents_stand_whole_on_lines_and_amid_text() {
        let count = |text: &str| Text::new(text.as_bytes()).documents().len();
        assert_eq!(count("{\n \"a\": 1\n}\n"), 1);
        assert_eq!(count("{\"a\":1}\n{\"a\":2}\n"), 2);
        assert_eq!(count("text\n{\n\"a\": [1]\n}\nmore\n[1]\n"), 2);
        assert_eq!(count("{ not\n{\"a\":1}\n"), 1);
        assert_eq!(count("[WARN] x\n{\"a\":1}"), 1);
        assert_eq!(count("[7] x\n{\"a\":1}"), 1);
    }

    #[test]
    fn pointers_have_stars() {
        let document = serde_json::json!({"a": [{"b": 1}, {"b": 2}], "c/d": 3});
        assert_eq!(pointed(&document, "/a/*/b").len(), 2);
        assert_eq!(pointed(&document, "/a/1/b")[0], 2);
        assert_eq!(pointed(&document, "/c~1d")[0], 3);
        assert!(pointed(&document, "/x/*").is_empty());
    }
}
