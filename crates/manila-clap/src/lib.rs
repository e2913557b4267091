//! Any clap program answers in one stable envelope: on success, failure, bad arguments, panic,
//! timeout and signal alike, on the right stream, with the right exit status.
//!
//! # A whole program
//!
//! ```no_run
//! use clap::Parser;
//! use manila_clap::{App, Call, Failure, Reply, Screen, dialects};
//! use schemars::JsonSchema;
//! use serde::Serialize;
//!
//! #[derive(Parser)]
//! #[command(name = "note", version)]
//! enum Cli {
//!     /// Show one note
//!     Show { id: u32 },
//! }
//!
//! #[derive(Serialize, JsonSchema, Reply)]
//! #[reply(kind = "note", show = show)]
//! struct Note { id: u32, text: String }
//!
//! fn show(note: &Note, screen: &mut Screen) {
//!     screen.line(format!("{}: {}", note.id, note.text));
//! }
//!
//! #[derive(Debug, Failure)]
//! enum Problem {
//!     #[failure(exit = NotFound, message = "there is no note {id}", suggestion = "try 1")]
//!     NoSuchNote { id: u32 },
//! }
//!
//! fn run(cli: Cli, _call: &Call) -> Result<Note, Problem> {
//!     match cli {
//!         Cli::Show { id: 1 } => Ok(Note { id: 1, text: "buy milk".to_owned() }),
//!         Cli::Show { id } => Err(Problem::NoSuchNote { id }),
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run)
//! }
//! ```
//!
//! On a terminal it speaks to people; in a pipe, or with `--json` anywhere among its arguments, to
//! programs:
//!
//! ```text
//! $ note show 1
//! 1: buy milk
//! $ note show 7 | cat
//! {"ok":false,"data":null,"error":{"code":"NO_SUCH_NOTE","message":"there is no note 7",
//!  "retryable":false,"phase":"execution","suggestion":"try 1"},"warnings":[],"meta":{…}}
//! ```
//!
//! # Convert a program
//!
//! 1. The clap code stays as it is. A command that was built by hand goes through [`App::of`], and
//!    its handler gets the matches.
//! 2. `main` becomes the line above. Callers who pipe today get JSON from now on; if they must not,
//!    `.piped(Mode::Plain)` keeps them what they had, and `--json` asks for the document.
//!    The dialect is one word: each of [`dialects`] has its own keys,
//!    stream and exit numbers, and nothing else in the program knows which it is.
//! 3. What was printed becomes a value that derives [`Reply`], and the printing a function beside it
//!    that gets a [`Screen`]. Without one the payload shows itself. A handler with several replies
//!    returns an enum of them, which derives [`Reply`] too. What takes long is a [`Call::stream`];
//!    an acknowledgement is [`Done`]. A list is a [`Page`], chosen by `--limit` and `--cursor`:
//!    `#[command(flatten)] page: PageArgs` among the arguments of the command, `page.of(all_notes)`
//!    in its handler, and `#[reply(kind = "note_list", page)] struct Notes(Page<Note>);` as its
//!    reply.
//! 4. What made the program exit becomes a variant that derives [`Failure`]: its code is stable, its
//!    class decides the exit status, and every variant can be listed. A field called `source`, or
//!    marked `#[from]`, is its cause. `#[failure(transparent)]`
//!    passes on the failures of others, such as [`InputRequired`]. Programs that have no codes yet
//!    use `Box<dyn Error + Send + Sync>`.
//! 5. `async fn main` uses [`App::run_async`], on whatever runtime it is.
//!
//! Handlers never build an envelope, print, exit or pick a number. If one prints nevertheless, or a
//! library or a child process does, what it wrote to descriptor 1 is kept out of the answer and told
//! as a warning.
//!
//! # What callers get
//!
//! | they pass | and get |
//! |---|---|
//! | `--json`, `--plain`, `--output` or `--output-format` `rich\|plain\|json\|jsonl`, `<PROGRAM>_OUTPUT` | the answer for people, for grep, for programs, or frame by frame |
//! | `--color`, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, `CI` | colour where it is wanted; never in JSON |
//! | `--quiet` | no warnings and no progress on standard error |
//! | `--timeout 30s` | `TIMEOUT` when it is over, whatever the program does |
//! | `--etag TAG` | `not_modified` while the data are the same |
//! | `--max-bytes N` | a page that fits, and a cursor that leads on, in dialects that have a place for one |
//! | `--heartbeat 5s` | with `jsonl`, a sign of life |
//! | `--validate-only` | whether the arguments are right, and nothing done |
//! | `--no-input` | never a question; the failure names the flag that answers it |
//! | `--yes` | confirmation of what cannot be undone |
//! | wrong arguments | all mistakes in one answer, the closest match, phase `validation`, nothing done |
//! | the old name of a command | `REDIRECTED` with the exact new call, for good or for now, see [`App::moved`] |
//! | SIGINT, SIGTERM, SIGHUP | `CANCELLED`, exit status 128 and the signal's number where the dialect allows it |
//!
//! All of them work in any position, and a program's own flag of the same name wins: where it has an
//! `--output` of its own, ours is `--output-format`. They are in the help under "Answer". In CI a
//! terminal is a pipe.
//!
//! # What authors can add
//!
//! - [`App::command`] declares what a command answers, how it fails, how dangerous it is, that it is
//!   deprecated or has no JSON form; [`App::moved`] keeps the callers of old names.
//! - [`App::schema`] and [`App::manifest`] add commands that list every type, code, argument and exit
//!   number; features `completions` and `man` add those. A program that lists nothing does not carry
//!   the code for it.
//! - [`App::migrate`] takes a program from one envelope to the next: opt in, default, deprecated,
//!   removed.
//! - [`Secret`] values reach neither output nor errors, debug logs or panics.
//! - [`Call::ask`], [`Call::confirm`], [`Call::edit`] and [`Call::browse`] ask people, if there are
//!   any; [`Call::child`] starts children that neither ask nor colour nor page.
//! - [`Call::check_cancelled`] gives a handler two seconds to tidy up after a signal.
#![cfg_attr(
    feature = "testing",
    doc = "- [`testing`] holds every answer against what was declared, in process and with the real binary."
)]
//!
//! # What is not promised
//!
//! - A process that nobody can keep alive: SIGKILL, SIGQUIT and other signals that are not in the
//!   table, `abort`, a stack overflow, or a handler that calls `std::process::exit`. It ends as the
//!   system says, and never with an answer that claims success.
//! - While the answer is being written a first signal, or the end of the time limit, leaves the reader
//!   two seconds, and a second one ends the process at once. A document that is torn by that comes
//!   with a status that says so.
//! - The signals are SIGIO, which reports what others print, SIGALRM, which is the clock, and the three
//!   of the table. A handler that takes one of them over, or blocks it, takes over what it does here. A
//!   daemon that a handler leaves behind needs a standard output of its own.
//! - The panic hook is ours from the moment of `run`; set another one before and it is not called.
//! - NaN and infinity become `null`, as `serde_json` writes them; test mode finds it.
//! - Where there is no Unix, nothing guards standard output, and signals and time limits do what the
//!   system does with them.
//!
//! Which requirement of the public specification is met how, and by which test, is in
//! [`requirements`].

