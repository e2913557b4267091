//! Why nothing was generated.

use std::fmt;

/// Why nothing was generated: what is wrong, where it stands, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    suggestion: String,
}

/// What sort of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The manifest is not one, or contradicts itself.
    BadManifest,
    /// A schema has no type in any language.
    BadSchema,
    /// Two names become one.
    Collision,
    /// The dialect is not one that programs write.
    ForeignDialect,
}

impl Error {
    pub(crate) fn new(
        kind: ErrorKind,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Error {
        Error { kind, message: message.into(), suggestion: suggestion.into() }
    }

    pub(crate) fn manifest(message: impl Into<String>) -> Error {
        let suggestion = "correct the manifest; docs/generate.md has its format";
        Error::new(ErrorKind::BadManifest, message, suggestion)
    }

    pub(crate) fn schema(message: impl Into<String>) -> Error {
        let suggestion = "correct the schema in the manifest, or leave it out";
        Error::new(ErrorKind::BadSchema, message, suggestion)
    }

    /// What sort of mistake it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What to do about it.
    pub fn suggestion(&self) -> &str {
        &self.suggestion
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
