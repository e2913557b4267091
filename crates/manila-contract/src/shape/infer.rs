//! Infers the shape of one document.

use super::{Field, Format, Shape, Types};
use manila::fingerprint;
use serde_json::{Map, Value};

/// The shape of one document: `input` names the call, `sample` the run of it.
pub(crate) fn shape_of(document: &Value, input: u64, sample: u64) -> Shape {
    let mut shape = Shape::default();
    shape.take_in(document, input, hash(&[&input.to_le_bytes(), &sample.to_le_bytes()]));
    shape
}

impl Shape {
    /// Joins the shape of a value, without building it: an answer may have a million values.
    fn take_in(&mut self, value: &Value, input: u64, sample: u64) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.values.insert(hash(&[number.to_string().as_bytes()])),
            Value::String(text) => {
                match &mut self.formats {
                    Some(formats) if formats.is_empty() => {}
                    Some(formats) => formats.retain(|format| format.fits(text)),
                    None => self.formats = Some(Format::detect(text)),
                }
                self.is_secret = self.is_secret || is_secret(text);
                self.values.insert(hash(&[text.as_bytes()]));
            }
            Value::Array(elements) => {
                self.is_filled |= !elements.is_empty();
                for (at, element) in elements.iter().enumerate() {
                    let sample = hash(&[&sample.to_le_bytes(), &at.to_le_bytes()]);
                    self.items.get_or_insert_default().take_in(element, input, sample);
                }
            }
            Value::Object(members) => self.take_in_object(members, input, sample),
        }
        self.types = self.types.and(type_of(value));
    }

    fn take_in_object(&mut self, members: &Map<String, Value>, input: u64, sample: u64) {
        let is_first = !self.has_objects();
        for (key, value) in members {
            if let Some(field) = self.fields.get_mut(key) {
                field.shape.take_in(value, input, sample);
            } else {
                let mut field = Field { is_optional: !is_first, ..Field::default() };
                field.shape.take_in(value, input, sample);
                self.fields.insert(key.clone(), field);
            }
        }
        // A field is optional if any object lacks it.
        if self.fields.len() > members.len() {
            for (key, field) in &mut self.fields {
                field.is_optional |= !members.contains_key(key);
            }
        }
        self.seen.insert(input, sample);
    }
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(number) if number.is_f64() => Types::NUMBER,
        Value::Number(_) => Types::INTEGER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}

/// Whether a text has a credential in it, judged by its form.
fn is_secret(text: &str) -> bool {
    const LONGEST: usize = 4096;
    text.len() < LONGEST
        && text.len() > 15
        && manila_pack::mask(text, None).contains(manila_pack::MASK)
}

#[expect(clippy::cast_possible_truncation, reason = "half of a fingerprint is one")]
fn hash(parts: &[&[u8]]) -> u64 {
    fingerprint(&parts.concat()) as u64
}
