//! A view of one record, borrowed from its bytes.

use crate::name::Name;
use crate::rule::Breach;
use crate::value_ref::ValueRef;
use manila::table::Field;
use manila::{Confidence, Dialect, Exit};
use std::borrow::Cow;

/// Where a member of the envelope itself stands, as offsets into the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// The key, with its quotes.
    pub(crate) key: (u32, u32),
    pub(crate) value: (u32, u32),
}

/// What is known of a record that is an envelope.
#[derive(Clone, Debug)]
pub struct Envelope<'r> {
    /// Its dialect.
    pub dialect: &'static dyn Dialect,
    /// How sure that is.
    pub confidence: Confidence,
    /// Whether it succeeded.
    pub ok: bool,
    /// The class of its outcome.
    pub exit: Exit,
    /// The code of its error.
    pub code: Option<Cow<'r, str>>,
}

impl PartialEq for Envelope<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.dialect.id() == other.dialect.id()
            && (self.confidence, self.ok, self.exit) == (other.confidence, other.ok, other.exit)
            && self.code == other.code
    }
}

/// A view of one record.
#[derive(Clone, Debug)]
pub struct Verdict<'r> {
    pub(crate) bytes: &'r [u8],
    pub(crate) members: &'r [Span],
    /// Members of members, each with the place where the object begins that it is a member of; not
    /// necessarily of all objects.
    pub(crate) inner: &'r [(u32, Span)],
    pub(crate) envelope: Option<Envelope<'r>>,
    pub(crate) broken: &'r [Breach],
    /// Whether there is certainly no line break in it.
    pub(crate) is_one_line: bool,
}

impl<'r> Verdict<'r> {
    /// Nothing is broken.
    pub fn is_good(&self) -> bool {
        self.broken.is_empty()
    }

