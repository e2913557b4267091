//! Which class an outcome has when process and document each say something.
//!
//! The exit status comes first, as CLI Agent Spec asks. One exception: a document that says it failed
//! stays a failure although the process ended with 0, so that its data are not acted on.

use super::MALFORMED;
use crate::detect::Detection;
use crate::dialect::{Claims, Dialect, Malformed};
use crate::envelope::{Content, Envelope, Failure, Issue, Phase, Severity};
use crate::error::Error;
use crate::exit::Exit;
use crate::json::{FactKind, Facts};
use crate::mark::FailureMark;
use crate::transcript::Status;

/// An envelope and the claims it was settled by.
pub(super) struct Settled {
    pub(super) envelope: Envelope,
    pub(super) claims: Claims,
}

pub(super) fn settle(
    mut content: Content,
    mut claims: Claims,
    mark: Option<(FailureMark, Failure)>,
    status: Status,
    detection: &Detection,
    facts: &mut Facts,
) -> Result<Settled, Error> {
    let span = detection.span.clone();
    let mut exit = class(&content, claims, status, detection, facts);
    // A mark that the dialect knows is a claim already, and its error stands in the content.
    if let Some((mark, error)) = mark.filter(|_| content.error.is_none()) {
        if claims.ok != Some(false) {
            claims.failure_mark = Some(mark);
            let subject = Some(mark.meaning().to_owned());
            facts.add_certainly(FactKind::FailureMark, span.clone(), subject);
            content.error = Some(error);
        } else if error.message != mark.meaning() && content.issues.is_empty() {
            content.error = Some(error);
        }
        if exit.is_success() {
            exit = class_of_error(detection.dialect, &content).unwrap_or(Exit::General);
        }
    }
    let has_failed = !matches!(status, Status::Exited(0) | Status::Unknown);
    if claims.error_absent && has_failed {
        claims.malformed.get_or_insert(Malformed::ErrorKeyAbsent);
    }
    if claims.malformed.is_none()
        && exit.is_success()
        && content.data.is_none()
        && content.error.is_none()
        && !content.meta.not_modified
    {
        claims.malformed = Some(Malformed::NothingSaid);
    }
    if let Some(malformed) = claims.malformed {
        exit = Exit::General;
        if malformed == Malformed::NothingSaid {
            facts.add_certainly(FactKind::NothingSaid, span.clone(), None);
        }
        content.error.get_or_insert_with(|| {
            Failure::new(
                MALFORMED,
                match malformed {
                    Malformed::ErrorKeyAbsent => "the document has no `error` key",
                    Malformed::NothingSaid => "the document has neither data nor error",
                },
            )
        });
    }
    if !exit.is_success() && content.error.is_none() {
        claims.error_implied = content.issues.is_empty();
        if claims.error_implied {
            facts.add_certainly(FactKind::ErrorImplied, span.clone(), None);
        }
        content.error = Some(implied_error(exit, &content.issues));
    }
    if detection.dialect.form(exit.is_success()).stream != detection.stream {
        facts.add_certainly(FactKind::WrongStream, span.clone(), None);
    }
    if let (Some(claimed), Status::Exited(real)) = (claims.exit_code, status)
        && claimed != real
    {
        let subject = Some(claimed.to_string());
        facts.add_certainly(FactKind::ExitCodeContradictsStatus, span, subject);
    }
    let envelope = Envelope::new(exit, content)?.with_status(status.code().or(claims.exit_code));
    Ok(Settled { envelope, claims })
}

fn class(
    content: &Content,
    claims: Claims,
    status: Status,
    detection: &Detection,
    facts: &mut Facts,
) -> Exit {
    let span = detection.span.clone();
    let dialect = detection.dialect;
    if claims.ok == Some(true) && content.error.is_some() {
        facts.add_certainly(FactKind::ErrorOnSuccess, span.clone(), None);
    }
    let by_error = || class_of_error(dialect, content).unwrap_or(Exit::General);
    match status {
        Status::Exited(0) => {
            if claims.ok == Some(false) {
                facts.add_certainly(FactKind::OkContradictsStatus, span, None);
            }
            let has_failed = content.error.is_some() || claims.ok == Some(false);
            if has_failed { by_error() } else { Exit::Success }
        }
        Status::Exited(number) => {
            if claims.ok == Some(true) {
                facts.add_certainly(FactKind::OkContradictsStatus, span.clone(), None);
            }
            class_of_number(number, content, claims, detection, facts)
        }
        Status::Signaled(_) => {
            if claims.ok == Some(true) {
                facts.add_certainly(FactKind::OkContradictsStatus, span, None);
            }
            Exit::General
        }
        Status::Unknown => {
            let failed = claims.ok == Some(false)
                || content.error.is_some()
                || claims.exit_code.is_some_and(|code| code != 0);
            match claims.exit_code {
                _ if !failed => Exit::Success,
                Some(number) if number != 0 => {
                    class_of_number(number, content, claims, detection, facts)
                }
                _ => by_error(),
            }
        }
    }
}

fn class_of_number(
    number: i32,
    content: &Content,
    claims: Claims,
    detection: &Detection,
    facts: &mut Facts,
) -> Exit {
    let dialect = detection.dialect;
    if claims.unmarked && !detection.forced && matches!(number, 2 | 3) {
        let error = content.error.as_ref();
        // A code that is the name of one of the two classes says which of them it is.
        let named = error.and_then(|error| Exit::from_name(&error.code));
        if let Some(named @ (Exit::ArgError | Exit::PartialFailure)) = named {
            return named;
        }
        if error.and_then(|error| error.phase) == Some(Phase::Validation) {
            return Exit::ArgError;
        }
        facts.add_certainly(FactKind::AmbiguousStatus, detection.span.clone(), None);
        return Exit::PartialFailure;
    }
    dialect.about().class_of_number(number, || class_of_error(dialect, content))
}

/// The class that an error stands for, whichever way it is told.
fn class_of_error(dialect: &dyn Dialect, content: &Content) -> Option<Exit> {
    if content.missing.is_some() {
        return Some(Exit::NotFound);
    }
    let error = content.error.as_ref().map(|error| error.code.as_str());
    let code = error.or_else(|| gravest(&content.issues).map(|issue| issue.code.as_str()))?;
    dialect.about().class_of_code(code)
}

/// The error of a failure that names none: its gravest issue, or else its class.
fn implied_error(exit: Exit, issues: &[Issue]) -> Failure {
    let (code, message) = implied(exit, issues);
    Failure::new(code, message)
}

/// The code and the message of that error.
pub(crate) fn implied(exit: Exit, issues: &[Issue]) -> (&str, &str) {
    match gravest(issues) {
        Some(issue) => (&issue.code, issue.message.as_ref().unwrap_or(&issue.code)),
        None => (exit.name(), exit.meaning()),
    }
}

/// The first issue that is an error, or else the first.
fn gravest(issues: &[Issue]) -> Option<&Issue> {
    issues.iter().find(|issue| issue.severity == Severity::Error).or(issues.first())
}
