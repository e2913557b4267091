//! Programs that do something unusual and are right: each was once, or could be, blamed for it.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use manila_check::{
    Declaration, Error, ErrorKind, Options, Profile, Report, RuleSelection, Subject, Unconfined,
    VerdictKind, check,
};
use std::path::Path;
use std::time::Duration;

fn checked(name: &str) -> Result<Report, Error> {
    checked_within(name, Duration::from_secs(3600), &[])
}

/// The same within a time, by some rules.
fn checked_within(name: &str, deadline: Duration, select: &[&str]) -> Result<Report, Error> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fair");
    let words = ["/bin/sh".to_owned(), directory.join(name).display().to_string()];
    let declaration = Declaration::default();
    let subject = Subject::resolve(&words, &declaration, &directory).expect("a program");
    let options = Options {
        deadline,
        rules: RuleSelection {
            select: select.iter().map(ToString::to_string).collect(),
            ..RuleSelection::default()
        },
        // They are ours, and must be judged where nothing can be confined as well.
        unconfined: Unconfined::All,
        ..Options::default()
    };
    check(&subject, &declaration, &options)
}

/// What a program is blamed for, and the commands that were really called.
fn blamed(name: &str) -> Vec<String> {
    let report = checked(name).expect("a report");
    assert!(report.summary.run > 0, "nothing of {name} was called");
    let causes = report.causes();
    causes.map(|(judged, cause)| format!("{}: {}", judged.rule.id, cause.first.message)).collect()
}

#[test]
fn a_completion_script_is_not_an_answer() {
    assert_eq!(blamed("completion.sh"), [""; 0]);
}

#[test]
fn json_is_asked_of_commands_that_offer_it() {
    assert_eq!(blamed("not-offered.sh"), [""; 0]);
}

#[test]
fn a_missing_login_is_not_a_flaw_and_is_reported_as_what_it_is() {
    assert_eq!(blamed("precondition.sh"), [""; 0]);
    let gaps = checked("precondition.sh").expect("a report").gaps;
    assert!(gaps.iter().any(|gap| gap.contains("`list`") && gap.contains("login")), "{gaps:?}");
}

#[test]
fn a_flag_may_stand_before_the_command() {
    assert_eq!(blamed("before.sh"), [""; 0]);
}

#[test]
fn options_are_not_tried_with_values_that_they_cannot_take() {
    assert_eq!(blamed("values.sh"), [""; 0]);
}

#[test]
fn a_search_that_finds_nothing_is_silent_and_a_cache_stays() {
    assert_eq!(blamed("search.sh"), [""; 0]);
}

#[test]
fn a_program_that_does_not_start_has_no_report() {
    let error = checked("missing-library.sh").expect_err("it cannot be started");
    assert_eq!(error.kind(), ErrorKind::NotExecutable);
    assert!(error.to_string().contains("libtool.so.1"), "{error}");
}

#[test]
fn an_answer_that_is_large_and_ends_is_not_endless() {
    let rules = ["endless-output", "hang", "truncated-document", "invalid-json"];
    let report = checked_within("large.sh", Duration::from_secs(3600), &rules).expect("a report");
    assert_eq!(report.causes().count(), 0);
    let endless = report.judged.iter().find(|it| it.rule.id == "endless-output").expect("a rule");
    assert_eq!(endless.verdict.kind(), VerdictKind::Passed);
    assert!(report.gaps.iter().any(|gap| gap.contains("more than is kept")), "{:?}", report.gaps);
}

#[test]
fn a_profile_that_was_not_seen_in_time_is_open_and_so_are_its_rules() {
    let of = |deadline| checked_within("slow-start.sh", deadline, &[]).expect("a report");
    let report = of(Duration::from_secs(3600));
    assert_eq!(report.profile, Some(Profile::Json));
    // It ends before any page is read.
    let late = of(Duration::ZERO);
    assert_eq!(late.profile, None);
    let verdict = |report: &Report, id: &str| {
        let judged = report.judged.iter().find(|it| it.rule.id == id).expect("it applies");
        judged.verdict.kind()
    };
    for id in ["json-flag-ignored", "invalid-json", "missing-field", "ghost-command"] {
        assert_eq!(verdict(&late, id), VerdictKind::Undecided, "{id}");
    }
    assert_eq!(verdict(&report, "json-flag-ignored"), VerdictKind::Passed);
    assert_eq!(late.not_applicable, 0);
}
