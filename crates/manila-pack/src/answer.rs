//! A reading as an answer that the decision table knows: an envelope, and what may have been done.

use crate::read::Reading;
use manila::exit::{Effects, ExitRow, ExitTable, Grain, Retry};
use manila::json::Raw;
use manila::{
    Action, Answer, Confidence, Decision, Envelope, ErrorObject, Exit, History, Policy, Status,
    decide,
};

/// The code of a failure whose class is not known.
const UNCLASSIFIED: &str = "FAILED_WITHOUT_ENVELOPE";

impl Reading {
    /// A success, because the caller accepts the exit code.
    pub fn accepted() -> Reading {
        Reading::success("accepted")
    }

    /// The envelope that the program would have written, if it wrote one.
    pub fn envelope(&self, status: Status, data: Option<Raw>) -> Envelope {
        let envelope = match self.class {
            Some(Exit::Success) => Envelope::success(data.unwrap_or_else(Raw::null)),
            class => {
                let exit = class.unwrap_or(Exit::General);
                let envelope = Envelope::failure(exit, self.failure(class, status));
                data.into_iter().fold(envelope, Envelope::with_data)
            }
        };
        envelope.with_status(status.code())
    }

    fn failure(&self, class: Option<Exit>, status: Status) -> ErrorObject {
        let code =
            self.code.clone().unwrap_or_else(|| class.map_or(UNCLASSIFIED, Exit::name).to_owned());
        let message = self.message.clone().unwrap_or_else(|| status.to_string());
        let retryable = match (self.retry, self.quota, self.effects) {
            (true, false, Effects::None) => Some(true),
            (_, true, _) => Some(false),
            (false, false, _) if class.is_none() => Some(false),
            // Whether it may be called again depends on the class, and on what the call does.
            (_, false, _) => None,
        };
        ErrorObject { retryable, wait_ms: self.wait_ms, ..ErrorObject::new(code, message) }
    }

    /// What the decision table says about this reading, given its envelope. What nothing explains
    /// needs a person.
    pub fn decide(
        &self,
        envelope: &Envelope,
        status: Status,
        history: &History,
        policy: &Policy,
    ) -> Decision {
        let decision = decide(&self.answer(envelope, status), history, policy);
        if self.class.is_none() && decision.action == Action::GiveUp {
            let reason = "the cause of the failure is not known".to_owned();
            return Decision { action: Action::Escalate, reason, ..decision };
        }
        decision
    }

    /// What the decision table is asked about, given the envelope of this reading.
    fn answer<'a>(&self, envelope: &'a Envelope, status: Status) -> Answer<'a> {
        let is_sure = self.confidence == Confidence::Certain || self.effects == Effects::None;
        let exits = match (self.retry && !self.quota, self.effects) {
            // Words that many programs share do not show that nothing was done before.
            _ if self.class == Some(Exit::AuthRequired) && !is_sure => &LIKELY_REFUSED,
            (true, Effects::None) => &NOTHING_DONE_AND_PASSES,
            (false, Effects::None) => &NOTHING_DONE,
            (true, _) => &MAY_BE_DONE_AND_PASSES,
            (false, Effects::Partial) => &PARTLY_DONE,
            (false, _) => &MAY_BE_DONE,
        };
        // A status that the pack knows is not a signal's or a panic's.
        let status = match status {
            Status::Exited(0) if !envelope.ok() => Status::Unknown,
            Status::Exited(code) if code != 0 && envelope.ok() => Status::Exited(0),
            Status::Exited(code) if code != 0 => Status::Exited(1),
            other => other,
        };
        Answer { exits, ..Answer::from_envelope(envelope, status) }
    }
}

macro_rules! table {
    ($effects:expr, $passing:expr, $staying:expr) => {
        table!($effects, $passing, $staying, Effects::None)
    };
    ($effects:expr, $passing:expr, $staying:expr, $refused:expr) => {
        ExitTable {
            rows: &[
                row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
                row(1, Exit::General, $staying, $effects),
                row(2, Exit::PartialFailure, Retry::No, Effects::Partial),
                row(3, Exit::ArgError, Retry::AfterFix, Effects::None),
                row(4, Exit::Precondition, $staying, $effects),
                row(5, Exit::NotFound, $staying, $effects),
                row(6, Exit::Conflict, $staying, $effects),
                row(7, Exit::PermissionDenied, $staying, $effects),
                row(8, Exit::AuthRequired, Retry::AfterFix, $refused),
                row(9, Exit::PaymentRequired, Retry::No, $effects),
                row(10, Exit::Timeout, $passing, $effects),
                row(11, Exit::RateLimited, $passing, $effects),
                row(12, Exit::Unavailable, $passing, $effects),
                row(13, Exit::Redirected, Retry::No, $effects),
            ],
            nearest: &[],
            grain: Grain::Fine,
            signals: true,
        }
    };
}

/// The run shows that nothing was done.
static NOTHING_DONE: ExitTable = table!(Effects::None, Retry::Yes, Retry::No);
/// Nothing was done, and the failure passes whatever its class is: a lock is a conflict until it is released.
static NOTHING_DONE_AND_PASSES: ExitTable = table!(Effects::None, Retry::Yes, Retry::Yes);
/// The failure passes, and the run does not show what was done before it.
static MAY_BE_DONE_AND_PASSES: ExitTable = table!(Effects::Unknown, Retry::Yes, Retry::No);
/// The failure stays, and the run does not show what was done before it.
static MAY_BE_DONE: ExitTable = table!(Effects::Unknown, Retry::No, Retry::No);
/// The failure looks like refused credentials, and the run does not show what was done before it.
static LIKELY_REFUSED: ExitTable = table!(Effects::Unknown, Retry::No, Retry::No, Effects::Unknown);
/// Some of the work is done.
static PARTLY_DONE: ExitTable = table!(Effects::Partial, Retry::No, Retry::No);

const fn row(status: i32, exit: Exit, retry: Retry, effects: Effects) -> ExitRow {
    ExitRow { status, exit, retry, effects }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTIN;
    use crate::read::read_call;
    use manila::Transcript;

    fn decided(argv: &[&str], stderr: &str, idempotent: bool) -> Action {
        let run = Transcript {
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            stderr: stderr.as_bytes().to_vec(),
            status: Status::Exited(255),
            ..Transcript::default()
        };
        let reading = read_call(&run, &BUILTIN);
        let policy = Policy { refresh: true, idempotent, ..Policy::default() };
        let envelope = reading.envelope(run.status, None);
        reading.decide(&envelope, run.status, &History::default(), &policy).action
    }

    #[test]
    fn credentials_are_renewed_for_a_call_that_is_known_to_have_done_nothing() {
        let expired =
            "\nAn error occurred (ExpiredToken) when calling the CreateUser operation: expired\n";
        let writes = ["aws", "iam", "create-user"];
        assert_eq!(decided(&writes, expired, false), Action::RefreshCredentials);
        // Common words do not show what the program did before it met them.
        let words = "Error: the token has expired\n";
        assert_eq!(decided(&["deploy"], words, false), Action::AcquireCredentials);
        assert_eq!(decided(&["deploy"], words, true), Action::RefreshCredentials);
    }
}
