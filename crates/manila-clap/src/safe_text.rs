//! Text of others made harmless: without secrets, and with nothing in it that steers a terminal.

use crate::secret;
use manila::visible::steers;
use std::fmt::{self, Display, Write};

/// What becomes of line feeds and tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    Keep,
    Fold,
}

impl Lines {
    /// Whether a character that would steer a terminal stays.
    pub(crate) fn keeps(self, character: char) -> bool {
        (self == Lines::Keep) & matches!(character, '\n' | '\t')
    }
}

/// Text of several lines with nothing in it that would steer a terminal: what other programs wrote,
/// where no [`Screen`](crate::Screen) shows it.
pub fn visible(text: &str) -> String {
    Safe(text, Lines::Keep).to_string()
}

/// Text without secrets, and with nothing in it that would steer a terminal. The secrets go first:
/// once it is escaped they are spelled differently.
pub(crate) fn safe(text: &str, lines: Lines) -> String {
    Safe(&secret::scrub(text.to_owned()), lines).to_string()
}

/// Text with every character made visible that would steer a terminal: what a program shows may be
/// other programs' words.
struct Safe<'a>(&'a str, Lines);

impl Display for Safe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if !self.1.keeps(character) && steers(character) {
                write!(f, "{}", character.escape_unicode())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Words without secrets, and without anything that would steer the reader's terminal.
pub(crate) fn clean(text: String) -> String {
    let text = secret::scrub(text);
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let steers = |text: &str| text.chars().any(|it| steers(it) && it != '\n');
    if !is_plain && steers(&text) { visible(&text) } else { text }
}
