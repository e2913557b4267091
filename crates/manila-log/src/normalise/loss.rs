//! What a dialect cannot say of a record, and how many records lose what.
//!
//! The core finds losses by opening what it wrote and comparing, which takes longer than everything
//! else. Records that say no more than usual lose the same as all others of their shape; only of those
//! is it known beforehand, and a test holds it to what the core finds.

use crate::name::Name;
use crate::piece::Piece;
use crate::verdict::Verdict;
use manila::json::Kind;
use manila::{Confidence, Dialect, Fate, Loss};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many fields are told apart. Their names come from logs, and those may be hostile.
const MOST: usize = 200;

/// What the usual records lose, each a bit of a set: no record needs memory for it.
const USUAL: [Field; 3] = [
    (Cow::Borrowed("meta.duration_ms"), "invented"),
    (Cow::Borrowed("error.operation"), "dropped"),
    (Cow::Borrowed("error.target"), "dropped"),
];
const DURATION: u8 = 1;
const OPERATION: u8 = 1 << 1;
const TARGET: u8 = 1 << 2;

/// A field of the normal form, and what becomes of it.
type Field = (Cow<'static, str>, &'static str);

/// What one record loses.
#[derive(Debug, Default)]
pub struct Lost {
    /// Of [`USUAL`].
    usual: u8,
    found: Vec<Field>,
}

impl Lost {
    /// Whether the dialect says all of it.
    pub fn is_nothing(&self) -> bool {
        self.usual == 0 && self.found.is_empty()
    }

    /// What the core found. Elements of lists are one field, however many there are.
    pub(super) fn of(losses: &[Loss]) -> Lost {
        let mut lost = Lost::default();
        for loss in losses {
            let fate = match loss.fate {
                Fate::Dropped => "dropped",
                Fate::Changed(_) => "changed",
                Fate::Invented(_) => "invented",
            };
            let lists = ["issues[", "warnings["];
            let is_element = lists.iter().any(|list| loss.field.starts_with(list));
            let end = if is_element { loss.field.find('[') } else { None };
            let field = &loss.field[..end.unwrap_or(loss.field.len())];
            if !lost.found.iter().any(|(known, of)| known == field && *of == fate) {
                lost.found.push((Cow::Owned(field.to_owned()), fate));
            }
        }
        lost
    }

    /// All of it by name.
    #[cfg(test)]
    pub(super) fn fields(&self) -> std::collections::BTreeSet<Field> {
        let usual = USUAL.iter().enumerate().filter(|(bit, _)| self.usual & (1 << bit) != 0);
        usual.map(|(_, field)| field).chain(&self.found).cloned().collect()
    }
}

/// How many records lost what.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    records: u64,
    usual: [u64; USUAL.len()],
    fields: BTreeMap<Field, u64>,
    other: u64,
}

/// One field in a [`Losses`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostField {
    /// The field of the normal form, such as `error.suggestion`.
    pub field: String,
    /// What became of it: dropped, changed, or invented because the dialect requires it.
    pub fate: &'static str,
    /// In how many records.
    pub records: u64,
}

