//! What a caller should do next, and why: one table, first match wins.
//!
//! The rows are those of CLI Agent Spec's "Agent interpretation" and of its exit
//! code page, with manila's own answers where both are silent; `docs/deviations.md` lists where they
//! differ from both. Nothing here retries a call that may have had effects unless the caller says that
//! it is safe.

mod answer;
mod auth;
mod fix;
mod note;
mod outcome;
mod page;
mod redirect;
mod retry;
mod status;

use crate::envelope::Envelope;
use crate::envelope::{ErrorObject, Phase};
use crate::exit::{Effects, Exit, Retry};
use crate::transcript::Status;
pub use answer::Answer;
pub use redirect::split as split_command;
use serde::Serialize;

/// The table, in the order in which its rows are tried.
pub static ROWS: &[&Row] = &[
    &outcome::NO_ENVELOPE,
    &outcome::OK_FALSE_EXIT_ZERO,
    &outcome::OK_TRUE_EXIT_NONZERO,
    &outcome::ERROR_KEY_ABSENT,
    &outcome::NOTHING_SAID,
    &outcome::WARNINGS_ABSENT,
    &page::NOT_MODIFIED,
    &page::TRUNCATED,
    &outcome::SUCCESS,
    &redirect::REDIRECT,
    &fix::FIX_COMMAND,
    &fix::FIX_REQUIRED,
    &fix::NOT_RETRYABLE,
    &auth::TOKEN_EXPIRED,
    &auth::CREDENTIALS_NEEDED,
    &retry::WAIT_STATED,
    &retry::RATE_LIMITED,
    &retry::UNAVAILABLE,
    &retry::RETRYABLE,
    &retry::RETRYABLE_ABSENT,
    &retry::ERROR_SAYS_NO,
    &retry::ERROR_SAYS_YES,
    &retry::TIMEOUT,
    &status::NOTHING_ELSE,
    &status::OUTSIDE_THE_TABLE,
    &retry::BUDGET,
];

/// One row of the table.
pub struct Row {
    /// Its number in the specification's table; 0 is success, which that table takes for granted.
    pub number: u8,
    /// Its stable id.
    pub id: &'static str,
    /// What it looks at.
    pub signal: &'static str,
    /// What it concludes, and why.
    pub conclusion: &'static str,
    fires: fn(&Case<'_>) -> Option<Verdict>,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "row {} ({})", self.number, self.id)
    }
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Action {
    /// Use the data.
    Accept,
    /// Use the answer that was kept from before.
    UseCache,
    /// Ask for the page that begins at this cursor before acting on any.
    NextPage {
        /// Where it begins.
        cursor: String,
    },
    /// Wait, then call again.
    Retry {
        /// How long to wait.
        wait_ms: u64,
        /// What must be different in the next call.
        change: Option<Change>,
    },
    /// Call again with other arguments; the same ones will be refused again.
    CorrectArguments {
        /// How long to wait before the next call.
        wait_ms: u64,
    },
    /// Renew the credentials, then call again once.
    RefreshCredentials,
    /// Get new credentials; do not call again before.
    AcquireCredentials,
    /// Call this instead.
    Redirect {
        /// The replacement, as the program spelled it.
        command: String,
        /// The same, split without a shell.
        argv: Vec<String>,
        /// Whether to use it for all later calls too.
        remember: bool,
    },
    /// Run this, then call again once.
    ApplyFix {
        /// The command, as the program spelled it.
        command: String,
        /// The same, split without a shell.
        argv: Vec<String>,
    },
    /// Find out what was done before anything else.
    InspectState,
    /// It will not work.
    GiveUp,
    /// A person or a model must look at it.
    Escalate,
}

impl Action {
    /// Its name, as in the JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::UseCache => "use-cache",
            Action::NextPage { .. } => "next-page",
            Action::Retry { .. } => "retry",
            Action::CorrectArguments { .. } => "correct-arguments",
            Action::RefreshCredentials => "refresh-credentials",
            Action::AcquireCredentials => "acquire-credentials",
            Action::Redirect { .. } => "redirect",
            Action::ApplyFix { .. } => "apply-fix",
            Action::InspectState => "inspect-state",
            Action::GiveUp => "give-up",
            Action::Escalate => "escalate",
        }
    }

    /// How long to wait before the call is made again; nothing if it is not.
    pub fn wait_ms(&self) -> Option<u64> {
        match self {
            Action::Retry { wait_ms, .. } | Action::CorrectArguments { wait_ms } => Some(*wait_ms),
            _ => None,
        }
    }

    /// Whether it relies on what the document says, and continues without a person looking at it.
    fn is_acted_on(&self) -> bool {
        !matches!(
            self,
            Action::AcquireCredentials | Action::InspectState | Action::GiveUp | Action::Escalate
        )
    }
}

