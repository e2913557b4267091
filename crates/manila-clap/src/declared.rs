//! One failure that a program can report, as data.

use manila::Exit;
use serde::Serialize;

/// One failure that a program can report, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// The stable code.
    pub code: &'static str,
    /// The exit class.
    pub exit: Exit,
    /// What it means: the doc comment, or the message with its placeholders.
    pub meaning: &'static str,
    /// Whether the same call may work later; `None` leaves it to the exit class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// What to do next, with its placeholders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<&'static str>,
    /// The exit status, if it is not the one of the class in the dialect's table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
}

impl Declared {
    /// A failure with its code, class and meaning; the class decides the rest.
    pub const fn new(code: &'static str, exit: Exit, meaning: &'static str) -> Declared {
        Declared { code, exit, meaning, retryable: None, suggestion: None, status: None }
    }

    /// The same with an exit status of its own.
    #[must_use]
    pub const fn with_status(self, status: u8) -> Declared {
        Declared { status: Some(status), ..self }
    }

    /// The same with advice for the caller.
    #[must_use]
    pub const fn with_suggestion(self, suggestion: &'static str) -> Declared {
        Declared { suggestion: Some(suggestion), ..self }
    }
}
