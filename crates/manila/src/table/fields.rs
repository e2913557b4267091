//! Takes the members of an object one by one, noting where each field came from and what was odd.

use super::{Key, MALFORMED};
use crate::envelope::ErrorObject;
use crate::json::{FactKind, Facts, Kind, Member, Members, Raw, Value};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;

/// Where a field of the normal form is in the bytes it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The field, such as `error.suggestion` or `issues[0]`.
    pub field: Cow<'static, str>,
    /// Its value's bytes.
    pub span: Range<usize>,
}

/// What taking a document apart brings to light beside its content.
#[derive(Debug, Default)]
pub struct Notes {
    pub(crate) facts: RefCell<Facts>,
    pub(crate) places: RefCell<Vec<Place>>,
    /// A key of the envelope itself occurs twice.
    pub(crate) duplicate_key: Cell<bool>,
}

/// The members of one object that have not been taken yet.
#[derive(Debug)]
pub struct Fields<'t, 'n> {
    members: Vec<Member<'t>>,
    span: Range<usize>,
    notes: &'n Notes,
    reported: Vec<&'static str>,
}

/// The value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The key is not there.
    Absent,
    /// The key is there and its value is null.
    Null,
    /// There is a value.
    Value,
}

/// What to make of keys that a dialect does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The dialect allows them.
    Allowed,
    /// They are worth a fact.
    Odd,
}

impl<'t, 'n> Fields<'t, 'n> {
    pub(crate) fn new(
        members: impl Iterator<Item = Member<'t>>,
        span: Range<usize>,
        notes: &'n Notes,
    ) -> Self {
        Fields { members: members.collect(), span, notes, reported: Vec::new() }
    }

    /// The value of a key; of several, the last.
    pub fn presence(&self, key: &str) -> Presence {
        match self.find(key) {
            None => Presence::Absent,
            Some(value) if value.is_null() => Presence::Null,
            Some(_) => Presence::Value,
        }
    }

