//! Give a clap program a machine-readable answer: one stable envelope on success, failure, bad
//! arguments, panic, timeout and signal, on the right stream, with the right exit status.
//!
//! For people nothing changes. Without `--json` a program writes what clap and its own code write, byte
//! for byte, on a terminal and in a pipe, and ends with the same exit status.
//!
//! # A whole program
//!
//! ```no_run
//! use clap::Parser;
//! use manila_clap::{App, Call, Failure, Reply, Screen, dialects};
//! use serde::Serialize;
//!
//! #[derive(Parser)]
//! #[command(name = "note", version)]
//! enum Cli {
//!     /// Show one note
//!     Show { id: u32 },
//! }
//!
//! #[derive(Serialize, Reply)]
//! #[reply(kind = "note", show = show)]
//! struct Note { id: u32, text: String }
//!
//! fn show(note: &Note, screen: &mut Screen) {
//!     screen.line(format!("{}: {}", note.id, note.text));
//! }
//!
//! #[derive(Debug, Failure)]
//! enum NoteError {
//!     #[failure(exit = NotFound, message = "there is no note {id}", suggestion = "try 1")]
//!     NoSuchNote { id: u32 },
//! }
//!
//! fn run(cli: Cli, _call: &Call) -> Result<Note, NoteError> {
//!     match cli {
//!         Cli::Show { id: 1 } => Ok(Note { id: 1, text: "buy milk".to_owned() }),
//!         Cli::Show { id } => Err(NoteError::NoSuchNote { id }),
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run)
//! }
//! ```
//!
//! The program answers in text, in a pipe too, and in JSON where `--json` stands anywhere among its
//! arguments:
//!
//! ```text
//! $ note show 1 | cat
//! 1: buy milk
//! $ note show 7 --json
//! {"ok":false,"data":null,"error":{"code":"NO_SUCH_NOTE","message":"there is no note 7",
//!  "retryable":false,"phase":"execution","suggestion":"try 1"},"warnings":[],"meta":{…}}
//! ```
//!
//! This is the setup for a program that already has users. A new program may answer in JSON whenever
//! stdout is not a terminal: `.piped(Mode::Json)`.
//!
//! # Convert a program
//!
//! 1. The clap code stays as it is. A command that was built by hand goes through [`App::from_command`], and
//!    its handler gets the matches.
//! 2. `main` becomes the line above. Each of [`dialects`] has its own keys, stream and exit numbers;
//!    nothing else in the program knows which it is.
//! 3. Convert one command at a time. A handler that still prints returns [`Printed`]: in JSON mode what
//!    it printed is its answer.
//! 4. What was printed becomes a value that derives [`Reply`], and the printing a function beside it
//!    that gets a [`Screen`]. Without one the payload shows itself. A handler with several replies
//!    returns an enum of them, which derives [`Reply`] too. What takes long is a [`Call::stream`];
//!    an acknowledgement is [`Done`]. A list is a [`Page`], chosen by `--limit` and `--cursor`:
//!    `#[command(flatten)] page: PageArgs` among the arguments of the command, `page.paginate(all_notes)`
//!    in its handler, and `#[reply(kind = "note_list", page)] struct Notes(Page<Note>);` as its
//!    reply.
//! 5. What made the program exit becomes a variant of an enum that derives [`Failure`]: its code is
//!    stable, its class decides the exit status, and every variant can be listed. A field called
//!    `source`, or marked `#[from]`, is its cause. `#[failure(transparent)]` passes on the failures of
//!    others, such as [`InputRequired`]. `show = "…"` keeps the text that people got, `status = 2` the
//!    exit status, and `silent` prints nothing.
//!
//!    Beside `thiserror::Error` the derive needs no attributes. Programs that have no codes yet return
//!    `anyhow::Error`, `eyre::Report` (features `anyhow` and `eyre`), `Box<dyn Error + Send + Sync>` or
//!    an [`Error`] that they make themselves; [`App::classify`] maps the types in a chain to codes.
//! 6. `async fn main` uses [`App::run_async`], on whatever runtime it is. Tasks and threads take the
//!    call along as `&'static Call`.
//!
//! `docs/migrate.md` in the repository has four programs before and after.
//!
//! In JSON mode descriptor 1 is stderr while the handler runs. What it, a library, a child process or
//! an `exec` prints is on stderr and never part of the answer.
//!
//! # What callers get
//!
//! A program has `--json`. [`App::flag`] and [`App::variable`] add the others one by one, and
//! [`App::all_flags`] all of them:
//!
//! | they pass | and get |
//! |---|---|
//! | `--json`, `--plain`, `--output` or `--output-format` `rich\|plain\|json\|jsonl`, `<PROGRAM>_OUTPUT` | the answer for people, for grep, for programs, or frame by frame |
//! | `--color` | colour where it is wanted; never in JSON |
//! | `--quiet` | no warnings and no progress on stderr |
//! | `--timeout 30s` | `TIMEOUT` when it is over, whatever the program does |
//! | `--etag TAG` | `not_modified` while the data are the same |
//! | `--max-bytes N` | a page that fits, and a cursor for the rest, in dialects that have a place for one |
//! | `--heartbeat 5s` | with `jsonl`, a frame this often |
//! | `--validate-only` | whether the arguments are right, and nothing done |
//! | `--no-input` | never a question; the failure names the flag that answers it |
//! | `--yes` | confirmation of a destructive command |
//!
//! They work in any position. A flag of the program's own with the same name wins, a variable that an
//! argument of the program reads is the program's, and a call that the program understands without
//! them is left alone: `wrap curl --timeout 5` passes `--timeout` to curl.
//!
//! In JSON mode, without any of them:
//!
//! | what happens | the answer |
//! |---|---|
//! | wrong arguments | all mistakes in one answer, the closest match, phase `validation`, nothing done |
//! | the old name of a command | `REDIRECTED` with the exact new call, see [`App::moved`] |
//! | SIGINT, SIGTERM, SIGHUP | `CANCELLED`, exit status 128 and the signal's number where the dialect allows it |
//! | a panic | `PANICKED`; the panic hook of the program is called first |
//! | `std::process::exit`, `clap::Error::exit` | `EXITED` with that status, on Linux with glibc |
//!
//! # What authors can add
//!
//! - [`App::command`] declares what a command answers, how it fails, how dangerous it is, that it is
//!   deprecated or has no JSON form; [`App::moved`] keeps the callers of old names.
//! - `App::schema` and `App::manifest` (feature `schema`) add commands that list every type, code,
//!   argument and exit number; features `completions` and `man` add those. A program that lists nothing
//!   does not link the code for it, and its replies need no `JsonSchema`.
//! - [`App::unified_errors`] shows people usage errors in the same form as the program's failures; with the feature
//!   `color` help is coloured where they are.
//! - [`App::migrate`] takes a program from one envelope to the next: opt in, default, deprecated,
//!   removed.
//! - [`Secret`] values are in no answer, message or debug output.
//! - [`Call::ask`], [`Call::confirm`], [`Call::edit`] and [`Call::browse`] ask people, if there are
//!   any; [`Call::child`] starts children that neither ask nor colour nor page.
//! - [`Call::check_cancelled`] gives a handler two seconds to tidy up after a signal.
#![cfg_attr(
    feature = "testing",
    doc = "- [`testing`] holds every answer against what was declared, in process and with the real binary."
)]
//!
//! # Signals and threads
//!
//! Only in JSON mode, and only SIGINT, SIGTERM and SIGHUP have a handler of this crate. It is installed
//! with `SA_RESTART` before the program's code runs. A handler that the program installs before or after,
//! also through tokio, signal-hook or ctrlc, takes its place: the program decides, and its answer follows. A thread is
//! started for a time limit, for [`Call::check_cancelled`] and for a
//! stream whose items come fast, and for nothing else.
//!
//! # What is not promised
//!
//! - A process that cannot be kept alive: SIGKILL, SIGQUIT and other signals that are not in the table,
//!   `abort` or a stack overflow. It ends as the system says, and never with an answer that claims
//!   success.
//! - While the answer is being written a first signal, or the end of the time limit, leaves the reader
//!   two seconds, and a second one ends the process at once. A document that is torn by that comes
//!   with a status that says so.
//! - A handler that closes descriptors which it did not open closes stdout, which is one of them: the answer is lost,
//!   stderr says so, and the exit status is a failure.
//! - A process that calls `exec` answers no more; what the new program prints is on stderr.
//! - What a command that returns [`Printed`] prints is kept in a file in memory until it ends. On Linux 5.3 or
//!   later a second process saves it: it is forked before the command runs, writes the text to stderr if the first is
//!   killed, aborts or calls `exec`, and otherwise ends with the answer. Elsewhere, where a sandbox forbids
//!   `fork`, and in the first process of a container, the text is lost then; what a child prints that outlives the
//!   command always is. Such a command is [`Spec::text_only`]. macOS has no file in memory: what the command prints goes to stderr, with a warning.
//! - Outside Linux with glibc a program that calls `std::process::exit` ends without an answer: stdout is empty, and
//!   the exit status is the one it chose. The systems have no call that hands the status to a function at exit.
//! - NaN and infinity become `null`, as `serde_json` writes them; test mode finds it.
//! - Where there is no Unix, nothing guards stdout, and signals and time limits do what the system does
//!   with them.
//!
//! Which requirement of the public specification is met how, and by which test, is in
//! [`requirements`].

