//! A dialect as a table: its keys, its marks, its numbers, as plain data.
//!
//! Everything that manila knows of a dialect derives from its [`Table`]: detection, reading, writing,
//! the JSON Schema, the contract that logs are judged by. A built-in table is a `static`, and one that
//! was loaded from a file is the same type.

mod detect;
mod fields;
mod http;
mod implied;
mod key;
mod marks;
mod pattern;
mod read;
#[cfg(feature = "serde_json")]
mod schema;
mod stream;
mod wait;
mod write;

pub(crate) use detect::detect;
#[cfg(feature = "dialect-files")]
pub(crate) use detect::holds;
pub use fields::{Fields, Notes, Place, Presence, Unknown};
#[cfg(feature = "dialect-files")]
pub(crate) use http::class as http_class;
pub(crate) use implied::{gravest, implied};
pub(crate) use key::described;
pub use key::{Field, Key, Need, Null, Outcomes, Rest, Role, Type};
pub use marks::{Is, Level, Marks, Shape, Test, is, is_not};
pub use pattern::matches;
pub(crate) use read::open;
pub use stream::{IssuePaths, Line, LineHolds};
pub(crate) use stream::{collect, error_in_line, held_by_line};
pub(crate) use write::{write, write_extra};

use crate::exit::{Exit, ExitTable, Grain};
use crate::json::{Document, Style, Value};
use crate::mark::FailureMark;
use crate::names::names;
use crate::transcript::Stream;
use std::borrow::Cow;

/// The code of an error that stands for a document which breaks its own shape.
pub const MALFORMED: &str = "MALFORMED_ENVELOPE";

/// How deep keys may be nested.
pub(crate) const DEEPEST: usize = 8;

/// One dialect.
#[derive(Debug)]
pub struct Table {
    /// Its name and revision, such as `animus/1`.
    pub id: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The title of its JSON Schema.
    pub title: &'static str,
    /// The description in its JSON Schema.
    pub description: &'static str,
    /// Its page: what it promises, how it is read, what it cannot say.
    pub page: &'static str,
    /// Where its JSON Schema comes from.
    pub schema: Schema,
    /// Its numbers.
    pub exits: &'static ExitTable,
    /// The classes of the error codes it knows.
    pub codes: &'static [(&'static str, Exit)],
    /// Whether an error may have a code that is not among `codes`.
    pub code_set: CodeSet,
    /// The contract version that its documents state, if they state one.
    pub version: Option<&'static str>,
    /// Where a document states its revision, and which revisions are known.
    pub revision: Option<Revision>,
    /// Whether its documents have a place for warnings and for anything about the answer.
    pub has_meta: bool,
    /// What its name for an answer's kind says.
    pub kind: KindNames,
    /// How a success is written.
    pub success: Form,
    /// How a failure is written.
    pub failure: Form,
    /// What distinguishes a success from a failure.
    pub outcome: OutcomeFrom,
    /// What its documents are recognised by.
    pub marks: Marks,
    /// Its keys, in the order in which they are written.
    pub keys: &'static [Key],
    /// The lines before the deciding one, if its answers are streams of lines.
    pub lines: &'static [Line],
    /// What becomes of top-level members that are not among `keys`.
    pub rest: Rest,
    /// Members of `meta` that say why a success has no data.
    pub no_data: &'static [&'static str],
}

/// Where the JSON Schema of a dialect comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// From the keys.
    Generated,
    /// From a file beside the dialect, which says more than keys can.
    Own(&'static str),
}

names! {
    /// Whether a set of error codes is complete.
    CodeSet {
        /// Programs have codes of their own.
        Open = "open",
        /// Any other code is written as the first one of its class.
        Closed = "closed",
    }
}

names! {
    /// What distinguishes a success from a failure.
    OutcomeFrom {
        /// The keys of the fields `ok`, `failed`, `outcome` and `status`.
        Keys = "keys",
        /// Whether there is an error.
        Error = "error",
        /// Every document of the dialect is a failure; a success has no envelope.
        Failure = "failure",
    }
}

names! {
    /// What a dialect's name for an answer's kind says.
    KindNames {
        /// The shape of the payload, whichever command answered.
        Type = "type",
        /// The command, whatever its payload is.
        Command = "command",
    }
}

/// Where a document goes and how it is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The stream it goes to.
    pub stream: Stream,
    /// How it is spelled.
    pub style: Style,
}

/// Where a dialect's documents state their revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The key, or the path to it, such as `meta.schema_version`.
    pub path: &'static str,
    /// Patterns of the revisions that are known; see [`matches()`].
    pub known: &'static [&'static str],
}

impl Revision {
    /// Whether a revision is known here.
    pub fn is_known(&self, stated: &str) -> bool {
        self.known.iter().any(|pattern| matches(pattern, stated))
    }

