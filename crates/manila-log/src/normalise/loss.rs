//! What a dialect cannot say of a record, and how many records lose what.
//!
//! The core finds losses by opening what it wrote and comparing, which takes longer than everything
//! else. Records that say no more than usual lose the same as all others of their shape; only of those
//! is it known beforehand, and a test holds it to what the core finds.

use super::source::{Place, Source, find, is_constant, is_nullable, is_on};
use crate::name::Name;
use crate::value_ref::ValueRef;
use crate::verdict::Verdict;
use manila::json::Kind;
use manila::table::{Field, Key};
use manila::{Confidence, Dialect, Fate, Loss};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many fields are counted separately. Their names come from logs, and those may be hostile.
const MOST: usize = 200;

/// What the usual records lose, each a bit of a set: no record needs memory for it.
const USUAL: [LostPart; 3] = [
    (Cow::Borrowed("meta.duration_ms"), "invented"),
    (Cow::Borrowed("error.operation"), "dropped"),
    (Cow::Borrowed("error.target"), "dropped"),
];
const DURATION: u8 = 1;
const OPERATION: u8 = 1 << 1;
const TARGET: u8 = 1 << 2;

/// A field of the normal form, and what becomes of it.
type LostPart = (Cow<'static, str>, &'static str);

/// What one record loses.
#[derive(Debug, Default)]
pub struct Lost {
    /// Of [`USUAL`].
    usual: u8,
    found: Vec<LostPart>,
}

impl Lost {
    /// Whether the dialect says all of it.
    pub fn is_nothing(&self) -> bool {
        self.usual == 0 && self.found.is_empty()
    }

    /// What the core found. Elements of lists are one field, however many there are.
    pub(super) fn new(losses: &[Loss]) -> Lost {
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
    pub(super) fn fields(&self) -> std::collections::BTreeSet<LostPart> {
        let usual = USUAL.iter().enumerate().filter(|(bit, _)| self.usual & (1 << bit) != 0);
        usual.map(|(_, field)| field).chain(&self.found).cloned().collect()
    }
}

/// How many records lost what.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    records: u64,
    usual: [u64; USUAL.len()],
    fields: BTreeMap<LostPart, u64>,
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

    fn count(&mut self, field: LostPart, records: u64) {
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

    /// How often fields beyond the limit were lost.
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

/// What a usual record loses in a response envelope; `None` if the core has to look.
pub(super) fn usual(verdict: &Verdict<'_>, source: &Source, to: &dyn Dialect) -> Option<Lost> {
    let envelope = verdict.envelope()?;
    let exits = to.table().exits;
    let has_class =
        || exits.row(exits.status(envelope.exit)).is_some_and(|row| row.exit == envelope.exit);
    let is_usual = verdict.is_one_line
        && envelope.confidence == Confidence::Certain
        && (envelope.ok || to.id() == "response-envelope/1.0")
        && has_class();
    if !is_usual {
        return None;
    }
    let ok = envelope.ok;
    let mut lost = Lost::default();
    let mut payload = 0;
    for (name, key, value) in verdict.named() {
        match find(&source.top, name).filter(|known| is_on(known, ok)) {
            Some(known) => top(known, verdict, source, ok, value, &mut lost)?,
            // Only a success has a payload beside its own keys, and the core knows the others.
            None if !source.is_flat || !ok || MORE.contains(&name) => return None,
            None if key.bytes().contains(&b'\\') => return None,
            None => payload += 1,
        }
    }
    // A payload of nothing is not always said as such.
    if source.is_flat && ok && payload == 0 {
        return None;
    }
    if !source.meta.iter().any(|place| place.key.field == Field::DurationMs) {
        lost.usual |= DURATION;
    }
    Some(lost)
}

/// What a flat record has besides its payload when it is not as usual.
const MORE: [Name; 3] = [Name::from_key("data"), Name::from_key("error"), Name::from_key("found")];

/// Whether a value at the top is as usual.
fn top(
    known: &Key,
    verdict: &Verdict<'_>,
    source: &Source,
    ok: bool,
    value: ValueRef<'_>,
    lost: &mut Lost,
) -> Option<()> {
    let fits = match known.field {
        Field::Ok | Field::Failed | Field::Outcome | Field::Status | Field::SchemaVersion => true,
        Field::None => is_constant(known, value),
        Field::Data if ok => matches!(value.kind(), Kind::Object | Kind::Array),
        Field::Error if !ok => return object(verdict, value, &source.error, lost),
        Field::Data | Field::Error => is_nullable(known) && value.is_null(),
        Field::Warnings | Field::Issues => value.bytes() == b"[]",
        Field::Meta => return object(verdict, value, &source.meta, lost),
        Field::Kind | Field::Timestamp => is_filled_text(value),
        _ => false,
    };
    fits.then_some(())
}

/// Whether the members of an object are as usual, none of them twice.
fn object(
    verdict: &Verdict<'_>,
    object: ValueRef<'_>,
    places: &[Place],
    lost: &mut Lost,
) -> Option<()> {
    let mut met = 0_u64;
    for (name, _, value) in verdict.named_in(object) {
        let at = places.iter().position(|place| place.name == name)?;
        let bit = 1_u64.checked_shl(u32::try_from(at).ok()?)?;
        if met & bit != 0 {
            return None;
        }
        met |= bit;
        let known = places[at].key;
        let fits = match known.field {
            Field::Status | Field::SchemaVersion => true,
            Field::None => is_constant(known, value),
            Field::Code
            | Field::Message
            | Field::Detail
            | Field::Suggestion
            | Field::RequestId
            | Field::Cursor
            | Field::Timestamp
            | Field::Cwd
            | Field::Kind => is_filled_text(value),
            Field::Operation => {
                lost.usual |= OPERATION;
                is_filled_text(value)
            }
            Field::Target => {
                lost.usual |= TARGET;
                is_filled_text(value)
            }
            Field::Retryable => value.kind() == Kind::Bool,
            Field::Phase => PHASES.contains(&value.bytes()),
            Field::DurationMs => {
                value.bytes().len() < 16 && value.bytes().iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        if !fits {
            return None;
        }
    }
    // Of an object whose members were not found nothing is known.
    (met != 0).then_some(())
}

const PHASES: &[&[u8]] = &[b"\"validation\"", b"\"execution\"", b"\"cleanup\""];

/// Escapes may hide half a pair of surrogates, and an empty text is often none.
fn is_filled_text(value: ValueRef<'_>) -> bool {
    value.plain().is_some_and(|text| !text.is_empty())
}
