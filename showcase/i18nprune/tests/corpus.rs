//! The recorded runs of the real program: ours answers in the same form in the same situation.

mod support;

use showcase_proof::{Scene, assert_same_form, recorded};
use support::{clean, empty, project};

/// What the real program has in every answer of a kind, and ours has no use for.
const NO_METADATA: (&str, &str) =
    ("data.localeMetadataReports", "texts here are plain and have no metadata to report");
const ONE_TARGET: (&str, &str) =
    ("data.skippedTargets", "only the source locale gets keys, so no target is skipped");
const CHANGES: (&str, &str) =
    ("data.files[].added", "what a file got is told, beside that it changed");
const LOSSES: (&str, &str) =
    ("data.files[].removed", "what a file lost is told, beside that it changed");
const BLANK: (&str, &str) = ("data.suggestions", "an answer has its whole shape, failed or not");

fn missing_key() -> Scene {
    project(&[("locales/en.json", "{}")], &[("src/a.ts", "t('fixture.missing.alpha')")])
}

fn dynamic() -> Scene {
    clean().file("src/b.ts", "t(`a.${b}`); t(key)")
}

fn torn() -> Scene {
    project(&[("locales/en.json", "{")], &[("src/a.ts", "t('a')")])
}

#[track_caller]
fn compare(case: &str, scene: &Scene, line: &str, except: &[(&str, &str)]) {
    let Some(theirs) = recorded("i18nprune", case) else { return };
    assert_same_form(&scene.call(line).opened(), &theirs, except);
}

#[test]
fn validate() {
    compare("validate_ok", &dynamic(), "validate --json", &[]);
    compare("validate_quiet", &dynamic(), "validate --json --quiet", &[]);
    compare("validate_missing_keys", &missing_key(), "validate --json", &[]);
}

#[test]
fn missing() {
    let except = &[ONE_TARGET];
    compare("missing_dry_run", &dynamic(), "missing --json --dry-run", except);
    compare("parity_missing", &dynamic(), "missing --json --dry-run", except);
    compare("missing_writes_plan", &missing_key(), "missing --json --dry-run", except);
}

#[test]
fn sync() {
    let except = &[NO_METADATA, CHANGES, LOSSES];
    compare("parity_sync", &dynamic(), "sync --json --dry-run", except);
    compare("broken_sync", &torn(), "sync --json", &[BLANK]);
}

#[test]
fn a_target_that_does_not_exist_is_an_error_here() {
    let except = &[
        NO_METADATA,
        ("exit", "the real program answers a target that does not exist with a success"),
        ("issues[].path", "it says in which folder the target is missing"),
        ("error", "the same"),
    ];
    compare("sync_bad_target", &dynamic(), "sync --json --dry-run --target zz", except);
}

#[test]
fn doctor() {
    compare("doctor", &dynamic(), "doctor --json", &[]);
}

#[test]
fn report() {
    let except = &[
        ("data.document.project.environment", "there is no Node.js to tell the version of"),
        ("data.document.details.dynamicSites[]", "prefixes of computed keys are not resolved"),
        ("data.document.details.keyObservations[]", "templates of constants are not resolved"),
    ];
    compare("report_json", &dynamic(), "report --json --format json --out r.json", except);
    compare("report_bad_format", &clean(), "report --json --format xml", &[]);
}

#[test]
fn a_folder_without_a_project() {
    compare("empty_missing", &empty(), "missing --json", &[ONE_TARGET, BLANK]);
    compare("empty_sync", &empty(), "sync --json --dry-run", &[BLANK]);
    compare("empty_report", &empty(), "report --json --out r2.html", &[]);
}
