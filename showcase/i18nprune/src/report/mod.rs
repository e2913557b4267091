//! The project report: a document of its own, and the formats it is written in.

mod csv;
mod document;
mod html;
mod text;

pub(crate) use document::Document;

use schemars::JsonSchema;
use serde::Serialize;

/// What a report is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// A page for a browser.
    Html,
    /// The document itself.
    Json,
    /// A row for each call.
    Csv,
    /// For a terminal.
    #[default]
    Text,
}

/// The formats, their names, and how files of them are named.
const FORMATS: &[(Format, &str, &[&str])] = &[
    (Format::Html, "html", &["html", "htm"]),
    (Format::Json, "json", &["json"]),
    (Format::Csv, "csv", &["csv"]),
    (Format::Text, "text", &["txt", "text", "log"]),
];

impl Format {
    /// The format of that name.
    pub(crate) fn named(name: &str) -> Option<Format> {
        FORMATS.iter().find(|(_, known, _)| *known == name).map(|(format, ..)| *format)
    }

    /// The format that a file of such a name has.
    pub(crate) fn from_extension(extension: &str) -> Option<Format> {
        let mut formats = FORMATS.iter();
        formats.find(|(.., names)| names.contains(&extension)).map(|(format, ..)| *format)
    }

    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        FORMATS.iter().find(|(format, ..)| *format == self).map_or("text", |(_, word, _)| word)
    }

    /// A document in this format.
    pub(crate) fn render(self, document: &Document) -> String {
        match self {
            Format::Html => html::render(document),
            Format::Json => {
                let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
                text.push('\n');
                text
            }
            Format::Csv => csv::render(document),
            Format::Text => text::render(document),
        }
    }
}
