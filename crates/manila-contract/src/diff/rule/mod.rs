//! The rules of a comparison: one row each in a table per family, one page each in `page/`.

pub(crate) mod comparison;
pub(crate) mod data;
pub(crate) mod envelope;
pub(crate) mod errors;
pub(crate) mod process;
pub(crate) mod surface;

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// A kind of change.
pub struct Rule {
    /// Its name, which names the change.
    pub id: &'static str,
    /// What it is about.
    pub family: Family,
    /// The rule of the opposite change; the rule itself if the change has no direction.
    pub mirror: &'static str,
    /// What it means for each reader, in the order of [`Reader::ALL`].
    pub(crate) impacts: [Impact; 3],
    /// What changed.
    pub what: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// What `manila explain` prints.
    pub page: &'static str,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

impl Rule {
    /// What it means for a reader.
    pub(crate) fn impact(&self, reader: Reader) -> Impact {
        match reader {
            Reader::Strict => self.impacts[0],
            Reader::Tolerant => self.impacts[1],
            Reader::Script => self.impacts[2],
        }
    }
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// What can be called.
    Surface,
    /// What a process does.
    Process,
    /// What surrounds the payload.
    Envelope,
    /// Failures.
    Errors,
    /// The payload.
    Data,
    /// The comparison itself.
    Comparison,
}

impl Family {
    /// Every family, in the order of reports.
    pub const ALL: [Family; 6] = [
        Family::Surface,
        Family::Process,
        Family::Envelope,
        Family::Errors,
        Family::Data,
        Family::Comparison,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Family::Surface => "surface",
            Family::Process => "process",
            Family::Envelope => "envelope",
            Family::Errors => "errors",
            Family::Data => "data",
            Family::Comparison => "comparison",
        }
    }
}

/// What a change means for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Impact {
    /// The reader works as before.
    Compatible,
    /// It depends on what the reader does.
    #[serde(rename = "needs-a-human")]
    Human,
    /// The reader fails.
    Breaking,
}

impl Impact {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Impact::Compatible => "compatible",
            Impact::Human => "needs a human",
            Impact::Breaking => "breaking",
        }
    }
}

/// Who reads the answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reader {
    /// A closed schema or an exhaustive match: what is unknown is an error.
    Strict,
    /// A program that ignores what it does not know.
    #[default]
    Tolerant,
    /// A script: paths of `jq`, `$?`, `grep`.
    Script,
}

impl Reader {
    /// Every reader.
    pub const ALL: [Reader; 3] = [Reader::Strict, Reader::Tolerant, Reader::Script];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Reader::Strict => "strict",
            Reader::Tolerant => "tolerant",
            Reader::Script => "script",
        }
    }
}

/// The rows of a family.
macro_rules! rows {
    ($family:expr; $($name:ident = $id:literal, $mirror:literal, [$a:ident, $b:ident, $c:ident], $what:literal, $fix:literal;)*) => {
        $(pub(crate) static $name: Rule = Rule {
            id: $id,
            family: $family,
            mirror: $mirror,
            impacts: [Impact::$a, Impact::$b, Impact::$c],
            what: $what,
            fix: $fix,
            page: include_str!(concat!("../page/", $id, ".md")),
        };)*

        /// The rows, in the order of reports.
        pub(super) static ROWS: &[&Rule] = &[$(&$name,)*];
    };
}
use rows;

/// Every rule.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let families =
        [surface::ROWS, process::ROWS, envelope::ROWS, errors::ROWS, data::ROWS, comparison::ROWS];
    families.into_iter().flatten().copied()
}

/// The rule of that name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_rule_has_its_mirror() {
        for rule in rules() {
            let mirror = super::rule(rule.mirror);
            let back = mirror.map(|mirror| (mirror.mirror, mirror.family));
            assert_eq!(back, Some((rule.id, rule.family)), "{}", rule.id);
        }
        assert!(rules().count() >= 90);
    }

    #[test]
    fn the_tables_and_the_pages_agree() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/diff/page");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .expect("the pages")
            .map(|entry| entry.expect("a page").file_name().to_string_lossy().into_owned())
            .collect();
        let ids: BTreeSet<String> = rules().map(|rule| format!("{}.md", rule.id)).collect();
        assert_eq!(files, ids);
        assert_eq!(ids.len(), rules().count(), "an id is there twice");
        for rule in rules() {
            assert!(
                rule.page.starts_with(&format!("# {}\n\n{}", rule.id, rule.what)),
                "{}",
                rule.id
            );
            for reader in Reader::ALL {
                let row = format!("| {} | {} |", reader.as_str(), rule.impact(reader).as_str());
                assert!(rule.page.contains(&row), "{}: {row}", rule.id);
            }
        }
    }
}
