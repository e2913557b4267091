//! The strict reader: one pass, no recursion, nothing allocated per record while nothing is odd.
//!
//! The scratch space (open containers, their keys, the root's members) belongs to the [`Reader`]
//! and is used again for the next document. This reader is the reference: a faster one must give
//! the same verdict on every input.

use super::document::{Document, MemberSpan};
use super::fact::{FactKind, Facts};
use super::flaw::{Flaw, FlawKind};
use super::keys::{Key, Keys, Object};
use super::scan::{
    BYTE_ORDER_MARK, bad_escape, continues_number, digits, is_out_of_range, literal, not_a_value,
    peek, raw_control, skip_ordinary_text, skip_whitespace, text_of, unexpected, whole_characters,
};
use super::text::{hex4, is_high_surrogate, is_low_surrogate};
use super::value::Value;
use std::ops::Range;

const LARGEST_EXACT_INTEGER: u64 = 1 << 53;

/// How much a document may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest document, in bytes.
    pub bytes: usize,
    /// The deepest nesting of arrays and objects.
    pub depth: usize,
}

impl Default for Limits {
    /// 64 MiB, and 128 levels, which is where `serde_json` stops too.
    fn default() -> Self {
        Limits { bytes: 64 << 20, depth: 128 }
    }
}

/// Reads documents, one after the other.
#[derive(Debug, Default)]
pub struct Reader {
    limits: Limits,
    containers: Vec<Container>,
    keys: Keys,
    members: Vec<MemberSpan>,
    facts: Facts,
}

/// An array or object that has begun.
#[derive(Debug)]
struct Container {
    is_object: bool,
    keys: Object,
}

/// Where the inside of a string ends, and whether it means something else than it spells.
struct Text {
    end: usize,
    escaped: bool,
}

impl Reader {
    /// A reader with limits of its own.
    pub fn new(limits: Limits) -> Self {
        Reader { limits, ..Reader::default() }
    }

