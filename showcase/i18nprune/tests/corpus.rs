//! The recorded runs of the real program: ours answers in the same form in the same situation.

mod support;

use showcase_test_support::{Sandbox, assert_same_form, assert_twins, recorded};
use support::{clean, empty, project};

/// What the real program has in every answer of a kind, and ours does not need.
const NO_METADATA: (&str, &str) =
    ("data.localeMetadataReports", "texts here are plain and have no metadata to report");
const ONE_TARGET: (&str, &str) =
    ("data.skippedTargets", "only the source locale gets keys, so no target is skipped");
const CHANGES: (&str, &str) =
    ("data.files[].added", "what a file got is listed, beside that it changed");
const LOSSES: (&str, &str) =
    ("data.files[].removed", "what a file lost is listed, beside that it changed");
const BLANK: (&str, &str) = ("data.suggestions", "an answer has its whole shape, failed or not");
const HINT: (&str, &str) = ("data.suggestion", "a failure says what to do next");

fn missing_key() -> Sandbox {
    project(&[("locales/en.json", "{}")], &[("src/a.ts", "t('fixture.missing.alpha')")])
}

fn dynamic() -> Sandbox {
    clean().file("src/b.ts", "t(`a.${b}`); t(key)")
}

fn torn() -> Sandbox {
    project(&[("locales/en.json", "{")], &[("src/a.ts", "t('a')")])
}

#[track_caller]
fn compare(case: &str, sandbox: &Sandbox, line: &str, except: &[(&str, &str)]) {
    let ours = sandbox.call(line).opened();
    for theirs in recorded(env!("CARGO_MANIFEST_DIR"), "i18nprune", case) {
        assert_same_form(&ours, &theirs, except);
    }
}

/// The recorded runs that every checkout has a twin of.
const TWINS: &[&str] = &[
    "broken_sync",
    "doctor",
    "missing_dry_run",
    "parity_sync",
    "report_bad_format",
    "report_json",
    "validate_missing_keys",
    "validate_ok",
];

#[test]
fn the_twins_are_there() {
    assert_twins(env!("CARGO_MANIFEST_DIR"), TWINS);
}

#[test]
fn validate() {
    compare("validate_ok", &dynamic(), "validate --json", &[]);
    compare("validate_quiet", &dynamic(), "validate --json --quiet", &[]);
    compare("validate_missing_keys", &missing_key(), "validate --json", &[HINT]);
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
    compare("broken_sync", &torn(), "sync --json", &[BLANK, HINT]);
}

#[test]
fn a_target_that_does_not_exist_is_an_error_here() {
    let except = &[
        NO_METADATA,
        ("exit", "the real program answers a target that does not exist with a success"),
        HINT,
        ("issues[].path", "it says in which directory the target is missing"),
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
    compare("report_bad_format", &clean(), "report --json --format xml", &[HINT]);
}

#[test]
fn a_directory_without_a_project() {
    compare("empty_missing", &empty(), "missing --json", &[ONE_TARGET, BLANK, HINT]);
    compare("empty_sync", &empty(), "sync --json --dry-run", &[BLANK, HINT]);
    compare("empty_report", &empty(), "report --json --out r2.html", &[HINT]);
}
