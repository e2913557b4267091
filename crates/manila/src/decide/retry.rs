//! Rows 15 to 22 and 25: whether to call again, when, and how often.

use super::{Action, Case, Row, Verdict};
use crate::envelope::Strategy;
use crate::exit::{Effects, Exit, Retry};
use crate::transcript::Status;

const DEFAULT_WAIT_MS: u64 = 1_000;
const RATE_LIMIT_WAIT_MS: u64 = 60_000;
const LONGEST_WAIT_MS: u64 = 300_000;

pub(super) static WAIT_STATED: Row = Row {
    number: 15,
    id: "wait-stated",
    signal: "the error may be retried and says how long to wait",
    conclusion: "Wait that long and call again, unless the caller's deadline comes first. A \
                 CONFLICT or a PRECONDITION that says how long to wait is a lock, which will be \
                 gone, although its class is not to be retried as it is.",
    fires: |case| {
        let wait_ms = case.error()?.wait_ms?;
        let retryable = case.retryable().unwrap_or(case.table().0 == Retry::Yes || is_lock(case));
        if !retryable || !(may_call_again(case) || is_lock(case)) {
            return None;
        }
        Some((again(case, wait_ms), format!("the error asks to wait {wait_ms} ms")))
    },
};

pub(super) static RATE_LIMITED: Row = Row {
    number: 16,
    id: "rate-limited",
    signal: "the class is RATE_LIMITED and nothing says how long to wait",
    conclusion: "Wait a minute.",
    fires: |case| {
        let limited = case.exit() == Some(Exit::RateLimited);
        if !limited || case.retryable() == Some(false) || case.may_have_effects() {
            return None;
        }
        let reason = "too many calls, and no word on how long to wait".to_owned();
        Some((Action::Retry { wait_ms: RATE_LIMIT_WAIT_MS, change: None }, reason))
    },
};

pub(super) static UNAVAILABLE: Row = Row {
    number: 17,
    id: "unavailable",
    signal: "the class is UNAVAILABLE",
    conclusion: "Wait one second, then twice as long each time up to five minutes, spread by the \
                 caller's jitter. Where neither the dialect nor the error promises that nothing was \
                 done, row 23 looks first, unless the caller says that the call may be made twice.",
    fires: |case| {
        let away = case.exit() == Some(Exit::Unavailable);
        if !away || case.retryable() == Some(false) || case.may_have_effects() {
            return None;
        }
        let wait_ms = exponential(case);
        Some((
            Action::Retry { wait_ms, change: None },
            "something it needs cannot be reached now".to_owned(),
        ))
    },
};

pub(super) static RETRYABLE: Row = Row {
    number: 18,
    id: "retryable",
    signal: "error.retryable is true and nothing says how long to wait",
    conclusion: "Wait one second, or as the stated strategy says; after ARG_ERROR correct the \
                 arguments and call at once.",
    fires: |case| {
        let times_out = case.exit() == Some(Exit::Timeout);
        if case.retryable() != Some(true) || times_out || !may_call_again(case) {
            return None;
        }
        let wait_ms = match case.error()?.strategy {
            _ if case.exit() == Some(Exit::ArgError) => 0,
            Some(Strategy::Immediate) => 0,
            Some(Strategy::Linear) => {
                (DEFAULT_WAIT_MS * (case.failures_alike() as u64 + 1)).min(LONGEST_WAIT_MS)
            }
            Some(Strategy::Exponential) => exponential(case),
            None => DEFAULT_WAIT_MS,
        };
        let reason = match case.exit() {
            Some(Exit::ArgError) => format!("the arguments are wrong{}", case.hint()),
            _ => "the error says that calling again may help".to_owned(),
        };
        Some((again(case, wait_ms), reason))
    },
};

pub(super) static RETRYABLE_ABSENT: Row = Row {
    number: 19,
    id: "retryable-absent",
    signal: "error.retryable is absent",
    conclusion: "The dialect's exit table decides.",
    fires: |case| {
        let (retry, effects) = case.table();
        case.error()?;
        if case.retryable().is_some() {
            return None;
        }
        let class = case.exit().map_or("", Exit::name);
        match (retry, effects) {
            // Running out of time has a row of its own.
            (Retry::Yes | Retry::AfterFix, _) if has_wrong_arguments(case) => {
                Some((again(case, 0), format!("the arguments are wrong{}", case.hint())))
            }
            (Retry::Yes, Effects::None) if may_call_again(case) => {
                Some((again(case, DEFAULT_WAIT_MS), format!("{class} may be retried")))
            }
            (Retry::No, Effects::Partial) => {
                Some((Action::InspectState, format!("{class} leaves work partly done")))
            }
            (Retry::No, _) => Some((Action::GiveUp, format!("{class} is not to be retried"))),
            (Retry::AfterFix, _) | (Retry::Depends, Effects::None) => {
                Some((Action::Escalate, format!("{class} needs a correction first{}", case.hint())))
            }
            _ if case.is_validation() => {
                let hint = case.hint();
                Some((Action::Escalate, format!("nothing was done; something is wrong{hint}")))
            }
            _ => None,
        }
    },
};

