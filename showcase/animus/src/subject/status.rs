//! Where a subject stands, and where it can go from there.

use super::{Key, name};
use clap::ValueEnum;
use manila_clap::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// Where a subject stands.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    ValueEnum,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    Backlog,
    Ready,
    InProgress,
    Blocked,
    Done,
    Cancelled,
}

/// Why a subject stays where it is.
#[derive(Debug, Failure)]
#[failure(
    exit = Conflict,
    code = "conflict",
    message = "{key} is {from} and cannot become {to}",
    suggestion = format!("from {from} it can become {}", listed(from.next())),
    details = Transition { status: *from, requested: *to, possible: from.next() }
)]
pub(crate) struct TransitionError {
    key: Key,
    from: Status,
    to: Status,
}

#[derive(Serialize)]
struct Transition {
    status: Status,
    requested: Status,
    possible: &'static [Status],
}

impl Status {
    /// Where it can go from here. What is over must be opened again before work continues, and only
    /// a subject that was in progress can be done.
    pub(crate) fn next(self) -> &'static [Status] {
        use Status::{Backlog, Blocked, Cancelled, Done, InProgress, Ready};
        match self {
            Backlog => &[Ready, InProgress, Blocked, Cancelled],
            Ready => &[Backlog, InProgress, Blocked, Cancelled],
            InProgress => &[Backlog, Ready, Blocked, Done, Cancelled],
            Blocked => &[Backlog, Ready, InProgress, Cancelled],
            Done | Cancelled => &[Backlog, Ready],
        }
    }

    /// Whether the subject of this name may go from here to there.
    pub(crate) fn check_move(self, to: Status, key: Key) -> Result<(), TransitionError> {
        if self.next().contains(&to) {
            Ok(())
        } else {
            Err(TransitionError { key, from: self, to })
        }
    }
}

fn listed(statuses: &[Status]) -> String {
    let words: Vec<String> = statuses.iter().map(ToString::to_string).collect();
    words.join(", ")
}

impl Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&name(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Kind;

    const KEY: Key = Key { kind: Kind::Task, number: 1 };

    #[test]
    fn nothing_goes_to_where_it_is_and_everything_has_a_way_out() {
        for status in Status::value_variants() {
            assert!(!status.next().contains(status), "{status}");
            assert!(!status.next().is_empty(), "{status}");
        }
    }

    #[test]
    fn what_is_over_must_be_opened_again() {
        for over in [Status::Done, Status::Cancelled] {
            assert!(over.check_move(Status::InProgress, KEY).is_err());
            assert!(over.check_move(Status::Ready, KEY).is_ok());
        }
    }

    #[test]
    fn a_refusal_says_what_stands_in_the_way() {
        let error = Status::Backlog.check_move(Status::Done, KEY).unwrap_err();
        assert_eq!(error.to_string(), "TASK-001 is backlog and cannot become done");
    }

    #[test]
    fn the_word_is_the_same_for_callers_and_in_files() {
        for status in Status::value_variants() {
            let written = serde_json::to_string(status).unwrap();
            assert_eq!(written, format!("\"{status}\""));
        }
    }
}
