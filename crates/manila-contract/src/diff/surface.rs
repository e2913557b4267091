//! Compares the surface: flags, arguments, how JSON is asked for, declarations, effects.

use super::change::{Sink, place};
use super::rename::{is_alike, matched, similarity};
use super::rule::Rule;
use super::rule::surface as rules;
use crate::lock::{Argument, Attribute, Command, Facts, Flag};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    match (old.is_group, new.is_group) {
        (false, true) => sink.add(&rules::COMMAND_BECAME_GROUP, None, None),
        (true, false) => sink.add(&rules::GROUP_BECAME_COMMAND, None, None),
        _ => {}
    }
    flags(&old.flags, &new.flags, sink);
    arguments(&old.arguments, &new.arguments, sink);
    json(&old.facts, &new.facts, sink);
    let set = |facts: &Facts, attribute| facts.get(&attribute).cloned().unwrap_or_default();
    for (attribute, rules) in [
        (Attribute::DeclaresError, (&rules::DECLARED_ERROR_REMOVED, &rules::DECLARED_ERROR_ADDED)),
        (
            Attribute::DeclaresStatus,
            (&rules::DECLARED_STATUS_REMOVED, &rules::DECLARED_STATUS_ADDED),
        ),
    ] {
        let (was, is) = (set(&old.facts, attribute), set(&new.facts, attribute));
        values(attribute.as_str(), &was, &is, rules, sink);
    }
    effects(&old.facts, &new.facts, sink);
}

/// Single values that are gone or new.
fn values(
    subject: &str,
    old: &BTreeSet<String>,
    new: &BTreeSet<String>,
    rules: (&'static Rule, &'static Rule),
    sink: &mut Sink<'_>,
) {
    for value in old.difference(new) {
        sink.add(rules.0, Some(place(format!("{subject} {value}"), "")), None);
    }
    for value in new.difference(old) {
        sink.add(rules.1, None, Some(place(format!("{subject} {value}"), "")));
    }
}

type Flags = BTreeMap<String, Arc<Flag>>;

fn flags(old: &Flags, new: &Flags, sink: &mut Sink<'_>) {
    for (name, was) in old {
        if let Some(is) = new.get(name).filter(|is| !Arc::ptr_eq(was, is)) {
            flag(name, was, is, sink);
        }
    }
    let removed: Vec<&String> = old.keys().filter(|name| !new.contains_key(*name)).collect();
    let added: Vec<&String> = new.keys().filter(|name| !old.contains_key(*name)).collect();
    let pairs = matched(&removed, &added, |was, is| {
        let (before, after) = (&old[*was], &new[*is]);
        let alike = before.takes == after.takes
            && before.choices == after.choices
            && before.defaults == after.defaults
            && before.is_required == after.is_required;
        let shares_short = !before.shorts.is_disjoint(&after.shorts);
        // What takes the same values, and says which, is the same under another name.
        let says_values = !(before.defaults.is_empty() && before.choices.is_empty());
        (alike && (shares_short || says_values || is_alike(was, is)))
            .then(|| similarity(was, is) + if shares_short { 1.0 } else { 0.0 })
    });
    for (was, is) in &pairs {
        let (was, is) = (removed[*was], added[*is]);
        let subject = |name: &str| Some(place(format!("flag {name}"), ""));
        sink.add(&rules::FLAG_RENAMED, subject(was), subject(is));
        short_names(was, is, &old[was], &new[is], sink);
    }
    for (at, name) in removed.iter().enumerate() {
        if !pairs.iter().any(|(was, _)| *was == at) {
            let is_required = old[*name].is_required;
            let rule =
                if is_required { &rules::REQUIRED_FLAG_REMOVED } else { &rules::FLAG_REMOVED };
            sink.add(rule, Some(place(format!("flag {name}"), "")), None);
        }
    }
    for (at, name) in added.iter().enumerate() {
        if !pairs.iter().any(|(_, is)| *is == at) {
            let is_required = new[*name].is_required;
            let rule = if is_required { &rules::REQUIRED_FLAG_ADDED } else { &rules::FLAG_ADDED };
            sink.add(rule, None, Some(place(format!("flag {name}"), "")));
        }
    }
}

