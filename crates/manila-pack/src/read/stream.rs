//! A stream as lines and as JSON documents, bounded: floods and long lines cost no more than a page.

use crate::pattern::{Captures, LinePattern, SPECIAL, literal_head, longest_literal};
use manila::ansi;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// How much of the beginning and of the end of a stream is looked at.
pub(crate) const PART: usize = 128 * 1024;
/// How much of a line is looked at.
const LONGEST_LINE: usize = 8 * 1024;
/// How many documents of a stream are looked at.
const MOST_DOCUMENTS: usize = 2_000;

/// The text of a stream.
#[derive(Debug)]
pub(crate) struct Text {
    /// The beginning and the end, without terminal escapes.
    parts: Vec<String>,
    /// Where the lines of the parts stand, found once because each rule looks at all of them. Of equal lines in a
    /// row there is one.
    lines: Vec<(usize, Range<usize>)>,
    /// How many lines equal the one before them.
    repeated: usize,
    /// The bytes with which lines begin.
    firsts: Firsts,
    /// The lines by their first byte: patterns are many, and nearly all begin with words that no line begins with.
    buckets: OnceCell<Vec<Bucket>>,
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
        let mut lines: Vec<(usize, Range<usize>)> = Vec::new();
        let mut repeated = 0;
        for (number, part) in parts.iter().enumerate() {
            let found = lines_of(part);
            repeated += found.repeated;
            lines.extend(found.spans.into_iter().map(|span| (number, span)));
        }
        let firsts =
            lines.iter().filter_map(|(part, span)| parts[*part].as_bytes().get(span.start));
        let firsts = Firsts::of(firsts.copied());
        let (buckets, documents) = (OnceCell::new(), OnceCell::new());
        Text { parts, lines, repeated, firsts, buckets, documents }
    }

    fn line(&self, number: usize) -> &str {
        let (part, span) = &self.lines[number];
        &self.parts[*part][span.clone()]
    }

    /// The first line that matches a pattern.
    pub(crate) fn find<'p>(&self, pattern: &'p str) -> Option<(&str, Captures<'p, '_>)> {
        if !self.firsts.may_begin(pattern) {
            return None;
        }
        let head = literal_head(pattern);
        let Some(first) = head.bytes().next() else {
            let literal = longest_literal(pattern);
            let mut lines = self.lines().filter(|line| line.contains(literal)).peekable();
            lines.peek()?;
            let pattern = LinePattern::parse(pattern).ok()?;
            return lines.find_map(|line| Some((line, pattern.matches(line)?)));
        };
        let sorted = self.beginning_with(first);
        let start = sorted.partition_point(|number| self.line(*number) < head);
        let same =
            sorted[start..].iter().take_while(|number| self.line(**number).starts_with(head));
        let mut same = same.peekable();
        same.peek()?;
        let pattern = LinePattern::parse(pattern).ok()?;
        let matching = same.filter_map(|number| {
            let captures = pattern.matches(self.line(*number))?;
            Some((*number, captures))
        });
        let (number, captures) = matching.min_by_key(|(number, _)| *number)?;
        Some((self.line(number), captures))
    }

    /// The numbers of the lines that begin with a byte, sorted by their text.
    fn beginning_with(&self, first: u8) -> &[usize] {
        let buckets = self.buckets.get_or_init(|| {
            let mut buckets: Vec<Bucket> = Vec::new();
            buckets.resize_with(256, Bucket::default);
            for number in 0..self.lines.len() {
                let first = self.line(number).bytes().next().unwrap_or_default();
                buckets[usize::from(first)].lines.push(number);
            }
            buckets
        });
        let bucket = &buckets[usize::from(first)];
        bucket.sorted.get_or_init(|| {
            let mut numbers = bucket.lines.clone();
            numbers.sort_unstable_by(|a, b| self.line(*a).cmp(self.line(*b)).then(a.cmp(b)));
            numbers
        })
    }

    /// How many lines equal the one before them, and are left out.
    pub(crate) fn repeated(&self) -> usize {
        self.repeated
    }

    /// Its lines, but for blank ones. What a carriage return overwrites is a line too.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &str> {
        (0..self.lines.len()).map(|number| self.line(number))
    }

    /// The line with which it begins, if an empty one follows.
    pub(crate) fn first_line_then_blank(&self) -> Option<&str> {
        let (line, rest) = self.parts.first()?.split_once('\n')?;
        let is_whole = line.len() <= LONGEST_LINE;
        (is_whole && rest.starts_with('\n')).then_some(line)
    }

    /// Its JSON documents: the whole stream, one on each line, or some amid text.
    pub(crate) fn documents(&self) -> &[Value] {
        self.documents.get_or_init(|| {
            let mut documents = Vec::new();
            // Documents begin with a bracket, or behind blanks.
            if !b"{[ \t".iter().any(|byte| self.firsts.has(*byte)) {
                return documents;
            }
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

/// The lines that begin with the same byte. They are sorted if a pattern begins with it too.
#[derive(Debug, Default)]
struct Bucket {
    lines: Vec<usize>,
    sorted: OnceCell<Vec<usize>>,
}

/// The bytes with which lines begin: most patterns begin with another, and are not looked at further.
#[derive(Debug)]
struct Firsts([u64; 4]);

impl Firsts {
    fn of(bytes: impl Iterator<Item = u8>) -> Firsts {
        let mut set = [0; 4];
        for byte in bytes {
            set[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        Firsts(set)
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    /// Whether a line may begin as a pattern does.
    fn may_begin(&self, pattern: &str) -> bool {
        let Some(&byte) = pattern.as_bytes().first() else { return true };
        self.has(byte) || SPECIAL.contains(&char::from(byte))
    }
}

fn plain(bytes: &[u8]) -> String {
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\u{1b}')) {
        return text.to_owned();
    }
    match String::from_utf8_lossy(&ansi::strip(bytes).into_bytes()) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}

/// The lines of a part that are not blank. What equals the line before it is counted.
#[derive(Default)]
struct Lines {
    spans: Vec<Range<usize>>,
    repeated: usize,
}

fn lines_of(part: &str) -> Lines {
    let mut lines = Lines::default();
    let mut at = 0;
    while at < part.len() {
        let rest = &part[at..];
        let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let after = at + line.len() + 1;
        for line in line.split('\r') {
            let start = at;
            at += line.len() + 1;
            let line = shortened(line.trim_end());
            match lines.spans.last() {
                _ if line.is_empty() => {}
                Some(before) if part[before.clone()] == *line => lines.repeated += 1,
                _ => lines.spans.push(start..start + line.len()),
            }
        }
        at = after;
        // A flood repeats one line, which need not be searched for its end.
        let whole = &part.as_bytes()[at - line.len() - 1..at.min(part.len())];
        let is_plain = !line.trim().is_empty() && !line.contains('\r');
        while is_plain && part.as_bytes()[at.min(part.len())..].starts_with(whole) {
            lines.repeated += 1;
            at += whole.len();
        }
    }
    lines
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
    let segments = pointer.split('/').skip(1);
    // Each rule looks at each document, and nearly all pointers have no star and lead nowhere.
    if !segments.clone().any(|segment| segment == "*") {
        return segments.clone().try_fold(document, member).into_iter().collect();
    }
    segments.fold(vec![document], |found, segment| {
        let next = |value: &'v Value| -> Vec<&'v Value> {
            match value {
                Value::Object(map) if segment == "*" => map.values().collect(),
                Value::Array(list) if segment == "*" => list.iter().collect(),
                _ => member(value, segment).into_iter().collect(),
            }
        };
        found.into_iter().flat_map(next).collect()
    })
}

/// The member of a value that a segment of a pointer names.
fn member<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) if segment.contains('~') => {
            map.get(&segment.replace("~1", "/").replace("~0", "~"))
        }
        Value::Object(map) => map.get(segment),
        Value::Array(list) => list.get(segment.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A value as the text that patterns are compared with.
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
    fn a_blank_line_separates_a_first_line_from_data() {
        let first =
            |text: &str| Text::new(text.as_bytes()).first_line_then_blank().map(str::to_owned);
        assert_eq!(first("ERR x\n\n").as_deref(), Some("ERR x"));
        assert_eq!(first("ERR x\n"), None);
        assert_eq!(first("a\nERR x\n\n"), None);
    }

    #[test]
    fn equal_lines_in_a_row_are_one() {
        let text = Text::new(b"a\na\n\na\nb\na\na\r\nb\rb\nb");
        assert_eq!(text.lines().collect::<Vec<_>>(), ["a", "b", "a", "b"]);
        assert_eq!(text.repeated(), 5);
        assert_eq!(Text::new(b"x\nx").lines().count(), 1);
        assert_eq!(Text::new("é\né\n".as_bytes()).lines().collect::<Vec<_>>(), ["é"]);
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
