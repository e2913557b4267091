//! Untrusted text made visible: nothing in it steers a terminal or hides.

use std::fmt::Write;

/// Whether a character steers a terminal, or turns the direction of the text around it.
pub fn steers(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || turns
}

/// Whether a character cannot be seen: those that steer, and those without a width.
pub fn is_unseen(character: char) -> bool {
    let has_no_width = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    steers(character) || has_no_width
}

/// Bytes on one line, with everything that cannot be seen spelled as an escape.
///
/// ```
/// assert_eq!(manila::visible::one_line(b"a\n\x1b[1m\xff"), r"a\n\e[1m\xff");
/// ```
pub fn one_line(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                '\u{1b}' => text.push_str("\\e"),
                _ if is_unseen(character) => {
                    let _ = write!(text, "{}", character.escape_unicode());
                }
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}
