//! What was odd about bytes that could still be read, each with its place.

use serde::Serialize;
use std::fmt;
use std::ops::Range;

/// How many facts one reading keeps; hostile input could otherwise make the list as long as itself.
const KEPT: usize = 64;

macro_rules! fact_kinds {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $meaning:literal;)*) => {
        /// The kinds of oddity, each with a stable id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FactKind { $($(#[$doc])* $name,)* }

        impl FactKind {
            /// Every kind, in the order of its declaration.
            pub const ALL: &'static [FactKind] = &[$(FactKind::$name,)*];

            /// The stable id, in kebab case.
            pub fn id(self) -> &'static str {
                match self { $(FactKind::$name => $id,)* }
            }

            /// One sentence on what it means for a caller.
            pub fn meaning(self) -> &'static str {
                match self { $(FactKind::$name => $meaning,)* }
            }
        }
    };
}

fact_kinds! {
    /// U+FEFF comes before the document.
    ByteOrderMark = "byte-order-mark",
        "There is a byte-order mark before the document; most parsers reject it.";
    /// An object names the same key twice.
    DuplicateKey = "duplicate-key",
        "An object has the same key twice; parsers disagree on which value counts.";
    /// A `\u` escape names half of a surrogate pair.
    LoneSurrogate = "lone-surrogate",
        "A string escapes half of a surrogate pair; it is not a character and becomes U+FFFD.";
    /// An integer that a double cannot distinguish from its neighbours.
    IntegerBeyond53Bits = "integer-beyond-53-bits",
        "An integer is beyond 2^53; parsers that use doubles will change its last digits.";
    /// An integer that no 64-bit type holds.
    IntegerBeyond64Bits = "integer-beyond-64-bits",
        "An integer fits neither i64 nor u64; most typed parsers refuse or round it.";
    /// A number that is infinite or zero as a double although it is written as neither.
    NumberOutOfRange = "number-out-of-range",
        "A number is too large or too small for a double; parsers refuse it, or read infinity or 0.";
    /// A string carries a control character other than tab, line feed, carriage return, \b or \f.
    ControlCharacter = "control-character",
        "A string carries a control character, escaped or, where JSON allows that, as it is.";
    /// A string carries an escaped ESC, so a terminal would obey it.
    EscapeInString = "escape-in-string",
        "A string carries an escaped ESC byte: colour or cursor movement inside data.";
    /// Bytes that are not JSON come before the envelope.
    ProseBefore = "prose-before",
        "There is text before the envelope on its stream; a plain JSON parser fails on it.";
    /// Bytes that are not JSON come after the envelope.
    ProseAfter = "prose-after",
        "There is text after the envelope on its stream; a plain JSON parser fails on it.";
    /// There is more than one JSON document on the stream of the envelope.
    SeveralDocuments = "several-documents",
        "There is more than one JSON document on the stream; a plain JSON parser fails on it.";
    /// More than one document is an envelope.
    SeveralEnvelopes = "several-envelopes",
        "More than one document is an envelope; the one that fits the exit status best was taken.";
    /// The last document on a stream stops before its end.
    TruncatedDocument = "truncated-document",
        "A document begins and the stream ends before it does.";
    /// There are terminal escapes in the document or beside it; they were removed to read it.
    EscapeInDocument = "escape-in-document",
        "There are terminal escapes in the document or beside it; they were removed to read it.";
    /// The dialect writes this outcome to the other stream.
    WrongStream = "wrong-stream",
        "The dialect writes this outcome to the other stream.";
    /// A key that the dialect requires is absent.
    MissingField = "missing-field",
        "A key that the dialect requires is absent.";
    /// A key that must hold a value holds null.
    NullOutOfPlace = "null-out-of-place",
        "A key holds null where the dialect wants a value or no key at all.";
    /// A key's value has a type or a value that the dialect does not allow.
    UnexpectedValue = "unexpected-value",
        "A key's value has a type or a value that the dialect does not allow; it is kept as extra.";
    /// A key that the dialect does not know.
    UnknownKey = "unknown-key",
        "The dialect does not know this key; it is kept as extra.";
    /// The document's claim of success contradicts the exit status.
    OkContradictsStatus = "ok-contradicts-status",
        "The document and the process disagree on whether it succeeded.";
    /// The number in the document is not the number the process ended with.
    ExitCodeContradictsStatus = "exit-code-contradicts-status",
        "The exit code in the document is not the one the process ended with.";
    /// The document says success and carries an error.
    ErrorOnSuccess = "error-on-success",
        "The document says ok and carries an error.";
    /// `data` and `error` are both null although nothing says why.
    NothingSaid = "nothing-said",
        "Neither data nor error says anything, and nothing says why.";
    /// A failure carries neither error nor issues; an error was made from the exit class.
    ErrorImplied = "error-implied",
        "The failure carries neither an error nor issues; an error was made from the exit class.";
    /// The document states a failure with a key that its dialect does not have for that.
    FailureMark = "failure-mark",
        "A key that the dialect does not have for it says that the document is a failure.";
    /// The document states a revision of its dialect that is not known here.
    UnknownRevision = "unknown-revision",
        "The document states a revision of its dialect that is not known; its keys may mean \
         something else there, so that it is read as the nearest one and not acted on.";
    /// Status 2 or 3 without a mark of the revision that gives it its meaning.
    AmbiguousStatus = "ambiguous-status",
        "Revisions of this envelope give statuses 2 and 3 opposite meanings, and it is not known \
         which one applies; read as the unsafe one.";
}

