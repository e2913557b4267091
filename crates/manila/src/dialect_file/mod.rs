//! Dialects as TOML files: the same tables, for people who do not write Rust.
//!
//! Programs built with `manila-clap` do not link this module: it is behind the feature `dialect-files`.

mod check;
mod form;
mod hint;
mod infer;
mod load;
mod save;

pub use check::{Finding, Weight, check};
pub use infer::{InferError, Inferred, infer};
pub use load::{load, parse};
pub use save::save;

use crate::dialect::Dialect;
use crate::exit::Exit;
use crate::json::Raw;
use crate::transcript::Transcript;
use std::fmt;

/// A dialect and the examples in its file.
#[derive(Debug)]
pub struct DialectFile {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// Its examples.
    pub examples: Vec<Example>,
    /// The line of `id`.
    pub(crate) id_line: usize,
    /// The line of `[detect]`.
    pub(crate) detect_line: usize,
}

/// A run of a program that uses the dialect, and what it means.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// The line that it begins on.
    pub line: usize,
    /// What the program left behind.
    pub transcript: Transcript,
    /// Whether it succeeded.
    pub ok: bool,
    /// The class of its outcome, if the example says so.
    pub class: Option<Exit>,
    /// The code of its error, if the example says so.
    pub code: Option<String>,
    /// The message of its error, if the example says so.
    pub message: Option<String>,
    /// Its payload, if the example says so.
    pub data: Option<Raw>,
}

/// Why a file is not a dialect, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead, if that is known.
    pub hint: Option<String>,
}

impl FileError {
    fn new(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        FileError { line, column, message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        FileError { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DIALECTS;

    #[test]
    fn every_built_in_table_survives_a_file() {
        // Only what is recognised by a table can be recognised by a file.
        for dialect in DIALECTS.iter().filter(|it| !it.table().marks.levels.is_empty()) {
            let text = save(dialect.table());
            let again = load(&text).unwrap_or_else(|error| panic!("{dialect:?}: {error}\n{text}"));
            assert_eq!(save(again.table()), text, "{dialect:?}");
        }
    }

    #[test]
    fn a_bad_file_names_its_place_and_what_to_write() {
        let good = save(crate::dialect("td/1").expect("a dialect").table());
        for (old, new, line, message, hint) in [
            ("id = \"td/1\"", "id = 7", 1, "invalid type", Some("quotes")),
            ("id = \"td/1\"", "id = \"td\"", 1, "revision", Some("td/1")),
            ("id = \"td/1\"", "idd = \"td/1\"", 1, "unknown field `idd`", Some("remove `idd`")),
            ("id = \"td/1\"", "", 1, "missing field `id`", Some("id = \"acme/1\"")),
            ("field = \"ok\"", "field = \"okay\"", 0, "`okay`", Some("`ok`")),
            ("confidence = \"likely\"", "confidence = \"sure\"", 0, "", None),
            (
                "path = \"error.code\"\nfield",
                "path = \"fault.code\"\nfield",
                0,
                "fault",
                Some("path = \"fault\""),
            ),
            ("type = \"flag\"", "type = \"text\"", 0, "ok", Some("flag")),
        ] {
            if !good.contains(old) {
                continue;
            }
            let bad = good.replacen(old, new, 1);
            let error = load(&bad).err().unwrap_or_else(|| panic!("{new} is accepted"));
            let at = bad[..bad.find(new).expect("there")].matches('\n').count() + 1;
            assert_eq!(error.line, if line == 0 { at } else { line }, "{new}: {error}");
            assert!(error.message.contains(message), "{new}: {error}");
            let has = |hint: &str| error.hint.as_ref().is_some_and(|it| it.contains(hint));
            assert!(hint.is_none_or(has), "{new}: {error}");
        }
    }

    #[test]
    fn a_file_that_is_cut_anywhere_names_a_line_and_what_to_write() {
        let whole = save(crate::dialect("codex/0").expect("a dialect").table());
        let mut refused = 0;
        for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let cut = &whole[..end];
            let Err(error) = parse(cut) else { continue };
            let hint = error.hint.as_deref().unwrap_or_default();
            assert!(hint.contains('`'), "{cut:?}: {error}");
            assert!((1..=cut.lines().count().max(1)).contains(&error.line), "{cut:?}: {error}");
            refused += 1;
        }
        assert!(refused > whole.len() / 2, "{refused} of {}", whole.len());
        let error = |text: &str| parse(text).expect_err("an error").to_string();
        let cut = &whole[..whole.find("path = \"error.message\"").expect("a path") + 12];
        let last = cut.lines().count();
        assert!(error(cut).starts_with(&format!("line {last}, ")), "{}", error(cut));
        assert!(error(cut).contains("end the value of `path` with `\"`"), "{}", error(cut));
        let cut = "id = \"x/1\"\nsummary = \"s\"\n[exi";
        assert!(error(cut).contains("line 3"), "{}", error(cut));
        assert!(error(cut).contains("`[exi]`"), "{}", error(cut));
    }

    #[test]
    fn a_file_without_anything_to_recognise_is_refused() {
        let error = load("id = \"x/1\"\nsummary = \"s\"\n").expect_err("an error");
        assert!(error.message.contains("missing field `exits`"), "{error}");
        assert!(error.hint.is_some_and(|hint| hint.contains("rows = [{ status = 0")));
    }
}