/// What must be different in the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It must not say which version the caller has.
    WithoutEtag,
}

/// What to do, why, and which row of the table says so.
///
/// ```
/// use manila::{Answer, Envelope, ErrorObject, Exit, History, Policy, Status, decide};
///
/// let failure = Envelope::failure(Exit::NotFound, ErrorObject::new("NO_SUCH_NOTE", "there is no note 7"));
/// let answer = Answer::from_envelope(&failure, Status::Exited(5));
/// let decision = decide(&answer, &History::default(), &Policy::default());
/// assert_eq!(decision.action.name(), "give-up");
/// ```
#[derive(Clone, Debug)]
pub struct Decision {
    /// What to do.
    pub action: Action,
    /// Why, about this answer.
    pub reason: String,
    /// The row that fired.
    pub row: &'static Row,
    /// What else a caller should know: warnings, contradictions, what was ignored.
    pub notes: Vec<String>,
}

/// One earlier attempt that failed and changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The error code it ended with.
    pub code: String,
}

/// What has happened in this call so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The attempts since the last change of state.
    pub attempts: Vec<Attempt>,
    /// The cursors that were already asked for.
    pub cursors: Vec<String>,
    /// The replacements that were already followed.
    pub redirects: Vec<String>,
    /// The credentials were already renewed.
    pub refreshed: bool,
    /// A stated fix was already applied.
    pub fixed: bool,
    /// It was already asked without naming the version that the caller has.
    pub reissued: bool,
}

/// Which replacements a caller is willing to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// None.
    Never,
    /// Those that name the program that was called.
    #[default]
    SameProgram,
    /// Any.
    Any,
}

/// What a caller is willing to do.
///
/// ```
/// use manila::{Policy, Redirects};
///
/// let policy = Policy { redirects: Redirects::Never, ..Policy::default() };
/// assert_eq!(policy.retries, Policy::default().retries);
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a caller allows or not")]
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// How often to retry on one error code without a change of state.
    pub retries: usize,
    /// How many redirects to follow in one call.
    pub hops: usize,
    /// A number from 0 to 1 that spreads waits; drawn by the caller, so that deciding stays pure.
    pub jitter: f64,
    /// How much time is left, if there is a deadline.
    pub remaining_ms: Option<u64>,
    /// The call may be made twice without harm.
    pub idempotent: bool,
    /// The caller has kept the answer from before.
    pub cached: bool,
    /// Commands that errors state as fixes may be run.
    pub fixes: bool,
    /// The caller can refresh the credentials.
    pub refresh: bool,
    /// Which programs redirects and fixes may name.
    pub redirects: Redirects,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            retries: 3,
            hops: 5,
            jitter: 0.0,
            remaining_ms: None,
            idempotent: false,
            cached: false,
            fixes: false,
            refresh: false,
            redirects: Redirects::default(),
        }
    }
}

