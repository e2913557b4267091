//! Rust: structs and enums with a small JSON of their own, `cargo test` for the tests.

mod caller;
mod payload;
mod producer;
mod sample;
mod stated;

use super::Language;
use super::spell::{self, quoted};
use crate::Side;
use crate::name::{pascal, snake};

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    title: "Rust",
    one_side: Some("rs"),
    generate: |contract, side| match side {
        Side::Producer => producer::files(contract),
        Side::Caller => caller::files(contract),
    },
};

const CHECKER: &str = include_str!("../../../templates/rust/checker.rs.txt");
const TEST_CHECKER: &str = include_str!("../../../templates/rust/checker_test.rs.txt");
const JSON: &str = include_str!("../../../templates/rust/json.rs.txt");
const TEST_JSON: &str = include_str!("../../../templates/rust/json_test.rs.txt");

/// The longest line that rustfmt leaves as it is.
const WIDTH: usize = 100;

/// Names for texts, each different from the others.
fn unique<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<(String, &'t str)> {
    spell::unique(texts, |one| match pascal(one) {
        name if name == "Self" => "Own".to_owned(),
        name => name,
    })
}

/// The manifest of a crate whose only file has its name.
const CARGO: &str = "# {{header}}\n# Do not edit: change what it is made from and generate it again.\n\n[package]\nname = \"{{crate}}\"\nversion = \"0.1.0\"\nedition = \"2021\"\nrust-version = \"1.83\"\npublish = false\n\n[lib]\npath = \"{{crate}}.rs\"\n\n[dependencies]\n";

/// An arm of a match that stands so deep.
fn arm(pattern: &str, value: &str, depth: usize) -> String {
    let line = format!("{pattern} => {value},");
    if spell::width(&line) + depth <= WIDTH {
        return line;
    }
    format!("{pattern} => {{\n    {value}\n}}")
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The name of a member. A keyword gets an underscore.
fn identifier(name: &str) -> String {
    let name = snake(name);
    if KEYWORDS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A text as Rust spells it.
fn text(text: &str) -> String {
    let number = |it: char| spell::is_hidden(it).then(|| format!("\\u{{{:x}}}", u32::from(it)));
    quoted(text, '"', number)
}
