//! A lock as text: every fact a line, sorted, what most commands share once.

use super::line::{ABSENT, EVERY, Key, command, outcomes, values};
use super::model::{Answer, Command, Facts, Flag, Lock};
use crate::token;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The first line of a lock.
pub const HEADER: &str = "manila.lock 1";
/// The last line, which tells a lock from one that was cut.
pub(super) const FOOTER: &str = "end";

/// A value, or that the fact has none.
pub(crate) type Value = Option<String>;

impl Lock {
    /// The text. Equal locks have equal texts, however they came about.
    pub fn write(&self) -> String {
        let mut facts: BTreeMap<String, BTreeMap<Key, Value>> = self
            .commands
            .iter()
            .map(|(words, contract)| (command(words), self::facts(contract)))
            .collect();
        let shared = share(&mut facts);
        let mut lines: Vec<String> =
            shared.iter().map(|(key, value)| line(EVERY, key, value)).collect();
        for (command, facts) in &facts {
            lines.extend(facts.iter().map(|(key, value)| line(command, key, value)));
        }
        lines.sort_unstable();
        let mut text = format!("{HEADER}\n");
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str(FOOTER);
        text.push('\n');
        text
    }
}

fn line(command: &str, key: &str, value: &Value) -> String {
    let mut line = command.to_owned();
    if !key.is_empty() {
        line.push(' ');
        line.push_str(key);
    }
    if let Some(value) = value {
        // Writing to memory cannot fail.
        let _ = write!(line, " : {value}");
    }
    line
}

/// All facts of a command by their keys.
pub(crate) fn facts(command: &Command) -> BTreeMap<Key, Value> {
    let mut all = BTreeMap::new();
    let kind = if command.is_group { "group" } else { "command" };
    all.insert(String::new(), Some(kind.to_owned()));
    for alias in &command.aliases {
        all.insert(format!("alias {}", token::word(alias)), None);
    }
    add(&mut all, "", &command.facts);
    for (name, flag) in &command.flags {
        add_flag(&mut all, name, flag);
    }
    for (place, argument) in &command.arguments {
        let key = format!("arg {place}");
        for choice in &argument.choices {
            all.insert(format!("{key} choice {}", token::word(choice)), None);
        }
        for (is, word) in [(argument.is_required, "required"), (argument.is_many, "many")] {
            if is {
                all.insert(format!("{key} {word}"), None);
            }
        }
        all.insert(key, some(values(&argument.names)));
    }
    for (name, of) in &command.calls {
        all.insert(format!("call {}", token::word(name)), Some(outcomes(of)));
    }
    for (group, answer) in &command.answers {
        add_answer(&mut all, group.word(), answer);
    }
    for (failure, facts) in &command.failures {
        all.insert(failure.to_string(), None);
        add(&mut all, &format!("{failure} "), facts);
    }
    all
}

/// A value, unless it is empty: a line may have been removed by hand.
fn some(value: String) -> Value {
    (!value.is_empty()).then_some(value)
}

fn add(all: &mut BTreeMap<Key, Value>, before: &str, facts: &Facts) {
    for (attribute, of) in facts {
        all.insert(format!("{before}{}", attribute.word()), Some(values(of)));
    }
}

fn add_flag(all: &mut BTreeMap<Key, Value>, name: &str, flag: &Flag) {
    let key = format!("flag {}", token::word(name));
    for (word, list) in
        [("choice", &flag.choices), ("env", &flag.variables), ("short", &flag.shorts)]
    {
        for one in list {
            all.insert(format!("{key} {word} {}", token::word(one)), None);
        }
    }
    if !flag.defaults.is_empty() {
        all.insert(format!("{key} default"), Some(values(&flag.defaults)));
    }
    if flag.is_required {
        all.insert(format!("{key} required"), None);
    }
    all.insert(key, some(values(&flag.takes)));
}

