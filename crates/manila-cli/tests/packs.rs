//! Owns: `manila packs` lists, shows, checks and records, and `manila explain` knows programs.

mod support;

use manila_pack::BUILTIN;
use serde_json::Value;
use std::fs;
use std::path::Path;
use support::{Call, empty_dir, manila, root, words};

fn packs(home: &Path, arguments: &[&str]) -> Call {
    let home = home.display().to_string();
    manila(["packs"]).args(arguments).env("XDG_CONFIG_HOME", &home).env("HOME", &home)
}

#[test]
fn packs_are_listed_with_and_without_the_word() {
    let home = empty_dir("packs_list");
    let text = packs(&home, &[]).run().text();
    assert!(text.lines().any(|line| line.starts_with("git ")), "{text}");
    assert_eq!(packs(&home, &["list"]).run().text(), text);
    let data = packs(&home, &["--json"]).run().data();
    let git = data["packs"].as_array().expect("a list").iter().find(|pack| pack["name"] == "git");
    let git = git.expect("git is built in");
    assert_eq!(git["origin"], "built in");
    assert!(git["errors"].as_u64() > Some(10), "{git}");
}

#[test]
fn a_pack_is_shown_by_its_name_or_by_a_program() {
    let home = empty_dir("packs_show");
    let text = packs(&home, &["show", "git"]).run().text();
    assert!(text.starts_with("git: "), "{text}");
    for part in ["none", "destroys", "statuses", "errors", "cause"] {
        assert!(text.lines().any(|line| line.starts_with(part)), "{part} in {text}");
    }
    let data = packs(&home, &["show", "ls", "--json"]).run().data();
    assert_eq!(data["pack"]["name"], "coreutils");
    let refused = packs(&home, &["show", "gitt", "--json"]).run().error(5, "PACK_NOT_FOUND");
    assert_eq!(refused["suggestion"], "did you mean git?");
    assert!(words("explain git").run().text().starts_with("git: Git"));
    let git = BUILTIN.pack("git").expect("a pack").whole().into_owned();
    let rules = [
        (git.error[0].id(), "pattern"),
        (git.status[0].id(), "status"),
        (git.effect[0].id(), "effect"),
    ];
    for (rule, part) in rules {
        let text = words(&format!("explain git/{rule}")).run().text();
        assert!(text.starts_with(&format!("git/{rule}, a rule")), "{text}");
        assert!(text.contains(part) && text.contains("evidence"), "{text}");
    }
    for unknown in ["explain git/error-1 --json", "explain git/lock-held-0000 --json"] {
        words(unknown).run().error(5, "UNKNOWN_NAME");
    }
}

#[test]
fn the_packs_of_the_project_have_no_mistakes() {
    let home = empty_dir("packs_check");
    let file = root().join("packs/git/pack.toml").display().to_string();
    let data = packs(&home, &["check", &file, "--json"]).run().data();
    let pack = &data["files"][0];
    assert_eq!(
        (&pack["name"], &pack["findings"]),
        (&Value::from("git"), &Value::from(Vec::<u8>::new()))
    );
    assert!(pack["samples"].as_u64() > Some(100), "{pack}");
}

const BROKEN: &str = r#"name = "ours"
title = "Ours"
programs = ["ours"]

[[effect]]
command = ["list"]

[[error]]
line = ["{x} denied"]
class = "AUTH_REQUIRED"
evidence = ["run:nope"]

[[error]]
line = ["ours: {message}"]
class = "RATE_LIMITD"
evidence = ["read:ours 1"]
"#;

#[test]
fn mistakes_are_reported_with_their_line_and_what_to_write() {
    let home = empty_dir("packs_mistakes");
    fs::create_dir_all(home.join("ours")).expect("a directory");
    let file = home.join("ours/pack.toml");
    fs::write(&file, BROKEN).expect("a pack");
    let file = file.display().to_string();
    packs(&home, &["check", &file, "--json"]).run().error(100, "PACK_HAS_MISTAKES");
    let ran = packs(&home, &["check", &file, "--format", "json"]).run();
    assert_eq!(ran.code(), 100, "{}", ran.err());
    let report: Value = serde_json::from_str(&ran.out()).expect("a report");
    let findings = report["files"][0]["findings"].as_array().expect("findings").clone();
    let on = |line: u64, words: &str| {
        let is_it = |it: &Value| {
            it["line"] == line && it["message"].as_str().is_some_and(|text| text.contains(words))
        };
        assert!(findings.iter().any(is_it), "{line} {words}: {findings:?}");
    };
    on(5, "names no effect");
    on(5, "names no evidence");
    on(9, "may begin with any text");
    on(11, "no run nope");
    on(15, "is not a class");
    assert!(findings.iter().all(|it| it["hint"].as_str().is_some_and(|hint| !hint.is_empty())));
    let text = packs(&home, &["check", &file]).run();
    assert!(text.out().contains(&format!("{file}:15: ")), "{}", text.out());
    let missing = packs(&home, &["check", "no/such/pack.toml", "--json"]).run();
    missing.error(5, "FILE_NOT_FOUND");
}

#[cfg(unix)]
#[test]
fn a_run_is_recorded_without_secrets_and_passes_as_a_test() {
    let home = empty_dir("packs_record");
    let dir = home.join("coreutils");
    fs::create_dir_all(&dir).expect("a directory");
    fs::copy(root().join("packs/coreutils/pack.toml"), dir.join("pack.toml")).expect("the pack");
    let secret = "ghp_0123456789abcdef0123456789abcdef0123";
    let path = format!("{}/{secret}", home.display());
    let target = dir.display().to_string();
    let arguments = [
        "record",
        "coreutils",
        "--dir",
        &target,
        "--case",
        "gone",
        "--program-version",
        "9.1",
        "--json",
        "--",
        "cat",
        &path,
    ];
    let data = packs(&home, &arguments).run().data();
    assert_eq!(data["class"], "NOT_FOUND");
    assert_eq!(data["action"], "give-up");
    for file in ["run.json", "stdout", "stderr", "expect.json"] {
        let text = fs::read_to_string(dir.join("runs/gone").join(file)).expect("a file");
        assert!(
            !text.contains(secret) && !text.contains(&home.display().to_string()),
            "{file}: {text}"
        );
    }
    let again = packs(&home, &arguments).run();
    again.error(6, "FILE_EXISTS");
    let file = dir.join("pack.toml").display().to_string();
    let report = packs(&home, &["check", &file, "--format", "json"]).run().out();
    let report: Value = serde_json::from_str(&report).expect("a report");
    let all = &report["files"][0];
    assert_eq!(all["samples"], 1, "{report}");
    let findings = all["findings"].as_array().expect("the other runs are missing");
    assert!(findings.iter().all(|finding| finding["sample"].is_null()), "{findings:?}");
}

#[test]
fn a_program_that_is_not_there_cannot_be_recorded() {
    let home = empty_dir("packs_record_missing");
    let arguments = ["record", "git", "--json", "--", "no-such-program-of-manila"];
    packs(&home, &arguments).run().error(5, "PROGRAM_NOT_FOUND");
}
