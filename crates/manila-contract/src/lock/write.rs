//! Writes a lock as text: one line per fact, sorted; facts that most commands share are written once.

use super::line::{ABSENT, EVERY, Key, command, outcomes, values};
use super::model::{Answer, Command, Facts, Flag, Lock};
use crate::token;
use std::collections::{BTreeMap, HashMap};

/// The first line of a lock.
pub(super) const HEADER: &str = "manila.lock 1";
/// The last line; a lock without it was truncated.
pub(super) const FOOTER: &str = "end";

/// A value, or that the fact has none.
pub(crate) type Value = Option<String>;
/// Facts, sorted by their keys.
type List = Vec<(Key, Value)>;

impl Lock {
    /// The text. Equal locks have equal texts, however they came about.
    pub fn write(&self) -> String {
        let mut commands: Vec<(String, List)> = self
            .commands
            .iter()
            .map(|(words, contract)| (command(words), list(contract)))
            .collect();
        // A space sorts before whatever may follow the words of a command, so the lines are sorted too.
        commands.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let shared = share(&mut commands);
        let mut text = format!("{HEADER}\n");
        for (key, value) in &shared {
            add_line(&mut text, EVERY, key, value);
        }
        for (command, facts) in &commands {
            for (key, value) in facts {
                add_line(&mut text, command, key, value);
            }
        }
        text.push_str(FOOTER);
        text.push('\n');
        text
    }
}

fn add_line(text: &mut String, command: &str, key: &str, value: &Value) {
    text.push_str(command);
    if !key.is_empty() {
        text.push(' ');
        text.push_str(key);
    }
    if let Some(value) = value {
        text.push_str(" : ");
        text.push_str(value);
    }
    text.push('\n');
}

/// All facts of a command by their keys.
pub(crate) fn facts(command: &Command) -> BTreeMap<Key, Value> {
    list(command).into_iter().collect()
}

fn list(command: &Command) -> List {
    let mut all = Vec::new();
    let kind = if command.is_group { "group" } else { "command" };
    all.push((String::new(), Some(kind.to_owned())));
    for alias in &command.aliases {
        all.push((key(&["alias", &token::word(alias)]), None));
    }
    add(&mut all, "", &command.facts);
    for (name, flag) in command.flags.iter() {
        add_flag(&mut all, name, flag);
    }
    for (place, argument) in &command.arguments {
        let own = format!("arg {place}");
        for choice in &argument.choices {
            all.push((key(&[&own, "choice", &token::word(choice)]), None));
        }
        for (is, word) in [(argument.is_required, "required"), (argument.is_many, "many")] {
            if is {
                all.push((key(&[&own, word]), None));
            }
        }
        all.push((own, some(values(&argument.names))));
    }
    for (name, of) in &command.calls {
        all.push((key(&["call", &token::word(name)]), Some(outcomes(of))));
    }
    for (group, answer) in &command.answers {
        add_answer(&mut all, group.as_str(), answer);
    }
    for (failure, facts) in &command.failures {
        let own = failure.to_string();
        add(&mut all, &own, facts);
        all.push((own, None));
    }
    all.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    all
}

fn key(words: &[&str]) -> Key {
    words.join(" ")
}

/// A value, unless it is empty: a line may have been removed by hand.
fn some(value: String) -> Value {
    (!value.is_empty()).then_some(value)
}

fn add(all: &mut List, about: &str, facts: &Facts) {
    for (attribute, of) in facts {
        let word = attribute.as_str();
        let key = if about.is_empty() { word.to_owned() } else { key(&[about, word]) };
        all.push((key, Some(values(of))));
    }
}

fn add_flag(all: &mut List, name: &str, flag: &Flag) {
    let own = key(&["flag", &token::word(name)]);
    for (word, list) in
        [("choice", &flag.choices), ("env", &flag.variables), ("short", &flag.shorts)]
    {
        for one in list {
            all.push((key(&[&own, word, &token::word(one)]), None));
        }
    }
    if !flag.defaults.is_empty() {
        all.push((key(&[&own, "default"]), Some(values(&flag.defaults))));
    }
    if flag.is_required {
        all.push((key(&[&own, "required"]), None));
    }
    all.push((own, some(values(&flag.takes))));
}

fn add_answer(all: &mut List, group: &str, answer: &Answer) {
    all.push((group.to_owned(), None));
    add(all, group, &answer.facts);
    for (path, node) in answer.body.nodes() {
        let own = format!("{group} {path}");
        for choice in node.choices.iter().flatten() {
            all.push((key(&[&own, "one-of", &token::word(choice)]), None));
        }
        all.push((own, Some(node.to_string())));
    }
}

/// Takes out what most commands share. What a fact applies to is decided by its beginning: a flag to
/// every command, a fact of an answer or a failure to the commands that have it.
fn share(commands: &mut [(String, List)]) -> BTreeMap<Key, Value> {
    let mut owners: HashMap<&str, usize> = HashMap::new();
    let mut counts: HashMap<(&str, &Value), usize> = HashMap::new();
    for (key, value) in commands.iter().flat_map(|(_, own)| own) {
        match owner(key) {
            Some(_) => *counts.entry((key, value)).or_default() += 1,
            None => *owners.entry(key).or_default() += 1,
        }
    }
    let mut shared: BTreeMap<Key, Value> = BTreeMap::new();
    for ((key, value), count) in counts {
        let applies = match owner(key) {
            Some(owner) if !owner.is_empty() => owners.get(owner).copied().unwrap_or_default(),
            _ => commands.len(),
        };
        // More than half of the commands: no other value of the key can have as many.
        if count > applies - count + 1 {
            shared.insert(key.to_owned(), value.clone());
        }
    }
    // A flag that is not shared shares nothing of itself.
    let flags: Vec<Key> = shared.keys().filter(|key| is_flag(key)).cloned().collect();
    shared.retain(|key, _| {
        flag_of(key).is_none_or(|flag| flags.binary_search_by(|it| it.as_str().cmp(flag)).is_ok())
    });
    for (_, own) in commands {
        exclude(own, &shared);
    }
    shared
}

/// Removes from a command what it shares, and adds what it lacks of what is shared.
fn exclude(own: &mut List, shared: &BTreeMap<Key, Value>) {
    let find = |wanted: &str| own.binary_search_by(|(key, _)| key.as_str().cmp(wanted)).ok();
    let has = |key: &str| find(key).is_some();
    let mut lacking = Vec::new();
    for key in shared.keys() {
        let applies = owner(key).is_none_or(|owner| owner.is_empty() || has(owner));
        // What has no such flag has nothing of it.
        let has_flag = || is_flag(key) || flag_of(key).is_none_or(has);
        if applies && !has(key) && has_flag() {
            lacking.push((key.clone(), Some(ABSENT.to_owned())));
        }
    }
    own.retain(|(key, value)| shared.get(key).is_none_or(|of| of != value));
    if !lacking.is_empty() {
        own.extend(lacking);
        own.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    }
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
