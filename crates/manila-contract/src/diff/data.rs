//! Compares payloads: fields that were removed, added, renamed, moved or wrapped, their types, presence and
//! formats.

use super::change::{Certainty, Place, Sink, place};
use super::rule::Rule;
use super::rule::comparison::{EVIDENCE_GROWN, EVIDENCE_THINNED};
use super::rule::data as rules;
use super::rule::envelope::{PAYLOAD_UNWRAPPED, PAYLOAD_WRAPPED};
use super::tree::{Lone, Side, Wrapping, align, listed, lone, paired, side};
use crate::lock::{Attribute, Command, Facts, Group, Outcome};
use crate::shape::names::CURSORS;
use crate::shape::{Node, Path, Presence, Step, Types};
use std::collections::BTreeSet;

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    for group in [Group::Ok, Group::Failure] {
        let (Some(was), Some(is)) = (old.answers.get(&group), new.answers.get(&group)) else {
            continue;
        };
        if std::sync::Arc::ptr_eq(was, is) || was.body.is_empty() || is.body.is_empty() {
            continue;
        }
        let (mut before, mut after) = (side(&was.body), side(&is.body));
        // One document per line is compared with the list that it was, which is reported as that.
        let is_lines = [was, is].map(|it| has_lines(&it.facts));
        let turned = match is_lines {
            [false, true] => listed(&mut after, &mut before),
            [true, false] => listed(&mut before, &mut after),
            _ => false,
        };
        let word = group.as_str();
        let at = |path: &Path| Some(place(format!("{word} {path}"), ""));
        match align(&mut before, &mut after).filter(|_| !turned) {
            Some(Wrapping::Wrapped(was, is)) => sink.add(&PAYLOAD_WRAPPED, at(&was), at(&is)),
            Some(Wrapping::Unwrapped(was, is)) => sink.add(&PAYLOAD_UNWRAPPED, at(&was), at(&is)),
            None => {}
        }
        let certainty =
            if shares_call(group, old, new) { Certainty::Stated } else { Certainty::Thin };
        let has_pages = [was, is].map(|it| it.facts.contains_key(&Attribute::Paging));
        let turns_pages = has_pages[0] != has_pages[1];
        let (old, new) = (&before, &after);
        let mut payloads = Payloads { word, old, new, certainty, turns_pages, sink };
        let reported = payloads.maps();
        payloads.fields(&was.body, &is.body, &reported);
        payloads.values();
    }
}

/// Whether an answer is one document per line.
fn has_lines(facts: &Facts) -> bool {
    let has = |word| facts.get(&Attribute::Stdout).is_some_and(|it| it.contains(word));
    has("lines") && !has("document")
}

/// Whether an equal call led to such an answer on both sides: then what is gone is really gone.
fn shares_call(group: Group, old: &Command, new: &Command) -> bool {
    let leads = |all: &BTreeSet<Outcome>| {
        all.iter().any(|outcome| match group {
            Group::Failure => matches!(outcome, Outcome::Failed(_)),
            Group::Ok | Group::Text => *outcome == Outcome::Ok,
        })
    };
    old.calls
        .iter()
        .any(|(name, was)| leads(was) && new.calls.get(name).is_some_and(|is| leads(is)))
}

struct Payloads<'p, 's, 'd> {
    word: &'p str,
    old: &'p Side,
    new: &'p Side,
    /// How certain it is that a field that few samples had is gone.
    certainty: Certainty,
    /// Whether pages came or went: the cursor is reported with them.
    turns_pages: bool,
    sink: &'s mut Sink<'d>,
}

