//! `quality`: texts that are there and still not right.

use crate::code::Code;
use crate::compare;
use crate::finding::{Finding, Outcome};
use crate::locale::{Leaf, Locale, PLACEHOLDER, placeholders};
use crate::project::Project;
use crate::words::count;
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What was found.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "quality", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Quality {
    /// How many texts are not right.
    total: usize,
    /// The same for each locale.
    per_file: BTreeMap<String, usize>,
    /// How many calls have keys that only a run knows.
    dynamic_key_sites: usize,
    dynamic_key_sites_active: usize,
    dynamic_key_sites_commented: usize,
    /// The code of the source locale.
    source_locale: String,
    /// The directory of the locales.
    locales_dir: String,
    /// How many locales there are.
    locale_count: usize,
    /// How many of them are translations.
    target_locale_count: usize,
    /// The texts.
    files: Vec<Flaws>,
}

/// The texts of one locale that are not right.
#[derive(Debug, Serialize, JsonSchema)]
struct Flaws {
    /// The code of the locale.
    locale: String,
    /// The same as in the source locale.
    identical: Vec<String>,
    /// Empty.
    empty: Vec<String>,
    /// Not written yet.
    placeholder: Vec<String>,
    /// With other placeholders than in the source locale.
    mismatched: Vec<Mismatch>,
}

/// A text with other placeholders than its source.
#[derive(Debug, Serialize, JsonSchema)]
struct Mismatch {
    key: String,
    /// The placeholders of the source text.
    expected: Vec<String>,
    /// Those of the translation.
    found: Vec<String>,
}

impl Flaws {
    fn count(&self) -> usize {
        let Flaws { identical, empty, placeholder, mismatched, .. } = self;
        identical.len() + empty.len() + placeholder.len() + mismatched.len()
    }
}

/// Looks at every text.
pub(crate) fn run(config: Option<&Path>, call: &Call) -> Result<Outcome<Quality>, Finding> {
    let project = Project::open(config, call)?;
    let source = project.source()?;
    let (scan, mut findings) = project.scan(call)?;
    findings.extend(compare::dynamic_sites(&scan, Code::ScanDynamic));
    let codes = project.target_codes()?;
    let mut files = vec![flaws_of_source(&source)];
    for code in &codes {
        match project.target(code) {
            Ok(target) => files.push(flaws(&source, &target)),
            Err(finding) => findings.push(finding),
        }
    }
    for flaws in &files {
        findings.extend(tell(flaws, &project));
    }
    let (active, commented) = scan.dynamic_counts();
    let per_file: BTreeMap<String, usize> =
        files.iter().map(|flaws| (flaws.locale.clone(), flaws.count())).collect();
    let data = Quality {
        total: per_file.values().sum(),
        per_file,
        dynamic_key_sites: active + commented,
        dynamic_key_sites_active: active,
        dynamic_key_sites_commented: commented,
        source_locale: source.code.clone(),
        locales_dir: project.locales_dir.display().to_string(),
        locale_count: codes.len() + 1,
        target_locale_count: codes.len(),
        files,
    };
    Ok(Outcome::new(data, findings))
}

fn flaws_of_source(source: &Locale) -> Flaws {
    Flaws {
        locale: source.code.clone(),
        identical: Vec::new(),
        empty: empty_keys(source),
        placeholder: compare::placeholder_keys(source),
        mismatched: Vec::new(),
    }
}

fn flaws(source: &Locale, target: &Locale) -> Flaws {
    let index = source.index();
    let mut flaws = Flaws {
        locale: target.code.clone(),
        identical: Vec::new(),
        empty: empty_keys(target),
        placeholder: compare::placeholder_keys(target),
        mismatched: Vec::new(),
    };
    for (key, leaf) in target.leaves() {
        let original = index.get(&key).and_then(|leaf| leaf.text);
        let Some((original, text)) = original.zip(leaf.text) else { continue };
        if text.trim().is_empty() || text.starts_with(PLACEHOLDER) {
            continue;
        }
        let (expected, found) = (placeholders(original), placeholders(text));
        if expected != found {
            flaws.mismatched.push(Mismatch { key, expected, found });
        } else if original == text && is_prose(text) {
            flaws.identical.push(key);
        }
    }
    flaws
}

fn empty_keys(locale: &Locale) -> Vec<String> {
    let is_empty = |leaf: &Leaf<'_>| leaf.text.is_some_and(|text| text.trim().is_empty());
    let leaves = locale.leaves().into_iter();
    leaves.filter(|(_, leaf)| is_empty(leaf)).map(|(key, _)| key).collect()
}

/// Whether there is something to translate: a single word may well be the same.
fn is_prose(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    text.split_whitespace().filter(is_word).count() > 1
}

/// What is not right with a locale, as findings.
fn tell(flaws: &Flaws, project: &Project) -> Vec<Finding> {
    let code = &flaws.locale;
    let is_source = *code == project.source_code;
    let unwritten = if is_source { Code::SourcePlaceholders } else { Code::TargetPlaceholders };
    let kinds = [
        (
            Code::PlaceholderMismatch,
            flaws.mismatched.len(),
            "with other placeholders than the source",
        ),
        (Code::EmptyLeaves, flaws.empty.len(), "without words"),
        (unwritten, flaws.placeholder.len(), "not written yet"),
        (Code::Identical, flaws.identical.len(), "the same as in the source"),
    ];
    let found = kinds.into_iter().filter(|(_, count, _)| *count > 0);
    found
        .map(|(kind, texts, words)| {
            let message = format!("{code}: {} {words}", count(texts, "text"));
            Finding::new(kind, message).at(&project.locale_path(code))
        })
        .collect()
}

fn show(quality: &Quality, screen: &mut Screen) {
    if quality.total == 0 {
        let locales = count(quality.locale_count, "locale");
        return screen.line(format_args!("The texts of {locales} look right."));
    }
    let mut rows = Vec::new();
    for flaws in &quality.files {
        let mut add = |key: &String, what: String| {
            rows.push([flaws.locale.clone(), key.clone(), what]);
        };
        for Mismatch { key, expected, found } in &flaws.mismatched {
            let list = |names: &[String]| {
                if names.is_empty() { "none".to_owned() } else { names.join(" ") }
            };
            add(key, format!("has placeholders {}, expected {}", list(found), list(expected)));
        }
        flaws.empty.iter().for_each(|key| add(key, "is empty".to_owned()));
        flaws.placeholder.iter().for_each(|key| add(key, "is not written yet".to_owned()));
        flaws.identical.iter().for_each(|key| add(key, "is the same as the source".to_owned()));
    }
    screen.table(["LOCALE", "KEY", "WHAT"], rows);
}

#[cfg(test)]
mod tests {
    use super::is_prose;

    #[test]
    fn a_name_or_a_number_needs_no_translation() {
        assert!(is_prose("Log out"));
        for text in ["OK", "GitHub", "{{count}} %", "1 2 3", "A B"] {
            assert!(!is_prose(text), "{text}");
        }
    }
}
