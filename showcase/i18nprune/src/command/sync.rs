//! `sync`: brings the target locales to the keys of the source locale.

use crate::code::Code;
use crate::compare;
use crate::config::relative;
use crate::finding::{Finding, Outcome};
use crate::locale::Locale;
use crate::project::{Project, write_failed};
use crate::scan::Scan;
use crate::suggestion::Suggestion;
use crate::words::count;
use clap::Args;
use manila_clap::{Call, Effect, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use showcase_store::Lock;
use std::collections::BTreeSet;
use std::path::Path;

/// Which locales to change, and how.
#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    /// Only these locales, such as de,fr; without it, all but the source
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    target: Vec<String>,

    /// Remove the keys that the source locale does not have
    #[arg(long)]
    prune: bool,

    /// Show what would be changed, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// What was changed.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "sync", show = show)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Synced {
    /// The file of the source locale, or the directory of its files.
    source_path: String,
    /// The directory of the locales.
    locales_dir: String,
    /// How many files of target locales there are.
    target_files: usize,
    /// How many of them were written.
    written_files: usize,
    /// How many calls have keys that only a run knows.
    dynamic_key_sites: usize,
    dynamic_key_sites_active: usize,
    dynamic_key_sites_commented: usize,
    /// Whether nothing was written.
    dry_run: bool,
    /// The files of the target locales.
    files: Vec<SyncedFile>,
    /// What to run next.
    suggestions: Vec<Suggestion>,
}

/// One file of a target locale.
#[derive(Debug, Serialize, JsonSchema)]
struct SyncedFile {
    path: String,
    /// Whether it changed, or would.
    changed: bool,
    /// The keys it got.
    added: Vec<String>,
    /// The keys it lost.
    removed: Vec<String>,
}

/// What to do with one locale.
struct Plan {
    locale: Locale,
    added: Vec<String>,
    removed: Vec<String>,
}

/// Changes the target locales, all of them under one lock. A locale that cannot be changed as a whole
/// stays as it is.
pub(crate) fn run(
    arguments: &SyncArgs,
    config: Option<&Path>,
    call: &Call,
) -> Result<Outcome<Synced>, Finding> {
    let project = Project::open(config, call)?;
    // Reported before the scan, which takes longer; read again under the lock.
    project.source()?;
    let (scan, mut findings) = project.scan(call)?;
    findings.extend(compare::dynamic_sites(&scan, Code::ScanDynamic));
    let lock = if arguments.dry_run {
        None
    } else {
        Some(Lock::on(&project.locales_dir).map_err(|error| write_failed(&error))?)
    };
    let source = project.source()?;
    let mut plans = Vec::new();
    for code in targets(arguments, &project, &mut findings)? {
        match plan(&code, &source, &project, arguments, &mut findings) {
            Ok(plan) => plans.push(plan),
            Err(finding) => findings.push(finding),
        }
    }
    let mut data = describe(&project, &scan, arguments, &plans);
    if let Some(lock) = lock {
        let files = plans.iter().flat_map(|plan| &plan.locale.files);
        for file in files.filter(|file| file.is_changed()) {
            match file.write(&lock) {
                Ok(()) => data.written_files += 1,
                Err(error) => findings.push(write_failed(&error)),
            }
        }
        call.effect(if data.written_files == 0 { Effect::Noop } else { Effect::Updated });
    }
    Ok(Outcome::new(data, findings))
}

/// The locales to change. If one was named that does not exist, none: who misspells one should not
/// find the others changed.
fn targets(
    arguments: &SyncArgs,
    project: &Project,
    findings: &mut Vec<Finding>,
) -> Result<Vec<String>, Finding> {
    let all = project.target_codes()?;
    if arguments.target.is_empty() {
        return Ok(all);
    }
    let named: BTreeSet<&String> = arguments.target.iter().collect();
    let (known, unknown): (Vec<&String>, Vec<&String>) =
        named.into_iter().partition(|code| all.contains(code));
    if unknown.is_empty() {
        return Ok(known.into_iter().cloned().collect());
    }
    for code in unknown {
        let message = if *code == project.source_code {
            format!("{code} is the source locale and no target")
        } else {
            format!("there is no locale {code:?}; there are: {}", all.join(", "))
        };
        let finding = Finding::new(Code::LocaleFileNotFound, message).at(&project.locales_dir);
        findings.push(finding);
    }
    Ok(Vec::new())
}

