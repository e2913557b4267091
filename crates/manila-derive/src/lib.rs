//! The derives of `manila-clap`, which re-exports both: [`macro@Failure`] for the errors of a
//! program, [`macro@Reply`] for what its commands answer.

mod attribute;
mod failure;
mod reply;
mod template;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

/// Derives `manila_clap::Failure`, and with it `Display` and `Error`.
///
/// It goes on an enum, whose every variant has a code and an exit class, or on a struct, which is
/// read as a single variant.
///
/// ```
/// use manila_clap::{Exit, Failure};
/// use std::io;
/// use std::path::PathBuf;
/// use std::time::Duration;
///
/// #[derive(Debug, Failure)]
/// enum NoteError {
///     /// There is no note of that name.
///     #[failure(
///         exit = NotFound,
///         code = "NOTE_NOT_FOUND",
///         message = "no note {name:?}",
///         suggestion = "see `notes list`",
///         missing = name.as_str()
///     )]
///     NotFound { name: String },
///
///     /// cannot read {path:?}
///     #[failure(exit = General, operation = "open", target = path.display().to_string())]
///     Unreadable {
///         path: PathBuf,
///         #[source]
///         source: io::Error,
///     },
///
///     #[failure(exit = RateLimited, message = "too many calls", wait = *_0)]
///     Busy(Duration),
///
///     #[failure(transparent)]
///     Sync(#[from] SyncError),
/// }
///
/// #[derive(Debug, Failure)]
/// #[failure(exit = Unavailable, message = "{0} does not answer", wait = "30s")]
/// struct SyncError(String);
///
/// let error = NoteError::NotFound { name: "milk".to_owned() };
/// assert_eq!(error.to_string(), "no note \"milk\"");
///
/// let error = NoteError::from(SyncError("example.org".to_owned()));
/// assert_eq!(error.to_string(), "example.org does not answer");
///
/// let mut list = Vec::new();
/// NoteError::declared(&mut list);
/// let codes: Vec<&str> = list.iter().map(|declared| declared.code).collect();
/// assert_eq!(codes, ["NOTE_NOT_FOUND", "UNREADABLE", "BUSY", "SYNC_ERROR"]);
/// assert_eq!(list[0].meaning, "There is no note of that name.");
/// assert_eq!(list[3].exit, Exit::Unavailable);
/// ```
///
/// # Keys of a variant
///
/// They are in `#[failure(…)]` on the variant, or on the struct.
///
/// | key | says |
/// |---|---|
/// | `exit = NotFound` | the exit class: a variant of `manila_clap::Exit` other than `Success`. The only key that must be there |
/// | `status = 100` | the exit status, if it is not the one of the class in the dialect's table |
/// | `code = "…"` | the stable code; without it, the variant's name as `NOT_FOUND`. No two variants have the same |
/// | `message = text` | the message for people; without it, the doc comment, its lines joined |
/// | `suggestion = text` | what to do next |
/// | `retryable`, `retryable = false` | whether the same call may work; without it, the class says so |
/// | `wait = "30s"`, `wait = expression` | how long to wait before it: a literal in `ms`, `s`, `m` or `h`, or a `Duration`, also in an `Option` |
/// | `phase = Validation` | how far it had come: `Validation`, which promises that nothing was changed, `Execution` or `Cleanup`; without it, `Execution` |
/// | `detail = text` | the text of the underlying error; without it, the message of the source, unless the message has it |
/// | `details = expression` | structured context: anything that serialises |
/// | `operation = text` | what failed: a system call or a method |
/// | `target = text` | what it failed on |
/// | `missing = text` | the name of the entity that does not exist |
/// | `fix = text` | what must be true before calling again |
/// | `fix_command = text` | a command that makes it true |
/// | `redirect = expression` | the exact call to make instead, a `manila_clap::Redirect`; it goes with `exit = Redirected` |
/// | `data = field` | a field that is a reply, to be shown although it failed |
/// | `show = text` | what people get on stderr in place of `error[CODE]: message` |
/// | `silent` | that people get no message, only the exit status |
/// | `transparent` | that the only field, a failure itself, says everything |
///
/// **Text** is one of two things. A literal is a format string in which fields have their names,
/// `{id}` or `{path:?}` or `{size:>width$}`, and those without a name their number, `{0}`. Anything
/// else is an expression, in which fields are references under their names, and those without one
/// are `_0`, `_1` and so on. It makes a `String` or a `&str`, and but for the message also an
/// `Option` of one.
///
/// # Marks of a field
///
/// | mark | says |
/// |---|---|
/// | `#[source]` | that the field caused it: `Error::source` returns it. It may be an `Option`, a `Box<dyn Error>`, an `anyhow::Error` or an `eyre::Report` |
/// | `#[from]` | the same, and that the variant, which has no other field, is made `From` it |
///
/// A transparent variant has the source of its field.
///
/// # Keys of the type
///
/// | key | says |
/// |---|---|
/// | `no_error` | that `Display` and `Error` are written by hand; `message = self.to_string()` uses them |
/// | `crate = path` | where `manila_clap` is, if it is re-exported by another crate |
///
/// # Beside `thiserror`
///
/// A type that derives `thiserror::Error` too needs no attributes: `#[error("…")]` is the message,
/// the exit class is `General`, the code is the name of the variant. `thiserror` writes `Display`,
/// `Error` and `From`; every key above is still read.
///
/// ```
/// use manila_clap::{Exit, Failure};
///
/// #[derive(Debug, thiserror::Error, Failure)]
/// enum NoteError {
///     #[error("no note {0}")]
///     #[failure(exit = NotFound)]
///     NoNote(u32),
///     #[error(transparent)]
///     Io(#[from] std::io::Error),
/// }
///
/// let mut list = Vec::new();
/// NoteError::declared(&mut list);
/// assert_eq!((list[0].code, list[0].exit), ("NO_NOTE", Exit::NotFound));
/// assert_eq!((list[1].code, list[1].exit), ("IO", Exit::General));
/// ```
///
/// # What is declared
///
/// `Failure::declared` lists the variants in their order, those of a transparent variant in its
/// place. The meaning of each is its doc comment, or else the literal of its message, or else what
/// its class means. A suggestion is listed if it is a literal.
#[proc_macro_derive(Failure, attributes(failure, from, source))]
pub fn failure(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    failure::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Derives `manila_clap::Reply`.
///
/// On a struct, which also derives `Serialize`, it is one kind of payload. Programs that list their
/// answers derive `schemars::JsonSchema` too. On an enum whose variants each hold one reply, it is
/// whichever it holds.
///
/// ```
/// use manila_clap::{Done, Reply, Screen, Shape};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Serialize, JsonSchema, Reply)]
/// #[reply(kind = "note", show = show_note, legacy = only_text)]
/// struct Note {
///     id: u32,
///     text: String,
/// }
///
/// fn show_note(note: &Note, screen: &mut Screen) {
///     screen.field("text", &note.text);
/// }
///
/// fn only_text(note: &Note) -> impl Serialize {
///     note.text.clone()
/// }
///
/// #[derive(Reply)]
/// enum Answer {
///     Note(Note),
///     Removed(Done),
/// }
///
/// let answer = Answer::Note(Note { id: 7, text: "milk".to_owned() });
/// assert_eq!(answer.kind(), "note");
/// assert_eq!(answer.data(Shape::Current)?.as_str(), r#"{"id":7,"text":"milk"}"#);
/// assert_eq!(answer.data(Shape::Legacy)?.as_str(), r#""milk""#);
///
/// let mut list = Vec::new();
/// Answer::kinds(&mut list);
/// let names: Vec<&str> = list.iter().map(|kind| kind.name).collect();
/// assert_eq!(names, ["note", "message"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Keys
///
/// They are in `#[reply(…)]` on the struct; an enum has `crate` alone.
///
/// | key | says |
/// |---|---|
/// | `kind = "…"` | the stable name of the payload's shape; without it, the type's name as `two_words` |
/// | `show = function` | a `fn(&Self, &mut Screen)` that shows it to people; without it, the payload is laid out |
/// | `legacy = function` | a `fn(&Self) -> impl Serialize` that makes the payload for callers of the older envelope |
/// | `page` | that the type is a newtype around a `Page` |
/// | `page = field` | that this field is the page, and its list the payload, as with `#[serde(transparent)]` |
/// | `crate = path` | where `manila_clap` is, if it is re-exported by another crate |
#[proc_macro_derive(Reply, attributes(reply))]
pub fn reply(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    reply::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// An implementation of a trait for the type that derives it.
fn implement(
    input: &DeriveInput,
    trait_: &proc_macro2::TokenStream,
    body: &proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let name = &input.ident;
    let (parameters, arguments, conditions) = input.generics.split_for_impl();
    // Every field is bound, whether an expression of the author's needs it or not, and one without
    // a name as `_0`. A variant that is deprecated still has to be matched.
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_variables, clippy::used_underscore_binding)]
        impl #parameters #trait_ for #name #arguments #conditions {
            #body
        }
    }
}
