//! What people see: lines, fields and tables, rich on a terminal and flat for grep.

use crate::secret;
use anstyle::{AnsiColor, Style};
use manila::json::{Kind, Raw, Value};
use std::fmt::{self, Display, Write};
use unicode_width::UnicodeWidthStr;

const HEADING: Style = AnsiColor::Yellow.on_default().bold();
const NAME: Style = AnsiColor::Cyan.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Green.on_default();
/// The column in which the values of fields begin.
const VALUES: usize = 14;

/// How what people see is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Aligned, with headings.
    Rich,
    /// One record per line, tabs between the columns, nothing else.
    Plain,
}

/// The text of one answer for people, as it is being written.
///
/// The same calls make a rich page, with aligned tables and headings and colour where the terminal
/// wants it, and a plain one: flat lines with tabs, for `grep` and `cut`. Whatever would steer a
/// terminal is made visible.
#[derive(Debug)]
pub struct Screen {
    text: String,
    layout: Layout,
    colour: bool,
}

/// One cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    style: Option<Style>,
}

impl Cell {
    /// The same in a style, where colour is wanted.
    #[must_use]
    pub fn styled(self, style: Style) -> Cell {
        Cell { style: Some(style), ..self }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, style: None }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}

impl Screen {
    pub(crate) fn new(layout: Layout, colour: bool) -> Screen {
        Screen { text: String::new(), layout, colour }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Whether it is laid out for eyes rather than for grep.
    pub fn is_rich(&self) -> bool {
        self.layout == Layout::Rich
    }

    pub(crate) fn is_coloured(&self) -> bool {
        self.colour
    }

    /// Text that is shown as it is, such as a document of its own: no character is made visible and
    /// none is folded, so whoever wrote it speaks to the terminal.
    pub fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A line of words.
    pub fn line(&mut self, text: impl Display) {
        self.put(format_args!("{}\n", safe(&text.to_string(), Lines::Keep)));
    }

    /// A line in a style, where colour is wanted.
    pub fn styled(&mut self, style: Style, text: impl Display) {
        self.paint(style, &text.to_string());
        self.text.push('\n');
    }

    /// A line of pieces, each in its own style where colour is wanted.
    pub fn pieces(&mut self, pieces: impl IntoIterator<Item = Cell>) {
        for piece in pieces {
            match piece.style {
                Some(style) => self.paint(style, &piece.text),
                None => self.put(format_args!("{}", safe(&piece.text, Lines::Fold))),
            }
        }
        self.text.push('\n');
    }

    /// A title above what follows; plain pages have none.
    pub fn heading(&mut self, text: impl Display) {
        if self.is_rich() {
            self.styled(HEADING, text);
        }
    }

    /// A name and its value.
    pub fn field(&mut self, name: &str, value: impl Display) {
        let value = value.to_string();
        match self.layout {
            Layout::Plain => {
                self.put(format_args!(
                    "{}\t{}\n",
                    safe(name, Lines::Fold),
                    safe(&value, Lines::Fold)
                ));
            }
            Layout::Rich => {
                self.paint(NAME, name);
                let padding = VALUES.saturating_sub(name.width()).max(1);
                let value = safe(&value, Lines::Keep);
                let value = value.replace('\n', &format!("\n{:VALUES$}", ""));
                self.put(format_args!("{:padding$}{value}\n", ""));
            }
        }
    }

    /// Rows with as many cells as there are columns. A plain page has the rows alone.
    pub fn table<const COLUMNS: usize, C: Into<Cell>>(
        &mut self,
        columns: [&str; COLUMNS],
        rows: impl IntoIterator<Item = [C; COLUMNS]>,
    ) {
        let rows = rows.into_iter().map(|row| row.map(Into::into).into()).collect();
        self.grid(&columns.map(str::to_owned), rows);
    }

    /// The same, for a number of columns that is not known before.
    fn grid(&mut self, columns: &[String], mut rows: Vec<Vec<Cell>>) {
        for cell in rows.iter_mut().flatten() {
            cell.text = safe(&cell.text, Lines::Fold);
        }
        if self.layout == Layout::Plain {
            for row in &rows {
                let texts: Vec<&str> = row.iter().map(|cell| cell.text.as_str()).collect();
                self.put(format_args!("{}\n", texts.join("\t")));
            }
            return;
        }
        let width = |index: usize| {
            let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| &cell.text);
            let widths = cells.chain(columns.get(index)).map(|text| text.width());
            widths.max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns.len()).map(width).collect();
        let headings = columns.iter().map(|name| Cell::from(name.as_str()).styled(HEADING));
        self.row(&headings.collect::<Vec<_>>(), &widths);
        for row in &rows {
            self.row(row, &widths);
        }
    }