/// Makes a target what it should be, in memory.
fn plan(
    code: &str,
    source: &Locale,
    project: &Project,
    arguments: &SyncArgs,
    findings: &mut Vec<Finding>,
) -> Result<Plan, Finding> {
    let mut locale = project.target(code)?;
    let lacking = compare::lacking_texts(source, &locale);
    let extra = compare::extra_keys(source, &locale);
    if arguments.prune {
        locale.remove(&extra);
    }
    locale.add_segments_of(source, &project.locales_dir);
    for (key, text) in &lacking {
        locale.insert(key, text).map_err(|conflict| {
            let message = format!("{code} cannot get {key:?}: {}", conflict.words());
            Finding::new(Code::ShapeConflict, message).at(&project.locale_path(code))
        })?;
    }
    if !arguments.prune && !extra.is_empty() {
        let message = format!("{code} has {} that the source lacks", count(extra.len(), "key"));
        let path = project.locale_path(code);
        findings.push(Finding::new(Code::ExtrasRetained, message).at(&path));
    }
    let added = lacking.into_iter().map(|(key, _)| key).collect();
    Ok(Plan { locale, added, removed: if arguments.prune { extra } else { Vec::new() } })
}

fn describe(project: &Project, scan: &Scan, arguments: &SyncArgs, plans: &[Plan]) -> Synced {
    let (active, commented) = scan.dynamic_counts();
    let files: Vec<SyncedFile> = plans.iter().flat_map(files).collect();
    let copied = plans.iter().map(|plan| plan.added.len()).sum();
    Synced {
        source_path: project.source_path().display().to_string(),
        locales_dir: project.locales_dir.display().to_string(),
        target_files: files.len(),
        written_files: 0,
        dynamic_key_sites: active + commented,
        dynamic_key_sites_active: active,
        dynamic_key_sites_commented: commented,
        dry_run: arguments.dry_run,
        files,
        suggestions: Suggestion::run_quality(copied).into_iter().collect(),
    }
}

fn files(plan: &Plan) -> impl Iterator<Item = SyncedFile> {
    let Plan { locale, added, removed } = plan;
    let is_alone = locale.files.len() == 1;
    locale.files.iter().map(move |file| {
        let of_file = |keys: &[String]| {
            keys.iter().filter(|key| is_alone || file.holds(key)).cloned().collect()
        };
        SyncedFile {
            path: file.path().display().to_string(),
            changed: file.is_changed(),
            added: of_file(added),
            removed: of_file(removed),
        }
    })
}

fn show(synced: &Synced, screen: &mut Screen) {
    let changed: Vec<&SyncedFile> = synced.files.iter().filter(|file| file.changed).collect();
    if synced.files.is_empty() {
        return screen.line("No target locale to change.");
    }
    let files = count(synced.target_files, "file");
    if changed.is_empty() {
        return screen.line(format_args!("Nothing to change in {files}."));
    }
    let words = if synced.dry_run { "Would change" } else { "Changed" };
    screen.heading(format_args!("{words} {} of {files} in {}", changed.len(), synced.locales_dir));
    let row = |file: &&SyncedFile| {
        let path = relative(Path::new(&file.path), Path::new(&synced.locales_dir));
        let (added, removed) = (file.added.len(), file.removed.len());
        [path.display().to_string(), format!("+{added}"), format!("-{removed}")]
    };
    screen.table(["FILE", "ADDED", "REMOVED"], changed.iter().map(row));
}
