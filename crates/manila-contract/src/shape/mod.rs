//! The shape of documents: the types at each path, their presence, and what the values have in common.
//! Shapes are joined, never counted.

mod evidence;
mod format;
mod infer;
mod key;
pub(crate) mod names;
mod path;
mod volatile;

pub(crate) use evidence::{Evidence, Sketch};
pub(crate) use format::Format;
pub(crate) use infer::shape_of;
pub(crate) use key::looks_like_data;
pub(crate) use path::{Node, Path, Presence, Step};
pub(crate) use volatile::{Volatile, differing};

use crate::join::Join;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The types of JSON, several at once if samples differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Types(u8);

impl Types {
    /// `null`.
    pub(crate) const NULL: Types = Types(1);
    /// `true` and `false`.
    pub(crate) const BOOLEAN: Types = Types(2);
    /// Numbers without a fraction.
    pub(crate) const INTEGER: Types = Types(4);
    /// Any numbers; integers are among them.
    pub(crate) const NUMBER: Types = Types(8);
    /// Strings.
    pub(crate) const STRING: Types = Types(16);
    /// Arrays.
    pub(crate) const ARRAY: Types = Types(32);
    /// Objects.
    pub(crate) const OBJECT: Types = Types(64);

    const NAMES: [(Types, &'static str); 7] = [
        (Types::ARRAY, "array"),
        (Types::BOOLEAN, "boolean"),
        (Types::INTEGER, "integer"),
        (Types::NUMBER, "number"),
        (Types::OBJECT, "object"),
        (Types::STRING, "string"),
        (Types::NULL, "null"),
    ];

    /// Whether all of these are among them.
    pub(crate) fn has(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    /// Without these.
    #[must_use]
    pub(crate) fn without(self, other: Types) -> Types {
        Types(self.0 & !other.0)
    }

    /// Both.
    #[must_use]
    pub(crate) fn and(self, other: Types) -> Types {
        let both = Types(self.0 | other.0);
        // Every integer is a number.
        if both.has(Types::NUMBER) { both.without(Types::INTEGER) } else { both }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether only plain values are among them: no array, no object.
    pub(crate) fn is_scalar(self) -> bool {
        !self.is_empty() && self.0 & (Types::ARRAY.0 | Types::OBJECT.0) == 0
    }

    /// Their names in JSON Schema, in the order of a lock.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Types::NAMES.iter().filter(move |(one, _)| self.has(*one)).map(|(_, name)| *name)
    }

    /// The types of that text, such as `string|null`.
    pub(crate) fn parse(text: &str) -> Option<Types> {
        let mut types = Types::default();
        for word in text.split('|') {
            let (one, _) = Types::NAMES.iter().find(|(_, name)| *name == word)?;
            types = types.and(*one);
        }
        Some(types)
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join("|"))
    }
}

/// The shape of all values at one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Their types.
    pub(crate) types: Types,
    /// What all strings have in common; nothing if there was no string.
    pub(crate) formats: Option<BTreeSet<Format>>,
    /// Whether an array had elements.
    pub(crate) is_filled: bool,
    /// Whether equal calls give different values.
    pub(crate) is_volatile: bool,
    /// Whether a value was a credential.
    pub(crate) is_secret: bool,
    /// The only values, where the program declares them.
    pub(crate) choices: Option<BTreeSet<String>>,
    /// The objects that the fields were looked for in.
    pub(crate) seen: Evidence,
    /// The fields of objects.
    pub(crate) fields: BTreeMap<String, Field>,
    /// The values of objects whose keys are data.
    pub(crate) entries: Option<Box<Shape>>,
    /// The elements of arrays.
    pub(crate) items: Option<Box<Shape>>,
    /// Fingerprints of some of the values, to recognise a renamed field. They are never written to a file.
    pub(crate) values: Sketch<4>,
}

/// A field of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// What it holds. Boxed, because a map reserves room for eleven fields at a time.
    pub(crate) shape: Box<Shape>,
    /// Whether an object lacks it.
    pub(crate) is_optional: bool,
}

impl Shape {
    /// Whether there was no value.
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    fn has_objects(&self) -> bool {
        self.types.has(Types::OBJECT)
    }
}

impl Join for Shape {
    fn join(&mut self, other: &Shape) {
        // A field is optional if any object lacks it.
        if other.has_objects() {
            for (key, field) in &mut self.fields {
                field.is_optional |= !other.fields.contains_key(key);
            }
        }
        for (key, field) in &other.fields {
            if let Some(own) = self.fields.get_mut(key) {
                own.shape.join(&field.shape);
                own.is_optional |= field.is_optional;
            } else {
                let is_optional = field.is_optional || self.has_objects();
                self.fields.insert(key.clone(), Field { is_optional, ..field.clone() });
            }
        }
        self.types = self.types.and(other.types);
        self.formats = match (self.formats.take(), &other.formats) {
            (Some(own), Some(other)) => Some(own.intersection(other).copied().collect()),
            (own, other) => own.or_else(|| other.clone()),
        };
        self.is_filled |= other.is_filled;
        self.is_volatile |= other.is_volatile;
        self.is_secret |= other.is_secret;
        self.choices.join(&other.choices);
        self.seen.join(&other.seen);
        self.entries.join(&other.entries);
        self.items.join(&other.items);
        self.values.join(&other.values);
    }
}

#[cfg(test)]
mod tests;
