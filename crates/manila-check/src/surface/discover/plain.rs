//! What a program printed for people, as plain lines: no colours, no boxes, no tabs, never too many.

/// Help longer than this is read no further.
const MOST_BYTES: usize = 1 << 20;
const MOST_LINES: usize = 5_000;
const TAB: usize = 8;

/// One line and how far it is indented. A blank line has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub indent: usize,
    pub text: String,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// The lines of a text, moved left as far as all of them can be.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = text.lines().take(MOST_LINES).map(line).collect();
    let margin = lines.iter().filter(|it| !it.is_blank()).map(|it| it.indent).min().unwrap_or(0);
    for line in &mut lines {
        line.indent = line.indent.saturating_sub(margin);
    }
    lines
}

fn line(text: &str) -> Line {
    let text = unboxed(text);
    let inner = text.trim_start();
    let indent = text.chars().count() - inner.chars().count();
    Line { indent, text: inner.trim_end().to_owned() }
}

/// A line of a box as `rich` draws it, without its frame; the title of a box becomes a heading.
fn unboxed(text: &str) -> String {
    let trimmed = text.trim();
    let is_frame = |letter: char| ('\u{2500}'..='\u{257f}').contains(&letter);
    match trimmed.chars().next() {
        Some('│' | '┃' | '║') => {
            let inner = trimmed.trim_start_matches(is_frame);
            inner.trim_end_matches(is_frame).trim_end().to_owned()
        }
        Some(first) if is_frame(first) => {
            let title = trimmed.trim_matches(|letter| is_frame(letter) || letter == ' ');
            if title.is_empty() { String::new() } else { format!("{title}:") }
        }
        _ => text.to_owned(),
    }
}

/// Text without what steers a terminal: escapes, overstriking, carriage returns; tabs become blanks.
pub(super) fn text(bytes: &[u8]) -> String {
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let text = String::from_utf8_lossy(bytes);
    let mut plain = String::with_capacity(text.len());
    let mut column = 0_usize;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_escape(&mut letters),
            // groff prints a bullet for devices without one as `+` and `o` in one place.
            '\u{8}' if plain.ends_with('+') && letters.clone().next() == Some('o') => {
                letters.next();
                plain.pop();
                plain.push('\u{2022}');
            }
            '\u{8}' => {
                if plain.ends_with(|last| last != '\n') {
                    plain.pop();
                    column = column.saturating_sub(1);
                }
            }
            '\n' => {
                plain.push('\n');
                column = 0;
            }
            '\t' => {
                let blanks = TAB - column % TAB;
                plain.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            _ if letter.is_control() => {}
            _ => {
                plain.push(letter);
                column += 1;
            }
        }
    }
    plain
}

/// Skips what follows ESC: a CSI sequence to its last byte, an OSC or another string to its end, or one
/// or two letters.
fn skip_escape(letters: &mut std::str::Chars<'_>) {
    match letters.next() {
        Some('[') => {
            letters.find(|letter| ('\u{40}'..='\u{7e}').contains(letter));
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            let mut is_ending = false;
            letters.find(|letter| {
                let is_end = *letter == '\u{7}' || (is_ending && *letter == '\\');
                is_ending = *letter == '\u{1b}';
                is_end
            });
        }
        Some('(' | ')' | '#') => {
            letters.next();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_gone() {
        assert_eq!(
            text(b"\x1b[1mUsage:\x1b[0m a\x1b]8;;http://x\x1b\\b\x1b]0;t\x07c\r\n"),
            "Usage: abc\n"
        );
        assert_eq!(text(b"N\x08NA\x08A"), "NA");
        assert_eq!(text(b"+\x08o s3"), "\u{2022} s3");
        assert_eq!(text(b"a\tb"), "a       b");
        assert_eq!(text(b"\xff\x00x"), "\u{fffd}x");
        assert_eq!(text(b"\x1b["), "");
    }

    #[test]
    fn boxes_become_sections() {
        let page = "╭─ Options ────╮\n│ --help  Help │\n╰──────────────╯";
        let texts: Vec<String> = lines(page).into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["Options:", "--help  Help", ""]);
    }

    #[test]
    fn all_lines_move_left_together() {
        let indents: Vec<usize> =
            lines("  Usage: a\n\n    -h\n").iter().map(|it| it.indent).collect();
        assert_eq!(indents, [0, 0, 2]);
    }
}
