//! What a caller should know beside the decision: warnings, contradictions, what was ignored.

use super::{Case, Redirects};
use crate::exit::Exit;
use crate::table::Confidence;
use crate::transcript::Status;

const NO_DIALECT: &str = "it is an envelope of no known dialect: only its failure is read";

/// How many warnings are listed one by one.
const MOST_WARNINGS: usize = 20;

/// The notes on an answer, whatever is decided about it.
pub(super) fn notes(case: &Case<'_>) -> Vec<String> {
    let Some(envelope) = case.answer.envelope else {
        let stated = case.answer.stated.map(|_| NO_DIALECT.to_owned());
        return stated.into_iter().collect();
    };
    let claims = case.answer.claims;
    let failed = !matches!(case.status(), Status::Exited(0) | Status::Unknown);
    let redirect = case.error().is_some_and(|error| error.redirect.is_some());
    let has_cursor = case.cursor().is_some() && !envelope.meta().truncated;
    let no_program = case.answer.argv.is_empty();
    [
        (
            case.answer.confidence == Confidence::Possible && !claims.unknown_revision,
            "it may not be an envelope at all: other formats look like this too",
        ),
        (claims.unknown_revision, "its revision is not known: it is read as the nearest one"),
        (claims.bare, "it has no envelope: the program writes one only when it fails"),
        (case.answer.recovered, "recovered from amid other output"),
        (
            case.status() == Status::Exited(0) && claims.ok == Some(false),
            "ok is false although the process ended with 0",
        ),
        (failed && claims.ok == Some(true), "ok is true although the process failed"),
        (claims.error_absent && claims.malformed.is_none(), "`error` is absent and read as null"),
        (claims.warnings_absent, "`warnings` is absent and read as empty"),
        (
            redirect && case.exit() != Some(Exit::Redirected),
            "a redirect at any class but REDIRECTED is ignored",
        ),
        (
            redirect && case.policy.redirects == Redirects::SameProgram && no_program,
            "the called program is not known: check that the redirect names the same",
        ),
        (has_cursor, "there are more pages: a cursor came with complete data"),
    ]
    .into_iter()
    .filter(|(applies, _)| *applies)
    .map(|(_, note)| note.to_owned())
    .chain(warnings(case))
    .collect()
}

fn warnings(case: &Case<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let all = case.answer.envelope.map_or(&[][..], |envelope| &envelope.content().warnings);
    for warning in all.iter().take(MOST_WARNINGS) {
        let text = warning.text();
        let lower = text.to_lowercase();
        notes.push(format!("warning: {text}"));
        if lower.contains("deprecated") || lower.contains("will be removed") {
            notes.push("plan to change this call: it will stop working".to_owned());
        }
    }
    if all.len() > MOST_WARNINGS {
        notes.push(format!("{} more warnings", all.len() - MOST_WARNINGS));
    }
    notes
}
