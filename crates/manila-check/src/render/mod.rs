//! A report in the formats that people and programs read: one file each, and the table of them.
//!
//! Nothing is computed here: what a format says is in the report. Whatever a program wrote is
//! untrusted text, and each format escapes it in its own way.

mod github;
mod html;
pub mod human;
pub mod json;
mod junit;
mod markdown;
mod sarif;
pub(crate) mod shared;

use crate::report::model::Report;
pub use shared::line::{Ink, Line, Piece, text_of};
use std::fmt;

/// A way to write a report, or another result.
pub struct Format<R = Report> {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Writes a report in it.
    pub render: fn(&R) -> String,
}

impl<R> fmt::Debug for Format<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Every format.
pub static FORMATS: &[Format] = &[
    Format { name: "human", about: "for people, short", render: human::render },
    Format { name: "json", about: "the report as one JSON document", render: json::render },
    Format { name: "sarif", about: "SARIF 2.1.0, for code scanning", render: sarif::render },
    Format { name: "junit", about: "JUnit XML, for test reports", render: junit::render },
    Format { name: "github", about: "annotations of a GitHub job", render: github::render },
    Format { name: "markdown", about: "a job summary or a comment", render: markdown::render },
    Format { name: "html", about: "one page that needs nothing else", render: html::render },
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests;
