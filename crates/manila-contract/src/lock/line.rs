//! The grammar of a line: `/command key words : value words`.

use super::model::{Failure, Outcome};
use crate::error::Error;
use crate::token;
use std::collections::BTreeSet;

/// How to repair a line that has no meaning.
pub(super) const ANEW: &str = "undo the edit, or run `manila freeze` to rewrite the lock";
/// Stands for a fact that a command does not have although most have it.
pub(super) const ABSENT: &str = "-";
/// Stands for every command.
pub(super) const EVERY: &str = "*";

/// What a fact is about, as a line writes it. Two facts of one command never have the same key.
pub(super) type Key = String;

/// The error for a line whose words are not separated correctly.
const SPACING: &str = "words are separated by exactly one space";

/// A line in its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) command: &'t str,
    pub(super) key: &'t str,
    pub(super) value: Option<&'t str>,
}

impl<'t> Line<'t> {
    /// Splits a line into its parts, or says what is wrong with it.
    pub(super) fn parse(number: usize, text: &'t str) -> Result<Line<'t>, String> {
        let bytes = text.as_bytes();
        // One pass over the bytes: a large lock has a hundred thousand lines.
        let (mut command_end, mut colon) = (bytes.len(), None);
        for (at, byte) in bytes.iter().copied().enumerate() {
            if byte > b' ' {
                continue;
            }
            let after = &bytes[at + 1..];
            if byte < b' ' || at == 0 || after.first().is_none_or(|it| *it <= b' ') {
                return Err(SPACING.to_owned());
            }
            command_end = command_end.min(at);
            if colon.is_none() && after.starts_with(b": ") {
                colon = Some(at + 1);
            }
        }
        let command = &text[..command_end];
        let key_end = colon.map_or(text.len(), |at| at - 1);
        let key = text.get(command_end + 1..key_end).unwrap_or_default();
        let value = colon.map(|at| &text[at + 2..]);
        if command != EVERY && !command.starts_with('/') {
            return Err(format!("{command:?} is not a command: a command begins with a slash"));
        }
        Ok(Line { number, command, key, value })
    }

    pub(super) fn is_absent(&self) -> bool {
        self.value == Some(ABSENT)
    }

    /// What its key says beyond `about`, which the key begins with.
    pub(super) fn rest(&self, about: &str) -> &'t str {
        self.key.get(about.len() + 1..).unwrap_or_default()
    }
}

/// An error about a line.
pub(super) fn bad(line: &Line<'_>, message: impl Into<String>) -> Error {
    Error::bad_lock(line.number, message).suggest(ANEW)
}

/// A command as a line begins with it.
pub(super) fn command(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| token::command_word(word)).collect();
    format!("/{}", words.join("/"))
}

/// The words of such a beginning.
pub(super) fn command_words(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('/')?;
    if inner.is_empty() {
        return Some(Vec::new());
    }
    inner.split('/').map(|word| token::read(word).filter(|it| !it.is_empty())).collect()
}

/// Several values, as a line writes them.
pub(super) fn values(values: &BTreeSet<String>) -> String {
    values.iter().map(|value| token::word(value)).collect::<Vec<_>>().join(" ")
}

/// The values of a line.
pub(super) fn read_values(text: &str) -> Option<BTreeSet<String>> {
    let mut values = BTreeSet::new();
    for word in text.split(' ') {
        values.insert(token::read(word)?);
    }
    Some(values)
}

/// Several outcomes, as a line writes them.
pub(super) fn outcomes(outcomes: &BTreeSet<Outcome>) -> String {
    outcomes.iter().map(Outcome::to_string).collect::<Vec<_>>().join(" | ")
}

/// The outcomes of a line.
pub(super) fn read_outcomes(text: &str) -> Option<BTreeSet<Outcome>> {
    let one = |text: &str| match text.split_once(' ') {
        None if text == "ok" => Some(Outcome::Ok),
        None if text == "hangs" => Some(Outcome::Hangs),
        None if text == "floods" => Some(Outcome::Floods),
        Some(("signal", number)) => number.parse().ok().map(Outcome::Signal),
        Some((word, rest)) => failure(word, rest).map(Outcome::Failed),
        None => None,
    };
    text.split(" | ").map(one).collect()
}

/// The failure of two words such as `error NOT_FOUND`.
pub(super) fn failure(word: &str, name: &str) -> Option<Failure> {
    match word {
        "error" => token::read(name).map(Failure::Code),
        "exit" => name.parse().ok().map(Failure::Exit),
        _ => None,
    }
}