    /// The revision that a document states, if it is not known. What is not a string is compared as
    /// it is spelled.
    pub(crate) fn unknown<'t>(
        &self,
        document: &Document<'t, '_>,
    ) -> Option<(Value<'t>, Cow<'t, str>)> {
        let stated = at(document, self.path)?;
        let text = stated.string().unwrap_or(Cow::Borrowed(stated.text()));
        (!stated.is_null() && !self.is_known(&text)).then_some((stated, text))
    }
}

impl Table {
    /// What most dialects have in common, so that each states only what is its own: compact documents on stdout,
    /// open codes, other members kept. It has no id, exits, marks or keys.
    pub const PLAIN: Table = Table {
        id: "",
        summary: "",
        title: "",
        description: "",
        page: "",
        schema: Schema::Generated,
        exits: &ExitTable::COARSE,
        codes: &[],
        code_set: CodeSet::Open,
        version: None,
        revision: None,
        has_meta: false,
        kind: KindNames::Type,
        success: Form { stream: Stream::Stdout, style: Style::COMPACT },
        failure: Form { stream: Stream::Stdout, style: Style::COMPACT },
        outcome: OutcomeFrom::Keys,
        marks: Marks::NONE,
        keys: &[],
        lines: &[],
        rest: Rest::Kept,
        no_data: &[],
    };

    /// How such an outcome is written.
    pub fn form(&self, ok: bool) -> Form {
        if ok { self.success } else { self.failure }
    }

    /// Every key, each before the keys of its members. It is asked for each record of a log, and does not
    /// allocate.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        let mut pending: [std::slice::Iter<'static, Key>; DEEPEST] = Default::default();
        pending[0] = self.keys.iter();
        let mut depth = 0;
        std::iter::from_fn(move || {
            loop {
                if let Some(key) = pending[depth].next() {
                    if depth + 1 < DEEPEST {
                        depth += 1;
                        pending[depth] = key.keys.iter();
                    }
                    return Some(key);
                }
                depth = depth.checked_sub(1)?;
            }
        })
    }

    /// Whether a field of the normal form has a place in its documents.
    pub fn has(&self, field: Field) -> bool {
        // It is asked in signal handlers, and does not allocate.
        fn has(keys: &[Key], field: Field) -> bool {
            keys.iter().any(|key| (key.field == field && key.is_written()) || has(key.keys, field))
        }
        has(self.keys, field)
    }

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

/// The value at a path of a document.
pub(crate) fn at<'t>(document: &Document<'t, '_>, path: &str) -> Option<Value<'t>> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let value = document.get(first)?;
    rest.map_or(Some(value), |rest| value_at(value, rest))
}

/// The value at a path below a value. A number leads to an element of an array.
pub(crate) fn value_at<'t>(value: Value<'t>, path: &str) -> Option<Value<'t>> {
    path.split('.').try_fold(value, |value, name| match name.parse() {
        Ok(at) => value.elements().nth(at),
        Err(_) => value.members().filter(|it| it.is(name)).last().map(|it| it.value),
    })
}

names! {
    /// How sure a match is.
    #[derive(PartialOrd, Ord)]
    Confidence {
        /// It could be; other formats look like this too.
        Possible = "possible",
        /// It looks like this dialect and like no other that is known.
        Likely = "likely",
        /// It carries the dialect's own marks.
        Certain = "certain",
    }
}

impl Confidence {
    /// What it means, in one sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Confidence::Possible => "It could be this dialect; other formats look like it too.",
            Confidence::Likely => "It looks like this dialect and like no other that is known.",
            Confidence::Certain => "It carries the dialect's own marks.",
        }
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
    /// It is not known which of two tables statuses 2 and 3 belong to.
    pub ambiguous_revision: bool,
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
    /// A key of the envelope itself occurs twice, and the last one was taken.
    pub duplicate_key: bool,
    /// The failure names no error; the envelope's was made from its class.
    pub error_implied: bool,
    /// The class that the HTTP status in it stands for.
    pub http_class: Option<Exit>,
    /// It is data without an envelope, from a program that writes one for failures only.
    pub bare: bool,
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
    /// The exit status of a program that does not use the dialect's number for this failure.
    pub status: Option<i32>,
}

impl Defaults {
    /// The exit status of an envelope: the program's own, or the number in the dialect's table.
    pub(crate) fn status(&self, exits: &ExitTable, exit: Exit) -> i32 {
        let own = self.status.filter(|_| !exit.is_success());
        own.unwrap_or_else(|| exits.status(exit))
    }
}

impl Default for Defaults {
    fn default() -> Self {
        let timestamp = Cow::Borrowed("1970-01-01T00:00:00Z");
        Defaults { timestamp, kind: Cow::Borrowed("result"), status: None }
    }
}
