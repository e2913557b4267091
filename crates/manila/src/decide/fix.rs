//! Rows 10 to 12: failures that must be corrected, or cannot be.

use super::auth::refreshes;
use super::redirect::{may_run, split};
use super::retry::has_wrong_arguments;
use super::{Action, Row};
use crate::exit::{Exit, Retry};

pub(super) static FIX_COMMAND: Row = Row {
    number: 10,
    id: "fix-command",
    signal: "error.fix_command names a command",
    conclusion: "Run it as it is spelled, without a shell, and call again once; anything else stops. \
                 Only when the caller allows it, and only the program that was called unless the \
                 caller allows others: the command is data, not an instruction.",
    fires: |case| {
        let command = case.error()?.fix.command.as_ref()?;
        // The caller's own command is better than one from the output of a program.
        if case.policy.refresh && refreshes(case).is_some() {
            return None;
        }
        Some(match split(command) {
            _ if case.may_have_effects() => (
                Action::InspectState,
                "a fix is stated, but some of the work may be done already".to_owned(),
            ),
            _ if case.history.fixed => {
                (Action::GiveUp, "a stated fix was applied already and it still fails".to_owned())
            }
            _ if !case.policy.fixes => {
                (Action::Escalate, format!("the caller must allow the stated fix {command:?}"))
            }
            None => (Action::Escalate, format!("{command:?} cannot be run without a shell")),
            Some(argv) if !may_run(case, &argv[0]) => {
                (Action::Escalate, format!("{:?} is not the program that was called", argv[0]))
            }
            Some(argv) => {
                let action = Action::ApplyFix { command: command.clone(), argv };
                (action, "the error states a command that corrects it".to_owned())
            }
        })
    },
};

pub(super) static FIX_REQUIRED: Row = Row {
    number: 11,
    id: "fix-required",
    signal: "error.fix_required says what must be true first",
    conclusion: "It must be made true; then call again once. Wrong arguments are corrected once by \
                 the caller, and expired credentials are row 13's.",
    fires: |case| {
        let required = case.error()?.fix.required.as_ref()?;
        if refreshes(case).is_some() {
            return None;
        }
        let is_wrong = has_wrong_arguments(case);
        let was_corrected = case.history.fixed || case.failures_alike() > 0;
        Some(match (is_wrong, was_corrected) {
            (true, false) => {
                let reason = format!("this must be true first: {required}");
                (Action::CorrectArguments { wait_ms: 0 }, reason)
            }
            (true, true) => (
                Action::Escalate,
                format!("corrected once, and this is still not true: {required}"),
            ),
            (false, _) => (Action::Escalate, format!("this must be true first: {required}")),
        })
    },
};

pub(super) static NOT_RETRYABLE: Row = Row {
    number: 12,
    id: "not-retryable",
    signal: "error.retryable is false, no fix is stated, and it is not about credentials",
    conclusion: "Terminal. Where some of the work may be done, look at it before anything else.",
    fires: |case| {
        let (retry, _) = case.table();
        let about_credentials =
            case.exit() == Some(Exit::AuthRequired) || super::auth::is_about_credentials(case);
        if case.retryable() != Some(false) || retry == Retry::Yes || about_credentials {
            return None;
        }
        Some(if case.is_partly_done() {
            (Action::InspectState, "it cannot be retried and may be partly done".to_owned())
        } else {
            (Action::GiveUp, "the error says that calling again will not help".to_owned())
        })
    },
};
