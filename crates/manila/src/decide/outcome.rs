//! Rows 0 to 6: what came of it, when process and document agree and when they do not.

use super::{Action, Case, Row, Verdict};
use crate::mark::{EXPLICIT_FAILURE, FailureMark};
use crate::table::Malformed;
use crate::transcript::Status;

pub(super) static SUCCESS: Row = Row {
    number: 0,
    id: "success",
    signal: "the process or the envelope says success, and neither objects",
    conclusion: "Accept the data. Warnings are noted for review and do not hold the call up.",
    fires: |case| {
        case.success()?;
        let said = case.status() == Status::Exited(0) || case.answer.claims.ok == Some(true);
        said.then(|| (Action::Accept, "the command succeeded".to_owned()))
    },
};

pub(super) static NO_ENVELOPE: Row = Row {
    number: 1,
    id: "no-envelope",
    signal: "no document is an envelope of a known revision, or it is not known which of them counts",
    conclusion: "Stop: there is nothing to act on. An envelope that was found amid other output is \
                 used and the rest is noted; but when another one claims another outcome, another \
                 document is cut, or a key of the envelope stands twice, a success is not believed. \
                 A document that states a revision which is not known here is not acted on: its \
                 keys may mean something else there.",
    fires: |case| {
        let escalate = |reason: &str| Some((Action::Escalate, reason.to_owned()));
        let unknown = case.status() == Status::Unknown;
        match case.success() {
            None if case.error().is_some() => None,
            None if unknown || case.status() == Status::Exited(0) => {
                escalate(&format!("{} and no envelope: nothing says what was done", case.status()))
            }
            Some(_) if case.answer.contested => {
                escalate("the answer is not of one mind: another document, or the same key twice")
            }
            Some(_) if unknown && case.answer.claims.ok.is_none() => {
                escalate("neither the process nor the document says that it succeeded")
            }
            _ => None,
        }
    },
};

pub(super) static OK_FALSE_EXIT_ZERO: Row = Row {
    number: 2,
    id: "ok-false-exit-zero",
    signal: "exit status 0, and the document says that it failed",
    conclusion: "Its data are not acted on, whatever its dialect: an exit status is lost more easily \
                 than a document says by mistake that it failed. It says so with `ok` or `success` \
                 that is false, `status` that is \"error\", `is_error` that is true, an `error`, or \
                 `errors` without data.",
    fires: |case| {
        if case.status() != Status::Exited(0) || case.answer.claims.malformed.is_some() {
            return None;
        }
        let error = case.error()?;
        let claims = case.answer.claims;
        let marked = case.answer.stated.map(|stated| stated.mark).or(claims.failure_mark);
        let reason = match marked.map(FailureMark::meaning) {
            Some(meaning) => format!("the process says success, but {meaning} in the document"),
            None if matches!(&*error.code, "" | EXPLICIT_FAILURE) => {
                "the process says success and the document says that it failed".to_owned()
            }
            None => format!("the process says success and the document says {}", error.code),
        };
        Some((Action::Escalate, reason))
    },
};

pub(super) static OK_TRUE_EXIT_NONZERO: Row = Row {
    number: 3,
    id: "ok-true-exit-nonzero",
    signal: "exit status not 0, ok is true",
    conclusion: "The exit status is believed: a wrapper may have swallowed the answer of something \
                 else. With an error, the rows below decide; without, look at what was done first.",
    fires: |case| {
        let claims = case.answer.claims;
        let failed = !matches!(case.status(), Status::Exited(0) | Status::Unknown);
        let bare = claims.ok == Some(true) && claims.error_implied;
        if !failed || !bare || claims.malformed.is_some() {
            return None;
        }
        let reason = format!("{}, yet the envelope says ok and names no error", case.status());
        Some((Action::InspectState, reason))
    },
};

pub(super) static ERROR_KEY_ABSENT: Row = Row {
    number: 4,
    id: "error-key-absent",
    signal: "the dialect always writes `error` and the document has no such key",
    conclusion: "Malformed: as GENERAL_ERROR. Look at what was done; never retry blindly. A success \
                 that does not state the dialect's revision counts, with a note: programs that \
                 never heard of the dialect write `ok` and `data` too.",
    fires: |case| {
        let reason = "the document has no `error` key".to_owned();
        malformed(case, Malformed::ErrorKeyAbsent, (Action::InspectState, reason))
    },
};

pub(super) static NOTHING_SAID: Row = Row {
    number: 5,
    id: "data-and-error-null",
    signal: "data and error are both null and nothing says why",
    conclusion: "Malformed: escalate and do not act on data. `not_modified` says why, and so do the \
                 answers to --validate-only and to counting tokens, which carry no data by design.",
    fires: |case| {
        let reason = "the document has neither data nor error".to_owned();
        malformed(case, Malformed::NothingSaid, (Action::Escalate, reason))
    },
};

pub(super) static WARNINGS_ABSENT: Row = Row {
    number: 6,
    id: "warnings-absent",
    signal: "the dialect always writes `warnings` and the document has no such key",
    conclusion: "As an empty list; the answer counts. Items that are not text are kept as they are.",
    // It changes nothing but the notes.
    fires: |_| None,
};

/// The verdict on an answer whose revision is not known.
pub(super) fn of_unknown_revision(case: &Case<'_>) -> Verdict {
    let stated =
        case.answer.envelope.and_then(|envelope| envelope.meta().schema_version.as_deref());
    let stated = stated.map_or_else(String::new, |version| format!(" {version:?}"));
    let reason = format!("the document states revision{stated}, which is not known here");
    (Action::Escalate, reason)
}

fn malformed(case: &Case<'_>, which: Malformed, verdict: Verdict) -> Option<Verdict> {
    (case.answer.claims.malformed == Some(which)).then_some(verdict)
}