    /// The cells of a row, each as wide as its column; nothing follows the last that has words.
    fn row(&mut self, cells: &[Cell], widths: &[usize]) {
        let last = cells.iter().rposition(|cell| !cell.text.trim().is_empty());
        for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
            if last.is_none_or(|last| index > last) {
                break;
            }
            match cell.style.filter(|_| self.colour) {
                Some(style) => self.put(format_args!("{style}{}{style:#}", cell.text)),
                None => self.text.push_str(&cell.text),
            }
            if Some(index) != last {
                let padding = 2 + width.saturating_sub(cell.text.width());
                self.put(format_args!("{:padding$}", ""));
            }
        }
        self.text.push('\n');
    }

    /// Shows a payload that has no words of its own: an object as fields, a list of objects as a
    /// table, anything else as it is.
    pub fn payload(&mut self, payload: &Raw) {
        let payload = secret::scrub_payload(payload.clone());
        let value = payload.value();
        match value.kind() {
            Kind::Object => {
                for member in value.members() {
                    self.field(&member.key(), words(member.value));
                }
            }
            Kind::Array => {
                let elements: Vec<Value<'_>> = value.elements().collect();
                let mut columns: Vec<String> = Vec::new();
                for member in elements.iter().flat_map(Value::members) {
                    let key = member.key();
                    if !columns.iter().any(|column| *column == key) {
                        columns.push(key.into_owned());
                    }
                }
                if columns.is_empty() {
                    return elements.into_iter().for_each(|element| self.line(words(element)));
                }
                let cell = |element: &Value<'_>, column: &String| {
                    let mut members = element.members();
                    let found = members.find(|member| member.is(column));
                    Cell::from(found.map_or_else(String::new, |it| words(it.value)))
                };
                let row = |element: &Value<'_>| {
                    columns.iter().map(|column| cell(element, column)).collect()
                };
                let rows = elements.iter().map(row).collect();
                self.grid(&columns, rows);
            }
            _ => self.line(words(value)),
        }
    }

    pub(crate) fn error(&mut self, failure: &manila::Failure) {
        self.paint(BAD, &format!("error[{}]", failure.code));
        self.put(format_args!(": {}\n", safe(&failure.message, Lines::Keep)));
        if let Some(detail) = &failure.detail {
            self.put(format_args!("  detail: {}\n", safe(detail, Lines::Keep)));
        }
        if let Some(suggestion) = &failure.suggestion {
            self.text.push_str("  ");
            self.paint(HINT, "hint");
            self.put(format_args!(": {}\n", safe(suggestion, Lines::Fold)));
        }
    }

    pub(crate) fn issue(&mut self, issue: &manila::Issue) {
        let style = if issue.severity == manila::Severity::Error { BAD } else { WARN };
        self.paint(style, &format!("{}[{}]", issue.severity.word(), issue.code));
        let path = issue.path.as_ref().map_or_else(String::new, |path| format!(" {path}"));
        let message = issue.message.as_deref().unwrap_or_default();
        self.put(format_args!(":{} {}\n", safe(&path, Lines::Fold), safe(message, Lines::Fold)));
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.paint(HINT, "note");
        self.put(format_args!(": {}\n", safe(text, Lines::Fold)));
    }

    pub(crate) fn warning(&mut self, text: &str) {
        self.paint(WARN, "warning");
        self.put(format_args!(": {}\n", safe(text, Lines::Fold)));
    }

    fn paint(&mut self, style: Style, text: &str) {
        let text = safe(text, Lines::Fold);
        if self.colour {
            self.put(format_args!("{style}{text}{style:#}"));
        } else {
            self.put(format_args!("{text}"));
        }
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        // Memory takes every byte.
        let _ = self.text.write_fmt(text);
    }
}

