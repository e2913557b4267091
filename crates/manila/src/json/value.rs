//! A validated value in its own spelling, borrowed from the bytes it was read from.

use super::scan::{skip_plain_text, skip_whitespace};
use super::text::unescape;
use std::borrow::Cow;
use std::ops::Range;

/// The six kinds of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are JSON's own")]
pub enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

/// One value that the reader has accepted, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    text: &'t str,
    at: usize,
}

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'t> {
    key: &'t str,
    /// The member's value.
    pub value: Value<'t>,
}

impl<'t> Value<'t> {
    /// `text` must be exactly one validated value.
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Value { text, at }
    }

    /// Its spelling, byte for byte.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Its bytes' place in what was read.
    pub fn span(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// The text it means, if it is a string.
    pub fn string(&self) -> Option<Cow<'t, str>> {
        let inside = self.text.strip_prefix('"')?.strip_suffix('"')?;
        Some(unescape(inside))
    }

    /// Its truth, if it is a boolean.
    pub fn bool(&self) -> Option<bool> {
        match self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Its value, if it is spelled as an integer and fits.
    pub fn integer<N: std::str::FromStr>(&self) -> Option<N> {
        self.text.parse().ok()
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Its members in order, none if it is not an object.
    pub fn members(&self) -> impl Iterator<Item = Member<'t>> {
        let mut items = self.items(b'{');
        std::iter::from_fn(move || {
            let key = items.next_value()?;
            let value = items.next_value()?;
            Some(Member::new(key.text, value))
        })
    }

    /// Its elements in order, none if it is not an array.
    pub fn elements(&self) -> impl Iterator<Item = Value<'t>> {
        let mut items = self.items(b'[');
        std::iter::from_fn(move || items.next_value())
    }

    fn items(&self, opener: u8) -> Items<'t> {
        let has_them = self.text.as_bytes().first() == Some(&opener);
        Items { text: self.text, base: self.at, at: if has_them { 1 } else { self.text.len() } }
    }
}

impl<'t> Member<'t> {
    /// `key` is spelled with its quotes.
    pub(crate) fn new(key: &'t str, value: Value<'t>) -> Self {
        Member { key, value }
    }

    /// The key, as it is meant.
    pub fn key(&self) -> Cow<'t, str> {
        let inside = self.key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        unescape(inside.unwrap_or(self.key))
    }

    /// The key, as it is spelled, in its quotes.
    pub fn key_text(&self) -> &'t str {
        self.key
    }

    /// Whether the key means `name`.
    pub fn is(&self, name: &str) -> bool {
        self.key() == name
    }
}

/// Steps from value to value inside one container, keys included.
struct Items<'t> {
    text: &'t str,
    base: usize,
    at: usize,
}

impl<'t> Items<'t> {
    fn next_value(&mut self) -> Option<Value<'t>> {
        let bytes = self.text.as_bytes();
        let mut start = skip_whitespace(bytes, self.at);
        while let Some(b',' | b':') = bytes.get(start) {
            start = skip_whitespace(bytes, start + 1);
        }
        if matches!(bytes.get(start), None | Some(b'}' | b']')) {
            return None;
        }
        self.at = end_of_value(bytes, start);
        Some(Value::new(self.text.get(start..self.at)?, self.base + start))
    }
}

/// The offset after the validated value that begins at `start`.
fn end_of_value(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth -= 1;
                at += 1;
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => {
                at += 1;
                continue;
            }
            _ => {
                while bytes.get(at).is_some_and(|byte| !b",]} \n\r\t".contains(byte)) {
                    at += 1;
                }
            }
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The offset after the closing quote of the string whose inside begins at `at`.
pub(super) fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = skip_plain_text(bytes, at);
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            _ => return at + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value<'_> {
        Value::new(text, 100)
    }

    #[test]
    fn members_and_elements_keep_spelling_and_place() {
        let outer = value(r#"{ "a\u0062" : [1, {"x":"],}"} ,"\\"], "b":{} }"#);
        let members: Vec<_> = outer.members().collect();
        assert_eq!(members.len(), 2);
        assert!(members[0].is("ab"));
        assert_eq!(members[0].key_text(), r#""a\u0062""#);
        let elements: Vec<_> = members[0].value.elements().map(|e| e.text()).collect();
        assert_eq!(elements, ["1", r#"{"x":"],}"}"#, r#""\\""#]);
        assert_eq!(members[1].value.span(), 142..144);
    }

    #[test]
    fn a_key_may_end_in_a_quote() {
        let object = value(r#"{"\"":1}"#);
        let members: Vec<_> = object.members().collect();
        assert_eq!(members.len(), 1);
        assert!(members[0].is("\"") && members[0].value.integer::<u64>() == Some(1));
    }

    #[test]
    fn scalars_answer_only_for_their_own_kind() {
        assert_eq!(value("true").bool(), Some(true));
        assert_eq!(value("\"true\"").bool(), None);
        assert_eq!(value("12").integer::<u64>(), Some(12));
        assert_eq!(value("-1").integer::<u64>(), None);
        assert_eq!(value("1.0").integer::<i32>(), None);
        assert!(value("null").is_null());
        assert_eq!(value("[]").members().count(), 0);
    }
}
