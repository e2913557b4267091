//! The comparison as one JSON document, with its name and version first.

use crate::diff::{Bump, Family, Impact, Place, Reader};
use crate::report::{Classified, Comparison, Outcome, Witness};
use schemars::JsonSchema;
use serde::Serialize;

/// The name and the version of the document.
pub const SCHEMA: &str = "manila-comparison/1";

pub(super) fn render(comparison: &Comparison) -> String {
    manila_check::render::json::document(&Document::from(comparison))
}

/// The JSON Schema of the document.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document<'static>).to_value()
}

/// What a comparison found, as data.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Comparison")]
pub struct Document<'c> {
    /// The name and the version of this document.
    schema: &'static str,
    old: &'c str,
    new: &'c str,
    reader: Reader,
    /// `clean`, `changed` or `incomplete`: less was compared than the old contract rests on.
    outcome: &'static str,
    counts: Counts,
    bumps: Bumps,
    changes: Vec<ChangeDocument<'c>>,
    /// Changes that the lock allows.
    allowed: usize,
    compared_calls: usize,
    /// Snapshots that are not as they were.
    snapshots: &'c [String],
    notes: &'c [String],
    stale_accepts: &'c [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct Counts {
    breaking: usize,
    needs_a_human: usize,
    compatible: usize,
    accepted: usize,
}

/// The smallest honest bumps.
#[derive(Debug, Serialize, JsonSchema)]
struct Bumps {
    program: Bump,
    envelope: Bump,
}

/// A change.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
struct ChangeDocument<'c> {
    fingerprint: String,
    rule: &'c str,
    family: Family,
    impact: Impact,
    /// The commands: their old and new words.
    commands: Vec<CommandsDocument<'c>>,
    old: Option<PlaceDocument<'c>>,
    new: Option<PlaceDocument<'c>>,
    what: &'c str,
    fix: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<WitnessDocument<'c>>,
    /// Why it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<&'c str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Commands")]
struct CommandsDocument<'c> {
    old: Option<&'c [String]>,
    new: Option<&'c [String]>,
}

/// A fact in one of the contracts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Place")]
struct PlaceDocument<'c> {
    subject: &'c str,
    value: &'c str,
}

/// What was run on both programs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Witness")]
struct WitnessDocument<'c> {
    confirmed: bool,
    old_call: &'c str,
    new_call: &'c str,
    /// What holds on the old program.
    holds: &'c str,
}

impl<'c> From<&'c Comparison> for Document<'c> {
    fn from(comparison: &'c Comparison) -> Document<'c> {
        let [breaking, needs_a_human, compatible] = comparison.counts();
        let (program, envelope) = comparison.bumps();
        Document {
            schema: SCHEMA,
            old: &comparison.names[0],
            new: &comparison.names[1],
            reader: comparison.reader,
            outcome: match comparison.outcome() {
                Outcome::Clean => "clean",
                Outcome::Changed => "changed",
                Outcome::Incomplete => "incomplete",
            },
            counts: Counts {
                breaking,
                needs_a_human,
                compatible,
                accepted: comparison.changes.len() - comparison.open().count(),
            },
            bumps: Bumps { program, envelope },
            changes: comparison.changes.iter().map(change).collect(),
            allowed: comparison.allowed,
            compared_calls: comparison.compared_calls,
            snapshots: &comparison.snapshots,
            notes: &comparison.notes,
            stale_accepts: &comparison.stale_accepts,
        }
    }
}

fn change(one: &Classified) -> ChangeDocument<'_> {
    let change = &one.change;
    ChangeDocument {
        fingerprint: change.fingerprint(),
        rule: change.rule.id,
        family: change.rule.family,
        impact: one.impact,
        commands: change
            .commands
            .iter()
            .map(|(old, new)| CommandsDocument { old: old.as_deref(), new: new.as_deref() })
            .collect(),
        old: change.old.as_ref().map(placed),
        new: change.new.as_ref().map(placed),
        what: change.rule.what,
        fix: change.rule.fix,
        witness: match &one.witness {
            Witness::None => None,
            Witness::Confirmed(test) | Witness::Unconfirmed(test) => Some(WitnessDocument {
                confirmed: matches!(one.witness, Witness::Confirmed(_)),
                old_call: &test.old_call,
                new_call: &test.new_call,
                holds: &test.holds,
            }),
        },
        accepted: one.accepted.as_deref(),
    }
}

fn placed(place: &Place) -> PlaceDocument<'_> {
    PlaceDocument { subject: &place.subject, value: &place.value }
}
