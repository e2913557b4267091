//! A comparison in the formats that people and programs read: one file each, and the table of them.

mod changelog;
mod github;
mod html;
pub mod human;
pub mod json;
mod junit;
mod markdown;
mod sarif;
mod wording;

use crate::report::Comparison;
pub use manila_check::render::Format;

/// Every format.
pub static FORMATS: &[Format<Comparison>] = &[
    Format { name: "human", about: "for people, short", render: human::render },
    Format { name: "json", about: "the comparison as one JSON document", render: json::render },
    Format { name: "sarif", about: "SARIF 2.1.0, for code scanning", render: sarif::render },
    Format { name: "junit", about: "JUnit XML, for test reports", render: junit::render },
    Format { name: "github", about: "annotations of a GitHub job", render: github::render },
    Format { name: "markdown", about: "a job summary or a comment", render: markdown::render },
    Format { name: "html", about: "one page that needs nothing else", render: html::render },
    Format { name: "changelog", about: "an entry of a change log", render: changelog::render },
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format<Comparison>> {
    FORMATS.iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests;
