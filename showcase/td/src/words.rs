//! Text from the caller that is not blank.

use std::ops::Deref;
use std::str::FromStr;

/// At least one character, no space around, and nothing that would steer a terminal: what is kept is
/// shown again, here and by others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words(String);

impl FromStr for Words {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Words, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Err("it says nothing; pass at least one visible character");
        }
        if text.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\t')) {
            return Err("it has a control character; leave that out");
        }
        Ok(Words(text.to_owned()))
    }
}

impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Words> for String {
    fn from(words: Words) -> String {
        words.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_something_and_steer_nothing() {
        let read = |text: &str| text.parse::<Words>().map(String::from);
        assert_eq!(read(" Buy\tmilk\nand ü 🥐 "), Ok("Buy\tmilk\nand ü 🥐".to_owned()));
        for text in ["", " \n", "\u{1b}[31mred", "a\rb", "a\0b", "a\u{9b}b"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