impl Losses {
    /// Counts a record.
    pub fn add(&mut self, lost: Lost) {
        self.records += u64::from(!lost.is_nothing());
        for (bit, records) in self.usual.iter_mut().enumerate() {
            *records += u64::from(lost.usual >> bit & 1);
        }
        for field in lost.found {
            self.count(field, 1);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn join(&mut self, other: Losses) {
        self.records += other.records;
        self.other += other.other;
        for (mine, others) in self.usual.iter_mut().zip(other.usual) {
            *mine += others;
        }
        for (field, records) in other.fields {
            self.count(field, records);
        }
    }

    fn count(&mut self, field: Field, records: u64) {
        if self.fields.len() >= MOST && !self.fields.contains_key(&field) {
            self.other += records;
        } else {
            *self.fields.entry(field).or_default() += records;
        }
    }

    /// How many records lost something.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How often a field was lost that was too many to be told apart.
    pub fn other(&self) -> u64 {
        self.other
    }

    /// The fields, most records first.
    pub fn fields(&self) -> Vec<LostField> {
        let mut all = self.fields.clone();
        for (field, records) in USUAL.into_iter().zip(self.usual).filter(|(_, it)| *it > 0) {
            *all.entry(field).or_default() += records;
        }
        let mut fields = Vec::with_capacity(all.len());
        for ((field, fate), records) in &all {
            fields.push(LostField { field: field.to_string(), fate, records: *records });
        }
        fields.sort_by_key(|field| std::cmp::Reverse(field.records));
        fields
    }
}

const OPERATION_KEY: Name = Name::new("operation");
const TARGET_KEY: Name = Name::new("target");

/// What a usual record loses in a response envelope; `None` if the core has to look.
pub(super) fn usual(verdict: &Verdict<'_>, to: &dyn Dialect) -> Option<Lost> {
    let envelope = verdict.envelope()?;
    let exits = to.about().exits;
    let has_class =
        || exits.row(exits.status(envelope.exit)).is_some_and(|row| row.exit == envelope.exit);
    let is_usual = verdict.is_one_line
        && envelope.confidence == Confidence::Certain
        && (envelope.ok || to.id() == "response-envelope/1.0")
        && has_class();
    if !is_usual {
        return None;
    }
    let shape = Shape::of(verdict, envelope.dialect.id(), envelope.ok)?;
    for (name, key, value) in verdict.named() {
        let part = shape.top.iter().find(|(known, _)| *known == name);
        match part {
            Some((_, part)) => part.fits(verdict, value)?,
            None if shape.is_flat && !MORE.contains(&name) && !key.bytes().contains(&b'\\') => {}
            None => return None,
        }
    }
    let mut lost = Lost::default();
    if shape.is_flat && envelope.ok && verdict.members.len() <= shape.top.len() {
        // A payload of nothing is not always said as such.
        return None;
    }
    if !shape.has_duration {
        lost.usual |= DURATION;
    }
    if shape.is_flat && !envelope.ok {
        let error = verdict.get("error")?;
        for (name, _, _) in verdict.named_in(error) {
            match name {
                OPERATION_KEY => lost.usual |= OPERATION,
                TARGET_KEY => lost.usual |= TARGET,
                _ => {}
            }
        }
    }
    Some(lost)
}

/// What a usual record of a dialect consists of.
struct Shape {
    top: &'static [(Name, Part)],
    /// Whether all other members are the payload.
    is_flat: bool,
    has_duration: bool,
}

/// What a usual value is.
#[derive(Clone, Copy)]
enum Part {
    /// Whatever it is, the normal form does not have it, or has it from elsewhere.
    Any,
    Null,
    Text,
    Number,
    Bool,
    /// A list or an object.
    Payload,
    Nothing,
    /// A member that is one of these, none of them twice.
    Object(&'static [(Name, Part)]),
    Exactly(&'static [u8]),
    OneOf(&'static [&'static [u8]]),
}

macro_rules! parts {
    ($($name:literal: $part:expr),* $(,)?) => { const { &[$((Name::new($name), $part)),*] } };
}

const RESPONSE_META: &[(Name, Part)] = parts! {
    "duration_ms": Part::Number, "request_id": Part::Text, "cursor": Part::Text, "timestamp": Part::Text,
    "cwd": Part::Text, "kind": Part::Text, "schema_version": Part::Any,
};
const PHASES: &[&[u8]] = &[b"\"validation\"", b"\"execution\"", b"\"cleanup\""];

impl Shape {
    fn of(verdict: &Verdict<'_>, dialect: &str, ok: bool) -> Option<Shape> {
        let (top, is_flat, has_duration): (&'static [(Name, Part)], _, _) = match (dialect, ok) {
            ("response-envelope/1.0", true) => (
                parts! {
                    "ok": Part::Any, "data": Part::Payload, "error": Part::Null, "warnings": Part::Nothing,
                    "meta": Part::Object(RESPONSE_META),
                },
                false,
                true,
            ),
            ("response-envelope/1.0", false) => (
                parts! {
                    "ok": Part::Any, "data": Part::Null, "warnings": Part::Nothing,
                    "meta": Part::Object(RESPONSE_META),
                    "error": Part::Object(parts! {
                        "code": Part::Text, "message": Part::Text, "detail": Part::Text,
                        "suggestion": Part::Text, "retryable": Part::Bool, "phase": Part::OneOf(PHASES),
                    }),
                },
                false,
                true,
            ),
            ("animus/1", true) => (
                parts! { "schema": Part::Any, "ok": Part::Any, "data": Part::Payload },
                false,
                false,
            ),
            ("animus/1", false) => (
                parts! {
                    "schema": Part::Any, "ok": Part::Any,
                    "error": Part::Object(parts! {
                        "code": Part::Text, "message": Part::Text, "exit_code": Part::Any,
                    }),
                },
                false,
                false,
            ),
            ("claw/2.0", true) => (CLAW, true, false),
            ("claw/2.0", false) if verdict.members.len() == CLAW_FAILED.len() => {
                (CLAW_FAILED, true, false)
            }
            ("td/1", true) => (
                parts! { "ok": Part::Any, "type": Part::Text, "data": Part::Payload },
                false,
                false,
            ),
            ("td/1", false) => (
                parts! {
                    "ok": Part::Any,
                    "error": Part::Object(parts! {
                        "code": Part::Text, "message": Part::Text, "suggestion": Part::Text,
                    }),
                },
                false,
                false,
            ),
            ("i18nprune/1", true) => (
                parts! {
                    "ok": Part::Any, "kind": Part::Text, "data": Part::Payload, "issues": Part::Nothing,
                    "meta": Part::Object(parts! { "apiVersion": Part::Any, "cwd": Part::Text }),
                },
                false,
                false,
            ),
            _ => return None,
        };
        Some(Shape { top, is_flat, has_duration })
    }
}

const CLAW: &[(Name, Part)] = parts! {
    "timestamp": Part::Text, "command": Part::Text, "exit_code": Part::Any,
    "output_format": Part::Exactly(b"\"json\""), "schema_version": Part::Any,
};
/// What a flat record has besides its payload when it is not as usual.
const MORE: [Name; 3] = [Name::new("data"), Name::new("error"), Name::new("found")];
const CLAW_FAILED: &[(Name, Part)] = parts! {
    "timestamp": Part::Text, "command": Part::Text, "exit_code": Part::Any,
    "output_format": Part::Exactly(b"\"json\""), "schema_version": Part::Any,
    "error": Part::Object(parts! {
        "kind": Part::Text, "message": Part::Text, "operation": Part::Text, "target": Part::Text,
        "hint": Part::Text, "retryable": Part::Bool,
    }),
};

impl Part {
    /// Whether a value is as usual.
    fn fits(self, verdict: &Verdict<'_>, value: Piece<'_>) -> Option<()> {
        let fits = match self {
            Part::Any => true,
            Part::Null => value.is_null(),
            // Escapes may hide half a pair of surrogates, and an empty text is often none.
            Part::Text => value.plain().is_some_and(|text| !text.is_empty()),
            Part::Number => {
                value.bytes().len() < 16 && value.bytes().iter().all(u8::is_ascii_digit)
            }
            Part::Bool => value.kind() == Kind::Bool,
            Part::Payload => matches!(value.kind(), Kind::Object | Kind::Array),
            Part::Nothing => value.bytes() == b"[]",
            Part::Exactly(bytes) => value.bytes() == bytes,
            Part::OneOf(words) => words.contains(&value.bytes()),
            Part::Object(parts) => {
                let mut met = 0_u32;
                for (name, _, value) in verdict.named_in(value) {
                    let at = parts.iter().position(|(known, _)| *known == name)?;
                    if met & (1 << at) != 0 {
                        return None;
                    }
                    met |= 1 << at;
                    parts[at].1.fits(verdict, value)?;
                }
                // Of an object whose members were not found nothing is known.
                met != 0
            }
        };
        fits.then_some(())
    }
}