fn add_answer(all: &mut BTreeMap<Key, Value>, group: &str, answer: &Answer) {
    all.insert(group.to_owned(), None);
    add(all, &format!("{group} "), &answer.facts);
    for (path, node) in answer.body.nodes() {
        let key = format!("{group} {path}");
        for choice in node.choices.iter().flatten() {
            all.insert(format!("{key} one-of {}", token::word(choice)), None);
        }
        all.insert(key, Some(node.to_string()));
    }
}

/// Takes out what most commands share. What a fact applies to is decided by its beginning: a flag to
/// every command, a fact of an answer or a failure to the commands that have it.
fn share(facts: &mut BTreeMap<String, BTreeMap<Key, Value>>) -> BTreeMap<Key, Value> {
    let mut owners: BTreeMap<Key, usize> = BTreeMap::new();
    let mut counts: BTreeMap<&Key, BTreeMap<&Value, usize>> = BTreeMap::new();
    for own in facts.values() {
        for (key, value) in own {
            match owner(key) {
                Some(_) => *counts.entry(key).or_default().entry(value).or_default() += 1,
                None => *owners.entry(key.clone()).or_default() += 1,
            }
        }
    }
    let all = facts.len();
    let mut shared: BTreeMap<Key, Value> = BTreeMap::new();
    for (key, values) in counts {
        // The first of the most frequent ones.
        let Some((value, count)) = values
            .iter()
            .rev()
            .max_by_key(|(_, count)| **count)
            .map(|(value, count)| (*value, *count))
        else {
            continue;
        };
        let applies = match owner(key) {
            Some(owner) if !owner.is_empty() => owners.get(owner).copied().unwrap_or_default(),
            _ => all,
        };
        if count > applies - count + 1 {
            shared.insert(key.clone(), value.clone());
        }
    }
    // A flag that is not shared shares nothing of itself.
    let flags: BTreeSet<Key> = shared.keys().filter(|key| is_flag(key)).cloned().collect();
    shared.retain(|key, _| flag_of(key).is_none_or(|flag| flags.contains(flag)));
    for own in facts.values_mut() {
        exclude(own, &shared);
    }
    shared
}

/// Removes from a command what it shares, and adds what it lacks of what is shared.
fn exclude(own: &mut BTreeMap<Key, Value>, shared: &BTreeMap<Key, Value>) {
    let mut lacking = Vec::new();
    for (key, value) in shared {
        let applies = owner(key).is_none_or(|owner| owner.is_empty() || own.contains_key(owner));
        if !applies {
            continue;
        }
        match own.get(key) {
            Some(of) if of == value => {}
            Some(_) => continue,
            // What has no such flag has nothing of it.
            None if !is_flag(key) && flag_of(key).is_some_and(|flag| !own.contains_key(flag)) => {}
            None => lacking.push(key.clone()),
        }
    }
    own.retain(|key, value| shared.get(key).is_none_or(|of| of != value));
    own.extend(lacking.into_iter().map(|key| (key, Some(ABSENT.to_owned()))));
}

/// The key of the fact that a command must have for this one to apply to it: empty for none. Nothing if
/// such facts are never shared.
pub(super) fn owner(key: &str) -> Option<&str> {
    let mut spaces = key.match_indices(' ').map(|(at, _)| at);
    match key.split(' ').next().unwrap_or_default() {
        "flag" => Some(""),
        "ok" | "failure" | "text" => spaces.next().map(|at| &key[..at]),
        "error" | "exit" => spaces.nth(1).map(|at| &key[..at]),
        _ => None,
    }
}

/// The flag that a fact is about.
pub(super) fn flag_of(key: &str) -> Option<&str> {
    let rest = key.strip_prefix("flag ")?;
    let length = rest.find(' ').unwrap_or(rest.len());
    Some(&key[.."flag ".len() + length])
}

fn is_flag(key: &str) -> bool {
    flag_of(key) == Some(key)
}
