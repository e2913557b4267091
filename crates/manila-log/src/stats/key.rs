//! Several values as one key: bytes that can be compared, and taken apart again.

use indexmap::IndexMap;
use std::borrow::Cow;

/// Something for each key, in the order in which the keys came. How many there may be is limited, so
/// that a hash which is quick rather than strong will do.
pub(crate) type Map<V> = IndexMap<Box<[u8]>, V, foldhash::fast::RandomState>;

/// Bytes that no text has.
const BETWEEN: u8 = 0xfe;
const ABSENT: u8 = 0xff;
/// How much of a value counts. A log of novels must not fill the memory.
const LONGEST: usize = 160;
const CUT: &str = "…";

/// Makes keys in memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Key(Vec<u8>);

impl Key {
    pub(crate) fn clear(&mut self) -> &mut Key {
        self.0.clear();
        self
    }

    /// Adds a value, cut if it is long.
    pub(crate) fn push(&mut self, value: Option<&str>) -> &mut Key {
        match value {
            None => self.0.push(ABSENT),
            Some(text) if text.len() <= LONGEST => self.0.extend_from_slice(text.as_bytes()),
            Some(text) => {
                let end = (0..=LONGEST).rev().find(|at| text.is_char_boundary(*at));
                self.0.extend_from_slice(&text.as_bytes()[..end.unwrap_or_default()]);
                self.0.extend_from_slice(CUT.as_bytes());
            }
        }
        self.0.push(BETWEEN);
        self
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The values of a key.
pub(crate) fn values(key: &[u8]) -> Vec<Option<String>> {
    let key = key.strip_suffix(&[BETWEEN]).unwrap_or(key);
    let parts = key.split(|byte| *byte == BETWEEN);
    parts.map(|part| (part != [ABSENT]).then(|| text(part).into_owned())).collect()
}

/// The key of these values, which were the values of a key before.
pub(crate) fn of_values(values: &[Option<String>]) -> Box<[u8]> {
    let mut key = Vec::new();
    for value in values {
        match value {
            None => key.push(ABSENT),
            Some(text) => key.extend_from_slice(text.as_bytes()),
        }
        key.push(BETWEEN);
    }
    key.into()
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_none_is_not_nothing() {
        let mut key = Key::default();
        key.push(Some("a")).push(None).push(Some("")).push(Some("\0é"));
        let read = values(key.bytes());
        let read: Vec<_> = read.iter().map(Option::as_deref).collect();
        assert_eq!(read, [Some("a"), None, Some(""), Some("\0é")]);
        assert_eq!(*of_values(&values(key.bytes())), *key.bytes());
        assert_eq!(values(key.clear().push(Some("")).bytes()), [Some(String::new())]);
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        let mut key = Key::default();
        key.push(Some(&format!("x{}", "é".repeat(LONGEST))));
        let read = values(key.bytes());
        let read = read[0].as_deref().expect("a value");
        assert!(read.ends_with("é…") && read.len() <= LONGEST + CUT.len(), "{read}");
    }
}
