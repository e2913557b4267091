//! Whether a schema is one that documents can be held against, and the patterns in it.

use super::Draft;
use super::value::TYPES;
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What says nothing here although it would matter.
const UNKNOWN: &[&str] =
    &["unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef"];

/// The largest that a pattern may become, in bytes, and how many there may be: a text is held against all of it.
const LARGEST_PATTERN: usize = 256 << 10;
const MOST_PATTERNS: usize = 1_000;

/// The patterns of a schema, if all of it is well formed and known.
pub(super) fn patterns(schema: &Value, draft: Draft) -> Option<BTreeMap<String, Regex>> {
    let mut reading = Reading { root: schema, draft, patterns: BTreeMap::new() };
    reading.schema(schema)?;
    Some(reading.patterns)
}

struct Reading<'s> {
    root: &'s Value,
    draft: Draft,
    patterns: BTreeMap<String, Regex>,
}

impl Reading<'_> {
    fn schema(&mut self, schema: &Value) -> Option<()> {
        match schema {
            Value::Bool(_) => Some(()),
            Value::Object(keywords) => {
                keywords.iter().try_for_each(|(keyword, value)| self.keyword(keyword, value))
            }
            _ => None,
        }
    }

    fn keyword(&mut self, keyword: &str, value: &Value) -> Option<()> {
        match keyword {
            "$ref" => {
                let target = value.as_str()?.strip_prefix('#')?;
                self.root.pointer(&unescaped(target)?)?;
            }
            // Another name below the root changes what references mean.
            "$id" | "id" if !self.root.get(keyword).is_some_and(|root| root == value) => {
                value.is_object().then_some(())?;
            }
            "type" => {
                let is_type =
                    |name: &Value| name.as_str().is_some_and(|name| TYPES.contains(&name));
                let is_known = match value {
                    Value::Array(names) => !names.is_empty() && names.iter().all(is_type),
                    name => is_type(name),
                };
                is_known.then_some(())?;
            }
            "enum" => drop(value.as_array()?),
            "required" => texts(value)?,
            "dependentRequired" => value.as_object()?.values().try_for_each(texts)?,
            "pattern" => self.pattern(value.as_str()?)?,
            "properties" | "$defs" | "definitions" | "dependentSchemas" => {
                self.schemas(value.as_object()?)?;
            }
            "patternProperties" => {
                let schemas = value.as_object()?;
                schemas.keys().try_for_each(|pattern| self.pattern(pattern))?;
                self.schemas(schemas)?;
            }
            "dependencies" => value.as_object()?.values().try_for_each(|needed| match needed {
                Value::Array(_) => texts(needed),
                schema => self.schema(schema),
            })?,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => self.list(value)?,
            "items" if self.draft.has_item_lists && value.is_array() => self.list(value)?,
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "propertyNames"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else" => self.schema(value)?,
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" | "minContains" | "maxContains" => drop(value.as_u64()?),
            "minimum" | "maximum" => drop(value.as_f64()?),
            // Once they said how the limit beside them is meant.
            "exclusiveMinimum" | "exclusiveMaximum" if self.draft.refers_alone => {
                (value.is_number() || value.is_boolean()).then_some(())?;
            }
            "exclusiveMinimum" | "exclusiveMaximum" => drop(value.as_f64()?),
            "multipleOf" => value.as_f64().filter(|step| *step > 0.0).map(drop)?,
            "uniqueItems" => drop(value.as_bool()?),
            unknown if UNKNOWN.contains(&unknown) => return None,
            // Annotations, and words of the program's own.
            _ => {}
        }
        Some(())
    }

    fn schemas(&mut self, schemas: &Map<String, Value>) -> Option<()> {
        schemas.values().try_for_each(|schema| self.schema(schema))
    }

    fn list(&mut self, schemas: &Value) -> Option<()> {
        let schemas = schemas.as_array().filter(|schemas| !schemas.is_empty())?;
        schemas.iter().try_for_each(|schema| self.schema(schema))
    }

    fn pattern(&mut self, pattern: &str) -> Option<()> {
        if self.patterns.contains_key(pattern) {
            return Some(());
        }
        let regex =
            RegexBuilder::new(&as_rust(pattern)).size_limit(LARGEST_PATTERN).build().ok()?;
        self.patterns.insert(pattern.to_owned(), regex);
        (self.patterns.len() <= MOST_PATTERNS).then_some(())
    }
}

fn texts(value: &Value) -> Option<()> {
    value.as_array()?.iter().all(Value::is_string).then_some(())
}

/// The pointer of a reference, in which any character may be escaped.
pub(super) fn unescaped(target: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(target).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

/// A pattern as this program's engine writes it: digits and letters of a schema are those of ASCII.
fn as_rust(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => text.push_str("[0-9]"),
            Some('D') => text.push_str("[^0-9]"),
            Some('w') => text.push_str("[0-9A-Za-z_]"),
            Some('W') => text.push_str("[^0-9A-Za-z_]"),
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}
