//! Pairs the commands of two contracts: by their words, by an alias, or by being the same under another name.

use super::change::{Change, Sink, place};
use super::rule::surface as rules;
use crate::lock::{Command, Lock};
use std::collections::{BTreeMap, BTreeSet};

/// Two commands that correspond.
pub(super) struct Pair<'l> {
    pub(super) old_words: &'l [String],
    pub(super) new_words: &'l [String],
    pub(super) old: &'l Command,
    pub(super) new: &'l Command,
}

type Words<'l> = &'l Vec<String>;

pub(super) fn pairs<'l>(old: &'l Lock, new: &'l Lock, changes: &mut Vec<Change>) -> Vec<Pair<'l>> {
    let mut removed: BTreeSet<Words<'l>> =
        old.commands.keys().filter(|it| !new.commands.contains_key(*it)).collect();
    let mut added: BTreeSet<Words<'l>> =
        new.commands.keys().filter(|it| !old.commands.contains_key(*it)).collect();
    let same = old.commands.keys().filter(|it| new.commands.contains_key(*it));
    let mut pairs: Vec<(Words<'l>, Words<'l>)> = same.map(|words| (words, words)).collect();
    for (rule, by_alias) in [
        (&rules::COMMAND_BECAME_ALIAS, by_alias(&removed, &added, new)),
        (&rules::ALIAS_BECAME_COMMAND, swapped(by_alias(&added, &removed, old))),
    ] {
        for (was, is) in by_alias {
            if removed.contains(was) && added.contains(is) {
                removed.remove(was);
                added.remove(is);
                pairs.push((was, is));
                Sink::new(Some(was), Some(is), changes).add(rule, None, None);
            }
        }
    }
    for (was, is) in renamed(&removed, &added, old, new) {
        removed.remove(was);
        added.remove(is);
        pairs.push((was, is));
        Sink::new(Some(was), Some(is), changes).add(&rules::COMMAND_RENAMED, None, None);
    }
    // A removed group is reported once, and not for each command below it.
    let is_below = |words: Words<'l>, all: &BTreeSet<Words<'l>>| {
        (1..words.len()).any(|length| all.contains(&words[..length].to_vec()))
    };
    for words in removed.iter().filter(|words| !is_below(words, &removed)) {
        Sink::new(Some(words), None, changes).add(&rules::COMMAND_REMOVED, None, None);
    }
    for words in added.iter().filter(|words| !is_below(words, &added)) {
        Sink::new(None, Some(words), changes).add(&rules::COMMAND_ADDED, None, None);
    }
    for (was, is) in &pairs {
        aliases(old, new, was, is, &mut Sink::new(Some(was), Some(is), changes));
    }
    let found = pairs.into_iter().filter_map(|(was, is)| {
        let (old, new) = (old.commands.get(was)?, new.commands.get(is)?);
        Some(Pair { old_words: was, new_words: is, old, new })
    });
    found.collect()
}

/// Commands whose words became an alias of another.
fn by_alias<'l>(
    gone: &BTreeSet<Words<'l>>,
    arrived: &BTreeSet<Words<'l>>,
    lock: &Lock,
) -> Vec<(Words<'l>, Words<'l>)> {
    // By the words that an alias stands for, so that every command is looked at once.
    let mut aliased: BTreeMap<Vec<&str>, Vec<Words<'l>>> = BTreeMap::new();
    for is in arrived {
        let Some((_, parent)) = is.split_last() else { continue };
        for alias in lock.commands.get(*is).into_iter().flat_map(|command| &command.aliases) {
            let words = parent.iter().chain([alias]).map(String::as_str).collect();
            aliased.entry(words).or_default().push(is);
        }
    }
    let mut found = Vec::new();
    for was in gone {
        let words: Vec<&str> = was.iter().map(String::as_str).collect();
        if let Some([is]) = aliased.get(&words).map(Vec::as_slice) {
            found.push((*was, *is));
        }
    }
    found
}

fn swapped<'l>(pairs: Vec<(Words<'l>, Words<'l>)>) -> Vec<(Words<'l>, Words<'l>)> {
    pairs.into_iter().map(|(one, other)| (other, one)).collect()
}

/// What makes a command recognisable under another name: flags, arguments and the paths of its answers.
/// A command without these is like many others.
fn features(command: &Command) -> Option<String> {
    let flags: Vec<&String> = command.flags.keys().collect();
    let paths: Vec<String> = command
        .answers
        .iter()
        .flat_map(|(group, answer)| {
            let nodes = answer.body.nodes().into_keys();
            nodes.map(move |path| format!("{} {path}", group.as_str())).collect::<Vec<_>>()
        })
        .collect();
    let has_enough = !command.arguments.is_empty() || !paths.is_empty() || flags.len() > 1;
    has_enough.then(|| format!("{flags:?}{:?}{paths:?}", command.arguments))
}

/// If more commands than this are alike, none is recognisable.
const MOST: usize = 64;

/// Commands that differ in one word and in nothing else.
fn renamed<'l>(
    removed: &BTreeSet<Words<'l>>,
    added: &BTreeSet<Words<'l>>,
    old: &Lock,
    new: &Lock,
) -> Vec<(Words<'l>, Words<'l>)> {
    type Sides<'l> = (Vec<Words<'l>>, Vec<Words<'l>>);
    let mut alike: BTreeMap<(usize, String), Sides<'l>> = BTreeMap::new();
    for words in removed {
        if let Some(features) = old.commands.get(*words).and_then(features) {
            alike.entry((words.len(), features)).or_default().0.push(words);
        }
    }
    for words in added {
        if let Some(features) = new.commands.get(*words).and_then(features) {
            alike.entry((words.len(), features)).or_default().1.push(words);
        }
    }
    let mut found = Vec::new();
    for (was, is) in alike.into_values().filter(|(was, is)| was.len().max(is.len()) <= MOST) {
        let differ = |one: Words<'_>, other: Words<'_>| {
            one.iter().zip(other).filter(|(a, b)| a != b).count()
        };
        for one in &was {
            let mut fitting = is.iter().filter(|other| differ(one, other) == 1);
            let (Some(other), None) = (fitting.next(), fitting.next()) else { continue };
            if was.iter().filter(|it| differ(it, other) == 1).count() == 1 {
                found.push((*one, *other));
            }
        }
    }
    found
}

/// The aliases of two commands that correspond. A name that became an alias is reported already.
fn aliases(old: &Lock, new: &Lock, was: Words<'_>, is: Words<'_>, sink: &mut Sink<'_>) {
    let (Some(before), Some(after)) = (old.commands.get(was), new.commands.get(is)) else { return };
    for alias in before.aliases.difference(&after.aliases).filter(|it| is.last() != Some(it)) {
        sink.add(&rules::ALIAS_REMOVED, Some(place(format!("alias {alias}"), "")), None);
    }
    for alias in after.aliases.difference(&before.aliases).filter(|it| was.last() != Some(it)) {
        sink.add(&rules::ALIAS_ADDED, None, Some(place(format!("alias {alias}"), "")));
    }
}
