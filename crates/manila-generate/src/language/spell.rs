//! How texts and names are spelled, as far as several languages spell them alike.

use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::types::Field;
use manila::table;
use manila::visible::is_unseen;
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr;

/// A text in quotes. `escape` spells a character that cannot stand in the source as it is.
pub(super) fn quoted(text: &str, quote: char, escape: impl Fn(char) -> Option<String>) -> String {
    let mut out = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            it if it == quote => out.extend(['\\', it]),
            it => match escape(it) {
                Some(escaped) => out.push_str(&escaped),
                None => out.push(it),
            },
        }
    }
    out.push(quote);
    out
}

/// Whether a character steers or hides text, or ends a line without showing it.
pub(crate) fn is_hidden(character: char) -> bool {
    is_unseen(character) || matches!(character, '\u{2028}' | '\u{2029}')
}

/// A character that does so by its number in four digits.
pub(super) fn by_number(character: char) -> Option<String> {
    is_hidden(character).then(|| format!("\\u{:04x}", u32::from(character)))
}

/// How many columns a line takes. What a manifest names may have marks of no width and characters of two columns.
pub(super) fn width(line: &str) -> usize {
    line.width()
}

/// The quotes that a text needs the fewest escapes in.
pub(super) fn easier_quote(text: &str) -> char {
    if text.matches('"').count() > text.matches('\'').count() { '\'' } else { '"' }
}

/// Names for texts, each different from the others: a number tells apart those that would be alike.
pub(super) fn unique<'t>(
    texts: impl Iterator<Item = &'t str>,
    spell: impl Fn(&str) -> String,
) -> Vec<(String, &'t str)> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    // Where the search for a free number begins.
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for one in texts {
        let plain = spell(one);
        let mut name = plain.clone();
        while !known.insert(name.clone()) {
            let number = next.entry(plain.clone()).or_insert(1);
            *number += 1;
            name = format!("{plain}{number}");
        }
        named.push((name, one));
    }
    named
}

/// The members of a type with the names that they get, or why two of them would get one name.
pub(super) fn named<'f>(
    of: &str,
    fields: &'f [Field],
    spell: fn(&str) -> String,
) -> Result<Vec<(String, &'f Field)>, Error> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    let mut named: Vec<(String, &Field)> = Vec::new();
    for field in fields {
        let (own, key) = (spell(&field.key), &field.key);
        if let Some(other) = known.insert(own.clone(), key) {
            return Err(Error::new(
                ErrorKind::Collision,
                format!("the members {other:?} and {key:?} of {of} would both be called {own}"),
                "rename one of them in the manifest",
            ));
        }
        named.push((own, field));
    }
    Ok(named)
}

/// Where a field of the normal form stands in a document, as a call of the function `at`.
pub(super) fn at(layout: &Layout, field: table::Field, text: fn(&str) -> String) -> Option<String> {
    let names: Vec<String> = layout.path(field)?.iter().map(|name| text(name)).collect();
    Some(format!("at(document, {})", names.join(", ")))
}
