//! Second opinions on JSON, slow and simple: what is odd about a value, and what can still become one.

use manila::json::{FactKind, Kind, Value};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::ops::Range;

/// A fact without its subject.
pub(super) type Oddity = (FactKind, Range<usize>);

/// Everything odd about a value in `bytes`, in the order of its places.
pub(super) fn oddities(bytes: &[u8], value: Value<'_>) -> Vec<Oddity> {
    let mut walk = Walk { bytes, found: Vec::new() };
    walk.value(value);
    walk.found.sort_by_key(|(kind, span)| (span.start, *kind));
    walk.found
}

/// How deep arrays and objects are nested in valid JSON.
pub(super) fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// What `serde_json` takes for exactly one value.
pub(super) fn raw(bytes: &[u8]) -> Option<&RawValue> {
    serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()
}

/// What may follow the start of a value: more of a string or number, the rest of an escape, of a
/// structure or of a word. Each is long enough that no escape stays cut, which `serde_json` takes
/// for a good one.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "1111", "    ", "n1111", "rue    ", "ue    ", "e    ", "alse    ", "lse    ", "se    ", "ull    ",
    "ll    ", "l    ",
];

/// Whether nothing is wrong with the encoding but that the last character is cut.
fn ends_in_half_a_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Whether bytes are one value or could become one if more came.
pub(super) fn goes_on(bytes: &[u8]) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if ends_in_half_a_character(bytes) => {
            bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()).to_owned() + "é"
        }
        Err(_) => return false,
    };
    ENDINGS.iter().any(|ending| {
        let longer = format!("{text}{ending}");
        serde_json::from_str::<&RawValue>(&longer).map_or_else(|error| error.is_eof(), |_| true)
    })
}

struct Walk<'t> {
    bytes: &'t [u8],
    found: Vec<Oddity>,
}

impl Walk<'_> {
    fn value(&mut self, value: Value<'_>) {
        let span = value.span();
        assert_eq!(&self.bytes[span.clone()], value.text().as_bytes(), "a value is where it says");
        match value.kind() {
            Kind::Object => self.object(value),
            Kind::Array => value.elements().for_each(|element| self.value(element)),
            Kind::String => drop(self.string(value.text(), span.start)),
            Kind::Number => self.number(value.text(), span),
            Kind::Bool => assert!(value.bool().is_some()),
            Kind::Null => assert_eq!(value.text(), "null"),
        }
    }

    fn object(&mut self, value: Value<'_>) {
        let mut seen = HashSet::new();
        for member in value.members() {
            let key = member.key_text();
            let start = key.as_ptr().addr() - self.bytes.as_ptr().addr();
            if !seen.insert(self.string(key, start)) {
                self.found.push((FactKind::DuplicateKey, start..start + key.len()));
            }
            self.value(member.value);
        }
    }

    /// The UTF-16 code units of a string in its quotes, where even half a pair is itself.
    fn string(&mut self, text: &str, start: usize) -> Vec<u16> {
        let mut units = Vec::new();
        let mut escapes = Vec::new();
        let mut characters = text[1..text.len() - 1].char_indices();
        while let Some((at, character)) = characters.next() {
            if character != '\\' {
                if ('\u{7f}'..='\u{9f}').contains(&character) {
                    let at = start + 1 + at;
                    self.found.push((FactKind::ControlCharacter, at..at + character.len_utf8()));
                }
                units.extend(character.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
            match characters.next().map_or('\\', |(_, escape)| escape) {
                'u' => {
                    let unit =
                        characters.by_ref().take(4).filter_map(|(_, digit)| digit.to_digit(16));
                    let unit = unit.fold(0, |unit, digit| unit * 16 + digit);
                    let unit = u16::try_from(unit).unwrap_or_default();
                    escapes.push((start + 1 + at, unit));
                    units.push(unit);
                }
                'b' => units.push(0x08),
                'f' => units.push(0x0c),
                'n' => units.push(0x0a),
                'r' => units.push(0x0d),
                't' => units.push(0x09),
                itself => units.extend(itself.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        self.escapes(&escapes);
        units
    }

    /// What is odd about the `\u` escapes of one string.
    fn escapes(&mut self, escapes: &[(usize, u16)]) {
        let mut paired = None;
        for (index, (at, unit)) in escapes.iter().enumerate() {
            let span = *at..at + 6;
            let low = escapes
                .get(index + 1)
                .filter(|(next, low)| *next == span.end && (0xdc00..0xe000).contains(low));
            match unit {
                0xd800..0xdc00 if low.is_some() => paired = low.map(|(next, _)| *next),
                0xdc00..0xe000 if paired == Some(*at) => {}
                0xd800..0xe000 => self.found.push((FactKind::LoneSurrogate, span)),
                0x1b => self.found.push((FactKind::EscapeInString, span)),
                0x08 | 0x09 | 0x0a | 0x0c | 0x0d => {}
                ..0x20 | 0x7f..0xa0 => self.found.push((FactKind::ControlCharacter, span)),
                _ => {}
            }
        }
    }

    fn number(&mut self, text: &str, span: Range<usize>) {
        let double: f64 = text.parse().unwrap_or(f64::NAN);
        assert!(!double.is_nan(), "{text} is a number");
        let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
        let vanishes = double == 0.0 && mantissa.contains(|digit| ('1'..='9').contains(&digit));
        let is_integer = !text.contains(['.', 'e', 'E']);
        let small = text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
        let exact = text.parse::<i64>().is_ok_and(|value| value.unsigned_abs() <= 1 << 53);
        let kind = match (double.is_infinite() || vanishes, is_integer) {
            (true, _) => FactKind::NumberOutOfRange,
            (_, true) if !small => FactKind::IntegerBeyond64Bits,
            (_, true) if !exact => FactKind::IntegerBeyond53Bits,
            _ => return,
        };
        self.found.push((kind, span));
    }
}
