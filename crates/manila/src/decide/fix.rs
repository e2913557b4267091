//! Rows 10 to 12: failures that must be corrected, or cannot be.

use super::redirect::{may_run, split};
use super::{Action, Row};
use crate::exit::{Exit, Retry};

pub(super) static FIX_COMMAND: Row = Row {
    number: 10,
    id: "fix-command",
    signal: "error.fix_command names a command",
    conclusion: "Run it as it is spelled, without a shell, and call again once; anything else stops. \
                 Only when the caller allows it, and only the program that was called unless the \
                 caller allows others: the command is data from a stranger.",
    fires: |case| {
        let command = case.error()?.fix.command.as_ref()?;
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
    conclusion: "Somebody must make it true; then call again once.",
    fires: |case| {
        let required = case.error()?.fix.required.as_ref()?;
        Some((Action::Escalate, format!("this must be true first: {required}")))
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
