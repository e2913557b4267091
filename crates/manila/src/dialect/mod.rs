//! The dialects, one file each, and the table of them.
//!
//! A new dialect is a new file in this folder, its page and its schema beside it, and one line in
//! [`DIALECTS`]; nothing else changes.

mod animus_1;
mod claw_1_0;
mod claw_2_0;
mod i18nprune_1;
mod response_envelope_1_0;
mod response_envelope_1_6;
mod td_1;

use crate::envelope::{Content, Envelope};
use crate::exit::{Exit, ExitTable, Grain};
use crate::json::{Document, Kind, Members, ObjectWriter, Raw, Style, Value};
use crate::mark::{self, FailureMark};
use crate::open::Fields;
use crate::transcript::Stream;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

macro_rules! dialects {
    ($($name:ident = $dialect:expr;)*) => {
        /// Every dialect, in the order in which equally good matches are preferred.
        pub static DIALECTS: &[&dyn Dialect] = &[$(&$dialect,)*];

        /// The dialects by name, for programs that speak one and should carry no other.
        pub mod dialects {
            use super::*;

            $(
                #[doc = concat!("The dialect of the module `", stringify!($name), "`, in capitals.")]
                pub static $name: &dyn Spoken = &$dialect;
            )*
        }
    };
}

dialects! {
    RESPONSE_ENVELOPE_1_0 = response_envelope_1_0::ResponseEnvelope10;
    RESPONSE_ENVELOPE_1_6 = response_envelope_1_6::ResponseEnvelope16;
    ANIMUS_1 = animus_1::Animus1;
    CLAW_1_0 = claw_1_0::Claw10;
    CLAW_2_0 = claw_2_0::Claw20;
    TD_1 = td_1::Td1;
    I18NPRUNE_1 = i18nprune_1::I18nprune1;
}

/// A dialect as a program knows it that only speaks it. It is apart from reading so that such a
/// program need not carry what reading takes.
pub trait Spoken: Sync {
    /// Everything about it that is not code.
    fn about(&self) -> &'static About;

    /// Writes an envelope's document, leaving out what the dialect cannot say.
    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>);
}

/// One way to write an envelope. The dialects are the ones in [`DIALECTS`]; what they have in common
/// is public, how they are read and written is theirs.
pub trait Dialect: Spoken {
    /// Whether a document is one of its envelopes; from its keys alone, never from its payload.
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match>;

    /// Takes a document apart.
    #[doc(hidden)]
    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims);
}

/// What a dialect is.
#[derive(Debug)]
pub struct About {
    /// Its name and revision, such as `animus/1`.
    pub id: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Its page: what it promises, how it is read, what it cannot say.
    pub page: &'static str,
    /// The JSON Schema that its documents satisfy.
    pub schema: &'static str,
    /// Its numbers.
    pub exits: &'static ExitTable,
    /// The classes of the error codes it knows.
    pub codes: &'static [(&'static str, Exit)],
    /// The contract version that its documents state, if they state one.
    pub version: Option<&'static str>,
    /// Where a document states its revision, and which revisions are known.
    pub revision: Option<Revision>,
    /// Whether its documents have a place for warnings and for anything about the answer.
    pub roomy: bool,
    /// What its name for an answer's kind tells.
    pub kind: KindNames,
    /// How a success is written.
    pub success: Form,
    /// How a failure is written.
    pub failure: Form,
}

impl About {
    /// The class that an error's code stands for: the dialect's own codes, then the names of classes,
    /// then the two families that every dialect spells alike.
    pub fn class_of_code(&self, code: &str) -> Option<Exit> {
        let own = self.codes.iter().find(|(own, _)| *own == code).map(|(_, exit)| *exit);
        let named = || Exit::from_name(code).filter(|exit| !exit.is_success());
        own.or_else(named).or_else(|| {
            let bytes = code.as_bytes();
            let ends = |end: &[u8]| {
                let tail = bytes.len().checked_sub(end.len()).and_then(|at| bytes.get(at..));
                tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
            };
            let begins = bytes.get(..6).is_some_and(|it| it.eq_ignore_ascii_case(b"token_"));
            if ends(b"not_found") {
                Some(Exit::NotFound)
            } else {
                begins.then_some(Exit::AuthRequired)
            }
        })
    }

    /// The class of a failure that states its number; where the table lumps classes together, what
    /// its error stands for says more.
    pub fn class_of_number(&self, number: i32, error: impl FnOnce() -> Option<Exit>) -> Exit {
        let exit = self.exits.row(number).map_or(Exit::General, |row| row.exit);
        match self.exits.grain {
            Grain::Coarse if exit == Exit::General => error().unwrap_or(exit),
            _ => exit,
        }
    }
}

/// Where a dialect's documents state their revision.
#[derive(Debug)]
pub struct Revision {
    /// The key, or the object and the key in it.
    pub path: &'static [&'static str],
    /// Whether a revision is known here.
    pub is_known: fn(&str) -> bool,
}

impl Revision {
    /// The revision that a document states, if it is not known. What is no text is compared as it is
    /// spelled.
    pub(crate) fn unknown<'t>(
        &self,
        document: &Document<'t, '_>,
    ) -> Option<(Value<'t>, Cow<'t, str>)> {
        let (first, rest) = self.path.split_first()?;
        let within = |object: Value<'t>, key: &&str| {
            object.members().filter(|member| member.is(key)).last().map(|member| member.value)
        };
        let stated = rest.iter().try_fold(document.get(first)?, within)?;
        let text = stated.string().unwrap_or(Cow::Borrowed(stated.text()));
        (!stated.is_null() && !(self.is_known)(&text)).then_some((stated, text))
    }
}