/// Decides what to do about one answer.
pub fn decide(answer: &Answer<'_>, history: &History, policy: &Policy) -> Decision {
    let case = Case { answer, history, policy };
    let fired = ROWS.iter().find_map(|row| (row.fires)(&case).map(|verdict| (*row, verdict)));
    let (mut row, mut verdict) = fired.unwrap_or_else(|| {
        let reason = format!("{} is in no row of the table", answer.status);
        (&status::OUTSIDE_THE_TABLE, (Action::InspectState, reason))
    });
    if let Some(wait_ms) = verdict.0.wait_ms() {
        if let Some(exhausted) = retry::exhausted(&case) {
            (row, verdict) = (&retry::BUDGET, exhausted);
        } else if policy.remaining_ms.is_some_and(|left| wait_ms > left) {
            let left = policy.remaining_ms.unwrap_or_default();
            let reason = format!("the wait of {wait_ms} ms does not fit into the {left} ms left");
            verdict = (Action::GiveUp, reason);
        }
    }
    if answer.claims.unknown_revision && verdict.0.is_acted_on() {
        (row, verdict) = (&outcome::NO_ENVELOPE, outcome::of_unknown_revision(&case));
    }
    let (action, reason) = verdict;
    Decision { action, reason, row, notes: note::notes(&case) }
}

type Verdict = (Action, String);

/// One answer under consideration.
struct Case<'a> {
    answer: &'a Answer<'a>,
    history: &'a History,
    policy: &'a Policy,
}

impl<'a> Case<'a> {
    fn status(&self) -> Status {
        self.answer.status
    }

    fn error(&self) -> Option<&'a ErrorObject> {
        let stated = self.answer.stated.map(|stated| &stated.error);
        self.answer.envelope.and_then(Envelope::error).or(stated)
    }

    fn exit(&self) -> Option<Exit> {
        self.answer.envelope.map(Envelope::exit)
    }

    /// The envelope, if it says success.
    fn success(&self) -> Option<&'a Envelope> {
        self.answer.envelope.filter(|envelope| envelope.ok())
    }

    fn retryable(&self) -> Option<bool> {
        self.error().and_then(|error| error.retryable)
    }

    /// What the dialect's exit table says of this class.
    fn table(&self) -> (Retry, Effects) {
        match self.exit() {
            Some(exit) => self.answer.exits.conclude(exit),
            None => (Retry::Depends, Effects::Unknown),
        }
    }

    /// Whether some of the work is likely done: the class says so, or it did not end by itself.
    fn is_partly_done(&self) -> bool {
        let violent = match self.status() {
            Status::Signaled(_) => true,
            Status::Exited(code) => code == 101 || code == 124 || code >= 128,
            Status::Unknown => false,
        };
        violent || (self.table().1 == Effects::Partial && !self.is_validation())
    }

    /// Whether the same call, made again, could do something twice.
    fn may_have_effects(&self) -> bool {
        // "Retryable" promises that nothing happened, which settles what is only unknown.
        let unknown = self.table().1 == Effects::Unknown
            && self.retryable() != Some(true)
            && !self.is_validation();
        !self.policy.idempotent && (self.is_partly_done() || unknown)
    }

    /// Whether it failed before it did anything.
    fn is_validation(&self) -> bool {
        self.error().is_some_and(|error| error.phase == Some(Phase::Validation))
    }

    /// How many attempts before this one failed with the same code.
    fn failures_alike(&self) -> usize {
        let code = self.error().map_or("", |error| error.code.as_str());
        self.history.attempts.iter().filter(|attempt| attempt.code == code).count()
    }

    /// Where the next page begins.
    fn cursor(&self) -> Option<&'a str> {
        let cursor = self.answer.envelope?.meta().cursor.as_deref();
        cursor.filter(|cursor| !cursor.is_empty())
    }

    /// What the error suggests, as the end of a sentence.
    fn hint(&self) -> String {
        let suggestion = self.error().and_then(|error| error.suggestion.as_deref());
        suggestion.map(|text| format!(": {text}")).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_rows_are_numbered_without_a_gap() {
        let numbers: BTreeSet<u8> = ROWS.iter().map(|row| row.number).collect();
        assert_eq!(numbers, (0..=25).collect());
        assert_eq!(ROWS.len(), 26);
    }

    #[test]
    fn ids_are_unique() {
        let ids: BTreeSet<&str> = ROWS.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), ROWS.len());
    }
}
