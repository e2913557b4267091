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
#[inline(never)]
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

/// Whether there is nothing in a text that would have to be looked at: bytes of ASCII that show themselves, and
/// lines where they stay.
pub(crate) fn is_plain(text: &[u8], lines: Lines) -> bool {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // Eight at a time: one is below a space, or above a tilde.
    let is_odd = |eight: &[u8; 8]| {
        let word = u64::from_ne_bytes(*eight);
        ((word.wrapping_sub(LOW * 0x20) & !word) | word.wrapping_add(LOW) | word) & HIGH != 0
    };
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') || lines.keeps((*byte).into());
    let (eights, _) = text.as_chunks::<8>();
    match text.last_chunk::<8>() {
        // The last eight overlap those before them.
        Some(last) if !eights.iter().chain([last]).any(is_odd) => true,
        _ => text.iter().all(is_plain),
    }
}

/// Words without secrets, and without anything that would steer the reader's terminal.
#[inline(never)]
pub(crate) fn clean(text: String) -> String {
    let text = secret::scrub(text);
    let steers = |text: &str| text.chars().any(|it| steers(it) && it != '\n');
    if !is_plain(text.as_bytes(), Lines::Fold) && steers(&text) { visible(&text) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_seen_wherever_the_odd_byte_is() {
        for length in 0..40 {
            let plain = vec![b'~'; length];
            assert!(is_plain(&plain, Lines::Fold), "{length}");
            for (at, odd) in (0..length).flat_map(|at| [0, 9, 31, 127, 128, 255].map(|it| (at, it)))
            {
                let mut text = plain.clone();
                text[at] = odd;
                assert!(!is_plain(&text, Lines::Fold), "{odd} at {at} of {length}");
                assert_eq!(is_plain(&text, Lines::Keep), odd == 9, "{odd} at {at} of {length}");
            }
        }
    }
}