pub(super) static ERROR_SAYS_NO: Row = Row {
    number: 20,
    id: "error-says-no",
    signal: "the exit table says retry, error.retryable is false",
    conclusion: "The error knows better: terminal. Where some of the work may be done, look first.",
    fires: |case| {
        if case.retryable() != Some(false) || case.table().0 != Retry::Yes {
            return None;
        }
        Some(if case.is_partly_done() {
            (Action::InspectState, "the error says no, and some of the work may be done".to_owned())
        } else {
            (Action::GiveUp, "the status may be retried but this error says no".to_owned())
        })
    },
};

pub(super) static ERROR_SAYS_YES: Row = Row {
    number: 21,
    id: "error-says-yes",
    signal: "the exit table says no retry, or a correction first, and error.retryable is true",
    conclusion: "No retry, unless the caller says that the call may be made twice. Wrong arguments \
                 are corrected first.",
    fires: |case| {
        if case.retryable() != Some(true) || case.exit() == Some(Exit::Timeout) {
            return None;
        }
        match case.table() {
            (Retry::No, Effects::Partial) => Some((
                Action::InspectState,
                "the error says retry, but some of the work may be done".to_owned(),
            )),
            (Retry::No, _) => {
                Some((Action::GiveUp, "the error says retry, the exit status says no".to_owned()))
            }
            (Retry::AfterFix, _) if has_wrong_arguments(case) => {
                Some((again(case, 0), format!("the arguments are wrong{}", case.hint())))
            }
            (Retry::AfterFix, _) => {
                let reason = "the error says retry, the exit status says correct it first";
                Some((Action::Escalate, format!("{reason}{}", case.hint())))
            }
            _ => None,
        }
    },
};

pub(super) static TIMEOUT: Row = Row {
    number: 22,
    id: "timeout",
    signal: "the class is TIMEOUT",
    conclusion: "Some of the work may be done: look first. Back off and call again only when the \
                 error says that nothing was done, or the caller that the call may be made twice.",
    fires: |case| {
        if case.exit() != Some(Exit::Timeout) || case.retryable() == Some(false) {
            return None;
        }
        Some(if case.may_have_effects() {
            (Action::InspectState, "it ran out of time and may have done some of it".to_owned())
        } else {
            let wait_ms = exponential(case);
            let reason = if case.is_validation() {
                "it ran out of time before anything was done"
            } else {
                "it ran out of time and may be called twice"
            };
            (Action::Retry { wait_ms, change: None }, reason.to_owned())
        })
    },
};

pub(super) static BUDGET: Row = Row {
    number: 25,
    id: "budget",
    signal: "a row says retry, and the error code has used up its retries",
    conclusion: "Give up: never more than three retries on one error code without a change of state.",
    // The budget is asked after a row has said retry, so it never fires by itself.
    fires: |_| None,
};

/// The verdict when the retries on this error code are used up.
pub(super) fn exhausted(case: &Case<'_>) -> Option<Verdict> {
    let used = case.failures_alike();
    let code = case.error().map_or("the same answer", |error| error.code.as_str());
    (used >= case.policy.retries).then(|| {
        (Action::GiveUp, format!("{code} came {} times, and nothing has changed", used + 1))
    })
}

/// Whether the same call may be made again although it failed.
fn may_call_again(case: &Case<'_>) -> bool {
    let forbidden = match case.table().0 {
        Retry::No | Retry::AfterFix => !case.policy.idempotent,
        _ => matches!(case.status(), Status::Exited(64..=78)),
    };
    !forbidden && !case.may_have_effects()
}

/// Whether another call holds something for a time that the error states, and nothing was done.
fn is_lock(case: &Case<'_>) -> bool {
    let held = matches!(case.exit(), Some(Exit::Conflict | Exit::Precondition));
    let (_, effects) = case.table();
    held && effects == Effects::None && !case.may_have_effects()
}

/// Whether other arguments would do, and nothing was done yet.
pub(super) fn has_wrong_arguments(case: &Case<'_>) -> bool {
    case.exit() == Some(Exit::ArgError) && !case.may_have_effects()
}

/// The same call once more; wrong arguments must be others.
fn again(case: &Case<'_>, wait_ms: u64) -> Action {
    match case.exit() {
        Some(Exit::ArgError) => Action::CorrectArguments { wait_ms },
        _ => Action::Retry { wait_ms, change: None },
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "at most five minutes in milliseconds, and never negative"
)]
fn exponential(case: &Case<'_>) -> u64 {
    let doublings = case.failures_alike().min(9) as u32;
    let wait = (DEFAULT_WAIT_MS << doublings).min(LONGEST_WAIT_MS);
    let spread = wait as f64 * case.policy.jitter.clamp(0.0, 1.0);
    (wait + spread as u64).min(LONGEST_WAIT_MS)
}
