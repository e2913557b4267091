//! Confirms breaking changes by a witness: a call that is made on both programs, and a test of its result that holds
//! on the old one and fails on the new one. A change without a witness needs a human.

use crate::diff::rule::errors::{ERROR_CODE_SPLIT, ERROR_CODES_MERGED};
use crate::diff::{Change, Family, Impact, Place};
use crate::lock::{Command, Lock, Outcome, facts};
use crate::observe::Observed;
use crate::report::{Comparison, Test, Witness};
use manila_pack::Packs;
use std::collections::BTreeMap;

/// How many calls are tried for a change.
const MOST_CALLS: usize = 6;

type Words = Vec<String>;
type Facts = BTreeMap<String, Option<String>>;

/// Tries every breaking change on both programs; a change that is not confirmed needs a human.
pub fn confirm(comparison: &mut Comparison, old: &Observed, new: &Observed, packs: &Packs) {
    let mut stand = Stand { old, new, packs, runs: BTreeMap::new(), help: BTreeMap::new() };
    for one in &mut comparison.changes {
        // A change that is based on few samples needs a human, unless running both programs shows it.
        let can_break = one.change.rule.impact(comparison.reader) == Impact::Breaking;
        if !can_break || one.change.rule.family == Family::Comparison {
            continue;
        }
        let (is_confirmed, test) = match one.change.rule.family {
            Family::Surface => stand.by_help(&one.change),
            _ => stand.by_call(&one.change),
        };
        one.witness =
            if is_confirmed { Witness::Confirmed(test) } else { Witness::Unconfirmed(test) };
        one.impact = if is_confirmed { Impact::Breaking } else { Impact::Human };
    }
    // A version that hides a breaking change matters only if one is left.
    let is_breaking = comparison
        .changes
        .iter()
        .any(|it| it.impact == Impact::Breaking && it.change.rule.family != Family::Comparison);
    for one in &mut comparison.changes {
        if one.change.rule.family == Family::Comparison && !is_breaking {
            one.impact = one.impact.min(Impact::Human);
        }
    }
    comparison.sort();
}

struct Stand<'o> {
    old: &'o Observed,
    new: &'o Observed,
    packs: &'o Packs,
    /// What a call showed when it was made again.
    runs: BTreeMap<(Words, Words, String), Option<[Facts; 2]>>,
    help: BTreeMap<(usize, Words), String>,
}

