//! Where something is in a file, as editors count: lines and columns from 1, in characters.

use serde::Serialize;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in characters.
    pub(crate) column: usize,
    /// How many characters of the file come before.
    pub(crate) offset: usize,
}

/// Finds places one after the other, in one pass over the file.
pub(crate) struct Places<'s> {
    source: &'s str,
    at: usize,
    place: Place,
}

impl<'s> Places<'s> {
    /// The places of a file.
    pub(crate) fn of(source: &'s str) -> Places<'s> {
        Places { source, at: 0, place: Place { line: 1, column: 1, offset: 0 } }
    }

    /// The place of a byte, which must not come before the one asked for last.
    pub(crate) fn at(&mut self, byte: usize) -> Place {
        let between = self.source.get(self.at..byte).unwrap_or_default();
        let mut characters = between.chars().peekable();
        while let Some(character) = characters.next() {
            self.place.offset += 1;
            let follows = characters.peek().copied().or_else(|| self.source[byte..].chars().next());
            let is_end = character == '\n' || (character == '\r' && follows != Some('\n'));
            if is_end {
                self.place.line += 1;
                self.place.column = 1;
            } else {
                self.place.column += 1;
            }
        }
        self.at = self.at.max(byte);
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_characters_count_once() {
        let source = "a\r\né😀x\ry\nz";
        let mut places = Places::of(source);
        let mut at = |text: &str| {
            let Place { line, column, .. } = places.at(source.find(text).unwrap());
            (line, column)
        };
        assert_eq!(at("a"), (1, 1));
        assert_eq!(at("x"), (2, 3));
        assert_eq!(at("y"), (3, 1));
        assert_eq!(at("z"), (4, 1));
    }
}
