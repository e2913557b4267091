//! What the documents of a dialect are recognised by.

use super::Confidence;
use crate::names::UnknownName;
use std::str::FromStr;

/// What the documents of a dialect are recognised by: their keys, never their payload.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// What holds for every document of the dialect.
    pub all: &'static [Test],
    /// What holds for no document of the dialect.
    pub none: &'static [Test],
    /// Top-level keys that belong to other dialects.
    pub never: &'static [&'static str],
    /// How sure a match is: the surest level that holds.
    pub levels: &'static [Level],
    /// Names for the shapes that the dialect is read in; the first that holds.
    pub shapes: &'static [Shape],
}

impl Marks {
    /// Nothing to be recognised by, so that a dialect states only what it has.
    pub const NONE: Marks = Marks { all: &[], none: &[], never: &[], levels: &[], shapes: &[] };
}

/// What makes a match this sure.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// How sure.
    pub confidence: Confidence,
    /// All of these hold.
    pub all: &'static [Test],
    /// At least one of these holds, if there are any.
    pub any: &'static [Test],
    /// None of these holds.
    pub none: &'static [Test],
    /// At least so many of the keys in `of` are there.
    pub least: usize,
    /// Top-level keys.
    pub of: &'static [&'static str],
}

impl Level {
    /// A level that always holds, to be narrowed down.
    pub const fn new(confidence: Confidence) -> Level {
        Level { confidence, all: &[], any: &[], none: &[], least: 0, of: &[] }
    }

    /// The same where all of these hold.
    #[must_use]
    pub const fn all(self, all: &'static [Test]) -> Level {
        Level { all, ..self }
    }

    /// The same where at least one of these holds.
    #[must_use]
    pub const fn any(self, any: &'static [Test]) -> Level {
        Level { any, ..self }
    }

    /// The same where none of these holds.
    #[must_use]
    pub const fn none(self, none: &'static [Test]) -> Level {
        Level { none, ..self }
    }

    /// The same where at least so many of these keys are there.
    #[must_use]
    pub const fn least(self, least: usize, of: &'static [&'static str]) -> Level {
        Level { least, of, ..self }
    }
}

/// One of the shapes that a dialect is read in.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name, for people.
    pub name: &'static str,
    /// Whether the dialect's own documents have this shape, or a mixture of revisions has.
    pub own: bool,
    /// All of these hold.
    pub all: &'static [Test],
}

/// A condition on one value of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The path to the value, such as `error.code` or `content.0.text`.
    pub path: &'static str,
    /// What it must be.
    pub is: Is,
    /// Or rather, must not be.
    pub not: bool,
}

/// The condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    /// The key is there.
    Present,
    /// The key is not there.
    Absent,
    /// There is a value other than null.
    Value,
    /// Null.
    Null,
    /// A string.
    Text,
    /// A boolean.
    Flag,
    /// An integer.
    Integer,
    /// An object.
    Object,
    /// An array.
    Array,
    /// True.
    True,
    /// False.
    False,
    /// A text, or a number as it is spelled, that one of these patterns matches.
    Matches(&'static [&'static str]),
}

impl Is {
    /// Every condition that needs no pattern.
    pub const PLAIN: &'static [Is] = &[
        Is::Present,
        Is::Absent,
        Is::Value,
        Is::Null,
        Is::Text,
        Is::Flag,
        Is::Integer,
        Is::Object,
        Is::Array,
        Is::True,
        Is::False,
    ];

    /// Its name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Is::Present => "present",
            Is::Absent => "absent",
            Is::Value => "value",
            Is::Null => "null",
            Is::Text => "text",
            Is::Flag => "flag",
            Is::Integer => "integer",
            Is::Object => "object",
            Is::Array => "array",
            Is::True => "true",
            Is::False => "false",
            Is::Matches(_) => "matches",
        }
    }
}

impl FromStr for Is {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Is::PLAIN.iter().copied().find(|it| it.as_str() == name).ok_or(UnknownName)
    }
}

/// A condition, for tables.
pub const fn is(path: &'static str, is: Is) -> Test {
    Test { path, is, not: false }
}

/// The opposite of a condition, for tables.
pub const fn is_not(path: &'static str, is: Is) -> Test {
    Test { path, is, not: true }
}