impl Stand<'_> {
    /// The facts of a call that is made again on both programs.
    fn again(&mut self, was: &Words, is: &Words, call: &str) -> Option<&[Facts; 2]> {
        let key = (was.clone(), is.clone(), call.to_owned());
        if !self.runs.contains_key(&key) {
            let made =
                self.old.again(was, call, self.packs).zip(self.new.again(is, call, self.packs));
            let of = |lock: &Lock, words: &Words| {
                lock.commands.get(words).map(facts).unwrap_or_default()
            };
            let facts = made.map(|((_, old), (_, new))| [of(&old, was), of(&new, is)]);
            self.runs.insert(key.clone(), facts);
        }
        self.runs.get(&key).and_then(Option::as_ref)
    }

    fn by_call(&mut self, change: &Change) -> (bool, Test) {
        let change = &singled(change);
        let holds = holds(change);
        let mut test = Test { holds: holds.clone(), ..Test::default() };
        for (was, is) in &change.commands {
            let (Some(was), Some(is)) = (was, is) else { continue };
            for call in self.calls(change, was, is) {
                test = Test {
                    old_call: self.old.call_line(was, &call).unwrap_or_default(),
                    new_call: self.new.call_line(is, &call).unwrap_or_default(),
                    holds: holds.clone(),
                };
                let facts = self.again(was, is, &call);
                if facts.is_some_and(|[old, new]| shows(change, old, new)) {
                    return (true, test);
                }
            }
        }
        (false, test)
    }

    /// The calls that may show a change, the likeliest first.
    fn calls(&self, change: &Change, was: &Words, is: &Words) -> Vec<String> {
        let (Some(old), Some(new)) =
            (self.old.lock.commands.get(was), self.new.lock.commands.get(is))
        else {
            return Vec::new();
        };
        let subject = change.old.as_ref().or(change.new.as_ref()).map(|it| it.subject.as_str());
        let subject = subject.unwrap_or_default();
        let leads = |command: &Command, name: &str| {
            let outcomes = command.calls.get(name).into_iter().flat_map(|it| it.iter());
            outcomes.into_iter().any(|outcome| match subject.split(' ').next() {
                Some("ok") => *outcome == Outcome::Ok && !name.ends_with("-text"),
                Some("text") => *outcome == Outcome::Ok && name.ends_with("-text"),
                Some("failure") => matches!(outcome, Outcome::Failed(_)),
                Some("call") => subject == format!("call {name}"),
                Some("error" | "exit") => subject.starts_with(&outcome.to_string()),
                _ => true,
            })
        };
        let both = old.calls.keys().filter(|name| new.calls.contains_key(*name));
        let mut calls: Vec<String> = both
            .filter(|name| if change.old.is_some() { leads(old, name) } else { leads(new, name) })
            .cloned()
            .collect();
        calls.sort_by_key(|name| (name != "sample", name.clone()));
        calls.truncate(MOST_CALLS);
        calls
    }

    fn by_help(&mut self, change: &Change) -> (bool, Test) {
        let mut test = Test { holds: holds(change), ..Test::default() };
        for (was, is) in &change.commands {
            let [was, is] = [was, is].map(|words| words.as_deref());
            let word = named(change, was);
            // A command is listed by the one above it.
            let is_command = change.old.is_none() && change.new.is_none();
            let above = |words: Option<&[String]>| {
                let words = words.unwrap_or_default();
                let is_listed = is_command || word_is_alias(change);
                if is_listed { words.split_last().map_or(&[][..], |(_, rest)| rest) } else { words }
                    .to_vec()
            };
            let (was, is) = (above(was.or(is)), above(is.or(was)));
            let [old, new] = [self.help(0, &was), self.help(1, &is)];
            let line =
                |words: &Words| [words.as_slice(), &["--help".to_owned()]].concat().join(" ");
            test.old_call = format!("(old) {}", line(&was));
            test.new_call = format!("(new) {}", line(&is));
            if !word.is_empty() && lines_with(&old, &word) != lines_with(&new, &word) {
                return (true, test);
            }
        }
        (false, test)
    }

    fn help(&mut self, side: usize, words: &Words) -> String {
        let of = if side == 0 { self.old } else { self.new };
        self.help
            .entry((side, words.clone()))
            .or_insert_with(|| of.help(words).unwrap_or_default())
            .clone()
    }
}

fn word_is_alias(change: &Change) -> bool {
    change.subject().starts_with("alias ")
}

/// The word that help has for what changed.
fn named(change: &Change, command: Option<&[String]>) -> String {
    let Some(place) = change.old.as_ref().or(change.new.as_ref()) else {
        return command.and_then(<[String]>::last).cloned().unwrap_or_default();
    };
    let words: Vec<&str> = place.subject.split(' ').collect();
    match words.as_slice() {
        ["flag", _, "choice" | "env" | "short", word] => (*word).to_owned(),
        ["flag", name, ..] => (*name).to_owned(),
        ["alias", word] => (*word).to_owned(),
        ["arg", ..] | ["json" | "manifest"] => {
            place.value.split(' ').next().unwrap_or_default().to_owned()
        }
        _ => String::new(),
    }
}

/// The lines that have a word, as it stands there, each with what belongs to it: help breaks long entries, and the lines
/// that go on stand further in.
fn lines_with(text: &str, word: &str) -> Vec<String> {
    let is_part = |it: char| it.is_alphanumeric() || it == '-' || it == '_';
    let has = |line: &&str| line.split(|it| !is_part(it)).any(|it| it == word);
    // Usage says what is required, and in which order.
    let is_usage = |line: &&str| line.trim_start().to_lowercase().starts_with("usage");
    let depth = |line: &str| line.len() - line.trim_start().len();
    let begins =
        |line: &str| line.trim_start().starts_with('-') || line.trim_start().starts_with(word);
    let mut found = Vec::new();
    // How far in the entry stands that the next lines may belong to.
    let mut entry: Option<usize> = None;
    for line in text.lines() {
        let goes_on =
            entry.is_some_and(|at| !line.trim().is_empty() && depth(line) > at && !begins(line));
        if goes_on {
            found.push(line.trim().to_owned());
            continue;
        }
        entry = None;
        if has(&line) || is_usage(&line) {
            found.push(line.trim().to_owned());
            entry = (begins(line) || is_usage(&line)).then(|| depth(line));
        }
    }
    found
}