mod app;
mod builtin;
mod call;
mod code;
mod contract;
mod failure;
mod fit;
mod flag;
mod frame;
mod hint;
mod input;
#[cfg(all(unix, not(manila_portable)))]
mod last_words;
mod mode;
mod page;
mod panic;
mod prepare;
mod process;
mod redirect;
mod relay;
mod reply;
mod screen;
mod seal;
mod secret;
mod settle;
mod setup;
mod sys;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod usage;
mod walk;

pub use app::{App, List, Listed, Unlisted};
pub use call::{Call, Cancelled, Effect};
pub use code::Code;
pub use contract::{Danger, Migration, Spec, Stage};
pub use failure::{Declared, Failure, IntoText, Problem};
pub use frame::{Stream, Streamed};
pub use input::InputRequired;
pub use manila::{Exit, Issue, Phase, Severity, dialects};
pub use manila_derive::{Failure, Reply};
pub use mode::Mode;
pub use page::{DEFAULT_LIMIT, Page, PageArgs};
pub use redirect::{Reason, Redirect};
pub use reply::{Done, Kind, Paged, Relayed, Reply, Shape};
pub use screen::{Cell, Screen, visible};
pub use secret::{REDACTED, Secret};

#[doc = include_str!("../REQUIREMENTS.md")]
pub mod requirements {}

/// What the derives name; not for anybody else.
#[doc(hidden)]
pub mod derive {
    pub use crate::reply::data_of;
    pub use manila::json::Raw;
    pub use serde_json::Result;
}
