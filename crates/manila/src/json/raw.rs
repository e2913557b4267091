//! Owned JSON text that keeps its spelling: payloads and members that are not interpreted.

use super::flaw::Flaw;
use super::reader::Reader;
use super::serialize::{Json, RAW_VALUE, SerializeError};
use super::spell;
use super::value::{Kind, Member, Value, end_of_string};
use serde::ser::{Error, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// One JSON value in its own spelling: key order, number digits, escapes and duplicate keys stay.
///
/// Two are equal when they are spelled alike but for whitespace between their tokens, which is the
/// only thing that a dialect's layout may change.
#[derive(Clone, Debug, Eq)]
pub struct Raw {
    text: String,
    /// Known to have no whitespace between its tokens; `false` says nothing.
    compact: bool,
}

impl Raw {
    /// Reads text that must be exactly one JSON value.
    pub fn parse(text: &str) -> Result<Raw, Flaw> {
        let mut reader = Reader::default();
        Ok(Raw::from(reader.read(text.as_bytes())?.root()))
    }

    /// The JSON of anything that serialises.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Raw, SerializeError> {
        let mut json = Json { out: Vec::with_capacity(256), has_raw: false };
        value.serialize(&mut json)?;
        let text = String::from_utf8(json.out).map_err(SerializeError::custom)?;
        Ok(Raw { text, compact: !json.has_raw })
    }

    /// Appends the JSON of anything that serialises, on one line and without whitespace. Memory is as before
    /// if there is none.
    pub fn append<T: Serialize + ?Sized>(
        memory: &mut Vec<u8>,
        value: &T,
    ) -> Result<(), SerializeError> {
        let start = memory.len();
        let mut json = Json { out: std::mem::take(memory), has_raw: false };
        let serialized = value.serialize(&mut json);
        *memory = json.out;
        if serialized.is_err() {
            memory.truncate(start);
        } else if json.has_raw {
            let text =
                String::from_utf8(memory.split_off(start)).map_err(SerializeError::custom)?;
            Raw { text, compact: false }.append_to(memory);
        }
        serialized
    }

    /// Appends it on one line and without whitespace.
    pub fn append_to(&self, memory: &mut Vec<u8>) {
        if self.compact {
            return memory.extend_from_slice(self.text.as_bytes());
        }
        self.tokens().for_each(|token| memory.extend_from_slice(token.as_bytes()));
    }

    /// The JSON of a text.
    #[inline(never)]
    pub fn text(text: &str) -> Raw {
        let mut out = Vec::with_capacity(text.len() + 2);
        spell::text(&mut out, text, false);
        Raw { text: String::from_utf8(out).unwrap_or_default(), compact: true }
    }

    /// The value `null`.
    pub fn null() -> Raw {
        Raw { text: "null".to_owned(), compact: true }
    }

    /// An object of members in their own spelling.
    pub fn object<'t>(members: impl IntoIterator<Item = Member<'t>>) -> Raw {
        let mut text = String::from("{");
        for member in members {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(member.key_text());
            text.push(':');
            text.push_str(member.value.text());
        }
        text.push('}');
        Raw { text, compact: false }
    }

    /// The same with other strings: `other` sees every string, unescaped, and every number, and
    /// returns its replacement.
    #[must_use]
    pub fn with_texts(&self, other: impl Fn(Kind, &str) -> Option<String>) -> Raw {
        let mut out = String::with_capacity(self.text.len());
        for token in Tokens::new(&self.text) {
            let replacement = match token.as_bytes()[0] {
                b'"' => Value::new(token, 0).string().and_then(|text| other(Kind::String, &text)),
                b'-' | b'0'..=b'9' => other(Kind::Number, token),
                _ => None,
            };
            match replacement {
                Some(text) => out.push_str(&Raw::text(&text).text),
                None => out.push_str(token),
            }
        }
        Raw { text: out, compact: true }
    }

    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value, to look inside.
    pub fn value(&self) -> Value<'_> {
        Value::new(&self.text, 0)
    }

    /// Whether it is an object or array without anything in it.
    pub fn is_empty_container(&self) -> bool {
        let mut tokens = self.tokens();
        matches!((tokens.next(), tokens.next()), (Some("{"), Some("}")) | (Some("["), Some("]")))
    }

    /// Whether it is known to have no whitespace between its tokens.
    pub(super) fn is_compact(&self) -> bool {
        self.compact
    }

    fn tokens(&self) -> Tokens<'_> {
        Tokens::new(&self.text)
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Raw) -> bool {
        self.text == other.text || self.tokens().eq(other.tokens())
    }
}

