//! Owns: `manila check` on programs that are really run.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Ran, empty_dir, manila, root};

const RULE: &str = "failure-with-exit-zero";

/// A program of the wall, the right one or one with a flaw.
fn wall(name: &str) -> String {
    let path = root().join("crates/manila-check/tests/wall").join(format!("{name}.sh"));
    path.canonicalize().expect("a program of the wall").display().to_string()
}

/// A check of that program in this directory; one rule is asked, which spares most of the runs.
fn check(dir: &Path, program: Option<&str>, more: &[&str]) -> Ran {
    let mut call = manila(["check", "--select", RULE]).args(more);
    call.0.current_dir(dir);
    match program {
        Some(program) => call.args(&["--", program]).run(),
        None => call.run(),
    }
}

fn waiver(dir: &Path, expires: &str) {
    let text =
        format!("[[waive]]\nrule = \"{RULE}\"\nreason = \"until 3.0\"\nexpires = {expires}\n");
    fs::write(dir.join("manila.toml"), text).expect("writes");
}

#[test]
fn a_program_that_is_right_conforms() {
    let dir = empty_dir("check-right");
    let data = check(&dir, Some(&wall("right")), &["--json"]).data();
    assert_eq!((&data["conforms"], &data["counts"]["passed"]), (&true.into(), &1.into()));
    assert!(data["summary"]["probes"].as_u64() > Some(0), "{data}");
    assert_ne!(data["summary"]["containment"], "", "{data}");
    let left: Vec<_> = fs::read_dir(&dir).expect("a directory").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_flaw_is_found_with_the_call_that_shows_it() {
    let dir = empty_dir("check-wrong");
    let program = wall(RULE);
    let file = dir.join("report.sarif");
    let name = file.to_str().expect("UTF-8");
    let ran = check(&dir, Some(&program), &["--format", "sarif", "-o", name]);
    assert_eq!(ran.code(), 100, "{}", ran.err());
    let log: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&RULE.into(), &"error".into()));
    let message = result["message"]["text"].as_str().expect("words");
    assert!(message.contains(&program), "{message}");
}

#[test]
fn a_waiver_counts_until_its_last_day() {
    let dir = empty_dir("check-waived");
    let program = wall(RULE);
    waiver(&dir, "9999-12-31");
    let data = check(&dir, Some(&program), &["--json"]).data();
    assert_eq!(data["score"]["held"], 0, "a reason makes nothing better");
    assert_eq!(data["rules"][0]["waived"][0]["reason"], "until 3.0");
    waiver(&dir, "2020-01-01");
    let text = check(&dir, Some(&program), &[]).out();
    assert!(
        text.contains(&format!("warning: the waiver of {RULE} expired on 2020-01-01")),
        "{text}"
    );
}

#[test]
fn a_declaration_is_made_once_and_names_the_program() {
    let dir = empty_dir("check-init");
    let program = wall("right");
    let made = check(&dir, Some(&program), &["--init"]).text();
    assert_eq!(made, "wrote manila.toml\n");
    let text = fs::read_to_string(dir.join("manila.toml")).expect("a file");
    assert!(text.contains(&program), "{text}");
    check(&dir, Some(&program), &["--init"]).refusal(6, "FILE_EXISTS");
    assert_eq!(check(&dir, Some(&program), &["--init", "--force"]).text(), made);
    let elsewhere = empty_dir("check-init-printed");
    assert_eq!(check(&elsewhere, Some(&program), &["--init", "-o", "-"]).text(), text);
    assert!(fs::read_dir(&elsewhere).expect("a directory").next().is_none());
    // From now on the directory knows what to check.
    assert_eq!(check(&dir, None, &["--json"]).data()["subject"][0], program.as_str());
}

#[test]
fn writing_over_waivers_is_reported() {
    let dir = empty_dir("check-init-over");
    waiver(&dir, "9999-12-31");
    let ran = check(&dir, Some(&wall("right")), &["--init", "--force"]);
    assert_eq!(ran.code(), 0);
    assert!(ran.err().contains("1 waiver"), "{}", ran.err());
}

#[test]
fn what_was_recorded_is_judged_again_without_the_program() {
    let dir = empty_dir("check-record");
    let ran = check(&dir, Some(&wall(RULE)), &["--record", "runs"]);
    assert_eq!(ran.code(), 100, "{}", ran.err());
    let again = check(&dir, None, &["--format", "json", "--run", "runs"]);
    let report: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    let rule = &report["rules"][0];
    assert_eq!((&rule["id"], &rule["verdict"]), (&RULE.into(), &"failed".into()));
}

#[test]
fn what_cannot_be_checked_is_distinguished() {
    let dir = empty_dir("check-unusable");
    check(&dir, Some("./no-such-program"), &[]).refusal(5, "PROGRAM_NOT_FOUND");
    let file: PathBuf = dir.join("no-program");
    fs::write(&file, "words\n").expect("writes");
    check(&dir, Some("./no-program"), &[]).refusal(4, "PROGRAM_UNUSABLE");
    fs::write(&file, "#!/no/such/interpreter\n").expect("writes");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
    check(&dir, Some("./no-program"), &[]).refusal(4, "PROGRAM_UNUSABLE");
    fs::write(dir.join("manila.toml"), "[progam]\n").expect("writes");
    let text = check(&dir, Some("true"), &[]).refusal(3, "BAD_DECLARATION");
    assert!(text.contains("progam"), "{text}");
    check(&dir, Some("true"), &["--config", "no.toml"]).refusal(3, "BAD_DECLARATION");
}