/// A change of several codes as one of the first of them.
fn singled(change: &Change) -> Change {
    let mut change = change.clone();
    let first = |place: &Option<Place>| {
        let code = place.as_ref()?.value.split(", ").next()?.to_owned();
        Some(Place { subject: format!("error {code}"), value: String::new() })
    };
    if change.rule == &ERROR_CODES_MERGED || change.rule == &ERROR_CODE_SPLIT {
        (change.old, change.new) = (first(&change.old), first(&change.new));
    }
    change
}

/// What holds on the old program, as a lock writes it.
fn holds(change: &Change) -> String {
    let shown = |place: &Place| match place.value.as_str() {
        "" => place.subject.clone(),
        value => format!("{} : {value}", place.subject),
    };
    match (&change.old, &change.new) {
        (Some(old), _) => shown(old),
        (None, Some(new)) => format!("no {}", shown(new)),
        (None, None) => change.rule.what.to_owned(),
    }
}

/// Whether the facts of two runs show a change: the old side holds on the old run alone.
fn shows(change: &Change, old: &Facts, new: &Facts) -> bool {
    let sides = (change.old.as_ref(), change.new.as_ref());
    match sides {
        (Some(was), Some(is)) => {
            says(old, was) && says(new, is) && !(says(old, is) && says(new, was))
        }
        (Some(was), None) => says(old, was) && !says(new, was),
        (None, Some(is)) => !says(old, is) && says(new, is),
        (None, None) => false,
    }
}

/// Whether facts say what stands at a place.
fn says(facts: &Facts, place: &Place) -> bool {
    let has_words = |value: &Option<String>, words: &str| {
        let known: Vec<&str> = value.iter().flat_map(|it| it.split(' ')).collect();
        words.split(' ').filter(|it| !it.is_empty()).all(|word| known.contains(&word))
    };
    match facts.get(&place.subject) {
        Some(value) => has_words(value, &place.value),
        // `ok record progress` is one of the values of `ok record`.
        None => place.subject.rsplit_once(' ').is_some_and(|(key, last)| {
            facts.get(key).is_some_and(|value| value.is_some() && has_words(value, last))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::{Versions, compare};

    fn side(text: &str) -> (Lock, Facts) {
        let lock = Lock::read(&format!("manila.lock 1\n/ : command\n{text}end\n")).expect("a lock");
        let facts = facts(&lock.commands[&Vec::new()]);
        (lock, facts)
    }

    #[test]
    fn a_test_holds_on_the_old_program_and_fails_on_the_new_one() {
        let (old, was) =
            side("/ call sample : ok\n/ ok\n/ ok .a : integer always?\n/ ok . : object\n");
        let (new, is) =
            side("/ call sample : ok\n/ ok\n/ ok .a : string always?\n/ ok . : object\n");
        let changes = compare(&old, &new, &Versions::default());
        assert_eq!(changes.len(), 1, "{changes:?}");
        assert!(shows(&changes[0], &was, &is));
        assert!(!shows(&changes[0], &was, &was));
        assert!(!shows(&changes[0], &is, &is));
        assert_eq!(holds(&changes[0]), "ok .a : integer");
    }

    #[test]
    fn help_is_compared_where_it_names_the_word() {
        let old = "Usage: notes\n  --limit <N>  at most [default: 20]\n  --all\n";
        let new = "Usage: notes\n  --limit <N>  at most [default: 50]\n  --all-of-it\n";
        assert_ne!(lines_with(old, "--limit"), lines_with(new, "--limit"));
        assert_ne!(lines_with(old, "--all"), lines_with(new, "--all"));
        assert_eq!(lines_with(old, "--none"), lines_with(new, "--none"));
        let old = "options:\n  --sort {a,b}\n             by (default: a)\n  --all      all\n";
        let new = "options:\n  --sort {a,b}\n             by (default: b)\n  --all      all\n";
        assert_ne!(lines_with(old, "--sort"), lines_with(new, "--sort"));
        assert_eq!(lines_with(old, "--all"), lines_with(new, "--all"));
    }
}
