//! One change is reported once: drops what only follows from another change.

use super::change::{Change, Place, place};
use super::rule::data::{FIELD_ADDED, FIELD_REMOVED, FIELD_RENAMED};
use super::rule::envelope::{ERROR_DOCUMENT_GAINED, ERROR_DOCUMENT_LOST, KIND_ADDED, KIND_REMOVED};
use super::rule::errors::{
    ERROR_CODE_GAINED, ERROR_CODE_LOST, PHASE_ADDED, PHASE_REMOVED, RETRY_AFTER_ADDED,
    RETRY_AFTER_REMOVED, RETRY_AFTER_UNIT_CHANGED, RETRYABLE_ADDED, RETRYABLE_REMOVED,
    SUGGESTION_ADDED, SUGGESTION_REMOVED,
};
use super::rule::surface::{
    FLAG_ADDED, FLAG_REMOVED, FLAG_RENAMED, JSON_SWITCH_ADDED, JSON_SWITCH_CHANGED,
    JSON_SWITCH_REMOVED,
};
use super::rule::{Family, Rule};
use crate::shape::{Path, Step, names};

/// A rule about a fact that stands in a field: where that field is on one side only, the rule says so.
struct Stated {
    group: &'static str,
    gone: &'static [&'static Rule],
    new: &'static [&'static Rule],
    names: &'static [&'static str],
}

static STATED: &[Stated] = &[
    Stated {
        group: "failure",
        gone: &[&RETRYABLE_REMOVED],
        new: &[&RETRYABLE_ADDED],
        names: names::RETRYABLE,
    },
    Stated {
        group: "failure",
        gone: &[&RETRY_AFTER_REMOVED, &RETRY_AFTER_UNIT_CHANGED],
        new: &[&RETRY_AFTER_ADDED, &RETRY_AFTER_UNIT_CHANGED],
        names: names::WAITS,
    },
    Stated {
        group: "failure",
        gone: &[&SUGGESTION_REMOVED],
        new: &[&SUGGESTION_ADDED],
        names: names::SUGGESTIONS,
    },
    Stated { group: "failure", gone: &[&PHASE_REMOVED], new: &[&PHASE_ADDED], names: &["phase"] },
    Stated {
        group: "failure",
        gone: &[&ERROR_CODE_LOST],
        new: &[&ERROR_CODE_GAINED],
        names: &["code"],
    },
    Stated { group: "ok", gone: &[&KIND_REMOVED], new: &[&KIND_ADDED], names: &["kind", "type"] },
];

/// Drops from the changes of one command, which begin at `start`, those that follow from another.
pub(super) fn within_command(changes: &mut Vec<Change>, start: usize) {
    let own = changes.split_off(start);
    let kept = own.iter().filter(|it| !is_in_field(it, &own) && !is_without_json_too(it, &own));
    changes.extend(kept.cloned());
}

/// Whether the field is the one that another change of the command speaks of.
fn is_in_field(change: &Change, all: &[Change]) -> bool {
    let is_named = |place: &Option<Place>, stated: &Stated| {
        let parts = place.as_ref().and_then(|it| it.subject.split_once(' '));
        let Some((group, path)) = parts.and_then(|(group, path)| Some((group, Path::parse(path)?)))
        else {
            return false;
        };
        let ([Step::Field(name)] | [Step::Field(_), Step::Field(name)]) = path.0.as_slice() else {
            return false;
        };
        group == stated.group && stated.names.contains(&name.as_str())
    };
    let has = |rules: &[&Rule], group: &str| {
        all.iter().any(|it| {
            rules.contains(&it.rule)
                && (group == "failure" && it.rule.family == Family::Errors
                    || it.subject().starts_with(group))
        })
    };
    STATED.iter().any(|stated| {
        let gone = is_named(&change.old, stated) && has(stated.gone, stated.group);
        let new = is_named(&change.new, stated) && has(stated.new, stated.group);
        match () {
            () if change.rule == &FIELD_REMOVED => gone,
            () if change.rule == &FIELD_ADDED => new,
            () if change.rule == &FIELD_RENAMED => gone && new,
            () => false,
        }
    })
}

/// Whether the same happens where JSON is asked for.
fn is_without_json_too(change: &Change, all: &[Change]) -> bool {
    change.rule.family == Family::Process
        && change.subject().starts_with("text ")
        && all.iter().any(|it| it.rule == change.rule && it.subject().starts_with("ok "))
}

/// Drops from all changes what follows from another way to ask for JSON.
pub(super) fn within_program(changes: &mut Vec<Change>) {
    for (switch, flags, documents, codes, is_old) in [
        (&JSON_SWITCH_REMOVED, &FLAG_REMOVED, &ERROR_DOCUMENT_LOST, &ERROR_CODE_LOST, true),
        (&JSON_SWITCH_ADDED, &FLAG_ADDED, &ERROR_DOCUMENT_GAINED, &ERROR_CODE_GAINED, false),
    ] {
        let side = |change: &Change| if is_old { change.old.clone() } else { change.new.clone() };
        if !changes.iter().any(|it| it.rule == switch) {
            continue;
        }
        changes.retain(|it| it.rule != documents && it.rule != codes);
        let is_switch = |it: &&mut Change| it.rule == switch;
        let flag = changes.iter().find(|it| it.rule == switch).and_then(side);
        let flag = flag.map(|it| format!("flag {}", it.value));
        changes.retain(|it| it.rule != flags || side(it).map(|it| it.subject) != flag);
        let renamed = changes
            .iter()
            .position(|it| it.rule == &FLAG_RENAMED && side(it).map(|it| it.subject) == flag);
        if let Some(renamed) = renamed.map(|at| changes.remove(at))
            && let Some(change) = changes.iter_mut().find(is_switch)
        {
            change.rule = &JSON_SWITCH_CHANGED;
            change.old = renamed.old.as_ref().map(switch_of);
            change.new = renamed.new.as_ref().map(switch_of);
        }
    }
}

/// A flag as the way to ask for JSON.
fn switch_of(flag: &Place) -> Place {
    place("json", flag.subject.trim_start_matches("flag "))
}
