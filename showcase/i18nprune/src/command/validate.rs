//! `validate`: whether every key in the code has a text, and every text of the source a translation.

use crate::code::Code;
use crate::compare;
use crate::finding::{Finding, Outcome};
use crate::locale::Locale;
use crate::project::Project;
use crate::scan::{self, Scan};
use crate::suggestion::Suggestion;
use crate::words::count;
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::path::Path;

/// What was checked.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "validate", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Validation {
    /// The keys in the code that the source locale does not have.
    missing: Vec<String>,
    /// How many different keys the code names.
    count: usize,
    /// The calls whose keys only a run knows.
    dynamic: DynamicCount,
    /// The calls whose keys are known.
    key_observations: Count,
    /// What to run next.
    suggestions: Vec<Suggestion>,
    /// Where each missing key is named first.
    #[serde(skip)]
    places: Vec<String>,
    #[serde(skip)]
    files: usize,
}

/// How many calls have keys that only a run knows.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct DynamicCount {
    count: usize,
    /// Those that run.
    active: usize,
    /// Those in comments.
    commented: usize,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Count {
    count: usize,
}

/// Checks the project.
pub(crate) fn run(config: Option<&Path>, call: &Call) -> Result<Outcome<Validation>, Finding> {
    let project = Project::open(config, call)?;
    let source = project.source()?;
    let (scan, mut findings) = project.scan(call)?;
    let missing = compare::missing_keys(&scan, &source);
    if !missing.is_empty() {
        let keys = count(missing.len(), "key");
        let message = format!("{keys} in the code, but not in the source locale");
        let path = project.source_path();
        findings.push(Finding::new(Code::MissingLiteralKeys, message).at(&path));
    }
    findings.extend(compare::dynamic_sites(&scan, Code::ValidateDynamic));
    findings.extend(unwritten(&project, &source));
    let lacking = check_targets(&project, &source, &mut findings)?;
    let (active, commented) = scan.dynamic_counts();
    let to_do = [Suggestion::run_missing(missing.len()), Suggestion::run_sync(lacking)];
    let data = Validation {
        count: compare::used_keys(&scan, &source).len(),
        places: first_places(&project, &source, &scan, &missing),
        missing,
        dynamic: DynamicCount { count: scan.dynamic.len(), active, commented },
        key_observations: Count { count: scan.observations.len() },
        suggestions: to_do.into_iter().flatten().collect(),
        files: scan.files,
    };
    Ok(Outcome::new(data, findings))
}

/// That texts of the source locale are still placeholders.
fn unwritten(project: &Project, source: &Locale) -> Option<Finding> {
    let keys = compare::placeholder_keys(source);
    let message = format!("{} of the source locale not written yet", count(keys.len(), "text"));
    let finding = || Finding::new(Code::SourcePlaceholders, message).at(&project.source_path());
    (!keys.is_empty()).then(finding)
}

/// Compares the target locales with the source; how many keys they lack.
fn check_targets(
    project: &Project,
    source: &Locale,
    findings: &mut Vec<Finding>,
) -> Result<usize, Finding> {
    let mut lacking = 0;
    for code in project.target_codes()? {
        match project.target(&code) {
            Ok(target) => {
                let keys = compare::lacking_texts(source, &target).len();
                lacking += keys;
                if keys > 0 {
                    let message =
                        format!("{code} lacks {} of the source locale", count(keys, "key"));
                    let path = project.locale_path(&code);
                    findings.push(Finding::new(Code::TargetKeysMissing, message).at(&path));
                }
            }
            Err(finding) => findings.push(finding),
        }
    }
    Ok(lacking)
}

/// Where each of these keys is named first.
fn first_places(project: &Project, source: &Locale, scan: &Scan, keys: &[String]) -> Vec<String> {
    let mut first = HashMap::new();
    for observation in &scan.observations {
        first.entry(source.resolve(&observation.key)).or_insert(&observation.call);
    }
    let place = |call: &&scan::Call| {
        let file = project.shown(&project.src_root.join(&call.file));
        format!("{file}:{}:{}", call.place.line, call.place.column)
    };
    keys.iter().map(|key| first.get(key.as_str()).map(place).unwrap_or_default()).collect()
}

fn show(validation: &Validation, screen: &mut Screen) {
    if validation.missing.is_empty() {
        let keys = count(validation.count, "key");
        let files = count(validation.files, "file");
        return screen.line(format_args!("{keys} in {files}, all of them in the source locale."));
    }
    let rows = validation.missing.iter().zip(&validation.places);
    let rows = rows.map(|(key, place)| [key.clone(), place.clone()]);
    screen.table(["MISSING KEY", "FIRST USED AT"], rows);
}
