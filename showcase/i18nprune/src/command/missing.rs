//! `missing`: gives the source locale the keys that the code names and it lacks.

use crate::code::Code;
use crate::compare;
use crate::finding::{Finding, Outcome};
use crate::locale::{Locale, PLACEHOLDER};
use crate::project::{Project, write_failed};
use crate::scan::Scan;
use crate::suggestion::Suggestion;
use crate::words::count;
use clap::Args;
use manila_clap::{Call, Effect, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use showcase_store::Lock;
use std::path::Path;

/// What to add, and how much of it to list.
#[derive(Debug, Args)]
pub(crate) struct MissingArgs {
    /// Only these keys; without any, all that are missing
    #[arg(value_name = "KEY")]
    keys: Vec<String>,

    /// Show what would be added, and write nothing
    #[arg(long)]
    dry_run: bool,

    /// How many keys to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    /// List all keys
    #[arg(long)]
    full: bool,
}

/// What was added.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "missing", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Missing {
    /// The file of the source locale, from the project.
    target_path: String,
    target_kind: TargetKind,
    /// How many keys were added.
    paths_added: usize,
    /// How many of them are listed.
    shown: usize,
    /// How many are listed at most.
    top: usize,
    /// Whether all are.
    full: bool,
    /// The keys.
    paths: Vec<String>,
    /// Whether nothing was written.
    dry_run: bool,
    /// The keys that were asked for and that the code does not name.
    skipped_not_in_scan: Vec<String>,
    /// The same for each locale.
    targets: Vec<Change>,
    /// The texts that are not translated yet, without those that were added now.
    placeholder_leaves: PlaceholderLeaves,
    /// What to run next.
    suggestions: Vec<Suggestion>,
}

/// Which locale it is about.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TargetKind {
    /// The one that the others are translated from.
    #[default]
    Source,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Change {
    target_path: String,
    target_kind: TargetKind,
    paths_added: usize,
    paths: Vec<String>,
    skipped_not_in_scan: Vec<String>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct PlaceholderLeaves {
    count: usize,
    shown: usize,
    top: usize,
    full: bool,
    leaves: Vec<String>,
}

/// Adds the keys. The sources are scanned before the locales are locked: others need not wait for
/// that.
pub(crate) fn run(
    arguments: &MissingArgs,
    config: Option<&Path>,
    call: &Call,
) -> Result<Outcome<Missing>, Finding> {
    let project = Project::open(config, call)?;
    // Reported before the scan, which takes longer; read again under the lock.
    project.source()?;
    let (scan, mut findings) = project.scan(call)?;
    findings.extend(compare::dynamic_sites(&scan, Code::ScanDynamic));
    let lock = if arguments.dry_run { None } else { Some(lock(&project)?) };
    let mut source = project.source()?;
    let unwritten = compare::placeholder_keys(&source);
    let not_in_scan = not_in_scan(arguments, &scan, &source);
    if !not_in_scan.is_empty() {
        let message = format!("the code does not name: {}", not_in_scan.join(", "));
        findings.push(Finding::new(Code::NotInScan, message));
    }
    let added = add(arguments, &scan, &mut source, &mut findings);
    if let Some(lock) = lock {
        for file in source.files.iter().filter(|file| file.is_changed()) {
            file.write(&lock).map_err(|error| write_failed(&error))?;
        }
        call.effect(if added.is_empty() { Effect::Noop } else { Effect::Updated });
    }
    Ok(Outcome::new(data(arguments, &project, added, not_in_scan, unwritten), findings))
}

/// The right to change the locales.
fn lock(project: &Project) -> Result<Lock, Finding> {
    Lock::on(&project.locales_dir).map_err(|error| write_failed(&error))
}

/// The keys that were asked for and that the code does not name.
fn not_in_scan(arguments: &MissingArgs, scan: &Scan, source: &Locale) -> Vec<String> {
    let used = compare::used_keys(scan, source);
    let is_used = |key: &String| used.contains(&*source.resolve(key));
    arguments.keys.iter().filter(|key| !is_used(key)).cloned().collect()
}

/// Adds the missing keys that are wanted; returns those that were added. The others become findings.
fn add(
    arguments: &MissingArgs,
    scan: &Scan,
    source: &mut Locale,
    findings: &mut Vec<Finding>,
) -> Vec<String> {
    let wanted: Vec<String> =
        arguments.keys.iter().map(|key| source.resolve(key).into_owned()).collect();
    let mut added = Vec::new();
    let mut refused = Vec::new();
    for key in compare::missing_keys(scan, source) {
        if !wanted.is_empty() && !wanted.contains(&key) {
            continue;
        }
        match source.insert(&key, &format!("{PLACEHOLDER}{key}")) {
            Ok(()) => added.push(key),
            Err(conflict) => refused.push(format!("{key:?} ({})", conflict.words())),
        }
    }
    if !refused.is_empty() {
        let message = format!("cannot be added: {}", refused.join(", "));
        findings.push(Finding::new(Code::NotAddable, message));
    }
    added
}

fn data(
    arguments: &MissingArgs,
    project: &Project,
    added: Vec<String>,
    not_in_scan: Vec<String>,
    unwritten: Vec<String>,
) -> Missing {
    let (top, full) = (arguments.top, arguments.full);
    let most = if full { usize::MAX } else { top };
    let (target_path, target_kind) = (project.shown(&project.source_path()), TargetKind::Source);
    let paths_added = added.len();
    let paths: Vec<String> = added.into_iter().take(most).collect();
    let count = unwritten.len();
    let leaves: Vec<String> = unwritten.into_iter().take(most).collect();
    Missing {
        target_path: target_path.clone(),
        target_kind,
        paths_added,
        shown: paths.len(),
        top,
        full,
        paths: paths.clone(),
        dry_run: arguments.dry_run,
        skipped_not_in_scan: not_in_scan.clone(),
        targets: vec![Change {
            target_path,
            target_kind,
            paths_added,
            paths,
            skipped_not_in_scan: not_in_scan,
        }],
        placeholder_leaves: PlaceholderLeaves { count, shown: leaves.len(), top, full, leaves },
        suggestions: Suggestion::run_sync(paths_added).into_iter().collect(),
    }
}

fn show(missing: &Missing, screen: &mut Screen) {
    let path = &missing.target_path;
    if missing.paths_added == 0 {
        return screen.line(format_args!("No key to add to {path}."));
    }
    let words = if missing.dry_run { "Would add" } else { "Added" };
    let keys = count(missing.paths_added, "key");
    screen.heading(format_args!("{words} {keys} to {path}"));
    for path in &missing.paths {
        screen.line(path);
    }
    let rest = missing.paths_added - missing.shown;
    if rest > 0 {
        screen.line(format_args!("… and {rest} more; --full lists all"));
    }
}
