//! How the process ends, and whether that agrees with what it says.

pub(super) mod crash;
pub(super) mod exit_class_differs;
pub(super) mod exit_code_differs_from_document;
pub(super) mod exit_differs_with_json;
pub(super) mod failure_with_exit_zero;
pub(super) mod one_status_for_all;
pub(super) mod reserved_exit_code;
pub(super) mod success_with_nonzero_exit;
pub(super) mod undeclared_exit_code;

use crate::observe::text_kind;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::Finding;
use manila::{Status, Stream};
use std::ops::Range;

/// Why a rule is undecided where nothing failed.
const NO_FAILURE: &str = "no run failed";
/// What would change that.
const DECLARE_MISSING: Option<&str> = Some("commands.\"…\".missing: a call that cannot succeed");

/// The runs that ended on their own: they were not disturbed and did not crash.
fn settled<'s, 'e>(evidence: &'s Evidence<'e>) -> impl Iterator<Item = &'s ObservedRun<'e>> {
    evidence.usual().filter(|seen| {
        seen.run.ended_by_itself()
            && !seen.run.probe.setting.is_lossy()
            && seen.stack_trace().is_none()
    })
}

/// The number a run ended with, if it ended with one and not by a signal.
fn exited(seen: &ObservedRun<'_>) -> Option<i32> {
    match seen.run.transcript.status {
        Status::Exited(status) => Some(status),
        Status::Signaled(_) | Status::Unknown => None,
    }
}

/// Whether a run that ended with 0 says that it failed: its answer does, or, where there is no answer,
/// its words do.
fn fails_with_zero(seen: &ObservedRun<'_>) -> Option<(Stream, Range<usize>)> {
    if !seen.exited_zero() {
        return None;
    }
    let reading = &seen.reading;
    match (reading.says_failure(), &reading.answer) {
        (Some(true), Some(answer)) => {
            let ok = answer.ok_by.as_ref().map(|(_, span)| span.clone());
            let place = ok.or_else(|| answer.error.clone()).unwrap_or(answer.span.clone());
            Some((answer.stream, place))
        }
        (None, None) if reading.stdout.is_empty => {
            let probe = &seen.run.probe;
            let must_fail = probe.purpose.must_fail()
                || probe.purpose == crate::observe::probe::Purpose::Missing;
            let words = text_kind::error(&seen.run.transcript.stderr).filter(|_| must_fail)?;
            Some((Stream::Stderr, words))
        }
        _ => None,
    }
}

/// Whether a run that ended with another number says that it succeeded.
fn succeeds_with_nonzero(seen: &ObservedRun<'_>) -> bool {
    exited(seen).is_some_and(|status| status != 0) && seen.reading.says_failure() == Some(false)
}

/// Whether systems and shells use a number for something else.
fn is_reserved(status: i32) -> bool {
    matches!(status, 101 | 126..)
}

/// With the bytes of what the answer says about its outcome.
fn at_outcome(finding: Finding, seen: &ObservedRun<'_>) -> Finding {
    let Some(answer) = &seen.reading.answer else { return finding };
    let ok = answer.ok_by.as_ref().map(|(_, span)| span.clone());
    let code = answer.code.as_ref().map(|(_, span)| span.clone());
    finding.at(seen, answer.stream, code.or(ok).unwrap_or(answer.span.clone()))
}
