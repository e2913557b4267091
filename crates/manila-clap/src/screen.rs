//! What people see: lines, fields and tables, rich on a terminal and flat for grep.

use crate::safe_text::{Lines, is_plain, safe};
use crate::secret;
use crate::wrap::{width_of, wrapped};
use anstyle::{AnsiColor, Style};
use manila::json::{Kind, Raw, Value};
use std::fmt::{self, Display, Write};

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
///
/// ```
/// use manila_clap::Screen;
///
/// fn show(notes: &[(u32, String)], screen: &mut Screen) {
///     screen.heading("Notes");
///     for (id, text) in notes {
///         screen.field(&id.to_string(), text);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Screen {
    bytes: Vec<u8>,
    layout: Layout,
    colour: bool,
    width: Option<usize>,
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
        Screen { bytes: Vec::new(), layout, colour, width: None }
    }

    /// The same, where lines are so long at most, as far as they can be broken.
    pub(crate) fn within(self, width: Option<usize>) -> Screen {
        Screen { width, ..self }
    }

    /// How many columns there are: those of the terminal, or what the variable `COLUMNS` says. Nothing in a pipe or a
    /// file without it, and on a plain page, whose lines are never broken.
    pub fn width(&self) -> Option<usize> {
        self.width.filter(|_| self.is_rich())
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What was written so far.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Begins anew in the same memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The same, of a screen that has text only.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// Whether it is laid out for eyes rather than for grep.
    pub fn is_rich(&self) -> bool {
        self.layout == Layout::Rich
    }

    /// Text that is shown as it is, such as a document of its own: no character is made visible and
    /// none is folded, so its author controls the terminal.
    pub fn verbatim(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Bytes that are shown as they are, such as a file's content or a path that is not UTF-8. Declared
    /// secrets are still redacted.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A line of words.
    pub fn line(&mut self, text: impl Display) {
        self.put_safe(Lines::Keep, format_args!("{text}"));
        self.bytes.push(b'\n');
    }

    /// What `write!` and `writeln!` call: words without the end of a line. It takes less time than a line of
    /// `format_args!`, which matters for a stream of a million items.
    ///
    /// ```
    /// use manila_clap::Screen;
    ///
    /// fn show(id: u32, name: &str, screen: &mut Screen) {
    ///     writeln!(screen, "{id}: {name}");
    /// }
    /// ```
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        self.put_safe(Lines::Keep, text);
    }

    /// A line in a style, where colour is wanted.
    pub fn styled(&mut self, style: Style, text: impl Display) {
        self.paint(style, &text.to_string());
        self.bytes.push(b'\n');
    }

    /// A line of pieces, each in its own style where colour is wanted.
    pub fn pieces(&mut self, pieces: impl IntoIterator<Item = Cell>) {
        for piece in pieces {
            match piece.style {
                Some(style) => self.paint(style, &piece.text),
                None => self.put_safe(Lines::Fold, format_args!("{}", piece.text)),
            }
        }
        self.bytes.push(b'\n');
    }

    /// The same, where what the last piece says goes on below itself on a narrow terminal.
    pub fn hanging(&mut self, pieces: impl IntoIterator<Item = Cell>) {
        let mut pieces: Vec<Cell> = pieces.into_iter().collect();
        let Some(last) = pieces.pop() else { return self.bytes.push(b'\n') };
        let indent = pieces.iter().map(|piece| width_of(&piece.text)).sum();
        let text = safe(&last.text, Lines::Fold);
        let mut lines = self.broken(&text, indent).into_iter();
        let style = last.style;
        let first = Cell { text: lines.next().unwrap_or_default(), style };
        self.pieces(pieces.into_iter().chain([first]));
        for line in lines {
            self.pieces([Cell::from(" ".repeat(indent)), Cell { text: line, style }]);
        }
    }

    /// The lines of a text that begins in this column and goes on there.
    fn broken(&self, text: &str, indent: usize) -> Vec<String> {
        match self.width() {
            Some(width) => wrapped(text, width.saturating_sub(indent)),
            None => vec![text.to_owned()],
        }
    }

    /// A title above what follows; plain pages have none.
    pub fn heading(&mut self, text: impl Display) {
        if self.is_rich() {
            self.styled(HEADING, text);
        }
    }

    /// A name and its value.
    pub fn field(&mut self, name: &str, value: impl Display) {
        match self.layout {
            Layout::Plain => {
                self.put_safe(Lines::Fold, format_args!("{name}"));
                self.bytes.push(b'\t');
                self.put_safe(Lines::Fold, format_args!("{value}"));
                self.bytes.push(b'\n');
            }
            Layout::Rich => {
                self.paint(NAME, name);
                let padding = VALUES.saturating_sub(width_of(name)).max(1);
                let value = safe(&value.to_string(), Lines::Keep);
                let indent = VALUES.max(width_of(name) + 1);
                let lines = value.split('\n').flat_map(|line| self.broken(line, indent));
                let value = lines.collect::<Vec<_>>().join(&format!("\n{:VALUES$}", ""));
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
            let widths = cells.chain(columns.get(index)).map(|text| width_of(text));
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
            // Only the last cell can go on below itself.
            let indent = widths[..index].iter().map(|width| width + 2).sum();
            let lines = if Some(index) == last {
                self.broken(&cell.text, indent)
            } else {
                vec![cell.text.clone()]
            };
            for (number, line) in lines.iter().enumerate() {
                if number > 0 {
                    self.put(format_args!("\n{:indent$}", ""));
                }
                match cell.style.filter(|_| self.colour) {
                    Some(style) => self.put(format_args!("{style}{line}{style:#}")),
                    None => self.bytes(line.as_bytes()),
                }
            }
            if Some(index) != last {
                let padding = 2 + width.saturating_sub(width_of(&cell.text));
                self.put(format_args!("{:padding$}", ""));
            }
        }
        self.bytes.push(b'\n');
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

    pub(crate) fn error(&mut self, failure: &manila::ErrorObject) {
        self.paint(BAD, &format!("error[{}]", failure.code));
        self.put(format_args!(": {}\n", safe(&failure.message, Lines::Keep)));
        if let Some(detail) = &failure.detail {
            self.put(format_args!("  detail: {}\n", safe(detail, Lines::Keep)));
        }
        if let Some(suggestion) = &failure.suggestion {
            self.bytes(b"  ");
            self.paint(HINT, "hint");
            self.put(format_args!(": {}\n", safe(suggestion, Lines::Fold)));
        }
    }

    pub(crate) fn issue(&mut self, issue: &manila::Issue) {
        let style = if issue.severity == manila::Severity::Error { BAD } else { WARN };
        self.paint(style, &format!("{}[{}]", issue.severity.as_str(), issue.code));
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

    #[inline(never)]
    fn paint(&mut self, style: Style, text: &str) {
        let text = safe(text, Lines::Fold);
        if self.colour {
            self.put(format_args!("{style}{text}{style:#}"));
        } else {
            self.put(format_args!("{text}"));
        }
    }

    #[inline(never)]
    fn put(&mut self, text: fmt::Arguments<'_>) {
        // Memory takes every byte.
        let _ = Memory(&mut self.bytes).write_fmt(text);
    }

    /// Text in which nothing steers a terminal and no secret is. Nearly all is so as it comes, and then it is
    /// written once, to where it stays.
    fn put_safe(&mut self, lines: Lines, text: fmt::Arguments<'_>) {
        let from = self.bytes.len();
        self.put(text);
        // The end of a line is looked at by itself, the rest eight bytes at a time.
        let shown = &self.bytes[from..];
        let shown = shown.strip_suffix(b"\n").filter(|_| lines == Lines::Keep).unwrap_or(shown);
        if secret::is_any_known() || !is_plain(shown, lines) {
            let text = safe(&String::from_utf8_lossy(&self.bytes[from..]), lines);
            self.bytes.truncate(from);
            self.bytes(text.as_bytes());
        }
    }
}

/// Text that is written to the end of what is there.
struct Memory<'m>(&'m mut Vec<u8>);

impl Write for Memory<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
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
    fn what_is_too_wide_goes_on_below_itself() {
        let mut screen = Screen::new(Layout::Rich, false).within(Some(24));
        screen.table(["ID", "WHAT"], [["1", "as many words as fit, and then some"]]);
        screen.field("took", "p50 54 ms, p90 147 ms");
        screen.hanging(["rule  ", "one two three four five"].map(Cell::from));
        let shown = screen.into_text();
        let expected = "ID  WHAT\n1   as many words as\n    fit, and then some\ntook          p50 54 ms, p90 147 ms\n\
                        rule  one two three four\n      five\n";
        assert_eq!(shown, expected);
        let mut plain = Screen::new(Layout::Plain, false).within(Some(24));
        plain.table(["ID", "WHAT"], [["1", "as many words as fit, and then some"]]);
        assert_eq!(plain.into_text(), "1\tas many words as fit, and then some\n");
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
    fn bytes_are_shown_as_they_are() {
        let mut screen = Screen::new(Layout::Plain, false);
        screen.bytes(b"caf\xe9\0\n");
        screen.line("end");
        assert_eq!(screen.into_bytes(), b"caf\xe9\0\nend\n");
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
