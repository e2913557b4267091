//! Rows 23 and 24: nothing but a number, or a number outside the table.

use super::{Action, Row};
use crate::mark::EXPLICIT_FAILURE;
use crate::transcript::Status;

pub(super) static NOTHING_ELSE: Row = Row {
    number: 23,
    id: "nothing-else",
    signal: "a failure that no other row knows what to make of",
    conclusion: "As partly done: look at what was done before anything else.",
    fires: |case| {
        if !matches!(case.status(), Status::Exited(0..=13) | Status::Unknown) {
            return None;
        }
        let reason = match case.error() {
            Some(error) if error.code == EXPLICIT_FAILURE => {
                format!("{}, and the error does not say what was done", case.status())
            }
            Some(error) => format!("{} does not say what was done{}", error.code, case.hint()),
            None => format!("{} and nothing more is known", case.status()),
        };
        Some((Action::InspectState, reason))
    },
};

pub(super) static OUTSIDE_THE_TABLE: Row = Row {
    number: 24,
    id: "outside-the-table",
    signal: "a status above 13, or death by a signal",
    conclusion: "14 to 63 as 1. 64 to 78 are sysexits: no retry. 79 to 125 are the program's own: \
                 ask its manifest; 101 is a Rust panic. 126 and 127 never ran. Above 128, or killed: \
                 as partly done.",
    fires: |case| {
        let (action, meaning) = match case.status() {
            Status::Exited(14..=63) => (Action::InspectState, "reserved, read as GENERAL_ERROR"),
            Status::Exited(64..=78) => (Action::GiveUp, "a sysexits number, not to be retried"),
            Status::Exited(101) => {
                (Action::InspectState, "a Rust program panicked and may have done some of it")
            }
            Status::Exited(124) => {
                (Action::InspectState, "`timeout` ended it and some of the work may be done")
            }
            Status::Exited(79..=125) => {
                (Action::Escalate, "the program's own number: its manifest must say what it means")
            }
            Status::Exited(126 | 127) => (Action::Escalate, "the program could not be run"),
            _ => (Action::InspectState, "some of the work may be done"),
        };
        Some((action, format!("{}: {meaning}", case.status())))
    },
};
