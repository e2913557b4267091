//! The grammar of a line: `/command key words : value words`.

use super::model::{Failure, Outcome};
use crate::token;
use std::collections::BTreeSet;

/// Stands for a fact that a command does not have although most have it.
pub(super) const ABSENT: &str = "-";
/// Stands for every command.
pub(super) const EVERY: &str = "*";

/// What a fact is about, as a line writes it. Two facts of one command never have the same key.
pub(super) type Key = String;

/// A line in its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) command: &'t str,
    pub(super) key: &'t str,
    pub(super) value: Option<&'t str>,
}

impl<'t> Line<'t> {
    /// The parts of a line, or what is wrong with it.
    pub(super) fn parse(number: usize, text: &'t str) -> Result<Line<'t>, String> {
        if text.starts_with(' ')
            || text.ends_with(' ')
            || text.contains("  ")
            || text.contains('\t')
        {
            return Err("words are parted by one space".to_owned());
        }
        let (left, value) = match text.split_once(" : ") {
            Some((left, value)) => (left, Some(value)),
            None => (text, None),
        };
        let (command, key) = left.split_once(' ').unwrap_or((left, ""));
        if command != EVERY && !command.starts_with('/') {
            return Err(format!("{command:?} is no command: one begins with a slash"));
        }
        Ok(Line { number, command, key, value })
    }

    pub(super) fn is_absent(&self) -> bool {
        self.value == Some(ABSENT)
    }
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
    text.split(' ').map(token::read).collect()
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
