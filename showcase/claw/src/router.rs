//! Which commands and tools fit a prompt, and how well.

use crate::inventory::{Entry, Inventory};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The default number of matches.
pub(crate) const DEFAULT_LIMIT: u16 = 10;

/// What a word of the prompt is worth, in hundredths, where it is met.
const IN_NAME: usize = 100;
const IN_RESPONSIBILITY: usize = 60;

/// Words that fit everything.
const IDLE: &[&str] =
    &["an", "and", "for", "from", "in", "it", "of", "on", "or", "the", "to", "with"];

/// One that fits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Match {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: String,
    /// How well it fits: the share of the prompt's words that it has, from 0 to 1.
    pub(crate) score: f64,
    /// Where it is defined.
    pub(crate) source_hint: String,
}

/// What fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Command,
    Tool,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Command => "command",
            Kind::Tool => "tool",
        }
    }
}

/// The best matches, the best first; those that fit equally well by name.
pub(crate) fn route(prompt: &str, inventory: &Inventory, limit: usize) -> Vec<Match> {
    let words = words(prompt);
    let commands = inventory.commands.iter().map(|entry| (Kind::Command, entry));
    let tools = inventory.tools.iter().map(|entry| (Kind::Tool, entry));
    let mut scored: Vec<(usize, Kind, &Entry)> = commands
        .chain(tools)
        .map(|(kind, entry)| (score(&words, entry), kind, entry))
        .filter(|(score, ..)| *score > 0)
        .collect();
    scored.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.2.name.cmp(&other.2.name)));
    let found = scored.into_iter().take(limit).map(|(score, kind, entry)| Match {
        kind,
        name: entry.name.clone(),
        // It is a hundred at most.
        score: f64::from(u8::try_from(score).unwrap_or(100)) / 100.0,
        source_hint: entry.source_hint.clone(),
    });
    found.collect()
}

/// In hundredths, so that the same words have the same score on every machine.
fn score(prompt: &BTreeSet<String>, entry: &Entry) -> usize {
    let (name, responsibility) = (words(&entry.name), words(&entry.responsibility));
    let worth = |word: &String| match (name.contains(word), responsibility.contains(word)) {
        (true, _) => IN_NAME,
        (false, true) => IN_RESPONSIBILITY,
        (false, false) => 0,
    };
    let sum: usize = prompt.iter().map(worth).sum();
    sum.checked_div(prompt.len()).unwrap_or_default()
}

/// The words of a text in lower case and in the singular, as far as its letters show, those of
/// `CamelCase` one by one. Single letters and stop words say nothing.
fn words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
        before = letter;
    }
    let split = spaced.split(|letter: char| !letter.is_alphanumeric());
    let lower = split.filter(|word| word.chars().count() > 1).map(str::to_lowercase);
    let telling = lower.filter(|word| !IDLE.contains(&word.as_str()));
    telling.map(|word| singular(&word).to_owned()).collect()
}

fn singular(word: &str) -> &str {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'));
    let hissing = |stem: &&str| ["che", "she", "sse", "xe"].iter().any(|end| stem.ends_with(end));
    stem.map_or(word, |stem| {
        Some(stem).filter(hissing).map_or(stem, |stem| &stem[..stem.len() - 1])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::Origin;

    fn inventory() -> Inventory {
        let entry = |name: &str, responsibility: &str| Entry {
            name: name.to_owned(),
            source_hint: "x.rs".to_owned(),
            responsibility: responsibility.to_owned(),
            origin: Origin::Builtin,
        };
        Inventory {
            commands: vec![entry("add-file", "creates a file"), entry("add-dir", "for tests")],
            tools: vec![entry("FileReadTool", "reads a text file")],
            ..Inventory::default()
        }
    }

    fn routed(prompt: &str) -> Vec<(&'static str, String, f64)> {
        let matches = route(prompt, &inventory(), 10);
        matches.into_iter().map(|it| (it.kind.as_str(), it.name, it.score)).collect()
    }

    #[test]
    fn the_best_comes_first_and_equals_by_name() {
        let expected =
            [("command", "add-dir".to_owned(), 0.8), ("command", "add-file".to_owned(), 0.5)];
        assert_eq!(routed("add a test"), expected);
        let expected =
            [("tool", "FileReadTool".to_owned(), 1.0), ("command", "add-file".to_owned(), 0.5)];
        assert_eq!(routed("READ files!"), expected);
    }

    #[test]
    fn what_fits_nothing_matches_nothing() {
        assert_eq!(routed("zzzzqqqq"), []);
        assert_eq!(routed("?!"), []);
        assert!(route("add file", &inventory(), 0).is_empty());
    }

    #[test]
    fn words_are_distinguished() {
        let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(words("BashTool"), set(&["bash", "tool"]));
        assert_eq!(words("add-dir a Sessions"), set(&["add", "dir", "session"]));
        assert_eq!(words("class is"), set(&["class", "is"]));
    }
}
