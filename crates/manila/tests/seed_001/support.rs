//! One call of a tool: the document it wrote, how it ended, and what to do about it.

use manila::{
    Action, Answer, Attempt, Content, Decision, Defaults, Dialect, Envelope, ErrorObject, Exit,
    History, Opened, Options, Policy, Status, Transcript, decide, dialect, open, write,
};
use serde_json::Value;
use std::sync::LazyLock;

// The seed's own examples, in its order.
pub(crate) const SUCCESS: &str = r#"{"ok":true,"data":{"id":"deploy-42","status":"complete"},
    "error":null,"warnings":[],"meta":{"duration_ms":340,"request_id":"req_abc123"}}"#;
pub(crate) const ARG_ERROR: &str = r#"{"ok":false,"data":null,"error":{
    "code":"INVALID_ENVIRONMENT","message":"Unknown target environment 'prodution'",
    "retryable":true,"phase":"validation","suggestion":"Valid environments: prod, staging, dev"},
    "warnings":[],"meta":{"duration_ms":5}}"#;
pub(crate) const TOKEN_EXPIRED: &str = r#"{"ok":false,"data":null,"error":{"code":"TOKEN_EXPIRED",
    "message":"Access token has expired","retryable":true,"retry_after":0},
    "warnings":[],"meta":{"duration_ms":4}}"#;
pub(crate) const REDIRECTED: &str = r#"{"ok":false,"data":null,"error":{"code":"COMMAND_RENAMED",
    "message":"'tool user create' was renamed in v2.0","retryable":true,"redirect":{
    "command":"tool users add --name alice","permanent":true,"reason":"renamed"}},
    "warnings":[],"meta":{"duration_ms":2}}"#;
pub(crate) const RATE_LIMITED: &str = r#"{"ok":false,"data":null,"error":{
    "code":"RATE_LIMIT_EXCEEDED","message":"API rate limit reached","retryable":true,
    "retry_after":30},"warnings":[],"meta":{"duration_ms":6}}"#;

/// A document of five keys; `meta` is what follows its duration, such as `,"truncated":true`.
pub(crate) fn document(ok: bool, data: &str, error: &str, meta: &str) -> String {
    let meta = format!(r#"{{"duration_ms":1{meta}}}"#);
    format!(r#"{{"ok":{ok},"data":{data},"error":{error},"warnings":[],"meta":{meta}}}"#)
}

/// A failure of the seed's revision; `more` is what follows its message.
///
/// It states its revision, without which statuses 2 and 3 could mean either of two things.
pub(crate) fn failed(code: &str, more: &str) -> String {
    failed_in("1.0", code, more)
}

/// A failure of that revision.
pub(crate) fn failed_in(revision: &str, code: &str, more: &str) -> String {
    let error = format!(r#"{{"code":"{code}","message":"m"{more}}}"#);
    document(false, "null", &error, &format!(r#","schema_version":"{revision}""#))
}

/// What a caller knows when it decides.
#[derive(Clone, Default)]
pub(crate) struct Call {
    pub(crate) transcript: Transcript,
    pub(crate) history: History,
    pub(crate) policy: Policy,
}

/// `tool` was called, wrote this document and ended with this status.
pub(crate) fn call(document: impl Into<String>, status: i32) -> Call {
    ended(document, Status::Exited(status))
}

/// `tool` was called, wrote this document and ended like this.
pub(crate) fn ended(document: impl Into<String>, status: Status) -> Call {
    let transcript = Transcript::from_stdout(document.into(), status);
    let argv = vec!["tool".to_owned(), "run".to_owned()];
    Call { transcript: Transcript { argv, ..transcript }, ..Call::default() }
}

impl Call {
    pub(crate) fn opened(&self) -> Opened {
        open(&self.transcript, &Options::default()).expect("an envelope")
    }

    pub(crate) fn exit(&self) -> Exit {
        self.opened().envelope.exit()
    }

    pub(crate) fn decision(&self) -> Decision {
        let opened = open(&self.transcript, &Options::default());
        decide(&Answer::new(&self.transcript, opened.as_ref()), &self.history, &self.policy)
    }

    pub(crate) fn action(&self) -> Action {
        self.decision().action
    }

    /// Asserts what to do and which row of the table says so.
    #[track_caller]
    pub(crate) fn does(&self, row: u8, action: Action) {
        let decision = self.decision();
        let what = format!("{}, {}", self.transcript.status, decision.reason);
        assert_eq!((decision.row.number, decision.action), (row, action), "{what}");
    }

    /// Asserts that a note carries these words.
    #[track_caller]
    pub(crate) fn notes(&self, words: &str) {
        let notes = self.decision().notes;
        assert!(notes.iter().any(|note| note.contains(words)), "{words:?} is not in {notes:?}");
    }

    /// The same, when earlier attempts ended with these codes.
    pub(crate) fn after(mut self, codes: &[&str]) -> Call {
        let attempt = |code: &&str| Attempt { code: (*code).to_owned() };
        self.history.attempts = codes.iter().map(attempt).collect();
        self
    }

    /// The same, by a caller that says the call may be made twice.
    pub(crate) fn idempotent(mut self) -> Call {
        self.policy.idempotent = true;
        self
    }
}

pub(crate) fn retry(wait_ms: u64) -> Action {
    Action::Retry { wait_ms, change: None }
}

pub(crate) fn correct_arguments(wait_ms: u64) -> Action {
    Action::CorrectArguments { wait_ms }
}

pub(crate) fn redirect(command: &str, argv: &[&str], remember: bool) -> Action {
    let argv = argv.iter().map(|&word| word.to_owned()).collect();
    Action::Redirect { command: command.to_owned(), argv, remember }
}

/// The dialect of the seed.
pub(crate) fn seed() -> &'static dyn Dialect {
    dialect("response-envelope/1.0").expect("the seed's dialect")
}

/// The status that the seed gives a class.
pub(crate) fn status_of(exit: Exit) -> i32 {
    seed().status(exit)
}

/// Every class but success.
pub(crate) fn failures() -> impl Iterator<Item = Exit> {
    Exit::ALL.iter().copied().filter(|exit| !exit.is_success())
}

/// An envelope of that class with the least that it must say.
pub(crate) fn least(exit: Exit) -> Envelope {
    let content = if exit.is_success() {
        let data = manila::json::Raw::parse(r#"{"id":1}"#).expect("JSON");
        Content { data: Some(data), ..Content::default() }
    } else {
        Content { error: Some(ErrorObject::new("CODE", "message")), ..Content::default() }
    };
    Envelope::new(exit, content).expect("an envelope")
}

/// Whether a document satisfies the seed's schema.
pub(crate) fn is_valid(document: &Value) -> bool {
    static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = manila::schema(seed(), None).expect("the schema");
        jsonschema::validator_for(&schema).expect("a schema")
    });
    VALIDATOR.is_valid(document)
}

/// What the seed's dialect writes; in test mode the schema validator runs on every envelope.
#[track_caller]
pub(crate) fn written(envelope: &Envelope) -> Value {
    let written = write(envelope, seed(), &Defaults::default());
    let value = serde_json::from_slice(&written.document).expect("JSON");
    assert!(is_valid(&value), "{value}");
    value
}
