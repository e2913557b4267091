//! Types without a language: what a JSON Schema says about a payload.

mod loops;
mod read;

use crate::error::Error;
use crate::name::pascal;
use read::Reading;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Any JSON value.
    Json,
    Null,
    Bool,
    Integer,
    Number,
    Text,
    List(Box<Type>),
    Map(Box<Type>),
    /// The definition of that name.
    Named(String),
    /// One of these, at least two.
    Union(Vec<Type>),
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub name: String,
    pub doc: String,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Object(Vec<Field>),
    /// One of these texts.
    Choice(Vec<String>),
    Alias(Type),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub key: String,
    pub doc: String,
    pub of: Type,
    pub required: bool,
}

impl Type {
    /// The type without null, and whether it has null.
    pub(crate) fn split_null(&self) -> (Type, bool) {
        match self {
            Type::Union(all) if all.contains(&Type::Null) => {
                let rest = all.iter().filter(|one| **one != Type::Null).cloned().collect();
                (union(rest), true)
            }
            other => (other.clone(), false),
        }
    }
}

/// One of several types; of equal ones, one, and anything includes everything.
pub(crate) fn union(all: Vec<Type>) -> Type {
    let mut kept: Vec<Type> = Vec::new();
    for one in all {
        let parts = match one {
            Type::Union(parts) => parts,
            one => vec![one],
        };
        for part in parts {
            if !kept.contains(&part) {
                kept.push(part);
            }
        }
    }
    match kept.len() {
        0 => Type::Null,
        _ if kept.contains(&Type::Json) => Type::Json,
        1 => kept.remove(0),
        _ => Type::Union(kept),
    }
}

/// The definitions of all payloads, and the schemas they came from.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub all: Vec<Definition>,
    /// The schema of each definition, with references by type name.
    pub schemas: Map<String, Value>,
    /// What each name was made from, so that equal things share a name and different ones never do.
    origins: BTreeMap<String, String>,
}

impl Definitions {
    /// The type of a command's payload, and its schema with references by type name.
    pub(crate) fn add(
        &mut self,
        command: &str,
        name: &str,
        schema: &Value,
    ) -> Result<(Type, Value), Error> {
        if let Some(reference) = loops::find(schema) {
            return Err(Error::schema(format!(
                "command {command:?}: {reference:?} refers to itself without end"
            )));
        }
        let known = self.all.len();
        let mut reading = Reading {
            into: self,
            root: schema,
            place: format!("command {command:?}"),
            command: pascal(command),
            names: BTreeMap::new(),
        };
        let of = reading.of(schema, name, 0)?;
        let named = reading.rename(schema);
        self.check_recursion(command, known)?;
        Ok((of, named))
    }

    /// Refuses new objects that contain themselves without end.
    fn check_recursion(&self, command: &str, known: usize) -> Result<(), Error> {
        for definition in self.all.iter().skip(known) {
            let mut seen = BTreeSet::new();
            if self.must_contain(&definition.body, &definition.name, &mut seen) {
                let name = &definition.name;
                return Err(Error::schema(format!(
                    "command {command:?}: every {name} must contain another {name}, without end"
                )));
            }
        }
        Ok(())
    }

    /// Whether each value of a body contains a value of that name.
    fn must_contain(&self, body: &Body, name: &str, seen: &mut BTreeSet<String>) -> bool {
        match body {
            Body::Object(fields) => fields
                .iter()
                .filter(|field| field.required)
                .any(|field| self.type_must_contain(&field.of, name, seen)),
            Body::Alias(of) => self.type_must_contain(of, name, seen),
            Body::Choice(_) => false,
        }
    }

    fn type_must_contain(&self, of: &Type, name: &str, seen: &mut BTreeSet<String>) -> bool {
        match of {
            Type::Named(other) if other == name => true,
            Type::Named(other) if seen.insert(other.clone()) => self
                .all
                .iter()
                .find(|it| it.name == *other)
                .is_some_and(|it| self.must_contain(&it.body, name, seen)),
            Type::Union(all) => all.iter().all(|one| self.type_must_contain(one, name, seen)),
            _ => false,
        }
    }
}

/// Names that generated code has for itself, in any language.
const RESERVED: &[&str] = &[
    "Action",
    "Answer",
    "Any",
    "Array",
    "AsMut",
    "AsRef",
    "AttributeError",
    "Boolean",
    "Box",
    "BrokenPipeError",
    "Buffer",
    "C",
    "Callable",
    "Clone",
    "Command",
    "Conclusion",
    "Contradiction",
    "Copy",
    "Date",
    "Debug",
    "Decide",
    "Decision",
    "Default",
    "DefaultPolicy",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "Duration",
    "E",
    "Effects",
    "Emit",
    "EnvelopeError",
    "Eq",
    "Err",
    "Error",
    "ErrorCode",
    "ErrorCodes",
    "ErrorDetail",
    "ErrorExtras",
    "ExactSizeIterator",
    "Exception",
    "ExitClass",
    "ExitCodes",
    "Extend",
    "Extras",
    "Fail",
    "Failure",
    "Final",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "FromJson",
    "Function",
    "Generic",
    "Hash",
    "History",
    "Infallible",
    "Infinity",
    "Instant",
    "Into",
    "IntoIterator",
    "Issue",
    "Item",
    "Iterator",
    "Json",
    "Literal",
    "Map",
    "Mapping",
    "Math",
    "Members",
    "Never",
    "None",
    "NotModified",
    "NotRequired",
    "Number",
    "Object",
    "Ok",
    "Option",
    "Optional",
    "Ord",
    "Outcome",
    "Page",
    "Partial",
    "PartialEq",
    "PartialOrd",
    "Payloads",
    "Phase",
    "Policy",
    "Promise",
    "Read",
    "Reader",
    "Readonly",
    "ReadonlyMap",
    "ReadonlySet",
    "Reason",
    "Record",
    "Redirect",
    "Redirects",
    "Respond",
    "ResponseEnvelope",
    "ResponseMeta",
    "Result",
    "Retry",
    "RetryStrategy",
    "Schema",
    "Self",
    "Send",
    "Sequence",
    "Set",
    "Sink",
    "Sized",
    "Some",
    "Streams",
    "String",
    "Succeed",
    "Symbol",
    "Sync",
    "T",
    "TextIO",
    "ToJson",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "TypeAlias",
    "TypeVar",
    "TypedDict",
    "Union",
    "Validate",
    "Value",
    "ValueError",
    "Vec",
    "Violations",
    "Write",
];

/// The name of a type, unless generated code needs that name.
fn free(name: String) -> String {
    if RESERVED.contains(&name.as_str()) { format!("Program{name}") } else { name }
}
