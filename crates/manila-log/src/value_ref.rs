//! One validated JSON value inside a record: its type and its content.

use manila::json::{Kind, Raw};
use std::borrow::Cow;
use std::str::FromStr;

/// A value that was validated, in its own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRef<'r> {
    bytes: &'r [u8],
    offset: usize,
}

impl<'r> ValueRef<'r> {
    /// `bytes` must be exactly one validated value.
    pub(crate) fn new(bytes: &'r [u8], offset: usize) -> Self {
        ValueRef { bytes, offset }
    }

    /// Its spelling, byte for byte.
    pub fn bytes(self) -> &'r [u8] {
        self.bytes
    }

    /// Where it begins, as an offset into the record.
    pub fn offset(self) -> usize {
        self.offset
    }

    /// Its kind.
    pub fn kind(self) -> Kind {
        match self.bytes.first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The inside of a string as it is spelled, escapes and all.
    pub fn spelled(self) -> Option<&'r [u8]> {
        self.bytes.strip_prefix(b"\"")?.strip_suffix(b"\"")
    }

    /// The inside of a string in which nothing is escaped.
    #[inline]
    pub(crate) fn plain(self) -> Option<&'r [u8]> {
        let ends_at = quote_or_backslash(self.bytes, 1)?;
        let is_plain = self.bytes.first() == Some(&b'"') && ends_at + 1 == self.bytes.len();
        is_plain.then(|| &self.bytes[1..ends_at])
    }

    /// The text it means, if it is a string.
    pub fn text(self) -> Option<Cow<'r, str>> {
        let inside = self.spelled()?;
        let text = std::str::from_utf8(self.bytes).ok()?;
        if memchr::memchr(b'\\', inside).is_none() {
            return Some(Cow::Borrowed(text.get(1..text.len() - 1)?));
        }
        let raw = Raw::parse(text).ok()?;
        let meant = raw.value().string()?.into_owned();
        Some(Cow::Owned(meant))
    }

    /// Whether it is a string that means `text`.
    pub fn is_text(self, text: &str) -> bool {
        match self.plain() {
            Some(inside) => inside == text.as_bytes(),
            None => self.text().is_some_and(|it| it == text),
        }
    }

    /// Its truth, if it is a boolean.
    pub fn bool(self) -> Option<bool> {
        match self.bytes {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Its value, if it is spelled as an integer and fits.
    pub fn integer<N: FromStr>(self) -> Option<N> {
        std::str::from_utf8(self.bytes).ok()?.parse().ok()
    }

    /// Its keys, each a string, and their values, in order; none if it is not an object.
    pub fn members(self) -> impl Iterator<Item = (ValueRef<'r>, ValueRef<'r>)> {
        let mut items = self.items(b'{');
        std::iter::from_fn(move || Some((items.next()?, items.next()?)))
    }

    /// Its elements in order; none if it is not an array.
    pub fn elements(self) -> impl Iterator<Item = ValueRef<'r>> {
        self.items(b'[')
    }

    /// The value of the last member of that name.
    pub fn get(self, name: &str) -> Option<ValueRef<'r>> {
        self.members().filter(|(key, _)| key.is_text(name)).last().map(|(_, value)| value)
    }

    /// The value at a path of names with dots between; a number leads to an element of an array, as in
    /// the conditions of tables.
    pub(crate) fn at(self, path: &str) -> Option<ValueRef<'r>> {
        path.split('.').filter(|name| !name.is_empty()).try_fold(self, |value, name| {
            match name.parse() {
                Ok(at) => value.elements().nth(at),
                Err(_) => value.get(name),
            }
        })
    }

    fn items(self, opener: u8) -> Items<'r> {
        let at = if self.bytes.first() == Some(&opener) { 1 } else { self.bytes.len() };
        Items { piece: self, at }
    }
}

/// Steps from value to value inside one container, keys included.
struct Items<'r> {
    piece: ValueRef<'r>,
    at: usize,
}

impl<'r> Iterator for Items<'r> {
    type Item = ValueRef<'r>;

    fn next(&mut self) -> Option<ValueRef<'r>> {
        let bytes = self.piece.bytes;
        let mut start = self.at;
        // Mostly one comma or colon.
        while let Some(b',' | b':' | b' ' | b'\n' | b'\r' | b'\t') = bytes.get(start) {
            start += 1;
        }
        if matches!(bytes.get(start), None | Some(b'}' | b']')) {
            return None;
        }
        self.at = end_of_value(bytes, start);
        Some(ValueRef::new(bytes.get(start..self.at)?, self.piece.offset + start))
    }
}

/// The offset after the validated value that begins at `start`.
#[inline]
fn end_of_value(bytes: &[u8], start: usize) -> usize {
    if bytes.get(start) == Some(&b'"') {
        return end_of_string(bytes, start + 1);
    }
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
                depth = depth.saturating_sub(1);
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

/// The offset after the closing quote of the string whose inside begins at `at`. Most strings that
/// are looked at are short, so that eight bytes at a time is faster than a search that must start.
#[inline]
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match quote_or_backslash(bytes, at) {
            Some(found) if bytes[found] == b'"' => return found + 1,
            Some(found) => at = found + 2,
            None => return bytes.len(),
        }
    }
}

/// Where the next quote or backslash stands.
#[inline]
pub(crate) fn quote_or_backslash(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    // The high bit of each byte that is zero, exact up to the first.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let found =
            zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).map(|ahead| at + ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_elements_keep_spelling_and_place() {
        let outer = ValueRef::new(br#"{ "a\u0062" : [1, {"x":"],}"} ,"\\"], "b":{} }"#, 100);
        let members: Vec<_> = outer.members().collect();
        assert_eq!(members.len(), 2);
        assert!(members[0].0.is_text("ab"));
        let elements: Vec<_> = members[0].1.elements().map(ValueRef::bytes).collect();
        assert_eq!(elements, [&b"1"[..], br#"{"x":"],}"}"#, br#""\\""#]);
        assert_eq!(members[1].1.offset(), 142);
        assert_eq!(outer.get("b").map(ValueRef::kind), Some(Kind::Object));
    }

    #[test]
    fn scalars_answer_only_for_their_own_kind() {
        let piece = |bytes: &'static str| ValueRef::new(bytes.as_bytes(), 0);
        assert_eq!(piece("true").bool(), Some(true));
        assert_eq!(piece("\"true\"").bool(), None);
        assert_eq!(piece("12").integer::<u64>(), Some(12));
        assert_eq!(piece("1.0").integer::<u64>(), None);
        assert_eq!(piece(r#""a\u00e9\ud83d""#).text().as_deref(), Some("aé\u{fffd}"));
        assert!(!piece(r#""\\""#).is_text(r"\\") && piece(r#""\\""#).is_text("\\"));
    }
}