    /// The value of a key; of several, of the last.
    pub fn find(&self, key: &str) -> Option<Value<'t>> {
        self.members.iter().rev().find(|member| member.is(key)).map(|member| member.value)
    }

    /// Takes out the last of that name, the one that counts; an earlier one stays for the rest, and
    /// the document is not of one mind.
    fn remove(&mut self, key: &str) {
        if let Some(last) = self.members.iter().rposition(|member| member.is(key)) {
            self.members.remove(last);
        }
        if self.members.iter().any(|member| member.is(key)) {
            self.notes.duplicate_key.set(true);
        }
    }

    /// Takes a value if `convert` makes something of it. Null counts as absent; anything else that
    /// does not convert is worth a fact and stays for [`Fields::rest`].
    pub fn take<T>(
        &mut self,
        key: &'static str,
        field: impl Into<Cow<'static, str>>,
        convert: impl FnOnce(Value<'t>) -> Option<T>,
    ) -> Option<T> {
        let value = self.find(key)?;
        if value.is_null() {
            self.remove(key);
            return None;
        }
        let converted = convert(value);
        if converted.is_some() {
            self.remove(key);
            let place = Place { field: field.into(), span: value.span() };
            self.notes.places.borrow_mut().push(place);
        } else if !self.reported.contains(&key) {
            self.reported.push(key);
            let mut facts = self.notes.facts.borrow_mut();
            facts.add_about(FactKind::UnexpectedValue, value.span(), key);
        }
        converted
    }

    /// Takes text.
    pub fn text(
        &mut self,
        key: &'static str,
        field: impl Into<Cow<'static, str>>,
    ) -> Option<String> {
        self.take(key, field, |value| value.string().map(Cow::into_owned))
    }

    /// Takes a boolean.
    pub fn flag(&mut self, key: &'static str, field: &'static str) -> Option<bool> {
        self.take(key, field, |value| value.bool())
    }

    /// Takes an integer.
    pub fn integer<N: FromStr>(&mut self, key: &'static str, field: &'static str) -> Option<N> {
        self.take(key, field, |value| value.integer())
    }

    /// Takes any value, null as absent.
    pub fn raw(&mut self, key: &'static str, field: &'static str) -> Option<Raw> {
        self.take(key, field, |value| Some(Raw::from(value)))
    }

    /// Takes any value, null as the value it is.
    pub fn raw_or_null(&mut self, key: &'static str, field: &'static str) -> Option<Raw> {
        let is_null = self.presence(key) == Presence::Null;
        self.raw(key, field).or(is_null.then(Raw::null))
    }

    /// Takes the members of an object.
    pub fn object(&mut self, key: &'static str, field: &'static str) -> Option<Fields<'t, 'n>> {
        let notes = self.notes;
        self.take(key, field, |value| {
            let is_object = value.kind() == Kind::Object;
            is_object.then(|| Fields::new(value.members(), value.span(), notes))
        })
    }

    /// What an error that is not an object says all the same.
    pub fn malformed_error(&self, key: &str) -> Option<ErrorObject> {
        let found = self.find(key).filter(|value| !value.is_null())?;
        let words = found.string().map_or_else(|| found.text().to_owned(), Cow::into_owned);
        Some(ErrorObject::new(MALFORMED, words))
    }

    /// Says that a key is known although it is not taken.
    pub fn keep(&mut self, key: &'static str) {
        if !self.reported.contains(&key) {
            self.reported.push(key);
        }
    }

    /// Takes the elements of an array.
    pub fn array(&mut self, key: &'static str, field: &'static str) -> Option<Vec<Value<'t>>> {
        self.take(key, field, |value| {
            (value.kind() == Kind::Array).then(|| value.elements().collect())
        })
    }

    /// The members of a value in this object, or the elements of an array by their numbers.
    #[must_use]
    pub fn inside(&self, value: Value<'t>) -> Fields<'t, 'n> {
        const NUMBERS: [&str; 4] = ["\"0\"", "\"1\"", "\"2\"", "\"3\""];
        let elements = NUMBERS.iter().zip(value.elements());
        let elements = elements.map(|(number, element)| Member::new(number, element));
        Fields::new(value.members().chain(elements), value.span(), self.notes)
    }

    /// Notes where a field that is not a member of its own is.
    pub fn note_place(&self, field: String, span: Range<usize>) {
        self.notes.places.borrow_mut().push(Place { field: field.into(), span });
    }

    /// Takes a key that only marks the dialect, if it holds exactly that text.
    pub fn mark(&mut self, key: &'static str, text: &str) -> bool {
        let marked = self.find(key).and_then(|value| value.string()).is_some_and(|it| it == text);
        if marked {
            self.remove(key);
        }
        marked
    }

    /// Says which of the keys that must be there are not.
    pub fn require(&self, keys: &[&str]) {
        for key in keys {
            if self.presence(key) == Presence::Absent {
                let mut facts = self.notes.facts.borrow_mut();
                facts.add_about(FactKind::MissingField, self.span.clone(), key);
            }
        }
    }

    /// Says which of the keys that must hold something hold null.
    pub fn forbid_null(&self, keys: &[&str]) {
        for key in keys {
            if let Some(value) = self.find(key).filter(Value::is_null) {
                let mut facts = self.notes.facts.borrow_mut();
                facts.add_about(FactKind::NullOutOfPlace, value.span(), key);
            }
        }
    }

    /// Whether exactly this key is left.
    pub fn is_only(&self, key: &str) -> bool {
        matches!(self.members.as_slice(), [member] if member.is(key))
    }

    /// What was not taken, as an object in its own spelling; `None` if everything was.
    pub fn rest_as_payload(self, field: &'static str) -> Option<Raw> {
        let (first, last) = (self.members.first()?, self.members.last()?);
        let span = first.value.span().start..last.value.span().end;
        self.notes.places.borrow_mut().push(Place { field: field.into(), span });
        Some(Raw::object(self.members))
    }

    /// Takes the members of these names that are left, as extras below `field`.
    pub(super) fn named(&mut self, field: &str, keys: &[Key]) -> Members {
        let mut extra = Members::default();
        let is_named = |member: &Member<'t>| keys.iter().any(|key| member.is(key.name));
        let (named, others) = self.members.iter().partition(|member| is_named(member));
        self.members = others;
        let named: Vec<Member<'t>> = named;
        for member in named {
            let key = member.key();
            self.note_place(format!("{field}.{key}"), member.value.span());
            extra.push(key.into_owned(), Raw::from(member.value));
        }
        extra
    }

    /// What was not taken, member by member, as extras below `field`.
    pub fn rest(self, field: &str, unknown: Unknown) -> Members {
        let mut extra = Members::default();
        let mut met: HashMap<Cow<'_, str>, usize> = HashMap::new();
        for member in &self.members {
            let key = member.key();
            let times = met.entry(key.clone()).or_default();
            let name = match *times {
                0 => format!("{field}.{key}"),
                again => format!("{field}.{key}[{again}]"),
            };
            *times += 1;
            let span = member.value.span();
            if unknown == Unknown::Odd && !self.reported.contains(&key.as_ref()) {
                let mut facts = self.notes.facts.borrow_mut();
                facts.add_about(FactKind::UnknownKey, span.clone(), &key);
            }
            self.note_place(name, span);
            extra.push(key.into_owned(), Raw::from(member.value));
        }
        extra
    }
}
