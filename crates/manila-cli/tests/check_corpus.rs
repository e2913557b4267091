//! Owns: what `manila check` says of recorded runs: of our own, and of real programs where they are at
//! hand.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{manila, root, skipped};

/// Our own runs that break a promise, and the rule that says so; of each nothing else is said.
const OWN_BROKEN: &[(&str, &str)] = &[
    ("answer_on_stderr", "answer-on-stderr"),
    ("contradictory_outcome", "contradictory-outcome"),
    ("crash", "crash"),
    ("duplicate_key", "duplicate-key"),
    ("error_as_prose", "error-as-prose"),
    ("failure_with_exit_zero", "failure-with-exit-zero"),
    ("invalid_json", "invalid-json"),
    ("missing_field", "missing-field"),
    ("prose_beside_error", "prose-beside-error"),
    ("prose_on_stdout", "prose-on-stdout"),
    ("several_documents", "several-documents"),
    ("silent_failure", "silent-failure"),
    ("stack_trace", "stack-trace"),
    ("success_with_nonzero_exit", "success-with-nonzero-exit"),
    ("unknown_command_as_help", "unknown-command-as-help"),
    ("unknown_field", "unknown-field"),
    ("wrong_type", "wrong-type"),
];

/// Runs of real programs that break a promise, and the rules that say so.
const BROKEN: &[(&str, &[&str])] = &[
    ("claw/rs_resume_two_cmds", &["several-documents"]),
    ("claw/v1_err_resume", &["answer-on-stderr"]),
    ("claw/rs_config_bogus", &["failure-with-exit-zero"]),
    ("claw/rs_prompt_429_silent_backoff_killed", &["silent-failure"]),
    ("td/err_stderr_polluted_by_warning", &["prose-beside-error"]),
    ("td/err_usage_unknown_option_prose", &["error-as-prose"]),
    ("animus/err_unavailable", &["prose-beside-error"]),
    ("animus/err_pause_again", &["contradictory-outcome"]),
    ("animus/err_unknown_flag", &["error-as-prose"]),
    ("i18nprune/badcfg_config", &["error-as-prose"]),
    ("i18nprune/empty_config", &["failure-with-exit-zero"]),
    ("i18nprune/patchbad_doctor", &["contradictory-outcome", "success-with-nonzero-exit"]),
    ("i18nprune/patchbad_validate", &["contradictory-outcome"]),
    ("i18nprune/unknown_command", &["unknown-command-as-help"]),
    ("i18nprune/unknown_option", &["error-as-prose"]),
];

/// Runs of real programs of which nothing is to be said.
const RIGHT: &[&str] = &[
    "animus/doctor",
    "animus/err_task_not_found",
    "claw/py_bootstrap",
    "claw/v1_status",
    "claw/rs_version",
    "i18nprune/locales_list",
    "i18nprune/validate_missing_keys",
    "td/completions_json_mode",
    "td/err_auth_missing",
    "td/ls_task_list",
    "td/low_rate_limit_warning_stderr",
];

/// The recorded runs of real programs, where they are at hand; says so where they are not.
fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let dir = std::env::var_os("MANILA_CORPUS").map_or(beside, PathBuf::from);
    if dir.is_dir() {
        return Some(dir);
    }
    skipped(&format!("no recorded runs at {} (set MANILA_CORPUS)", dir.display()));
    None
}

/// Our own recorded runs of a program, by name.
fn own(program: &str) -> Vec<(String, PathBuf)> {
    let dir = root().join("crates/manila/tests/recorded").join(program);
    let entries = fs::read_dir(&dir).expect("recorded runs").map(|it| it.expect("an entry"));
    let mut runs: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    runs.sort();
    runs
}

fn broken_rules(dir: &Path) -> Vec<String> {
    let ran = manila(["check", "--format", "json", "--run"]).arg(dir).run();
    let report: Value = serde_json::from_str(&ran.out()).expect("JSON");
    let rules = report["rules"].as_array().expect("rules").iter();
    let broken = rules.filter(|rule| rule["verdict"] == "failed");
    let mut ids: Vec<_> =
        broken.map(|rule| rule["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn what_our_broken_programs_do_wrong_is_called_by_its_name() {
    let runs = own("broken");
    let names: Vec<_> = runs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, OWN_BROKEN.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for ((name, dir), (_, rule)) in runs.iter().zip(OWN_BROKEN) {
        assert_eq!(broken_rules(dir), [*rule], "{name}");
    }
}

#[test]
fn what_our_programs_do_right_is_left_alone() {
    for program in ["animus", "claw", "i18nprune", "notes", "td"] {
        let runs = own(program);
        assert!(runs.len() >= 5, "{program}: {runs:?}");
        for (name, dir) in runs {
            assert_eq!(broken_rules(&dir), [""; 0], "{program}/{name}");
        }
    }
}

#[test]
fn what_real_programs_do_wrong_is_called_by_its_name() {
    let Some(corpus) = corpus() else { return };
    for (case, rules) in BROKEN {
        assert_eq!(broken_rules(&corpus.join(case)), *rules, "{case}");
    }
}

#[test]
fn what_they_do_right_is_left_alone() {
    let Some(corpus) = corpus() else { return };
    for case in RIGHT {
        assert_eq!(broken_rules(&corpus.join(case)), [""; 0], "{case}");
    }
}
