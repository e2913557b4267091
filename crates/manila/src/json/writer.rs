//! The one place that writes JSON: three layouts, payloads copied or relaid token by token.

use super::raw::{Raw, Tokens};
use super::spell;
use crate::names::names;
use std::borrow::Cow;

/// Levels below this one are not indented further: hostile nesting would be mostly whitespace.
const DEEPEST_INDENT: usize = 32;

/// What a document takes beside its payload, as a rule.
const ROOM: usize = 512;

names! {
    /// Where whitespace goes.
    Layout {
        /// None at all: `{"a":[1,2]}`.
        Compact = "compact",
        /// One line, a space after each comma and colon: `{"a": [1, 2]}`.
        Spaced = "spaced",
        /// One member or element per line, indented by two spaces.
        Pretty = "pretty",
    }
}

/// How a dialect spells its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Where whitespace goes.
    pub layout: Layout,
    /// Whether text outside the payload is escaped to ASCII.
    pub ascii: bool,
}

impl Style {
    /// One line without whitespace, in UTF-8.
    pub const COMPACT: Style = Style { layout: Layout::Compact, ascii: false };
}

/// Writes one document into memory.
#[derive(Debug)]
pub struct Writer {
    out: Vec<u8>,
    style: Style,
    depth: usize,
}

impl Writer {
    /// An empty document in that style.
    pub fn new(style: Style) -> Self {
        Writer { out: Vec::with_capacity(ROOM), style, depth: 0 }
    }

    /// An empty document in that style, in memory that is already there.
    pub fn reusing(style: Style, mut memory: Vec<u8>) -> Self {
        memory.clear();
        Writer { out: memory, style, depth: 0 }
    }

    /// Writes the document's object and returns the document with the newline that ends it.
    pub fn document(mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Vec<u8> {
        self.object(fill);
        self.out.push(b'\n');
        self.out
    }

    /// Writes a value that is already JSON, laid out anew.
    pub fn value(mut self, value: &Raw) -> Vec<u8> {
        self.raw(value);
        self.out
    }

    fn object(&mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.out.push(b'{');
        self.depth += 1;
        let mut object = ObjectWriter { writer: self, empty: true };
        fill(&mut object);
        let empty = object.empty;
        self.end(empty, b'}');
    }

    fn array(&mut self, fill: impl FnOnce(&mut ArrayWriter<'_>)) {
        self.out.push(b'[');
        self.depth += 1;
        let mut array = ArrayWriter { writer: self, empty: true };
        fill(&mut array);
        let empty = array.empty;
        self.end(empty, b']');
    }

    fn end(&mut self, empty: bool, closer: u8) {
        self.depth -= 1;
        if !empty {
            self.break_line();
        }
        self.out.push(closer);
    }

    /// What is written between an opener or comma and the next item.
    fn before_item(&mut self, first: bool) {
        if !first {
            self.out.push(b',');
            if self.style.layout == Layout::Spaced {
                self.out.push(b' ');
            }
        }
        self.break_line();
    }

    fn break_line(&mut self) {
        if self.style.layout == Layout::Pretty {
            self.out.push(b'\n');
            self.out.resize(self.out.len() + 2 * self.depth.min(DEEPEST_INDENT), b' ');
        }
    }

    fn colon(&mut self) {
        self.out.push(b':');
        if self.style.layout != Layout::Compact {
            self.out.push(b' ');
        }
    }

    fn scalar(&mut self, value: &Scalar<'_>) {
        match value {
            Scalar::Null => self.out.extend_from_slice(b"null"),
            Scalar::Bool(true) => self.out.extend_from_slice(b"true"),
            Scalar::Bool(false) => self.out.extend_from_slice(b"false"),
            Scalar::Count(number) => spell::unsigned(&mut self.out, *number),
            Scalar::Number(number) => spell::signed(&mut self.out, *number),
            Scalar::Text(text) => self.text(text),
        }
    }

    fn quoted(&mut self, plain: &str) {
        self.out.push(b'"');
        self.out.extend_from_slice(plain.as_bytes());
        self.out.push(b'"');
    }

    fn text(&mut self, text: &str) {
        spell::text(&mut self.out, text, self.style.ascii);
    }

    fn raw(&mut self, raw: &Raw) {
        self.json(raw.as_str(), raw.is_compact());
    }

    /// Writes validated JSON: a copy if it already has the layout, else token by token.
    fn json(&mut self, json: &str, compact: bool) {
        // At once, and with room for the rest: a large payload is not to be moved as it grows.
        if self.out.capacity() - self.out.len() < json.len() {
            self.out.reserve(json.len() + ROOM);
        }
        if compact && self.style.layout == Layout::Compact {
            return self.out.extend_from_slice(json.as_bytes());
        }
        let mut tokens = Tokens::new(json).peekable();
        while let Some(token) = tokens.next() {
            match token {
                "{" | "[" => {
                    self.out.extend_from_slice(token.as_bytes());
                    self.depth += 1;
                    if !matches!(tokens.peek(), Some(&("}" | "]"))) {
                        self.break_line();
                        continue;
                    }
                    if let Some(closer) = tokens.next() {
                        self.depth -= 1;
                        self.out.extend_from_slice(closer.as_bytes());
                    }
                }
                "}" | "]" => {
                    self.depth -= 1;
                    self.break_line();
                    self.out.extend_from_slice(token.as_bytes());
                }
                "," => self.before_item(false),
                ":" => self.colon(),
                scalar => self.out.extend_from_slice(scalar.as_bytes()),
            }
        }
    }
}

/// A value without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar<'a> {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number that counts something.
    Count(u64),
    /// A whole number.
    Number(i64),
    /// Text.
    Text(&'a str),
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $type:ty: $value:ident => $scalar:expr;)*) => {$(
        impl<'a> From<&'a $type> for Scalar<'a> {
            fn from($value: &'a $type) -> Self {
                $scalar
            }
        }
    )*};
}

