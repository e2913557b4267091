//! What source code is made of, as far as finding calls needs it.

use std::borrow::Cow;
use std::ops::Range;

/// A piece of code that is not whitespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its bytes in the file.
    pub(crate) span: Range<usize>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// Text in quotes.
    String,
    /// Text in backticks without a substitution.
    Template,
    /// Text in backticks up to its first substitution.
    TemplateHead,
    /// The text between two substitutions.
    TemplateMiddle,
    /// The text after the last substitution.
    TemplateTail,
    /// A regular expression.
    Regex,
    /// The name of a tag or an attribute.
    Attribute,
    /// The value of an attribute in quotes, which knows no escapes.
    AttributeValue,
    /// A comment.
    Comment,
    /// Text that the end of the line or of the file cut off.
    Torn,
    /// A bracket or an operator.
    Mark,
}

impl Token {
    /// Its text in the source.
    pub(crate) fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.span.clone()).unwrap_or_default()
    }

    /// Whether it is this bracket or operator.
    pub(crate) fn is(&self, source: &str, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text(source) == mark
    }

    /// Whether it is this name.
    pub(crate) fn is_name(&self, source: &str, name: &str) -> bool {
        self.kind == Kind::Name && self.text(source) == name
    }

    /// The value of text that is known without running anything.
    pub(crate) fn literal<'s>(&self, source: &'s str) -> Option<Cow<'s, str>> {
        let text = self.text(source);
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        match self.kind {
            Kind::AttributeValue => Some(inner.into()),
            Kind::String | Kind::Template => Some(unescaped(inner)),
            _ => None,
        }
    }
}

/// Text without its escapes. One that makes no sense stands for itself.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut value = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some('x') => value.extend(hex(&mut rest, 2)),
            Some('u') if rest.as_str().starts_with('{') => value.extend(braced(&mut rest)),
            Some('u') => value.extend(hex(&mut rest, 4)),
            // A line that continues.
            Some('\n') | None => {}
            Some(other) => value.push(other),
        }
    }
    value.into()
}

fn hex(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let number = rest.as_str().get(..digits)?;
    let character = u32::from_str_radix(number, 16).ok().and_then(char::from_u32)?;
    *rest = rest.as_str().get(digits..)?.chars();
    Some(character)
}

fn braced(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let (number, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
    let character = u32::from_str_radix(number, 16).ok().and_then(char::from_u32)?;
    *rest = after.chars();
    Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_what_they_stand_for() {
        for (text, value) in [
            ("plain", "plain"),
            (r"a\.b\'c", "a.b'c"),
            (r"\u00e9\u{1F600}\x41", "é😀A"),
            (r"\uZZ \u{zz \x", "ZZ {zz "),
            ("a\\\nb\\", "ab"),
        ] {
            assert_eq!(unescaped(text), value, "{text}");
        }
    }
}
