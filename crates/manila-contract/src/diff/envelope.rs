//! Compares what surrounds the payload: dialect, version, kind, records, pages, and whether there is a
//! document at all.

use super::change::{Place, Sink, place};
use super::rule::Rule;
use super::rule::envelope as rules;
use crate::lock::{Attribute, Command, Facts, Group};
use std::cmp::Ordering;
use std::collections::BTreeSet;

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    for group in [Group::Ok, Group::Failure] {
        if let (Some(was), Some(is)) = (old.answers.get(&group), new.answers.get(&group)) {
            answer(group, &was.facts, &is.facts, sink);
        }
    }
}

fn at(group: Group, facts: &Facts, attribute: Attribute) -> Option<Place> {
    let values = facts.get(&attribute).filter(|it| !it.is_empty())?;
    let values = values.iter().cloned().collect::<Vec<_>>().join(" ");
    Some(place(format!("{} {}", group.as_str(), attribute.as_str()), values))
}

fn answer(group: Group, old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let both = |attribute| (at(group, old, attribute), at(group, new, attribute));
    // Whether there is a document at all: only then does the answer have a stream.
    let (was, is) = both(Attribute::Stream);
    let (lost, gained) = match group {
        Group::Failure => (&rules::ERROR_DOCUMENT_LOST, &rules::ERROR_DOCUMENT_GAINED),
        _ => (&rules::JSON_ANSWER_LOST, &rules::JSON_ANSWER_GAINED),
    };
    let has_both = was.is_some() && is.is_some();
    sink.gone_or_new((lost, gained), was, is);
    // Without a document there is nothing around it.
    if !has_both {
        return;
    }
    match both(Attribute::Dialect) {
        (Some(was), Some(is)) if was.value != is.value => {
            let name = |place: &Place| place.value.split('/').next().unwrap_or_default().to_owned();
            let is_same = name(&was) == name(&is);
            let rule: &'static Rule =
                if is_same { &rules::DIALECT_REVISION_CHANGED } else { &rules::DIALECT_CHANGED };
            sink.add(rule, Some(was), Some(is));
        }
        (was, is) => sink.gone_or_new((&rules::DIALECT_LOST, &rules::DIALECT_GAINED), was, is),
    }
    match both(Attribute::Version) {
        (Some(was), Some(is)) if was.value != is.value => {
            let rule = match ordered(&was.value, &is.value) {
                Some(Ordering::Less) => &rules::VERSION_RAISED,
                Some(Ordering::Greater) => &rules::VERSION_LOWERED,
                _ => &rules::VERSION_CHANGED,
            };
            sink.add(rule, Some(was), Some(is));
        }
        (was, is) => sink.gone_or_new((&rules::VERSION_REMOVED, &rules::VERSION_ADDED), was, is),
    }
    match both(Attribute::Kind) {
        (Some(was), Some(is)) if was.value != is.value => {
            sink.add(&rules::KIND_CHANGED, Some(was), Some(is));
        }
        (was, is) => sink.gone_or_new((&rules::KIND_REMOVED, &rules::KIND_ADDED), was, is),
    }
    let (was, is) = both(Attribute::Paging);
    sink.gone_or_new((&rules::PAGING_REMOVED, &rules::PAGING_ADDED), was, is);
    records(group, old, new, sink);
}

fn records(group: Group, old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let has = |facts: &Facts, word: &str| {
        facts.get(&Attribute::Stdout).is_some_and(|it| it.contains(word))
    };
    let shown = |facts: &Facts| at(group, facts, Attribute::Stdout);
    match ((has(old, "document"), has(old, "lines")), (has(new, "document"), has(new, "lines"))) {
        ((true, false), (false, true)) => {
            return sink.add(&rules::DOCUMENT_BECAME_LINES, shown(old), shown(new));
        }
        ((false, true), (true, false)) => {
            return sink.add(&rules::LINES_BECAME_DOCUMENT, shown(old), shown(new));
        }
        _ => {}
    }
    let none = BTreeSet::new();
    let types = |facts| Facts::get(facts, &Attribute::Record).unwrap_or(&none);
    let (was, is) = (types(old), types(new));
    let subject = |kind: &String| place(format!("{} record {kind}", group.as_str()), "");
    for kind in was.difference(is) {
        sink.add(&rules::RECORD_TYPE_REMOVED, Some(subject(kind)), None);
    }
    for kind in is.difference(was) {
        sink.add(&rules::RECORD_TYPE_ADDED, None, Some(subject(kind)));
    }
    if let (Some(was), Some(is)) =
        (at(group, old, Attribute::Last), at(group, new, Attribute::Last))
        && was != is
    {
        sink.add(&rules::LAST_RECORD_CHANGED, Some(was), Some(is));
    }
}

/// Which of two versions is higher, if their numbers decide it: `1.0` and `2.0`, `animus.cli.v1` and `v2`.
pub(super) fn ordered(old: &str, new: &str) -> Option<Ordering> {
    let numbers = |text: &str| -> Vec<u64> {
        text.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect()
    };
    let rest = |text: &str| {
        text.chars().filter(|it| !it.is_ascii_digit() && *it != '.').collect::<String>()
    };
    let (was, is) = (numbers(old), numbers(new));
    (!was.is_empty() && !is.is_empty() && rest(old) == rest(new))
        .then(|| was.cmp(&is))
        .filter(|order| *order != Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_where_their_numbers_tell() {
        assert_eq!(ordered("1.0", "2.0"), Some(Ordering::Less));
        assert_eq!(ordered("1.10", "1.9"), Some(Ordering::Greater));
        assert_eq!(ordered("animus.cli.v1", "animus.cli.v2"), Some(Ordering::Less));
        assert_eq!(ordered("2026-01", "b"), None);
        assert_eq!(ordered("a", "b"), None);
    }
}