impl From<Value<'_>> for Raw {
    fn from(value: Value<'_>) -> Raw {
        Raw { text: value.text().to_owned(), compact: false }
    }
}

/// As `serde_json`'s own `RawValue`: that crate, with its feature `raw_value`, writes it as it is.
impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
        raw.serialize_field(RAW_VALUE, &self.text)?;
        raw.end()
    }
}

/// The tokens of one validated value: punctuation, and scalars with their quotes.
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// Those of text that was validated.
    pub(super) fn new(text: &'t str) -> Self {
        Tokens { text, at: 0 }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let start = super::scan::skip_whitespace(bytes, self.at);
        self.at = match bytes.get(start)? {
            b'"' => end_of_string(bytes, start + 1),
            b'{' | b'}' | b'[' | b']' | b',' | b':' => start + 1,
            _ => {
                let rest = &bytes[start..];
                let ends = |byte: &u8| b",:]} \n\r\t".contains(byte);
                start + rest.iter().position(ends).unwrap_or(rest.len())
            }
        };
        self.text.get(start..self.at)
    }
}

/// Members that belong to no field of the envelope, in their order, duplicates included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members(Vec<(Cow<'static, str>, Raw)>);

impl Members {
    /// Adds a member at the end.
    pub fn push(&mut self, key: impl Into<Cow<'static, str>>, value: Raw) {
        self.push_key(key.into(), value);
    }

    #[inline(never)]
    fn push_key(&mut self, key: Cow<'static, str>, value: Raw) {
        self.0.push((key, value));
    }

    /// Adds others at the end.
    pub fn extend(&mut self, others: Members) {
        self.0.extend(others.0);
    }

    /// The last value of that name.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Each key with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Raw)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        Raw::parse(text).expect("valid JSON")
    }

    #[test]
    fn whitespace_is_no_difference_and_spelling_is() {
        assert_eq!(raw("{ \"a\" : [ 1 , 2 ] }"), raw("{\"a\":[1,2]}"));
        assert_ne!(raw("1.0"), raw("1.00"));
        assert_ne!(raw("{\"a\":1,\"b\":2}"), raw("{\"b\":2,\"a\":1}"));
        assert_ne!(raw("\"a b\""), raw("\"ab\""));
    }

    #[test]
    fn texts_are_replaced_however_they_are_spelled() {
        let before = raw(r#"{ "hush" : ["\u0068ush \"hush\"", 7, true, 1.50, "true"] }"#);
        let hush = |kind, text: &str| match (kind, text) {
            (Kind::Number, "7") => Some("seven".to_owned()),
            (Kind::String, "true") => Some("\"yes\"".to_owned()),
            (_, text) => text.contains("hush").then(|| text.replace("hush", "…")),
        };
        let after = r#"{"…":["… \"…\"","seven",true,1.50,"\"yes\""]}"#;
        assert_eq!(before.with_texts(hush).as_str(), after);
    }

    #[test]
    fn a_value_is_appended_on_one_line() {
        let mut memory = b"before ".to_vec();
        Raw::append(&mut memory, &[1, 2]).expect("serialises");
        Raw::append(&mut memory, &[raw("{\n \"a\" : 1 }")]).expect("serialises");
        assert_eq!(memory, b"before [1,2][{\"a\":1}]");
        let no_key = std::collections::BTreeMap::from([([1], 1)]);
        assert!(Raw::append(&mut memory, &("whole", no_key)).is_err());
        assert_eq!(memory, b"before [1,2][{\"a\":1}]");
    }

    #[test]
    fn duplicate_keys_survive_serialisation() {
        let text = r#"{"a":1,"a":1.00}"#;
        assert_eq!(serde_json::to_string(&raw(text)).expect("serialises"), text);
    }
}