scalars! {
    (): _nothing => Scalar::Null;
    bool: value => Scalar::Bool(*value);
    u64: value => Scalar::Count(*value);
    i32: value => Scalar::Number((*value).into());
    str: value => Scalar::Text(value);
    String: value => Scalar::Text(value);
    Cow<'static, str>: value => Scalar::Text(value);
    Option<String>: value => value.as_ref().map_or(Scalar::Null, |text| Scalar::Text(text));
}

/// Writes the members of one object.
#[derive(Debug)]
pub struct ObjectWriter<'w> {
    writer: &'w mut Writer,
    empty: bool,
}

impl ObjectWriter<'_> {
    /// A key of our own is spelled as it is.
    #[inline(never)]
    fn key(&mut self, key: &'static str) {
        debug_assert!(
            key.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\')),
            "{key:?} is not a key of the envelope"
        );
        let first = std::mem::replace(&mut self.empty, false);
        let writer = &mut *self.writer;
        if writer.style.layout != Layout::Compact {
            writer.before_item(first);
            writer.quoted(key);
            return writer.colon();
        }
        // In as few pieces as can be: each waits for the length that the one before it stored.
        if first {
            writer.out.push(b'"');
        } else {
            writer.out.extend_from_slice(b",\"");
        }
        writer.out.extend_from_slice(key.as_bytes());
        writer.out.extend_from_slice(b"\":");
    }

    /// A member whose value is text, a number, a boolean or null.
    pub fn scalar<'a>(&mut self, key: &'static str, value: impl Into<Scalar<'a>>) {
        self.member(key, &value.into());
    }

    /// As [`ObjectWriter::scalar`], but nothing at all for `None`.
    pub fn scalar_if_some<'a>(&mut self, key: &'static str, value: Option<impl Into<Scalar<'a>>>) {
        if let Some(value) = value {
            self.member(key, &value.into());
        }
    }

    #[inline(never)]
    fn member(&mut self, key: &'static str, value: &Scalar<'_>) {
        self.key(key);
        self.writer.scalar(value);
    }

    /// A member whose value is already JSON.
    pub fn raw(&mut self, key: &'static str, value: &Raw) {
        self.key(key);
        self.writer.raw(value);
    }

    /// The same with a key that is not known at compile time.
    pub fn foreign(&mut self, key: &str, value: &Raw) {
        self.writer.before_item(self.empty);
        self.empty = false;
        self.writer.text(key);
        self.writer.colon();
        self.writer.raw(value);
    }

    /// The members of a payload that is an object, in their own spelling, as far as they are wanted.
    pub fn members_of(&mut self, payload: &Raw, wanted: impl Fn(&str) -> bool) {
        for member in payload.value().members().filter(|member| wanted(&member.key())) {
            self.writer.before_item(self.empty);
            self.empty = false;
            self.writer.out.extend_from_slice(member.key_text().as_bytes());
            self.writer.colon();
            self.writer.json(member.value.text(), payload.is_compact());
        }
    }

    /// A member whose value is an object.
    pub fn object(&mut self, key: &'static str, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.key(key);
        self.writer.object(fill);
    }

    /// A member whose value is an array.
    pub fn array(&mut self, key: &'static str, fill: impl FnOnce(&mut ArrayWriter<'_>)) {
        self.key(key);
        self.writer.array(fill);
    }
}

