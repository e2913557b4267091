//! Which class an outcome has when process and document each say something.
//!
//! The exit status comes first, as CLI Agent Spec asks. One exception: a document that says it failed
//! stays a failure although the process ended with 0, so that its data are not acted on.

use crate::ansi::strip;
use crate::detect::Detection;
use crate::dialect::Dialect;
use crate::envelope::{Content, Envelope, ErrorObject, Issue, Phase, Severity};
use crate::error::Error;
use crate::exit::Exit;
use crate::json::{FactKind, Facts};
use crate::mark::FailureMark;
use crate::table::{Claims, MALFORMED, Malformed, gravest, implied};
use crate::transcript::{Status, Stream, Transcript};

/// How many characters of a line on stderr are taken for a message.
const LONGEST_REASON: usize = 500;

/// How many bytes of stderr are searched for one.
const SEARCHED: usize = 1 << 20;

/// An envelope and the claims it was settled by.
pub(super) struct Settled {
    pub(super) envelope: Envelope,
    pub(super) claims: Claims,
}

pub(super) fn settle(
    mut content: Content,
    mut claims: Claims,
    mark: Option<(FailureMark, ErrorObject)>,
    transcript: &Transcript,
    detection: &Detection,
    facts: &mut Facts,
) -> Result<Settled, Error> {
    let status = transcript.status;
    let span = detection.span.clone();
    let mut exit = class(&content, claims, status, detection, facts);
    // A mark that the dialect knows is a claim already, and its error is in the content.
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
            exit = class_of_error(detection.dialect, &content, claims).unwrap_or(Exit::General);
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
            ErrorObject::new(
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
        content.error = Some(implied_error(exit, &content.issues, transcript, detection));
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
    let by_error = || class_of_error(dialect, content, claims).unwrap_or(Exit::General);
    match status {
        Status::Exited(0) => {
            if claims.ok == Some(false) {
                facts.add_certainly(FactKind::OkContradictsStatus, span, None);
            }
            let has_failed = content.error.is_some()
                || claims.ok == Some(false)
                || claims.exit_code.is_some_and(|code| code != 0);
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
    if claims.ambiguous_revision && !detection.forced && matches!(number, 2 | 3) {
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
    dialect.table().class_of_number(number, || class_of_error(dialect, content, claims))
}

/// The class of an error, whichever way it is stated.
fn class_of_error(dialect: &dyn Dialect, content: &Content, claims: Claims) -> Option<Exit> {
    if content.missing.is_some() {
        return Some(Exit::NotFound);
    }
    let error = content.error.as_ref().map(|error| error.code.as_str());
    let code = error.or_else(|| gravest(&content.issues).map(|issue| issue.code.as_str()))?;
    dialect.table().class_of_code(code).or(claims.http_class)
}

/// The error of a failure that names none: its gravest issue, or else what the program says of it on
/// stderr, or else its class. In a stream, findings that are not errors do not explain a failure.
fn implied_error(
    exit: Exit,
    issues: &[Issue],
    transcript: &Transcript,
    detection: &Detection,
) -> ErrorObject {
    let is_stream = !detection.dialect.table().lines.is_empty();
    let is_explained =
        gravest(issues).is_some_and(|issue| !is_stream || issue.severity == Severity::Error);
    if !is_explained
        && detection.stream == Stream::Stdout
        && let Some(message) = stated_on_stderr(&transcript.stderr)
    {
        return ErrorObject::new(exit.name(), message);
    }
    let (code, message) = implied(exit, if is_explained { issues } else { &[] });
    ErrorObject::new(code, message)
}

/// The first line that says `error:` or `error[CODE]:` at its beginning, without that.
fn stated_on_stderr(stderr: &[u8]) -> Option<String> {
    let stripped = strip(&stderr[..stderr.len().min(SEARCHED)]);
    let text = String::from_utf8_lossy(stripped.bytes());
    text.lines().find_map(|line| {
        let rest = line.get(..5).filter(|word| word.eq_ignore_ascii_case("error"))?;
        let rest = &line[rest.len()..];
        let rest = match rest.strip_prefix('[') {
            Some(code) => code.split_once(']')?.1,
            None => rest,
        };
        let message = rest.strip_prefix(':')?.trim();
        (!message.is_empty()).then(|| message.chars().take(LONGEST_REASON).collect())
    })
}
