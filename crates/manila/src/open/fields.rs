//! Takes the members of an object one by one, noting where each field came from and what was odd.

use super::MALFORMED;
use crate::envelope::Failure;
use crate::json::{FactKind, Facts, Kind, Member, Members, Raw, Value};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;

/// Where a field of the normal form stands in the bytes it was read from.
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
    /// A key of the envelope itself stands there twice.
    pub(crate) torn: Cell<bool>,
}

/// The members of one object that have not been taken yet.
#[derive(Debug)]
pub struct Fields<'t, 'n> {
    members: Vec<Member<'t>>,
    span: Range<usize>,
    notes: &'n Notes,
    reported: Vec<&'static str>,
}

/// What stands behind a key.
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

    /// What stands behind a key; of several, behind the last.
    pub fn presence(&self, key: &str) -> Presence {
        match self.find(key) {
            None => Presence::Absent,
            Some(value) if value.is_null() => Presence::Null,
            Some(_) => Presence::Value,
        }
    }

    fn find(&self, key: &str) -> Option<Value<'t>> {
        self.members.iter().rev().find(|member| member.is(key)).map(|member| member.value)
    }

    /// Takes out the last of that name, the one that counts; an earlier one stays for the rest, and
    /// the document is not of one mind.
    fn remove(&mut self, key: &str) {
        if let Some(last) = self.members.iter().rposition(|member| member.is(key)) {
            self.members.remove(last);
        }
        if self.members.iter().any(|member| member.is(key)) {
            self.notes.torn.set(true);
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

    /// Takes text, an empty one counting as absent.
    pub fn text_or_empty(&mut self, key: &'static str, field: &'static str) -> Option<String> {
        self.text(key, field).filter(|text| !text.is_empty())
    }

    /// Takes a boolean.
    pub fn flag(&mut self, key: &'static str, field: &'static str) -> Option<bool> {
        self.take(key, field, |value| value.bool())
    }

    /// Takes an integer.
    pub fn integer<N: FromStr>(&mut self, key: &'static str, field: &'static str) -> Option<N> {
        self.take(key, field, |value| value.integer())
    }

    /// Takes one of a closed set of words.
    pub fn word<T>(
        &mut self,
        key: &'static str,
        field: impl Into<Cow<'static, str>>,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.take(key, field, |value| meaning(&value.string()?))
    }

    /// Takes whatever stands there, null as absent.
    pub fn raw(&mut self, key: &'static str, field: &'static str) -> Option<Raw> {
        self.take(key, field, |value| Some(Raw::from(value)))
    }

    /// Takes whatever stands there, null as the value it is.
    pub fn raw_or_null(&mut self, key: &'static str, field: &'static str) -> Option<Raw> {
        let is_null = self.presence(key) == Presence::Null;
        self.raw(key, field).or(is_null.then(Raw::null))
    }

    /// Takes an object with something in it.
    pub fn full_object(&mut self, key: &'static str, field: &'static str) -> Option<Raw> {
        let object = |value: Value<'t>| (value.kind() == Kind::Object).then(|| Raw::from(value));
        self.take(key, field, object).filter(|raw| !raw.is_empty_container())
    }

    /// Takes the members of an object.
    pub fn object(&mut self, key: &'static str, field: &'static str) -> Option<Fields<'t, 'n>> {
        let notes = self.notes;
        self.take(key, field, |value| {
            let is_object = value.kind() == Kind::Object;
            is_object.then(|| Fields::new(value.members(), value.span(), notes))
        })
    }

    /// Takes the error, whatever it is: an error that is no object is still an error.
    pub fn error(&mut self, build: impl FnOnce(Fields<'t, 'n>) -> Failure) -> Option<Failure> {
        let found = self.find("error")?;
        if let Some(object) = self.object("error", "error") {
            return Some(build(object));
        }
        if found.is_null() {
            return None;
        }
        let words = found.string().map_or_else(|| found.text().to_owned(), Cow::into_owned);
        Some(Failure::new(MALFORMED, words))
    }

    /// Takes the elements of an array.
    pub fn array(&mut self, key: &'static str, field: &'static str) -> Option<Vec<Value<'t>>> {
        self.take(key, field, |value| {
            (value.kind() == Kind::Array).then(|| value.elements().collect())
        })
    }

    /// The members of an element of an array that was taken.
    #[must_use]
    pub fn of_element(&self, element: Value<'t>) -> Fields<'t, 'n> {
        Fields::new(element.members(), element.span(), self.notes)
    }

    /// Notes where a field that is no member of its own stands.
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

    /// Takes a key that states a revision, if it is not a known one.
    pub fn revision(&mut self, key: &'static str, is_known: fn(&str) -> bool) -> Option<String> {
        let text = self.find(key)?.string()?.into_owned();
        (!is_known(&text)).then(|| {
            self.remove(key);
            text
        })
    }

    /// Says which of the keys that must be there are not.
    pub fn require(&self, keys: &[&str]) {
        for key in keys {
            if self.presence(key) == Presence::Absent {
                let mut facts = self.notes.facts.borrow_mut();
                facts.add_about(FactKind::MissingKey, self.span.clone(), key);
            }
        }
    }

    /// Says which of the keys that must hold something hold null.
    pub fn forbid_null(&self, keys: &[&str]) {
        for key in keys {
            if let Some(value) = self.find(key).filter(Value::is_null) {
                let mut facts = self.notes.facts.borrow_mut();
                facts.add_about(FactKind::UnexpectedValue, value.span(), key);
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