/// A JSON value in words: text without its quotes, nothing for null.
fn words(value: Value<'_>) -> String {
    match value.kind() {
        Kind::Null => String::new(),
        Kind::String => value.string().map_or_else(String::new, std::borrow::Cow::into_owned),
        _ => value.text().to_owned(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    Keep,
    Fold,
}

/// Text of several lines with nothing in it that would steer a terminal: what somebody else wrote,
/// where no [`Screen`] shows it.
pub fn visible(text: &str) -> String {
    Safe(text, Lines::Keep).to_string()
}

/// Text without secrets, and with nothing in it that would steer a terminal. The secrets go first:
/// once it is escaped they are spelled differently.
fn safe(text: &str, lines: Lines) -> String {
    Safe(&secret::scrub(text.to_owned()), lines).to_string()
}

/// Text with every character made visible that would steer a terminal: what a program shows may be
/// somebody else's words.
struct Safe<'a>(&'a str, Lines);

impl Display for Safe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            let keeps = self.1 == Lines::Keep && matches!(character, '\n' | '\t');
            if !keeps && steers(character) {
                write!(f, "{}", character.escape_unicode())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Control characters, and the marks that turn the direction of what follows.
pub(crate) fn steers(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(layout: Layout, fill: impl FnOnce(&mut Screen)) -> String {
        let mut screen = Screen::new(layout, false);
        fill(&mut screen);
        screen.into_text()
    }

    #[test]
    fn a_table_is_aligned_for_eyes_and_flat_for_grep() {
        let fill = |screen: &mut Screen| {
            let rows = [["1", "日本"], ["20", "x"]].map(|row| row.map(str::to_owned));
            screen.table(["ID", "NAME"], rows);
        };
        assert_eq!(page(Layout::Rich, fill), "ID  NAME\n1   日本\n20  x\n");
        assert_eq!(page(Layout::Plain, fill), "1\t日本\n20\tx\n");
    }

    #[test]
    fn a_styled_cell_takes_no_more_room_than_it_shows() {
        let mut screen = Screen::new(Layout::Rich, true);
        let rows =
            [["a", "b"], ["ccc", ""]].map(|row| row.map(|cell| Cell::from(cell).styled(BAD)));
        screen.table(["X", "Y"], rows);
        let shown = screen.into_text();
        let row = format!("{BAD}a{BAD:#}    {BAD}b{BAD:#}\n{BAD}ccc{BAD:#}\n");
        assert!(shown.ends_with(&row), "{shown:?}");
    }

    #[test]
    fn a_line_of_pieces_is_one_line_whatever_is_in_it() {
        let fill = |screen: &mut Screen| {
            screen.pieces([Cell::from("error").styled(BAD), Cell::from(": a\nb\u{1b}")]);
        };
        assert_eq!(page(Layout::Rich, fill), "error: a\\u{a}b\\u{1b}\n");
        let mut screen = Screen::new(Layout::Rich, true);
        fill(&mut screen);
        assert!(screen.into_text().starts_with(&format!("{BAD}error{BAD:#}: a")));
    }

    #[test]
    fn a_terminal_obeys_nothing_that_is_shown() {
        let fill = |screen: &mut Screen| {
            screen.line("a\u{1b}[2Jb\r\u{9b}");
            screen.field("x", "one\ntwo");
        };
        assert_eq!(page(Layout::Plain, fill), "a\\u{1b}[2Jb\\u{d}\\u{9b}\nx\tone\\u{a}two\n");
        assert_eq!(
            page(Layout::Rich, fill),
            "a\\u{1b}[2Jb\\u{d}\\u{9b}\nx             one\n              two\n"
        );
    }

    #[test]
    fn a_payload_without_words_shows_itself() {
        let show = |json: &str| {
            let payload = Raw::parse(json).expect("valid JSON");
            page(Layout::Plain, |screen| screen.payload(&payload))
        };
        assert_eq!(show(r#"{"id":7,"name":"a b","gone":null}"#), "id\t7\nname\ta b\ngone\t\n");
        assert_eq!(show(r#"[{"id":1},{"id":2,"x":[3]}]"#), "1\t\n2\t[3]\n");
        assert_eq!(show("[1,\"two\"]"), "1\ntwo\n");
        assert_eq!(show("\"words\""), "words\n");
    }
}
