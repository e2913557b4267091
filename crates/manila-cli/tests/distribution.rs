//! What is delivered: the script behind the GitHub Action, release notes, generated pages, and the published packages.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn script(name: &str) -> Command {
    let mut command = Command::new(root().join(".ci").join(name));
    let dir = Path::new(env!("CARGO_BIN_EXE_manila")).parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", dir.display())).env("NO_COLOR", "1");
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

const HELP: &str = "Usage: tool <COMMAND>\n\nCommands:\n  show  Show one order\n\nOptions:\n  -h, --help  Print help\n";
const SHOW: &str = "Show one order\n\nUsage: tool show [OPTIONS]\n\nOptions:\n      --json  Write JSON\n  -h, --help  Print help\n";

/// A program whose `show` fails, with this exit code.
fn tool(directory: &Path, status: u8) -> PathBuf {
    let failed = r#"{"ok":false,"data":null,"error":{"code":"NONE","message":"no order"},"warnings":[],"meta":{"duration_ms":1}}"#;
    let body = format!(
        "#!/bin/sh\ncase \"$*\" in\nshow*--help) printf '%s' '{SHOW}' ;;\n*--help|'') printf '%s' '{HELP}' ;;\n\
         show*) echo '{failed}'; exit {status} ;;\n*) echo '{failed}'; exit 3 ;;\nesac\n"
    );
    let path = directory.join("tool");
    fs::write(&path, body).expect("writes");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("is executable");
    path
}

#[test]
fn the_action_annotates_summarises_and_reports_what_a_check_finds() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    let run = |status: u8| {
        let mut action = script("action");
        action.env("MANILA_PROGRAM", tool(directory.path(), status));
        // Not every system that runs tests allows confinement; the calls of this program are harmless.
        action.env("MANILA_ARGS", "--select failure-with-exit-zero --unconfined");
        action.env("GITHUB_OUTPUT", file("output")).env("GITHUB_STEP_SUMMARY", file("summary"));
        action.env("RUNNER_TEMP", directory.path()).current_dir(directory.path());
        action.output().expect("a script")
    };
    let found = run(0);
    assert_eq!(found.status.code(), Some(100), "{}", text(&found));
    assert!(text(&found).contains("::error title=failure-with-exit-zero"), "{}", text(&found));
    let summary = fs::read_to_string(file("summary")).expect("a summary");
    assert!(summary.contains("`failure-with-exit-zero`"), "{summary}");
    let output = fs::read_to_string(file("output")).expect("outputs");
    assert!(output.contains("exit-code=100\n"), "{output}");
    let sarif = output.lines().find_map(|line| line.strip_prefix("sarif=")).expect("a report");
    let sarif: Value = serde_json::from_slice(&fs::read(sarif).expect("a file")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "failure-with-exit-zero");

    fs::remove_file(file("output")).expect("removes");
    let clean = run(5);
    assert_eq!(clean.status.code(), Some(0), "{}", text(&clean));
    assert!(!text(&clean).contains("::error"), "{}", text(&clean));
}

#[test]
fn the_action_refuses_what_it_does_not_know_and_evaluates_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = |command: &str, program: &str, arguments: &str| {
        let mut action = script("action");
        action.env("MANILA_COMMAND", command).env("MANILA_PROGRAM", program);
        action.env("MANILA_ARGS", arguments).current_dir(directory.path());
        action.env("RUNNER_TEMP", directory.path()).output().expect("a script")
    };
    for (command, program) in [("run", "true"), ("check", ""), ("", "  ")] {
        let refused = run(command, program, "");
        assert_eq!(refused.status.code(), Some(3), "{command} {program}");
        assert!(text(&refused).starts_with("::error::manila: "), "{}", text(&refused));
    }
    run("check", "$(touch injected)", "; touch injected `touch injected`");
    assert!(!directory.path().join("injected").exists());
}

#[test]
fn release_notes_are_the_section_of_their_version() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("CHANGELOG.md");
    let log = "# Changelog\n\n## Unreleased\n\n- new\n\n## [0.2.0] - 2026-11-18\n\n### Added\n- b\n\n## 0.1.0\n\n- a\n\n[0.2.0]: x\n";
    fs::write(&file, log).expect("writes");
    let notes =
        |version: &str| script("release-notes").arg(version).arg(&file).output().expect("a script");
    assert_eq!(text(&notes("0.2.0")), "### Added\n- b\n");
    assert_eq!(text(&notes("0.1.0")), "- a\n");
    let none = notes("0.3.0");
    assert!(
        !none.status.success() && text(&none).contains("no section for 0.3.0"),
        "{}",
        text(&none)
    );
    // A version is a name and no pattern.
    assert!(!notes("0.2.").status.success());
}

#[test]
fn completions_and_the_manual_page_are_written_for_packages() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut pages = script("pages");
    let done =
        pages.arg(env!("CARGO_BIN_EXE_manila")).arg(directory.path()).output().expect("a script");
    assert!(done.status.success(), "{}", text(&done));
    for (name, mark) in [
        ("manila.bash", "complete "),
        ("_manila", "#compdef manila"),
        ("manila.fish", "complete -c manila"),
        ("manila.1", ".TH"),
    ] {
        let page = fs::read_to_string(directory.path().join(name)).expect(name);
        assert!(page.contains(mark), "{name}");
    }
}

#[test]
fn every_published_package_says_what_it_is_and_carries_no_recordings() {
    let cargo = |words: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(words).current_dir(root()).output().expect("cargo")
    };
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let mut count = 0;
    for package in packages.filter(|package| package["publish"].is_null()) {
        count += 1;
        let name = package["name"].as_str().expect("a name");
        for field in ["description", "license", "rust_version"] {
            assert!(
                package[field].as_str().is_some_and(|text| !text.is_empty()),
                "{name}: {field}"
            );
        }
        assert!(!package["keywords"].as_array().expect("keywords").is_empty(), "{name}");
        let list = cargo(&["package", "--list", "--allow-dirty", "--offline", "-p", name]);
        assert!(list.status.success(), "{}", text(&list));
        let files = text(&list);
        assert!(files.lines().any(|file| file == "src/lib.rs"), "{name}: {files}");
        let recording = files.lines().find(|file| file.contains("/runs/"));
        assert_eq!(recording, None, "{name}");
    }
    assert!(count >= 8, "{count}");
}
