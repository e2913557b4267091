//! JSON Schema, as far as programs declare their answers with it: whether a document satisfies a schema, and where it
//! does not.
//!
//! A schema that is not well formed, refers to another file, or uses what is not known here is refused, because it says
//! nothing that could be compared. `format` and the other annotations are not asserted.

mod judge;
mod scalar;
mod value;
mod well_formed;

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;

/// More mismatches than this say nothing more.
const MOST: usize = 10_000;

/// A schema and a document of which the comparison would not end in any reasonable time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// A schema that documents can be held against.
#[derive(Debug)]
pub(crate) struct Validator {
    schema: Value,
    /// Every pattern in it.
    patterns: BTreeMap<String, Regex>,
    draft: Draft,
}

/// What differs between the revisions of JSON Schema.
#[derive(Clone, Copy, Debug)]
struct Draft {
    /// `items` may be a list, and `additionalItems` is of what follows it.
    has_item_lists: bool,
    /// What stands beside `$ref` is ignored.
    refers_alone: bool,
}

/// Where a document does not satisfy a schema.
#[derive(Debug)]
pub(crate) struct Mismatch<'v> {
    /// The keys and places that lead to it.
    pub(crate) path: Vec<String>,
    /// What is there.
    pub(crate) value: &'v Value,
    pub(crate) kind: Kind<'v>,
    /// Only the outcome of a condition asks for something else.
    pub(crate) is_conditional: bool,
    /// What is wrong, where `it` is the value.
    pub(crate) message: String,
}

/// What a document does not satisfy.
#[derive(Debug)]
pub(crate) enum Kind<'v> {
    /// None of several schemas; what is wrong by each.
    AnyOf(Vec<Vec<Mismatch<'v>>>),
    /// This key is missing.
    Required(String),
    /// These keys are too many.
    AdditionalProperties(Vec<String>),
    Type,
    /// Nothing may be there.
    FalseSchema,
    Pattern,
    Minimum,
    Other,
}

impl Validator {
    /// A schema, unless nothing can be compared with it.
    pub(crate) fn new(schema: &Value) -> Option<Validator> {
        let stated = schema.get("$schema").and_then(Value::as_str);
        if stated.is_some_and(|stated| !stated.contains("json-schema.org/draft")) {
            return None;
        }
        let is = |name: &str| stated.is_some_and(|stated| stated.contains(name));
        let draft = Draft {
            has_item_lists: is("/draft-0") || is("/2019-09"),
            refers_alone: is("/draft-0"),
        };
        let patterns = well_formed::patterns(schema, draft)?;
        Some(Validator { schema: schema.clone(), patterns, draft })
    }

    /// Where a document does not satisfy the schema first, in the order of the schema.
    pub(crate) fn mismatch<'v>(
        &'v self,
        document: &'v Value,
    ) -> Result<Option<Mismatch<'v>>, TooMuch> {
        Ok(judge::mismatches(self, document, 1)?.into_iter().next())
    }

    /// Where a document does not satisfy the schema, in the order of the schema.
    pub(crate) fn mismatches<'v>(
        &'v self,
        document: &'v Value,
    ) -> Result<Vec<Mismatch<'v>>, TooMuch> {
        judge::mismatches(self, document, MOST)
    }
}

#[cfg(test)]
mod tests;
