//! What a record can break: one id each, with its meaning.

use manila::json::FlawKind;
use std::fmt;

macro_rules! rules {
    ($($name:ident = $id:literal, $meaning:literal;)*) => {
        /// Something that a record can break.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule { $(#[doc = $meaning] $name,)* }

        /// Every rule, in the order in which a record is judged.
        pub static RULES: &[Rule] = &[$(Rule::$name,)*];

        impl Rule {
            /// The stable id, in kebab case; it names the flaw.
            pub fn id(self) -> &'static str {
                match self { $(Rule::$name => $id,)* }
            }

            /// One sentence on what is wrong.
            pub fn meaning(self) -> &'static str {
                match self { $(Rule::$name => $meaning,)* }
            }
        }
    };
}

rules! {
    RecordTooLarge = "record-too-large", "The record is larger than the limit; it was passed over unread.";
    InvalidJson = "invalid-json", "A byte is not allowed at this place in JSON.";
    TruncatedDocument = "truncated-document", "The record ends inside a value.";
    TrailingBytes = "trailing-bytes", "More bytes follow the document on its line.";
    InvalidUtf8 = "invalid-utf8", "The bytes are not UTF-8.";
    RawControlCharacter = "raw-control-character", "A string has an unescaped control character.";
    BadEscape = "bad-escape", "A backslash is not followed by a valid escape.";
    BadNumber = "bad-number", "A number is not spelled as JSON spells numbers.";
    NotANumber = "not-a-number", "NaN or Infinity, which JSON does not have.";
    TooDeep = "too-deep", "Arrays and objects are nested deeper than the limit.";
    ByteOrderMark = "byte-order-mark", "There is a byte-order mark before the document; most parsers reject it.";
    NotAnObject = "not-an-object", "The document is a plain value or an array; every envelope is an object.";
    UnknownDialect = "unknown-dialect", "The document is not an envelope of a known dialect.";
    DuplicateKey = "duplicate-key", "A key of the envelope itself occurs twice; parsers disagree on which counts.";
    MissingField = "missing-field", "A key that the dialect requires is absent.";
    NullOutOfPlace = "null-out-of-place", "A key holds null where the dialect wants a value or no key at all.";
    WrongType = "wrong-type", "A key's value has a type that the dialect does not allow.";
    ErrorOnSuccess = "error-on-success", "The record says that it succeeded and carries an error.";
    FailureWithoutError = "failure-without-error", "The record says that it failed and does not say why.";
    DataOnFailure = "data-on-failure", "A failure carries what only a success has in this dialect.";
    NothingSaid = "nothing-said", "Neither data nor error says anything, and nothing says why.";
}

impl Rule {
    /// The rule of that id.
    pub fn from_id(id: &str) -> Option<Rule> {
        RULES.iter().copied().find(|rule| rule.id() == id)
    }
}

impl From<FlawKind> for Rule {
    fn from(kind: FlawKind) -> Rule {
        match kind {
            FlawKind::UnexpectedEnd => Rule::TruncatedDocument,
            FlawKind::TrailingBytes => Rule::TrailingBytes,
            FlawKind::InvalidUtf8 => Rule::InvalidUtf8,
            FlawKind::RawControlCharacter(_) => Rule::RawControlCharacter,
            FlawKind::BadEscape => Rule::BadEscape,
            FlawKind::BadNumber => Rule::BadNumber,
            FlawKind::NotANumber => Rule::NotANumber,
            FlawKind::TooDeep => Rule::TooDeep,
            FlawKind::TooLarge => Rule::RecordTooLarge,
            _ => Rule::InvalidJson,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A rule that a record breaks, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// What is broken.
    pub rule: Rule,
    /// Where, as an offset into the record's bytes.
    pub offset: usize,
    /// Which key of the envelope, such as `error.code`, where naming it helps.
    pub key: Option<&'static str>,
}
