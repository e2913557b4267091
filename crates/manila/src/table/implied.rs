//! The error of a failure that names none: its gravest issue, or else its class.

use crate::envelope::{Issue, Severity};
use crate::exit::Exit;

/// The code and the message of that error.
pub(crate) fn implied(exit: Exit, issues: &[Issue]) -> (&str, &str) {
    match gravest(issues) {
        Some(issue) => {
            let code = if issue.code.is_empty() { exit.name() } else { &issue.code };
            (code, issue.message.as_deref().unwrap_or(code))
        }
        None => (exit.name(), exit.meaning()),
    }
}

/// The first issue that is an error, or else the first.
pub(crate) fn gravest(issues: &[Issue]) -> Option<&Issue> {
    issues.iter().find(|issue| issue.severity == Severity::Error).or(issues.first())
}
