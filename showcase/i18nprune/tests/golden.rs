//! Every command, success and failure, for people and for programs, as it is seen.

mod support;

use showcase_test_support::Sandbox;
use support::{PACKAGE, broken, clean, demo, empty, project};

type Case = (&'static str, fn() -> Sandbox, &'static str);

fn two_projects() -> Sandbox {
    empty().file("web/i18nprune.config.json", "{}").file("app/i18nprune.config.json", "{}")
}

fn bad_config() -> Sandbox {
    empty().file("i18nprune.config.json", "{\"source\": \"en\", \"locales\": {\"dir\": 1}}")
}

fn torn_source_locale() -> Sandbox {
    project(&[("locales/en.json", "{\"a\": ")], &[("src/a.js", "t('a')")])
}

fn conflict() -> Sandbox {
    project(
        &[("locales/en.json", "{\"a\": \"x\"}"), ("locales/de.json", "{\"a\": {\"b\": \"y\"}}")],
        &[("src/a.js", "t('a.b'); t('')")],
    )
}

fn segments() -> Sandbox {
    project(
        &[
            ("locales/en/common.json", "{\"ok\": \"OK\"}"),
            ("locales/en/cart.json", "{\"empty\": \"Nothing in it\"}"),
            ("locales/de/common.json", "{\"ok\": \"OK\"}"),
        ],
        &[("src/a.js", "t('common:ok'); t('cart.empty'); t('cart:full')")],
    )
}

fn not_text() -> Sandbox {
    clean()
        .file("src/latin.js", b"t('title') // \xe9")
        .file("src/huge.js", vec![b' '; (4 << 20) + 1])
}

const CASES: &[Case] = &[
    ("help", empty, "--help"),
    ("help_report", empty, "report --help"),
    ("help_init", empty, "init --help"),
    ("validate_ok", clean, "validate"),
    ("validate_ok_json", clean, "validate --json"),
    ("validate_failed", broken, "validate --output rich"),
    ("validate_failed_json", broken, "validate --json"),
    ("validate_segments_json", segments, "validate --json"),
    ("validate_skipped_json", not_text, "validate --json"),
    ("missing_ok", broken, "missing --output rich"),
    ("missing_ok_json", broken, "missing --json"),
    ("missing_dry_run", broken, "missing --dry-run --top 1"),
    ("missing_nothing", clean, "missing"),
    ("missing_chosen_json", broken, "missing cart.total no.such --json"),
    ("missing_failed", conflict, "missing"),
    ("missing_failed_json", conflict, "missing --json"),
    ("sync_ok", broken, "sync --output rich"),
    ("sync_ok_json", broken, "sync --json"),
    ("sync_prune_json", broken, "sync --prune --target de --json"),
    ("sync_nothing", clean, "sync"),
    ("sync_segments_json", segments, "sync --json"),
    ("sync_failed", clean, "sync --target de,zz,en,../x"),
    ("sync_failed_json", clean, "sync --dry-run --target zz --json"),
    ("sync_conflict_json", conflict, "sync --json"),
    ("sync_torn_json", torn_source_locale, "sync --json"),
    ("quality_ok", clean, "quality"),
    ("quality_ok_json", clean, "quality --json"),
    ("quality_failed", broken, "quality --output rich"),
    ("quality_failed_json", broken, "quality --json"),
    ("doctor_ok", clean, "doctor --output rich"),
    ("doctor_ok_json", clean, "doctor --json"),
    ("doctor_failed", torn_source_locale, "doctor"),
    ("doctor_failed_json", empty, "doctor --json"),
    ("doctor_strict_json", not_text, "doctor --strict --json"),
    ("report_text", broken, "report"),
    ("report_csv", broken, "report --format csv"),
    ("report_html", broken, "report --format html"),
    ("report_document", clean, "report --format json"),
    ("report_out", clean, "report --out report.html"),
    ("report_json", broken, "report --json"),
    ("report_bad_format", clean, "report --format xml"),
    ("report_bad_format_json", clean, "report --format xml --json"),
    ("report_no_dir_json", clean, "report --out no/such/directory.html --json"),
    ("init_ok", empty, "init --output rich"),
    ("init_ok_json", empty, "init --preset vue --json"),
    ("init_kept", clean, "init"),
    ("init_kept_json", clean, "init --json"),
    ("explain_one", empty, "explain validate.missing_literal_keys"),
    ("explain_all", empty, "explain --output rich"),
    ("explain_unknown", empty, "explain no.such.code"),
    ("demo", demo, "report --format csv --quiet"),
    ("no_project", empty, "validate"),
    ("no_project_json", empty, "validate --json"),
    ("two_projects_json", two_projects, "validate --json"),
    ("no_such_config_json", clean, "validate --config nowhere.json --json"),
    ("bad_config", bad_config, "validate"),
    ("bad_config_json", bad_config, "validate --json"),
    ("torn_source_locale_json", torn_source_locale, "validate --json"),
    ("unknown_option_json", clean, "validate --bogus --json"),
    ("unknown_command_json", clean, "frobnicate --json"),
    ("misspelled_command", clean, "validat"),
    ("two_mistakes_json", clean, "missing --top many --fast --json"),
];

#[test]
fn every_command_is_seen_as_before() {
    for (name, sandbox, line) in CASES {
        // What belongs to the machine or the release is the same everywhere.
        let sandbox =
            sandbox().mask(r#""(platform|arch|toolVersion)": "[^"]+""#, r#""$1": "<any>""#);
        sandbox.golden(PACKAGE, name, line);
    }
}

#[test]
fn a_project_below_is_named_on_standard_error_alone() {
    let sandbox = empty()
        .file("shop/web/i18nprune.config.json", "{}")
        .file("shop/web/locales/en.json", "{\"a\": \"x\"}")
        .file("shop/web/src/a.js", "t('a')")
        .file("node_modules/x/i18nprune.config.json", "{}")
        .file("other/.git/HEAD", "")
        .file("other/i18nprune.config.json", "{}");
    sandbox.golden(PACKAGE, "project_below_json", "validate --json");
}

#[test]
fn every_golden_file_belongs_to_a_case() {
    let directory = std::path::Path::new(PACKAGE).join("tests/golden");
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_case = CASES.iter().any(|(case, ..)| *case == name) || name == "project_below_json";
        assert!(is_case, "{name}");
    }
}