/// Writes the elements of one array.
#[derive(Debug)]
pub struct ArrayWriter<'w> {
    writer: &'w mut Writer,
    empty: bool,
}

impl ArrayWriter<'_> {
    fn next(&mut self) {
        self.writer.before_item(self.empty);
        self.empty = false;
    }

    /// An element that is text, a number or a boolean.
    pub fn scalar<'a>(&mut self, value: impl Into<Scalar<'a>>) {
        self.next();
        self.writer.scalar(&value.into());
    }

    /// An element that is already JSON.
    pub fn raw(&mut self, value: &Raw) {
        self.next();
        self.writer.raw(value);
    }

    /// An element that is an object.
    pub fn object(&mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.next();
        self.writer.object(fill);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(style: Style) -> String {
        let payload =
            Raw::parse("{ \"n\":[1,2.50,{ }],\"n\" : [] ,\"é\":\"\\u00e9\"}").expect("valid");
        let bytes = Writer::new(style).document(|object| {
            object.scalar("ok", &true);
            object.scalar("text", "é\"😀");
            object.raw("data", &payload);
            object.array("list", |_| {});
        });
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn compact_has_no_whitespace() {
        assert_eq!(
            sample(Style::COMPACT),
            "{\"ok\":true,\"text\":\"é\\\"😀\",\"data\":{\"n\":[1,2.50,{}],\"n\":[],\"é\":\"\\u00e9\"},\
             \"list\":[]}\n"
        );
    }

    #[test]
    fn spaced_is_one_line_and_ascii_leaves_the_payload_alone() {
        assert_eq!(
            sample(Style { layout: Layout::Spaced, ascii: true }),
            "{\"ok\": true, \"text\": \"\\u00e9\\\"\\ud83d\\ude00\", \"data\": {\"n\": [1, 2.50, {}], \
             \"n\": [], \"é\": \"\\u00e9\"}, \"list\": []}\n"
        );
    }

    #[test]
    fn pretty_indents_the_payload_with_the_rest() {
        assert_eq!(
            sample(Style { layout: Layout::Pretty, ascii: false }),
            "{\n  \"ok\": true,\n  \"text\": \"é\\\"😀\",\n  \"data\": {\n    \"n\": [\n      1,\n      \
             2.50,\n      {}\n    ],\n    \"n\": [],\n    \"é\": \"\\u00e9\"\n  },\n  \"list\": []\n}\n"
        );
    }

    #[test]
    fn foreign_keys_are_spelled_as_the_serialiser_spells_them() {
        let keys = ["", "a", "a b~", "\"", "\\", "\n", "\u{1f}", "\u{7f}", "é", "😀"];
        for (key, ascii) in keys.iter().flat_map(|key| [(key, false), (key, true)]) {
            let style = Style { layout: Layout::Compact, ascii };
            let escaped = |character: char| match character {
                _ if !ascii || character.is_ascii() => character.to_string(),
                _ => character
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect(),
            };
            let spelled = serde_json::to_string(key).expect("a text");
            let spelled: String = spelled.chars().map(escaped).collect();
            let foreign = |object: &mut ObjectWriter<'_>| object.foreign(key, &Raw::null());
            let written = String::from_utf8(Writer::new(style).document(foreign)).expect("text");
            assert_eq!(written, format!("{{{spelled}:null}}\n"));
        }
    }

    #[test]
    fn a_payload_made_of_spaced_json_is_relaid_too() {
        let spaced = Raw::parse("{ \"a\" : [ ] }").expect("valid");
        let payload = Raw::from_serialize(&[spaced]).expect("serialises");
        assert_eq!(payload.as_str(), "[{ \"a\" : [ ] }]");
        assert_eq!(Writer::new(Style::COMPACT).value(&payload), b"[{\"a\":[]}]");
    }

    #[test]
    fn a_large_payload_is_given_room_once() {
        let payload = Raw::from_serialize(&"x".repeat(100_000)).expect("serialises");
        let document = Writer::new(Style::COMPACT).document(|object| {
            object.raw("data", &payload);
            object.scalar("meta", &());
        });
        assert!(document.capacity() < payload.as_str().len() + 2 * ROOM);
    }
}
