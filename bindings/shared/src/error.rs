//! The one error of the packages: what kind, in which words, and what to do about it.

use manila_pack::LoadError;
use std::fmt;

/// Something that manila itself could not do. What a program does wrong is never one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: &'static str,
    message: String,
    hint: Option<String>,
}

impl Error {
    /// The kind of an error that the caller's own options cause.
    pub const INVALID_OPTION: &'static str = "invalid-option";

    /// An option that is not what it should be.
    pub fn option(message: impl Into<String>) -> Error {
        Error { kind: Error::INVALID_OPTION, message: message.into(), hint: None }
    }

    /// A bug, or a system that refuses a thread.
    pub fn internal(message: impl Into<String>) -> Error {
        Error { kind: "internal", message: message.into(), hint: None }
    }

    /// The kind, in kebab-case.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, if that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<manila::Error> for Error {
    fn from(error: manila::Error) -> Error {
        use manila::ErrorKind as Kind;
        let (kind, hint) = match error.kind() {
            Kind::Empty => ("empty", None),
            Kind::NoEnvelope => ("no-envelope", Some("name the dialect if you know it")),
            Kind::NotJson => ("not-json", None),
            Kind::TooDeep => ("too-deep", Some("raise max_depth")),
            Kind::TooLarge => ("too-large", Some("raise max_bytes")),
            Kind::ContradictoryOutcome => ("contradictory-outcome", None),
            Kind::NothingToSay => ("nothing-to-say", None),
            _ => ("unreadable", None),
        };
        Error { kind, message: error.to_string(), hint: hint.map(str::to_owned) }
    }
}

impl From<manila_check::Error> for Error {
    fn from(error: manila_check::Error) -> Error {
        use manila_check::ErrorKind as Kind;
        let kind = match error.kind() {
            Kind::NotFound => "not-found",
            Kind::NotExecutable => "not-executable",
            Kind::BadDeclaration => "bad-declaration",
            Kind::BadCommand => "bad-command",
            Kind::Build => "build",
            _ => "system",
        };
        let hint = error.suggestion().map(str::to_owned);
        Error { kind, message: error.to_string(), hint }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        let hint = Some("`manila packs check FILE` says what is wrong with it".to_owned());
        Error { kind: "bad-pack", message: error.to_string(), hint }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::internal(error.to_string())
    }
}