fn flag(name: &str, old: &Flag, new: &Flag, sink: &mut Sink<'_>) {
    let subject = format!("flag {name}");
    let at = |value: &str| Some(place(subject.clone(), value));
    match (old.is_required, new.is_required) {
        (false, true) => sink.add(&rules::FLAG_NOW_REQUIRED, at("optional"), at("required")),
        (true, false) => sink.add(&rules::FLAG_NO_LONGER_REQUIRED, at("required"), at("optional")),
        _ => {}
    }
    let is = |flag: &Flag, word: &str| flag.takes.contains(word);
    let takes = |flag: &Flag| flag.takes.iter().cloned().collect::<Vec<_>>().join(" ");
    let (was, now) = (takes(old), takes(new));
    let is_switch = [old, new].map(|flag| is(flag, "switch"));
    let is_number = [old, new].map(|flag| is(flag, "number"));
    match (is_switch, is_number) {
        ([true, false], _) => sink.add(&rules::FLAG_TAKES_VALUE, at(&was), at(&now)),
        ([false, true], _) => sink.add(&rules::FLAG_TAKES_NO_VALUE, at(&was), at(&now)),
        (_, [false, true]) => sink.add(&rules::VALUE_NOW_NUMBER, at(&was), at(&now)),
        (_, [true, false]) => sink.add(&rules::VALUE_NO_LONGER_NUMBER, at(&was), at(&now)),
        _ => {}
    }
    short_names(name, name, old, new, sink);
    choices(&subject, &old.choices, &new.choices, sink);
    let default = |flag: &Flag| {
        let all = flag.defaults.iter().cloned().collect::<Vec<_>>().join(" ");
        (!all.is_empty()).then(|| place(format!("{subject} default"), all))
    };
    match (default(old), default(new)) {
        (Some(was), Some(is)) if was != is => {
            sink.add(&rules::DEFAULT_CHANGED, Some(was), Some(is));
        }
        (was, is) => sink.gone_or_new((&rules::DEFAULT_REMOVED, &rules::DEFAULT_ADDED), was, is),
    }
    let of = (&rules::VARIABLE_REMOVED, &rules::VARIABLE_ADDED);
    values(&format!("{subject} env"), &old.variables, &new.variables, of, sink);
}

fn short_names(was: &str, is: &str, old: &Flag, new: &Flag, sink: &mut Sink<'_>) {
    for short in old.shorts.difference(&new.shorts) {
        sink.add(
            &rules::SHORT_FLAG_REMOVED,
            Some(place(format!("flag {was} short {short}"), "")),
            None,
        );
    }
    for short in new.shorts.difference(&old.shorts) {
        sink.add(
            &rules::SHORT_FLAG_ADDED,
            None,
            Some(place(format!("flag {is} short {short}"), "")),
        );
    }
}

fn choices(subject: &str, old: &BTreeSet<String>, new: &BTreeSet<String>, sink: &mut Sink<'_>) {
    let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
    let at = |value: String| Some(place(format!("{subject} choice"), value));
    match (old.is_empty(), new.is_empty()) {
        (true, false) => sink.add(&rules::CHOICES_CLOSED, at("any".to_owned()), at(list(new))),
        (false, true) => sink.add(&rules::CHOICES_OPENED, at(list(old)), at("any".to_owned())),
        _ => {
            let of = (&rules::CHOICE_REMOVED, &rules::CHOICE_ADDED);
            values(&format!("{subject} choice"), old, new, of, sink);
        }
    }
}

type Arguments = BTreeMap<u16, Argument>;