    /// Reads bytes that must be exactly one document, whitespace around it allowed.
    pub fn read<'t>(&mut self, bytes: &'t [u8]) -> Result<Document<'t, '_>, Flaw> {
        let marked = bytes.starts_with(BYTE_ORDER_MARK);
        let span = self.scan(bytes, if marked { BYTE_ORDER_MARK.len() } else { 0 })?;
        let rest = skip_whitespace(bytes, span.end);
        if rest < bytes.len() {
            text_of(bytes, span)?;
            return Err(Flaw { kind: FlawKind::TrailingBytes, offset: rest });
        }
        if marked {
            self.facts.add(FactKind::ByteOrderMark, 0..BYTE_ORDER_MARK.len());
            self.facts.sort();
        }
        self.document(bytes, span)
    }

    /// Reads the one document that begins at or after `start`; whatever follows it is left alone.
    pub fn read_at<'t>(&mut self, bytes: &'t [u8], start: usize) -> Result<Document<'t, '_>, Flaw> {
        let span = self.scan(bytes, start)?;
        self.document(bytes, span)
    }

    fn document<'t>(&self, bytes: &'t [u8], span: Range<usize>) -> Result<Document<'t, '_>, Flaw> {
        let text = text_of(bytes, span.clone())?;
        Ok(self.document_of(text, span.start))
    }

    /// The document that was read last, from its text and the offset where that begins.
    pub(crate) fn document_of<'t>(&self, text: &'t str, start: usize) -> Document<'t, '_> {
        let root = Value::new(text, start);
        Document { root, members: &self.members, facts: &self.facts }
    }

    /// Finds the value at or after `start`, or the first flaw on the way.
    fn scan(&mut self, bytes: &[u8], start: usize) -> Result<Range<usize>, Flaw> {
        self.containers.clear();
        self.keys.clear();
        self.members.clear();
        self.facts.clear();
        let first = skip_whitespace(bytes, start);
        let limit = first.saturating_add(self.limits.bytes);
        let window = bytes.get(..limit).unwrap_or(bytes);
        match self.value(window, first) {
            // A number has no end of its own: the limit may have cut it.
            Ok(end) if end == window.len() && continues_number(bytes, first, end) => {
                Err(Flaw { kind: FlawKind::TooLarge, offset: limit })
            }
            Ok(end) => {
                self.facts.sort();
                Ok(first..end)
            }
            Err(flaw) => {
                let cut = flaw.kind == FlawKind::UnexpectedEnd && window.len() < bytes.len();
                // Bytes before a flaw may hold an earlier one: UTF-8 is only checked once, here. A
                // character that the end cuts is none.
                let read = &window[first..flaw.offset.min(window.len())];
                let ends = flaw.kind == FlawKind::UnexpectedEnd;
                let whole = if ends { whole_characters(read) } else { read.len() };
                text_of(window, first..first + whole)?;
                Err(if cut { Flaw { kind: FlawKind::TooLarge, offset: limit } } else { flaw })
            }
        }
    }

    /// Walks one value from its first byte and returns the offset after its last.
    fn value(&mut self, bytes: &[u8], first: usize) -> Result<usize, Flaw> {
        let mut at = first;
        if at >= bytes.len() {
            return Err(Flaw { kind: FlawKind::Empty, offset: at });
        }
        loop {
            match peek(bytes, at) {
                opener @ (b'{' | b'[') => {
                    let is_object = opener == b'{';
                    self.open(is_object, at)?;
                    at = skip_whitespace(bytes, at + 1);
                    let closer = if is_object { b'}' } else { b']' };
                    if peek(bytes, at) != closer {
                        if is_object {
                            at = self.key(bytes, at)?;
                        }
                        continue;
                    }
                    self.close(bytes);
                    at += 1;
                }
                b'"' => at = self.string(bytes, at + 1)?.end + 1,
                b'-' | b'0'..=b'9' => at = self.number(bytes, at)?,
                b't' => at = literal(bytes, at, b"true")?,
                b'f' => at = literal(bytes, at, b"false")?,
                b'n' => at = literal(bytes, at, b"null")?,
                _ => return Err(not_a_value(bytes, at)),
            }
            // A value has ended: close what ends with it, and find the next one.
            loop {
                let Some(container) = self.containers.last() else { return Ok(at) };
                let is_object = container.is_object;
                let ended = at;
                at = skip_whitespace(bytes, at);
                match peek(bytes, at) {
                    b',' => {
                        at = skip_whitespace(bytes, at + 1);
                        if is_object {
                            self.end_member(ended);
                            at = self.key(bytes, at)?;
                        }
                        break;
                    }
                    b'}' if is_object => {
                        self.end_member(ended);
                        self.close(bytes);
                        at += 1;
                    }
                    b']' if !is_object => {
                        self.close(bytes);
                        at += 1;
                    }
                    _ => return Err(unexpected(bytes, at)),
                }
            }
        }
    }

    /// Notes where the value of a member of the root object has ended.
    #[inline]
    fn end_member(&mut self, at: usize) {
        if self.containers.len() == 1
            && let Some(member) = self.members.last_mut()
        {
            member.value.end = at;
        }
    }

    fn open(&mut self, is_object: bool, at: usize) -> Result<(), Flaw> {
        if self.containers.len() == self.limits.depth {
            return Err(Flaw { kind: FlawKind::TooDeep, offset: at });
        }
        self.containers.push(Container { is_object, keys: self.keys.open() });
        Ok(())
    }

    fn close(&mut self, bytes: &[u8]) {
        if let Some(container) = self.containers.pop() {
            self.keys.close(container.keys, bytes, |key| {
                self.facts.add(FactKind::DuplicateKey, key.start - 1..key.end + 1);
            });
        }
    }

    /// Reads `"key" :` and returns where its value begins.
    fn key(&mut self, bytes: &[u8], at: usize) -> Result<usize, Flaw> {
        if peek(bytes, at) != b'"' {
            return Err(unexpected(bytes, at));
        }
        let start = at + 1;
        let (key, escaped) = if let Some(key) = Key::short(bytes, start) {
            (key, false)
        } else {
            let Text { end, escaped } = self.string(bytes, start)?;
            (Key::new(bytes, start..end, escaped), escaped)
        };
        let end = key.end();
        if let Some(container) = self.containers.last_mut()
            && self.keys.add(&mut container.keys, bytes, key)
        {
            self.facts.add(FactKind::DuplicateKey, at..end + 1);
        }
        let colon = skip_whitespace(bytes, end + 1);
        if peek(bytes, colon) != b':' {
            return Err(unexpected(bytes, colon));
        }
        let value = skip_whitespace(bytes, colon + 1);
        if self.containers.len() == 1 {
            self.members.push(MemberSpan { key: at..end + 1, escaped, value: value..value });
        }
        Ok(value)
    }

    /// Walks the inside of a string from its first byte.
    #[expect(clippy::inline_always, reason = "two places call it, for every key and every string")]
    #[inline(always)]
    fn string(&mut self, bytes: &[u8], start: usize) -> Result<Text, Flaw> {
        let end = skip_ordinary_text(bytes, start);
        if peek(bytes, end) == b'"' {
            return Ok(Text { end, escaped: false });
        }
        self.odd_string(bytes, end)
    }

    /// Walks on from the first byte of a string that is not ordinary text.
    fn odd_string(&mut self, bytes: &[u8], mut at: usize) -> Result<Text, Flaw> {
        let mut escaped = false;
        loop {
            at = skip_ordinary_text(bytes, at);
            match bytes.get(at) {
                Some(b'"') => return Ok(Text { end: at, escaped }),
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(bytes, at)?;
                }
                Some(&control @ 0..0x20) => {
                    return Err(Flaw { kind: FlawKind::RawControlCharacter(control), offset: at });
                }
                Some(_) => {
                    let control = raw_control(bytes, at);
                    if let Some(length) = control {
                        self.facts.add(FactKind::ControlCharacter, at..at + length);
                    }
                    at += control.unwrap_or(1);
                }
                None => return Err(unexpected(bytes, at)),
            }
        }
    }

    /// Walks one escape from its backslash and returns the offset after it.
    fn escape(&mut self, bytes: &[u8], at: usize) -> Result<usize, Flaw> {
        match peek(bytes, at + 1) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 2),
            b'u' => {
                let Some(unit) = hex4(bytes, at + 2) else {
                    let digits = bytes[at + 2..].iter().take(4);
                    let good = digits.take_while(|digit| digit.is_ascii_hexdigit()).count();
                    return Err(bad_escape(bytes, at, at + 2 + good));
                };
                let end = at + 6;
                if is_high_surrogate(unit)
                    && bytes.get(end..end + 2) == Some(b"\\u")
                    && hex4(bytes, end + 2).is_some_and(is_low_surrogate)
                {
                    return Ok(end + 6);
                }
                match unit {
                    0xd800..=0xdfff => self.facts.add(FactKind::LoneSurrogate, at..end),
                    0x1b => self.facts.add(FactKind::EscapeInString, at..end),
                    0x08..=0x0a | 0x0c | 0x0d => {}
                    0..=0x1f | 0x7f..=0x9f => self.facts.add(FactKind::ControlCharacter, at..end),
                    _ => {}
                }
                Ok(end)
            }
            _ => Err(bad_escape(bytes, at, at + 1)),
        }
    }

    /// Walks a number and says what a caller's number type would make of it.
    fn number(&mut self, bytes: &[u8], start: usize) -> Result<usize, Flaw> {
        let negative = bytes[start] == b'-';
        let whole = start + usize::from(negative);
        if negative && bytes.get(whole) == Some(&b'I') {
            return Err(Flaw { kind: FlawKind::NotANumber, offset: start });
        }
        let mut at = digits(bytes, whole)?;
        if bytes[whole] == b'0' && at > whole + 1 {
            return Err(Flaw { kind: FlawKind::BadNumber, offset: whole });
        }
        let mut exponent_digits = 0;
        let integer_end = at;
        if bytes.get(at) == Some(&b'.') {
            at = digits(bytes, at + 1)?;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let exponent = at + 1 + sign;
            at = digits(bytes, exponent)?;
            exponent_digits = at - exponent;
        }
        // Fifteen digits are exact in every number type, and an exponent of two digits overflows
        // nothing that has at most two hundred.
        if at - start > 15 || exponent_digits > 2 {
            let may_overflow = exponent_digits > 2 || at - start > 200;
            if may_overflow && is_out_of_range(&bytes[start..at]) {
                self.facts.add(FactKind::NumberOutOfRange, start..at);
            } else if at == integer_end {
                self.note_integer(bytes, negative, whole, at);
            }
        }
        Ok(at)
    }

    fn note_integer(&mut self, bytes: &[u8], negative: bool, whole: usize, end: usize) {
        let magnitude = bytes[whole..end].iter().try_fold(0u64, |value, digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        });
        let span = whole - usize::from(negative)..end;
        match magnitude {
            Some(value) if value <= LARGEST_EXACT_INTEGER => {}
            Some(value) if !negative || value <= i64::MIN.unsigned_abs() => {
                self.facts.add(FactKind::IntegerBeyond53Bits, span);
            }
            _ => self.facts.add(FactKind::IntegerBeyond64Bits, span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(bytes: &[u8]) -> (FlawKind, usize) {
        let flaw = Reader::default().read(bytes).expect_err("this is not JSON");
        (flaw.kind, flaw.offset)
    }

    fn facts(bytes: &[u8]) -> Vec<(FactKind, Range<usize>)> {
        let mut reader = Reader::default();
        let document = reader.read(bytes).expect("this is JSON");
        document.facts().iter().map(|fact| (fact.kind, fact.span.clone())).collect()
    }

    #[test]
    fn plain_documents_show_nothing_odd() {
        for text in ["{}", " [1, -0.5e+3, \"x\\n\"] ", "null", "{\"a\":{\"b\":[{}]},\"c\":true}"] {
            assert_eq!(facts(text.as_bytes()), [], "{text}");
        }
    }

    #[test]
    fn flaws_name_what_and_where() {
        assert_eq!(flaw(b""), (FlawKind::Empty, 0));
        assert_eq!(flaw(b"  \n"), (FlawKind::Empty, 3));
        assert_eq!(flaw(b"{\"a\":1,}"), (FlawKind::UnexpectedByte(b'}'), 7));
        assert_eq!(flaw(b"{\"a\" 1}"), (FlawKind::UnexpectedByte(b'1'), 5));
        assert_eq!(flaw(b"[1 2]"), (FlawKind::UnexpectedByte(b'2'), 3));
        assert_eq!(flaw(b"{\"a\":tru}"), (FlawKind::UnexpectedByte(b'}'), 8));
        assert_eq!(flaw(b"{\"a\":[1,2"), (FlawKind::UnexpectedEnd, 9));
        assert_eq!(flaw(b"\"ab"), (FlawKind::UnexpectedEnd, 3));
        assert_eq!(flaw(b"{\"a\":\"\xc3"), (FlawKind::UnexpectedEnd, 7));
        assert_eq!(flaw(b"\"\\u12"), (FlawKind::UnexpectedEnd, 5));
        assert_eq!(flaw(b"{} x"), (FlawKind::TrailingBytes, 3));
        assert_eq!(flaw(b"{}{}"), (FlawKind::TrailingBytes, 2));
        assert_eq!(flaw(b"[\"\xff\"]"), (FlawKind::InvalidUtf8, 2));
        assert_eq!(flaw(b"\"a\nb\""), (FlawKind::RawControlCharacter(b'\n'), 2));
        assert_eq!(flaw(b"\"\x1b[0m\""), (FlawKind::RawControlCharacter(0x1b), 1));
        assert_eq!(flaw(b"\"\\x\""), (FlawKind::BadEscape, 1));
        assert_eq!(flaw(b"\"\\u12g4\""), (FlawKind::BadEscape, 1));
        assert_eq!(flaw(b"[NaN]"), (FlawKind::NotANumber, 1));
        assert_eq!(flaw(b"[-Infinity]"), (FlawKind::NotANumber, 1));
        assert_eq!(flaw(b"[01]"), (FlawKind::BadNumber, 1));
        assert_eq!(flaw(b"[1.]"), (FlawKind::BadNumber, 3));
    }

    #[test]
    fn the_earlier_flaw_is_reported_when_bytes_are_no_utf8_either() {
        assert_eq!(flaw(b"[\"\xff\", x]"), (FlawKind::InvalidUtf8, 2));
    }

    #[test]
    fn oddities_are_facts_with_their_bytes() {
        assert_eq!(facts(b"\xef\xbb\xbf{}"), [(FactKind::ByteOrderMark, 0..3)]);
        assert_eq!(facts(b"{\"a\":1,\"\\u0061\":2}"), [(FactKind::DuplicateKey, 7..15)]);
        assert_eq!(facts(b"[{\"a\":{\"b\":1,\"b\":2}}]"), [(FactKind::DuplicateKey, 13..16)]);
        assert_eq!(facts(br#"["\ud800"]"#), [(FactKind::LoneSurrogate, 2..8)]);
        assert_eq!(facts(br#"["\udc00\ud800"]"#).len(), 2);
        assert_eq!(facts(br#"["\u001b[0m"]"#), [(FactKind::EscapeInString, 2..8)]);
        assert_eq!(facts(br#"["\u0000"]"#), [(FactKind::ControlCharacter, 2..8)]);
        assert_eq!(facts(b"[\"\x7f\"]"), [(FactKind::ControlCharacter, 2..3)]);
        assert_eq!(facts("[\"\u{9b}\",\"é\"]".as_bytes()), [(FactKind::ControlCharacter, 2..4)]);
        assert_eq!(facts(b"[9007199254740992]"), []);
        assert_eq!(facts(b"[9007199254740993]"), [(FactKind::IntegerBeyond53Bits, 1..17)]);
        assert_eq!(facts(b"[18446744073709551615]"), [(FactKind::IntegerBeyond53Bits, 1..21)]);
        assert_eq!(facts(b"[18446744073709551616]"), [(FactKind::IntegerBeyond64Bits, 1..21)]);
        assert_eq!(facts(b"[-9223372036854775809]"), [(FactKind::IntegerBeyond64Bits, 1..21)]);
        assert_eq!(facts(b"[1e999]"), [(FactKind::NumberOutOfRange, 1..6)]);
        assert_eq!(facts(b"[1e-999,0e999]"), [(FactKind::NumberOutOfRange, 1..7)]);
        let long = format!("[{}]", "9".repeat(400));
        assert_eq!(facts(long.as_bytes()), [(FactKind::NumberOutOfRange, 1..401)]);
    }

    #[test]
    fn duplicates_are_found_in_large_objects_too() {
        let members: Vec<String> = (0..1000).map(|n| format!("\"key-{n}\":0")).collect();
        let text = format!("{{{},\"key-7\":1,\"key-999\":2}}", members.join(","));
        assert_eq!(facts(text.as_bytes()).len(), 2);
        let text = format!("{{\"key-7\":1,{}}}", members.join(","));
        assert_eq!(facts(text.as_bytes()).len(), 1);
    }

    #[test]
    fn limits_hold_and_say_where() {
        let mut reader = Reader::new(Limits { bytes: 10, depth: 3 });
        assert!(reader.read(b"[[[1]]]").is_ok());
        let flaw = reader.read(b"[[[[1]]]]").expect_err("too deep");
        assert_eq!((flaw.kind, flaw.offset), (FlawKind::TooDeep, 3));
        let flaw = reader.read(b"  [1,2,3,4,5,6]").expect_err("too large");
        assert_eq!((flaw.kind, flaw.offset), (FlawKind::TooLarge, 12));
        let flaw = reader.read(b"12345678901").expect_err("too large");
        assert_eq!((flaw.kind, flaw.offset), (FlawKind::TooLarge, 10));
        assert!(reader.read(b"1234567890 ").is_ok());
    }

    #[test]
    fn nesting_of_a_hundred_thousand_levels_is_a_flaw_and_not_a_crash() {
        let deep = vec![b'['; 100_000];
        assert_eq!(flaw(&deep), (FlawKind::TooDeep, 128));
        let mut reader = Reader::new(Limits { depth: 200_000, ..Limits::default() });
        let flaw = reader.read(&deep).expect_err("unclosed");
        assert_eq!(flaw.kind, FlawKind::UnexpectedEnd);
    }

    #[test]
    fn members_of_the_root_keep_their_places() {
        let mut reader = Reader::default();
        let document = reader.read(b" {\"a\" : [1, 2] , \"b\":{\"a\":0}}").expect("valid");
        let members: Vec<_> = document
            .members()
            .map(|member| (member.key().into_owned(), member.value.text(), member.value.span()))
            .collect();
        assert_eq!(
            members,
            [("a".to_owned(), "[1, 2]", 8..14), ("b".to_owned(), "{\"a\":0}", 21..28)]
        );
    }
}
