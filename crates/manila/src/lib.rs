//! One envelope for command-line programs.
//!
//! Every program that answers in JSON has its own shape for success and failure. This crate reads
//! seven of them strictly, opens each to one [`Envelope`], writes any of them, and decides what a
//! caller should do next. It is pure: no process, file, clock or environment.
//!
//! ```
//! use manila::{Action, Answer, History, Options, Policy, Status, Transcript, decide, open};
//!
//! let answer = br#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED",
//!     "message":"API rate limit reached","retryable":true,"retry_after":30},
//!     "warnings":[],"meta":{"duration_ms":6}}"#;
//! let transcript = Transcript::of_stdout(*answer, Status::Exited(11));
//!
//! let opened = open(&transcript, &Options::default())?;
//! assert_eq!(opened.detection.dialect.id(), "response-envelope/1.0");
//! assert!(!opened.envelope.ok());
//!
//! let answer = Answer::new(&transcript, Ok(&opened));
//! let decision = decide(&answer, &History::default(), &Policy::default());
//! assert_eq!(decision.action, Action::Retry { wait_ms: 30_000, change: None });
//! # Ok::<(), manila::Error>(())
//! ```
//!
//! The stages, each a function from the type on its left:
//!
//! ```text
//! Transcript ─▶ detect ─▶ open ─▶ Envelope ─▶ write | decide
//! ```

mod convert;
mod decide;
mod detect;
mod dialect;
mod envelope;
mod error;
pub mod exit;
pub mod json;
mod mark;
mod open;
mod schema;
mod transcript;

pub use convert::{Conversion, Fate, Lines, Loss, Written, convert, write, write_into};
pub use decide::{
    Action, Answer, Attempt, Change, Decision, History, Policy, ROWS, Redirects, Row, decide,
};
#[doc(hidden)]
pub use detect::without_escapes;
pub use detect::{Detection, Noise, NoiseKind, detect};
pub use dialect::{
    About, Claims, Confidence, DIALECTS, Defaults, Dialect, Form, KindNames, Malformed, Match,
    Revision, Spoken, dialect, dialects,
};
pub use envelope::{
    Content, Envelope, Failure, Fix, Issue, Meta, Phase, Redirect, Severity, Strategy, Warning,
};
pub use error::{Error, ErrorKind};
pub use exit::Exit;
pub use mark::{EXPLICIT_FAILURE, FailureMark, StatedFailure};
#[doc(hidden)]
pub use open::{Fields, Notes, Presence, Unknown};
pub use open::{MALFORMED, Opened, Options, Place, open};
pub use schema::{commands, schema};
pub use transcript::{Status, Stream, Transcript};