impl Serialize for FactKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// One oddity and the bytes that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What is odd.
    pub kind: FactKind,
    /// Where, as byte offsets into the stream.
    pub span: Range<usize>,
    /// Which key or value, where naming it helps.
    pub subject: Option<String>,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at bytes {}..{}", self.kind.id(), self.span.start, self.span.end)?;
        match &self.subject {
            Some(subject) => write!(f, " ({subject})"),
            None => Ok(()),
        }
    }
}

impl<'a> IntoIterator for &'a Facts {
    type Item = &'a Fact;
    type IntoIter = std::slice::Iter<'a, Fact>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The first facts of a reading in the order they were met, and how many more there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    list: Vec<Fact>,
    more: usize,
}

impl Facts {
    /// Adds a fact about bytes, of which hostile input could bring any number.
    pub fn add(&mut self, kind: FactKind, span: Range<usize>) {
        self.add_bounded(Fact { kind, span, subject: None });
    }

    /// Adds a fact about a named key, of which hostile input could bring any number.
    pub(crate) fn add_about(&mut self, kind: FactKind, span: Range<usize>, subject: &str) {
        self.add_bounded(Fact { kind, span, subject: Some(subject.to_owned()) });
    }

    /// Adds a fact about the whole answer; there are only ever a few, and none may be crowded out.
    pub(crate) fn add_certainly(
        &mut self,
        kind: FactKind,
        span: Range<usize>,
        subject: Option<String>,
    ) {
        self.list.push(Fact { kind, span, subject });
    }

    fn add_bounded(&mut self, fact: Fact) {
        if self.list.len() < KEPT {
            self.list.push(fact);
        } else {
            self.more += 1;
        }
    }

    /// Takes over another list, its places moved by `offset`.
    pub(crate) fn extend(&mut self, other: &Facts, offset: impl Fn(usize) -> usize) {
        for fact in &other.list {
            let span = offset(fact.span.start)..offset(fact.span.end);
            self.add_bounded(Fact { span, ..fact.clone() });
        }
        self.more += other.more;
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.more = 0;
    }

    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|fact| (fact.span.start, fact.kind));
    }

    /// The facts that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Fact> {
        self.list.iter()
    }

    /// How many facts about bytes were counted but not kept.
    pub fn more(&self) -> usize {
        self.more
    }

    /// Nothing was odd.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.more == 0
    }

    /// Whether a fact of this kind was kept.
    pub fn has(&self, kind: FactKind) -> bool {
        self.list.iter().any(|fact| fact.kind == kind)
    }
}