fn arguments(old: &Arguments, new: &Arguments, sink: &mut Sink<'_>) {
    let names = |of: &Arguments| of.values().map(|it| it.names.clone()).collect::<Vec<_>>();
    let (was, is) = (names(old), names(new));
    let sorted = |list: &Vec<BTreeSet<String>>| list.iter().cloned().collect::<BTreeSet<_>>();
    let is_permuted = was != is
        && was.len() == is.len()
        && sorted(&was) == sorted(&is)
        && sorted(&was).len() == was.len();
    let shown =
        |list: &[BTreeSet<String>]| list.iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    if is_permuted {
        let at = |list: &[BTreeSet<String>]| Some(place("arg", shown(list)));
        return sink.add(&rules::ARGUMENT_ORDER_CHANGED, at(&was), at(&is));
    }
    let places: BTreeSet<u16> = old.keys().chain(new.keys()).copied().collect();
    for at in places {
        match (old.get(&at), new.get(&at)) {
            (Some(was), Some(is)) => argument(at, was, is, sink),
            (was, is) => {
                let is_required = was.or(is).is_some_and(|it| it.is_required);
                let of = if is_required {
                    (&rules::REQUIRED_ARGUMENT_REMOVED, &rules::REQUIRED_ARGUMENT_ADDED)
                } else {
                    (&rules::ARGUMENT_REMOVED, &rules::ARGUMENT_ADDED)
                };
                let here = |it: &Argument| {
                    place(format!("arg {at}"), shown(std::slice::from_ref(&it.names)))
                };
                sink.gone_or_new(of, was.map(here), is.map(here));
            }
        }
    }
}

fn argument(at: u16, old: &Argument, new: &Argument, sink: &mut Sink<'_>) {
    let subject = format!("arg {at}");
    let here = |value: &str| Some(place(subject.clone(), value));
    if old.names != new.names {
        let shown = |it: &Argument| it.names.iter().cloned().collect::<Vec<_>>().join(" ");
        sink.add(&rules::ARGUMENT_RENAMED, here(&shown(old)), here(&shown(new)));
    }
    match (old.is_required, new.is_required) {
        (false, true) => {
            sink.add(&rules::ARGUMENT_NOW_REQUIRED, here("optional"), here("required"));
        }
        (true, false) => {
            sink.add(&rules::ARGUMENT_NO_LONGER_REQUIRED, here("required"), here("optional"));
        }
        _ => {}
    }
    match (old.is_many, new.is_many) {
        (false, true) => sink.add(&rules::ARGUMENT_NOW_MANY, here("one"), here("many")),
        (true, false) => sink.add(&rules::ARGUMENT_NO_LONGER_MANY, here("many"), here("one")),
        _ => {}
    }
    choices(&subject, &old.choices, &new.choices, sink);
}

fn json(old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let value = |facts: &Facts, attribute: Attribute| {
        let all = facts.get(&attribute)?.iter().cloned().collect::<Vec<_>>().join(" or ");
        Some(place(attribute.as_str(), all))
    };
    match (value(old, Attribute::Json), value(new, Attribute::Json)) {
        (Some(was), Some(is)) if was != is => {
            sink.add(&rules::JSON_SWITCH_CHANGED, Some(was), Some(is));
        }
        (was, is) => {
            sink.gone_or_new((&rules::JSON_SWITCH_REMOVED, &rules::JSON_SWITCH_ADDED), was, is);
        }
    }
    let (was, is) = (value(old, Attribute::Manifest), value(new, Attribute::Manifest));
    sink.gone_or_new((&rules::MANIFEST_REMOVED, &rules::MANIFEST_ADDED), was, is);
}

/// From harmless to harmful.
const EFFECTS: [&str; 4] = ["none", "idempotent", "writes", "destroys"];

fn effects(old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let worst = |facts: &Facts| {
        let values = facts.get(&Attribute::Effects)?;
        EFFECTS.iter().rposition(|effect| values.contains(*effect))
    };
    // What is not known on one side says nothing about a change.
    let (Some(was), Some(is)) = (worst(old), worst(new)) else { return };
    let at = |effect: usize| Some(place("effects", EFFECTS[effect]));
    match was.cmp(&is) {
        std::cmp::Ordering::Less => sink.add(&rules::EFFECTS_GREW, at(was), at(is)),
        std::cmp::Ordering::Greater => sink.add(&rules::EFFECTS_SHRANK, at(was), at(is)),
        std::cmp::Ordering::Equal => {}
    }
}