/// What a dialect's name for an answer's kind tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindNames {
    /// The shape of the payload, whichever command answered.
    Type,
    /// The command, whatever its payload is.
    Command,
}

/// Where a document goes and how it is spelled.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The stream it goes to.
    pub stream: Stream,
    /// How it is spelled.
    pub style: Style,
}

macro_rules! known_by_its_id {
    ($($view:ident)*) => {$(
        impl dyn $view + '_ {
            /// Its name and revision, such as `animus/1`.
            pub fn id(&self) -> &'static str {
                self.about().id
            }

            /// How such an outcome is written.
            pub fn form(&self, ok: bool) -> Form {
                if ok { self.about().success } else { self.about().failure }
            }

            /// The number of a class.
            pub fn status(&self, exit: Exit) -> i32 {
                self.about().exits.status(exit)
            }
        }

        impl fmt::Debug for dyn $view + '_ {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.id())
            }
        }
    )*};
}

known_by_its_id! { Spoken Dialect }

/// The dialect of that id.
pub fn dialect(id: &str) -> Option<&'static dyn Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.id() == id)
}

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It could be; other formats look like this too.
    Possible,
    /// It looks like this dialect and like no other that is known.
    Likely,
    /// It carries the dialect's own marks.
    Certain,
}

impl Confidence {
    /// Every confidence, the surest last.
    pub const ALL: &'static [Confidence] =
        &[Confidence::Possible, Confidence::Likely, Confidence::Certain];

    /// Its word, as in the JSON.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        }
    }

    /// What it means, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Confidence::Possible => "It could be this dialect; other formats look like it too.",
            Confidence::Likely => "It looks like this dialect and like no other that is known.",
            Confidence::Certain => "It carries the dialect's own marks.",
        }
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// That a document is an envelope of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Which of the shapes the dialect reads.
    pub shape: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// The outcome that the document claims, if it does.
    pub ok: Option<bool>,
}

/// What a document says of its own outcome.
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a document may say or not")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Success or failure.
    pub ok: Option<bool>,
    /// The number that the process ends with.
    pub exit_code: Option<i32>,
    /// Nothing tells which of two tables statuses 2 and 3 belong to.
    pub unmarked: bool,
    /// It states a revision of its dialect that is not known here.
    pub unknown_revision: bool,
    /// It says that it failed with a key that its dialect does not have for that.
    pub failure_mark: Option<FailureMark>,
    /// The dialect always writes `error`, and this success of a program that does not claim the
    /// dialect has no such key.
    pub error_absent: bool,
    /// Why it cannot be trusted to be an envelope at all.
    pub malformed: Option<Malformed>,
    /// A flag that is neither true nor false, so that it is not known whether the data are whole.
    pub unclear: Option<&'static str>,
    /// The dialect always writes `warnings`, and this document does not.
    pub warnings_absent: bool,
    /// A key of the envelope itself stands there twice, and the last one was taken.
    pub torn: bool,
    /// The failure names no error; the envelope's was made from its class.
    pub error_implied: bool,
}

/// How a document breaks the shape of its own dialect so that its outcome is unclear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The dialect always writes `error`, and this document has no such key.
    ErrorKeyAbsent,
    /// There is neither data nor error.
    NothingSaid,
}

/// What a dialect requires and an envelope may not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// When it was written, as ISO 8601 in UTC.
    pub timestamp: Cow<'static, str>,
    /// What it is about, when the envelope does not say.
    pub kind: Cow<'static, str>,
}

impl Default for Defaults {
    fn default() -> Self {
        let timestamp = Cow::Borrowed("1970-01-01T00:00:00Z");
        Defaults { timestamp, kind: Cow::Borrowed("result") }
    }
}

/// Writes members that belong to no field, but never a second value for a key that has its own.
fn write_extra(extra: &Members, taken: &[&str], out: &mut ObjectWriter<'_>) {
    for (key, value) in extra.iter().filter(|(key, _)| !taken.contains(key)) {
        out.foreign(key, value);
    }
}

/// Writes `data` where a dialect allows only objects and arrays: a plain value is put into an
/// object, and nothing is an empty one.
fn write_container(data: Option<&Raw>, document: &mut ObjectWriter<'_>) {
    match data.map(|data| (data, data.value().kind())) {
        Some((data, Kind::Object | Kind::Array)) => document.raw("data", data),
        Some((_, Kind::Null)) | None => document.object("data", |_| {}),
        Some((data, _)) => document.object("data", |object| object.raw("value", data)),
    }
}

/// Whether the members of a payload can stand at the top of a document without being taken for its
/// outcome or for a page of a list.
fn is_plain_payload(data: &Raw) -> bool {
    let value = data.value();
    mark::find(value.members()).is_none() && !value.members().any(|it| it.is("pagination"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test compares the table with the folder")]
    fn the_table_and_the_folder_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dialect");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder of this file")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mod.rs")
            .collect();
        let expected: BTreeSet<String> = DIALECTS
            .iter()
            .map(|dialect| dialect.id().replace(['/', '-', '.'], "_"))
            .flat_map(|stem| [".rs", ".md", ".schema.json"].map(|end| format!("{stem}{end}")))
            .collect();
        assert_eq!(files, expected);
    }

    #[test]
    fn ids_are_unique_and_found() {
        for one in DIALECTS {
            assert!(dialect(one.id()).is_some_and(|found| found.id() == one.id()));
        }
        assert!(dialect("nobody/9").is_none());
    }

    #[test]
    fn every_page_begins_with_its_dialect() {
        for dialect in DIALECTS {
            assert!(dialect.about().page.starts_with(&format!("# {}\n", dialect.id())));
        }
    }
}
