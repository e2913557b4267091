//! Owns: what `manila check` says of recorded runs of real programs, where they are at hand.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use support::{manila, skipped};

/// Runs that break a promise, and the rules that say so; of each nothing else is said.
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

/// Runs of which nothing is to be said.
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

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

fn broken_rules(case: &str) -> Option<Vec<String>> {
    let folder = corpus().join(case);
    if !folder.is_dir() {
        skipped(&format!("no recorded run at {}", folder.display()));
        return None;
    }
    let ran = manila(["check", "--json", "--run"]).arg(&folder).run();
    let answer: Value = serde_json::from_str(&ran.out()).expect("JSON");
    let report = if ran.code() == 0 { &answer["data"] } else { &answer["meta"]["report"] };
    let rules = report["rules"].as_array().expect("rules").iter();
    let broken = rules.filter(|rule| rule["verdict"] == "violated");
    let mut ids: Vec<_> =
        broken.map(|rule| rule["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    Some(ids)
}

#[test]
fn what_real_programs_do_wrong_is_called_by_its_name() {
    for (case, rules) in BROKEN {
        if let Some(broken) = broken_rules(case) {
            assert_eq!(broken, *rules, "{case}");
        }
    }
}

#[test]
fn what_they_do_right_is_left_alone() {
    for case in RIGHT {
        if let Some(broken) = broken_rules(case) {
            assert_eq!(broken, [""; 0], "{case}");
        }
    }
}
