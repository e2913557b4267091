//! Why manila itself can fail: the codes, their exit classes, and what to do about each.

use manila::{Error, ErrorKind, Exit};

macro_rules! codes {
    ($($name:ident = $code:literal, $exit:ident, $meaning:literal;)*) => {
        /// Every error code of the program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code { $($name,)* }

        impl Code {
            /// Every code.
            pub(crate) const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// As it stands in `error.code`.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// The class, and with it the exit status.
            pub(crate) fn exit(self) -> Exit {
                match self { $(Code::$name => Exit::$exit,)* }
            }

            /// What it means.
            pub(crate) fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* }
            }
        }
    };
}

codes! {
    UnknownArgument = "UNKNOWN_ARGUMENT", ArgError, "An argument is not known.";
    UnknownCommand = "UNKNOWN_COMMAND", ArgError, "There is no such command.";
    MissingArgument = "MISSING_ARGUMENT", ArgError, "An argument that is needed is missing.";
    InvalidValue = "INVALID_VALUE", ArgError, "An argument's value is not one that is allowed.";
    ConflictingArguments = "CONFLICTING_ARGUMENTS", ArgError, "Two arguments exclude each other.";
    EmptyInput = "EMPTY_INPUT", NotFound, "There is nothing to read.";
    NoEnvelope = "NO_ENVELOPE", NotFound, "No document in the input is an envelope.";
    OverLimit = "OVER_LIMIT", Precondition, "The input is larger or deeper than the limit.";
    FileNotFound = "FILE_NOT_FOUND", NotFound, "A file or folder does not exist.";
    FileForbidden = "FILE_FORBIDDEN", PermissionDenied, "A file or folder may not be read.";
    FileUnreadable = "FILE_UNREADABLE", General, "A file or folder cannot be read.";
    BadRecording = "BAD_RECORDING", Precondition, "A folder is not a recorded run.";
    LossyConversion = "LOSSY_CONVERSION", Precondition, "The target dialect cannot say everything.";
    UnknownName = "UNKNOWN_NAME", NotFound, "Nothing of that name can be explained.";
    OutputFailed = "OUTPUT_FAILED", General, "The answer could not be written.";
    Internal = "INTERNAL_ERROR", General, "manila itself is at fault.";
}

/// A failure of the program.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) suggestion: Option<String>,
    /// What makes the failure worth reading for a program.
    pub(crate) details: Option<manila::json::Raw>,
}

impl Refusal {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Refusal { code, message: message.into(), suggestion: None, details: None }
    }

    #[must_use]
    pub(crate) fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let (code, suggestion) = match error.kind() {
            ErrorKind::Empty => (
                Code::EmptyInput,
                "pass the bytes that the program wrote: a file, - for standard input, or --run DIR",
            ),
            ErrorKind::TooDeep => (Code::OverLimit, "raise the limit with --max-depth"),
            ErrorKind::TooLarge => (Code::OverLimit, "raise the limit with --max-bytes"),
            ErrorKind::NotJson => (
                Code::NoEnvelope,
                "what stands there is not JSON: the program that wrote it must be corrected",
            ),
            ErrorKind::NoEnvelope => (
                Code::NoEnvelope,
                "name the dialect with --dialect if you know it, and pass the other stream with \
                 --stderr: some programs write failures there",
            ),
            ErrorKind::BadRecording => {
                (Code::BadRecording, "a recorded run is a folder with run.json, stdout and stderr")
            }
            _ => (Code::Internal, "this is a bug in manila: please report the input"),
        };
        Refusal::new(code, error.to_string()).suggest(suggestion)
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Refusal::new(Code::Internal, format!("an answer does not serialise: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_none_is_a_success() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| !code.exit().is_success()));
    }
}
