//! How much a finding matters.

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing; fails no check unless asked for.
    Note,
    /// Callers will stumble over it.
    Warning,
    /// Callers take a wrong answer for a right one, or get none.
    Error,
}

impl Severity {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Which verdicts keep a program from conforming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// A finding of this severity, or of a graver one.
    pub fail_on: Severity,
    /// An undecided rule too.
    pub is_strict: bool,
}

impl Default for Threshold {
    fn default() -> Threshold {
        Threshold { fail_on: Severity::Warning, is_strict: false }
    }
}
