//! Programs that do something unusual and are right: each was once, or could be, blamed for it.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use manila_check::Unconfined;
use manila_check::{Declaration, Error, ErrorKind, Options, Report, Subject, check};
use std::path::Path;
use std::time::Duration;

fn checked(name: &str) -> Result<Report, Error> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fair");
    let words = ["/bin/sh".to_owned(), directory.join(name).display().to_string()];
    let declaration = Declaration::default();
    let subject = Subject::resolve(&words, &declaration, &directory).expect("a program");
    let options = Options {
        deadline: Duration::from_secs(3600),
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