impl Payloads<'_, '_, '_> {
    fn at(&self, side: &Side, path: &Path, value: impl Into<String>) -> Option<Place> {
        let (stands, _) = side.get(path)?;
        Some(place(format!("{} {stands}", self.word), value))
    }

    /// Objects whose keys became data, or no longer are. What is below them is not compared.
    fn maps(&mut self) -> BTreeSet<Path> {
        let mut reported = BTreeSet::new();
        for path in self.old.keys().filter(|path| self.new.contains_key(*path)) {
            let has_entries = |side: &Side| side.contains_key(&path.then(Step::Entry));
            let has_fields = |side: &Side| {
                let below = side
                    .range(path.clone()..)
                    .skip(1)
                    .take_while(|(it, _)| it.0.starts_with(&path.0));
                below.into_iter().any(|(it, _)| {
                    it.0.len() == path.0.len() + 1 && matches!(it.0.last(), Some(Step::Field(_)))
                })
            };
            let rule = match (has_entries(self.old), has_entries(self.new)) {
                (false, true) if has_fields(self.old) && !has_fields(self.new) => {
                    &rules::RECORD_BECAME_MAP
                }
                (true, false) if has_fields(self.new) && !has_fields(self.old) => {
                    &rules::MAP_BECAME_RECORD
                }
                _ => continue,
            };
            let (was, is) = (self.at(self.old, path, ""), self.at(self.new, path, ""));
            self.sink.add(rule, was, is);
            reported.insert(path.clone());
        }
        reported
    }

    /// Fields that are on one side only.
    fn fields(
        &mut self,
        old: &crate::shape::Shape,
        new: &crate::shape::Shape,
        reported: &BTreeSet<Path>,
    ) {
        let is_reported = |path: &Path| reported.contains(path);
        let removed = lone(self.old, self.new, old, is_reported);
        let added = lone(self.new, self.old, new, is_reported);
        let pairs = paired(&removed, &added);
        for (was, is) in &pairs {
            let (was, is) = (&removed[*was].path, &added[*is].path);
            let is_same_object = was.0[..was.0.len() - 1] == is.0[..is.0.len() - 1];
            let rule: &'static Rule =
                if is_same_object { &rules::FIELD_RENAMED } else { &rules::FIELD_MOVED };
            let (was, is) = (self.at(self.old, was, ""), self.at(self.new, is, ""));
            self.sink.add(rule, was, is);
        }
        let old_pairs: BTreeSet<usize> = pairs.iter().map(|pair| pair.0).collect();
        let new_pairs: BTreeSet<usize> = pairs.iter().map(|pair| pair.1).collect();
        let is_reported = |path: &Path| {
            let is_cursor =
                |step: &Step| matches!(step, Step::Field(key) if CURSORS.contains(&key.as_str()));
            self.turns_pages && path.0.last().is_some_and(is_cursor)
        };
        let is_change = |it: &&(usize, &Lone)| it.1.is_own && !is_reported(&it.1.path);
        let gone: Vec<_> = removed.iter().enumerate().filter(|it| is_change(&it)).collect();
        let arrived: Vec<_> = added.iter().enumerate().filter(|it| is_change(&it)).collect();
        for (at, gone) in gone {
            if !old_pairs.contains(&at) {
                let (was, certainty) = self.lone(self.old, &gone.path);
                self.sink.add_as(&rules::FIELD_REMOVED, was, None, certainty);
                for was in self.secrets(self.old, &gone.path) {
                    self.sink.add(&rules::SECRET_GONE, Some(was), None);
                }
            }
        }
        for (at, new) in arrived {
            if !new_pairs.contains(&at) {
                let (is, certainty) = self.lone(self.new, &new.path);
                self.sink.add_as(&rules::FIELD_ADDED, None, is, certainty);
                for is in self.secrets(self.new, &new.path) {
                    self.sink.add(&rules::SECRET_APPEARED, None, Some(is));
                }
            }
        }
    }

    /// The credentials in a field.
    fn secrets(&self, side: &Side, path: &Path) -> Vec<Place> {
        let within = side.range(path.clone()..).take_while(|(it, _)| it.0.starts_with(&path.0));
        let secrets = within.filter(|(_, (_, node))| node.is_secret);
        secrets.filter_map(|(it, _)| self.at(side, it, "secret")).collect()
    }

    fn lone(&self, side: &Side, path: &Path) -> (Option<Place>, Certainty) {
        let node = side.get(path).map(|(_, node)| node);
        let is_solid = node.is_some_and(|node| node.presence == Some(Presence::Always));
        let certainty = if is_solid { Certainty::Stated } else { self.certainty };
        let value = node.map(|node| node.types.to_string()).unwrap_or_default();
        (self.at(side, path, value), certainty)
    }

    /// Values at paths that both sides have.
    fn values(&mut self) {
        for (path, (_, was)) in self.old {
            if let Some((_, is)) = self.new.get(path).filter(|(_, is)| is != was) {
                self.types(path, was, is);
                self.presence(path, was, is);
                self.marks(path, was, is);
                self.choices(path, was, is);
            }
        }
    }

    fn add(
        &mut self,
        rule: &'static Rule,
        path: &Path,
        was: impl Into<String>,
        is: impl Into<String>,
    ) {
        let (was, is) = (self.at(self.old, path, was), self.at(self.new, path, is));
        self.sink.add(rule, was, is);
    }

    fn types(&mut self, path: &Path, was: &Node, is: &Node) {
        let [old, new] = [was, is].map(|node| node.types.without(Types::NULL));
        if old != new {
            let rule = match (old.is_empty(), new.is_empty()) {
                (_, true) => &rules::ALWAYS_NULL_NOW,
                (true, _) => &rules::NO_LONGER_ALWAYS_NULL,
                _ => type_rule(old, new),
            };
            self.add(rule, path, was.types.to_string(), is.types.to_string());
        }
    }

    fn presence(&mut self, path: &Path, was: &Node, is: &Node) {
        let is_null =
            [was, is].map(|node| node.types.has(Types::NULL) && node.types != Types::NULL);
        let is_only_null = [was, is].map(|node| node.types == Types::NULL).contains(&true);
        let is_optional = [was, is].map(|node| node.presence == Some(Presence::Sometimes));
        let shown = [was, is].map(Node::to_string);
        let [old, new] = shown;
        let certainty = |presence: Option<Presence>| match presence {
            Some(Presence::Thin) => Certainty::Thin,
            _ => Certainty::Stated,
        };
        let places = (self.at(self.old, path, old.clone()), self.at(self.new, path, new.clone()));
        match (is_null, is_optional) {
            _ if is_only_null => {}
            ([true, false], [false, true]) => {
                return self.sink.add(&rules::NULL_BECAME_ABSENT, places.0, places.1);
            }
            ([false, true], [true, false]) => {
                return self.sink.add(&rules::ABSENT_BECAME_NULL, places.0, places.1);
            }
            ([false, true], _) => self.add(&rules::BECAME_NULLABLE, path, old.clone(), new.clone()),
            ([true, false], _) => {
                self.add(&rules::NO_LONGER_NULLABLE, path, old.clone(), new.clone());
            }
            _ => {}
        }
        match (was.presence, is.presence) {
            (Some(Presence::Sometimes), Some(Presence::Sometimes)) => {}
            (before, Some(Presence::Sometimes)) => {
                self.sink.add_as(&rules::BECAME_OPTIONAL, places.0, places.1, certainty(before));
            }
            (Some(Presence::Sometimes), after) => {
                self.sink.add_as(&rules::BECAME_ALWAYS, places.0, places.1, certainty(after));
            }
            (Some(Presence::Always), Some(Presence::Thin)) => {
                self.sink.add(&EVIDENCE_THINNED, places.0, places.1);
            }
            (Some(Presence::Thin), Some(Presence::Always)) => {
                self.sink.add(&EVIDENCE_GROWN, places.0, places.1);
            }
            _ => {}
        }
    }

    fn marks(&mut self, path: &Path, was: &Node, is: &Node) {
        let both_have = |types| was.types.has(types) && is.types.has(types);
        let word = |is: bool, word: &str| if is { word.to_owned() } else { String::new() };
        for (before, after, gone, new, name) in [
            (
                was.is_volatile,
                is.is_volatile,
                &rules::BECAME_STABLE,
                &rules::BECAME_VOLATILE,
                "volatile",
            ),
            (was.is_secret, is.is_secret, &rules::SECRET_GONE, &rules::SECRET_APPEARED, "secret"),
        ] {
            if before != after {
                let rule: &'static Rule = if after { new } else { gone };
                self.add(rule, path, word(before, name), word(after, name));
            }
        }
        if both_have(Types::ARRAY) && was.is_unfilled != is.is_unfilled {
            let rule: &'static Rule =
                if is.is_unfilled { &rules::LIST_NOW_EMPTY } else { &rules::LIST_NOW_FILLED };
            self.add(rule, path, word(was.is_unfilled, "empty"), word(is.is_unfilled, "empty"));
        }
        if both_have(Types::STRING) && was.formats != is.formats {
            let shown = |node: &Node| {
                let words: Vec<&str> = node.formats.iter().map(|it| it.as_str()).collect();
                if words.is_empty() { "any text".to_owned() } else { words.join(" ") }
            };
            let rule = match (was.formats.is_empty(), is.formats.is_empty()) {
                (false, false) => &rules::FORMAT_CHANGED,
                (false, true) => &rules::FORMAT_LOST,
                _ => &rules::FORMAT_GAINED,
            };
            self.add(rule, path, shown(was), shown(is));
        }
    }

    fn choices(&mut self, path: &Path, was: &Node, is: &Node) {
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
        match (&was.choices, &is.choices) {
            (Some(old), Some(new)) => {
                for value in old.difference(new) {
                    let was = self.at(self.old, path, format!("one of them {value}"));
                    self.sink.add(&rules::ENUM_VALUE_REMOVED, was, None);
                }
                for value in new.difference(old) {
                    let is = self.at(self.new, path, format!("one of them {value}"));
                    self.sink.add(&rules::ENUM_VALUE_ADDED, None, is);
                }
            }
            (None, Some(new)) => self.add(&rules::ENUM_CLOSED, path, "any value", list(new)),
            (Some(old), None) => self.add(&rules::ENUM_OPENED, path, list(old), "any value"),
            (None, None) => {}
        }
    }
}