mod app;
mod call;
mod classify;
mod clock;
mod code;
mod contract;
mod declared;
mod deliver;
mod derived;
mod erased;
mod error;
mod failure;
mod fit;
mod flag;
mod frame;
mod global_flags;
mod hint;
mod input;
mod meta;
mod mode;
mod options;
mod output;
mod page;
mod panic;
mod prepare;
#[cfg(all(unix, not(manila_portable)))]
mod prepared_answer;
mod printed;
mod process;
mod redirect;
mod relay;
mod reply;
mod respond;
mod safe_text;
mod screen;
mod secret;
mod sink;
mod sys;
mod text;
mod usage;
mod variable;
mod walk;
mod wrap;

#[cfg(feature = "testing")]
pub use app::testing;
pub use app::{App, List, Listed, Unlisted};
pub use call::{Call, Cancelled, Effect};
pub use code::Code;
pub use contract::{Danger, Migration, Spec, Stage};
pub use declared::Declared;
pub use error::{Error, IntoText};
pub use failure::Failure;
pub use flag::Flag;
pub use frame::{Stream, Streamed};
pub use input::InputRequired;
pub use manila::{Exit, Issue, Phase, Severity, dialects};
pub use manila_derive::{Failure, Reply};
pub use mode::Mode;
pub use page::{DEFAULT_LIMIT, Page, PageArgs};
pub use printed::Printed;
pub use redirect::{Reason, Redirect};
pub use reply::{Done, Kind, Paged, Relayed, Reply, Shape};
pub use safe_text::visible;
pub use screen::{Cell, Screen};
pub use secret::{REDACTED, Secret};
pub use variable::Variable;

#[doc = include_str!("../REQUIREMENTS.md")]
pub mod requirements {}

/// What the code of the derives names; not public API.
#[doc(hidden)]
pub mod derive {
    pub use crate::derived::AsError;
    pub use crate::reply::{KindWithSchema, KindWithoutSchema, PayloadOf, append, data_of};
    pub use manila::json::Raw;
    /// What `Reply::data` returns.
    pub type Result<T> = std::result::Result<T, manila::json::SerializeError>;
}
