//! Words of a lock: plain, or quoted where they would break a line or mislead a reader.

use std::borrow::Cow;
use std::fmt::Write;

/// A word of a line. Anything but letters, digits and usual punctuation is escaped as in JSON.
pub(crate) fn word(text: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_alphanumeric() || "_-.,+=@%$/~#!?^&;()[]{}<>'".contains(it);
    let is_reserved = matches!(text, "" | "-" | "*" | "|" | ":");
    if !is_reserved && text.chars().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        quoted(text).into()
    }
}

/// A word in the path of a command, where slashes separate words.
pub(crate) fn command_word(text: &str) -> Cow<'_, str> {
    if text.contains('/') || text == "*" { quoted(text).into() } else { word(text) }
}

/// The name of a field.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    let is_plain = !text.is_empty() && text.chars().all(is_name);
    if is_plain { Cow::Borrowed(text) } else { quoted(text).into() }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || "_-$@".contains(letter)
}

/// The name that a text begins with, and how long it is there. Each name has one spelling: quotes
/// that are not needed would let two lines state one fact.
pub(crate) fn leading_name(text: &str) -> Option<(Cow<'_, str>, usize)> {
    if text.starts_with('"') {
        let mut is_escaped = false;
        for (at, letter) in text.char_indices().skip(1) {
            match letter {
                '"' if !is_escaped => {
                    let written = &text[..=at];
                    let read = unquoted(written).filter(|read| name(read) == written)?;
                    return Some((read.into(), at + 1));
                }
                _ => is_escaped = letter == '\\' && !is_escaped,
            }
        }
        return None;
    }
    let length = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    (length > 0).then(|| (text[..length].into(), length))
}

/// A text between quotes, in ASCII and without blanks.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' ' | '/' => escape(&mut out, letter),
            '!'..='~' => out.push(letter),
            _ if letter.is_alphanumeric() => out.push(letter),
            _ => escape(&mut out, letter),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, letter: char) {
    for unit in letter.encode_utf16(&mut [0; 2]) {
        // Writing to memory cannot fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// The text between quotes.
fn unquoted(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// What a word says; `None` if its quotes are broken or not needed.
pub(crate) fn read(word: &str) -> Option<String> {
    if word.starts_with('"') {
        unquoted(word).filter(|read| command_word(read) == word)
    } else {
        Some(word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_survives_and_never_has_a_blank() {
        for text in ["a", "", "a b", "\"", "-", "é", "\u{202e}x", "a/b", "*", "\n", "😀", "a\\b"]
        {
            for written in [word(text), command_word(text), name(text)] {
                assert!(!written.contains([' ', '\n']), "{written}");
                assert_eq!(read(&written).as_deref(), Some(text), "{written}");
            }
            assert!(!command_word(text).contains('/'), "{text}");
            let named = format!("{}[].x", name(text));
            assert_eq!(leading_name(&named), Some((text.into(), named.len() - 4)), "{text}");
        }
    }
}