/// The rule of two different types, neither of them nothing.
fn type_rule(old: Types, new: Types) -> &'static Rule {
    let is_number = |types| types == Types::INTEGER || types == Types::NUMBER;
    match (old, new) {
        (Types::INTEGER, Types::NUMBER) => &rules::INTEGER_BECAME_NUMBER,
        (Types::NUMBER, Types::INTEGER) => &rules::NUMBER_BECAME_INTEGER,
        (old, Types::STRING) if is_number(old) => &rules::NUMBER_BECAME_STRING,
        (Types::STRING, new) if is_number(new) => &rules::STRING_BECAME_NUMBER,
        (Types::ARRAY, Types::OBJECT) => &rules::ARRAY_BECAME_OBJECT,
        (Types::OBJECT, Types::ARRAY) => &rules::OBJECT_BECAME_ARRAY,
        (old, Types::ARRAY) if old.is_scalar() => &rules::SCALAR_BECAME_ARRAY,
        (Types::ARRAY, new) if new.is_scalar() => &rules::ARRAY_BECAME_SCALAR,
        (old, Types::OBJECT) if old.is_scalar() => &rules::SCALAR_BECAME_OBJECT,
        (Types::OBJECT, new) if new.is_scalar() => &rules::OBJECT_BECAME_SCALAR,
        (old, new) if new.has(old) => &rules::TYPE_WIDENED,
        (old, new) if old.has(new) => &rules::TYPE_NARROWED,
        _ => &rules::TYPE_CHANGED,
    }
}