    /// What is broken, by place. Bytes that are not JSON break one rule and nothing else is known.
    pub fn broken(&self) -> &'r [Breach] {
        self.broken
    }

    /// What is known of the envelope, if the record is one of a known dialect.
    pub fn envelope(&self) -> Option<&Envelope<'r>> {
        self.envelope.as_ref()
    }

    /// The members of the record itself, keys as they are spelled; none if it is no JSON object.
    pub fn members(&self) -> impl Iterator<Item = (ValueRef<'r>, ValueRef<'r>)> + use<'r> {
        let (bytes, members) = (self.bytes, self.members);
        members.iter().map(move |span| (piece(bytes, span.key), piece(bytes, span.value)))
    }

    /// The value of the last member of that name.
    pub fn get(&self, name: &str) -> Option<ValueRef<'r>> {
        let meant = |span: &&Span| piece(self.bytes, span.key).is_text(name);
        self.members.iter().rev().find(meant).map(|span| piece(self.bytes, span.value))
    }

    /// The value of a member of a member, such as `error` and `code`.
    fn get_in(&self, outer: &str, inner: &str) -> Option<ValueRef<'r>> {
        let object = self.get(outer)?;
        let members = self.members_of(object);
        members.filter(|(key, _)| key.is_text(inner)).last().map(|(_, value)| value)
    }

    /// The members of an object in the record; where they were found already they are not sought.
    pub(crate) fn members_of(
        &self,
        object: ValueRef<'r>,
    ) -> impl Iterator<Item = (ValueRef<'r>, ValueRef<'r>)> + use<'r> {
        let (bytes, found) = (self.bytes, self.found_in(object));
        let sought = found.is_empty().then(|| object.members()).into_iter().flatten();
        found
            .iter()
            .map(move |(_, span)| (piece(bytes, span.key), piece(bytes, span.value)))
            .chain(sought)
    }

    /// The members of an object that were found already; they stand together.
    fn found_in(&self, object: ValueRef<'r>) -> &'r [(u32, Span)] {
        let is_its = |(of, _): &(u32, Span)| *of as usize == object.offset();
        let Some(first) = self.inner.iter().position(is_its) else { return &[] };
        let rest = &self.inner[first..];
        let count = rest.iter().position(|it| !is_its(it)).unwrap_or(rest.len());
        &rest[..count]
    }

    /// The members of the record with their names in words.
    pub(crate) fn named(
        &self,
    ) -> impl Iterator<Item = (Name, ValueRef<'r>, ValueRef<'r>)> + use<'r> {
        let bytes = self.bytes;
        self.members.iter().map(move |span| named(bytes, span))
    }

    /// The same for an object in it whose members were found.
    pub(crate) fn named_in(
        &self,
        object: ValueRef<'r>,
    ) -> impl Iterator<Item = (Name, ValueRef<'r>, ValueRef<'r>)> + use<'r> {
        let bytes = self.bytes;
        self.found_in(object).iter().map(move |(_, span)| named(bytes, span))
    }

    /// Where the document begins in the record.
    pub(crate) fn root(&self) -> usize {
        self.bytes.iter().position(|byte| *byte == b'{').unwrap_or_default()
    }

    /// The value of the key that holds a field in the record's dialect.
    fn field(&self, field: Field) -> Option<ValueRef<'r>> {
        let keys = self.envelope.as_ref()?.dialect.table().keys;
        keys.iter().find_map(|key| {
            if key.field == field {
                return self.get(key.name);
            }
            let inner = key.keys.iter().find(|inner| inner.field == field)?;
            self.get_in(key.name, inner.name)
        })
    }

    /// The program or command that answered, or the kind of its answer, whichever the dialect names.
    pub fn command(&self) -> Option<Cow<'r, str>> {
        let envelope = self.envelope.as_ref()?;
        // Its `kind` is the command's name on success only.
        if envelope.dialect.id() == "claw/1.0" {
            let kind = self.get("kind").filter(|_| envelope.ok);
            return kind.or_else(|| self.get("command"))?.text();
        }
        let keys = envelope.dialect.table().keys;
        match keys.iter().find(|key| key.field == Field::Kind) {
            Some(key) => self.get(key.name)?.text(),
            None => self.get_in("meta", "command").or_else(|| self.field(Field::Kind))?.text(),
        }
    }

    /// What was attempted when it failed.
    pub fn operation(&self) -> Option<Cow<'r, str>> {
        self.field(Field::Operation)?.text()
    }

    /// What it failed on.
    pub fn target(&self) -> Option<Cow<'r, str>> {
        self.field(Field::Target)?.text()
    }

    /// Whether the error says that calling again can help.
    pub fn retryable(&self) -> Option<bool> {
        self.field(Field::Retryable)?.bool()
    }

    /// How long the command took.
    pub fn duration_ms(&self) -> Option<u64> {
        self.get_in("meta", "duration_ms").or_else(|| self.field(Field::DurationMs))?.integer()
    }

    /// When it was written, in its own spelling.
    pub fn timestamp(&self) -> Option<Cow<'r, str>> {
        self.get("timestamp")
            .or_else(|| self.get_in("meta", "timestamp"))
            .or_else(|| self.field(Field::Timestamp))?
            .text()
    }

    /// The payload, where the dialect has one place for it; the flat dialects have it among
    /// [`Verdict::members`].
    pub fn data(&self) -> Option<ValueRef<'r>> {
        self.get("data").or_else(|| self.field(Field::Data))
    }
}

#[inline]
fn named<'r>(bytes: &'r [u8], span: &Span) -> (Name, ValueRef<'r>, ValueRef<'r>) {
    let name = Name::at(bytes, span.key.0 as usize + 1, span.key.1 as usize - 1);
    (name, piece(bytes, span.key), piece(bytes, span.value))
}

pub(crate) fn piece(bytes: &[u8], (start, end): (u32, u32)) -> ValueRef<'_> {
    let bytes = bytes.get(start as usize..end as usize).unwrap_or_default();
    ValueRef::new(bytes, start as usize)
}
