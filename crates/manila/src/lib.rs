//! One envelope for command-line programs.
//!
//! Every program that answers in JSON has its own shape for success and failure. This crate reads
//! more than thirty of them strictly, opens each to one [`Envelope`], writes any of them, and decides what a
//! caller should do next. It is pure: no process, file, clock or environment.
//!
//! ```
//! use manila::{Action, Answer, History, Options, Policy, Status, Transcript, decide, open};
//!
//! let answer = br#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED",
//!     "message":"API rate limit reached","retryable":true,"retry_after":30},
//!     "warnings":[],"meta":{"duration_ms":6}}"#;
//! let transcript = Transcript::from_stdout(*answer, Status::Exited(11));
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

pub mod ansi;
mod convert;
pub mod csv;
mod decide;
mod detect;
mod dialect;
#[cfg(feature = "dialect-files")]
pub mod dialect_file;
mod envelope;
mod error;
mod error_object;
pub mod exit;
mod fingerprint;
pub mod json;
mod known;
pub mod manifest;
mod mark;
mod names;
mod open;
#[cfg(feature = "serde_json")]
pub mod record;
#[cfg(feature = "serde_json")]
mod schema;
pub mod segment;
mod suggest;
pub mod table;
mod transcript;
pub mod visible;

pub use convert::{Conversion, Fate, Lines, Loss, Written, convert, write, write_into};
pub use decide::{
    Action, Answer, Attempt, Change, Decision, History, Policy, ROWS, Redirects, Row, decide,
    split_command,
};
pub use detect::{Detection, Noise, NoiseKind, Options, Scope, detect};
pub use dialect::{DIALECTS, Dialect, DialectWriter, TableDialect, dialects};
pub use envelope::{
    Content, Envelope, ErrorObject, Fix, Issue, Meta, Phase, Redirect, Severity, Strategy, Warning,
};
pub use error::{Error, ErrorKind};
pub use exit::Exit;
pub use fingerprint::{Fingerprint, fingerprint};
pub use known::{AddError, Added, add_dialects, dialect, every_dialect, preferred_dialect};
pub use mark::{EXPLICIT_FAILURE, FailureMark, StatedFailure};
pub use names::UnknownName;
pub use open::{Opened, open};
#[cfg(feature = "serde_json")]
pub use schema::{commands, schema};
pub use suggest::{closest, did_you_mean};
pub use table::{
    Claims, Confidence, Defaults, Form, KindNames, MALFORMED, Malformed, Match, Place, Revision,
    Table,
};
#[doc(hidden)]
pub use table::{Fields, Notes, Presence, Unknown};
pub use transcript::{Status, Stream, Transcript};
