//! One change of a contract: its rule, the facts on both sides, and its fingerprint.

use super::rule::{Impact, Reader, Rule};
use manila::fingerprint;

/// A fact in one of the two contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its subject, as a lock writes it: `flag --limit`, `ok .data[].id`.
    pub subject: String,
    /// Its value.
    pub value: String,
}

/// How certain a change is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certainty {
    /// Both contracts say so.
    #[default]
    Stated,
    /// It is based on few samples.
    Thin,
}

/// A change of a contract, of one command or of several alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of change.
    pub rule: &'static Rule,
    /// The commands by their old and new words; a removed or added command has only one of them.
    pub commands: Vec<(Option<Vec<String>>, Option<Vec<String>>)>,
    /// The old fact.
    pub old: Option<Place>,
    /// The new fact.
    pub new: Option<Place>,
    /// How certain it is.
    pub certainty: Certainty,
}

impl Change {
    /// What it means for a reader, according to the contracts.
    pub(crate) fn impact(&self, reader: Reader) -> Impact {
        let impact = self.rule.impact(reader);
        match self.certainty {
            Certainty::Stated => impact,
            Certainty::Thin => impact.min(Impact::Human),
        }
    }

    /// The same change seen from the other side.
    #[must_use]
    pub fn mirrored(&self) -> Option<Change> {
        Some(Change {
            rule: super::rule::rule(self.rule.mirror)?,
            commands: self.commands.iter().map(|(old, new)| (new.clone(), old.clone())).collect(),
            old: self.new.clone(),
            new: self.old.clone(),
            certainty: self.certainty,
        })
    }

    /// The fingerprint, which stays the same as long as the change does: 48 bits.
    pub fn fingerprint(&self) -> String {
        let mut text = self.rule.id.to_owned();
        for place in [&self.old, &self.new] {
            let place = place.clone().unwrap_or_default();
            text.push_str(&format!("\n{}\n{}", place.subject, place.value));
        }
        for (old, new) in &self.commands {
            text.push_str(&format!("\n{old:?}\n{new:?}"));
        }
        format!("{:012x}", fingerprint(text.as_bytes()) & 0xffff_ffff_ffff)
    }

    /// What it is about, in words: `ok .data[].id`, or `flag --a → flag --b`.
    pub fn subject(&self) -> String {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if old.subject != new.subject => {
                format!("{} → {}", old.subject, new.subject)
            }
            (Some(place), _) | (None, Some(place)) => place.subject.clone(),
            (None, None) => String::new(),
        }
    }

    /// What was said and what is said, in words; empty if there is nothing to compare.
    pub fn values(&self) -> String {
        let value =
            |place: &Option<Place>| place.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        match (value(&self.old), value(&self.new)) {
            (old, new) if old == new => old,
            (old, new) if new.is_empty() => format!("was {old}"),
            (old, new) if old.is_empty() => new,
            (old, new) => format!("{old} → {new}"),
        }
    }

    /// The commands, in words.
    pub fn places(&self) -> String {
        const MOST: usize = 3;
        let name = |words: &Vec<String>| match words.as_slice() {
            [] => "the program itself".to_owned(),
            words => words.join(" "),
        };
        let one = |(old, new): &(Option<Vec<String>>, Option<Vec<String>>)| match (old, new) {
            (Some(old), Some(new)) if old != new => format!("{} → {}", name(old), name(new)),
            (Some(words), _) | (None, Some(words)) => name(words),
            (None, None) => String::new(),
        };
        let shown: Vec<String> = self.commands.iter().take(MOST).map(one).collect();
        match self.commands.len().saturating_sub(MOST) {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }
}

/// Where changes of one pair of commands are collected.
pub(super) struct Sink<'d> {
    old: Option<&'d [String]>,
    new: Option<&'d [String]>,
    changes: &'d mut Vec<Change>,
}

impl<'d> Sink<'d> {
    pub(super) fn new(
        old: Option<&'d [String]>,
        new: Option<&'d [String]>,
        changes: &'d mut Vec<Change>,
    ) -> Sink<'d> {
        Sink { old, new, changes }
    }

    /// Adds a change.
    pub(super) fn add(&mut self, rule: &'static Rule, old: Option<Place>, new: Option<Place>) {
        self.add_as(rule, old, new, Certainty::Stated);
    }

    pub(super) fn add_as(
        &mut self,
        rule: &'static Rule,
        old: Option<Place>,
        new: Option<Place>,
        certainty: Certainty,
    ) {
        let commands = vec![(self.old.map(<[String]>::to_vec), self.new.map(<[String]>::to_vec))];
        self.changes.push(Change { rule, commands, old, new, certainty });
    }

    /// Adds that something is gone or new.
    pub(super) fn gone_or_new(
        &mut self,
        rules: (&'static Rule, &'static Rule),
        old: Option<Place>,
        new: Option<Place>,
    ) {
        match (old, new) {
            (Some(old), None) => self.add(rules.0, Some(old), None),
            (None, Some(new)) => self.add(rules.1, None, Some(new)),
            _ => {}
        }
    }
}

/// A place.
pub(super) fn place(subject: impl Into<String>, value: impl Into<String>) -> Place {
    Place { subject: subject.into(), value: value.into() }
}
