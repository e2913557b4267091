//! Owns: a dialect from a file is known to every command that reads answers, and `manila dialects` checks
//! such files and proposes them.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::{Call, empty_dir, manila, root, words};

const OK: &str = r#"{"acme":"1","status":"ok","result":{"n":1}}"#;
const SLOW: &str =
    r#"{"acme":"1","status":"fail","reason":"E_SLOW_DOWN","why":"slow down","again_in":5}"#;

fn acme() -> PathBuf {
    root().join("docs/examples/acme.toml")
}

fn acme_text() -> String {
    fs::read_to_string(acme()).expect("the example of the guide")
}

/// A call in a directory of its own, with a home of its own.
fn at(home: &Path, line: &str) -> Call {
    let home = home.display().to_string();
    words(line).env("XDG_CONFIG_HOME", &home).env("HOME", &home)
}

fn recorded(dir: &Path, name: &str, stdout: &str, status: i32) {
    let run = dir.join(name);
    fs::create_dir_all(&run).expect("a directory");
    let meta = json!({"argv": ["acme"], "exit_code": status}).to_string();
    for (file, text) in [("run.json", meta.as_str()), ("stdout", stdout), ("stderr", "")] {
        fs::write(run.join(file), text).expect("a file");
    }
}

#[test]
fn the_example_of_the_guide_has_no_mistakes() {
    let data = manila(["dialects", "check"]).arg(acme()).arg("--json").run().data();
    let checked = &data["files"][0];
    assert_eq!(checked["name"], "acme/1");
    assert_eq!(checked["findings"], json!([]));
    assert!(checked["samples"].as_u64() > Some(2), "{checked}");
}

#[test]
fn a_bad_file_names_its_line_and_what_to_write() {
    let dir = empty_dir("dialects_check");
    let file = dir.join("bad.toml");
    for (old, new, message, hint) in [
        ("field = \"data\"", "field = \"dta\"", "`dta`", "`data`"),
        ("ok = true", "ok = false", "its outcome reads as", "example"),
        ("id = \"acme/1\"", "id = \"acme\"", "revision", "acme/1"),
        ("type = \"any\"", "type = \"any", "string", "end the value of `type`"),
    ] {
        fs::write(&file, acme_text().replacen(old, new, 1)).expect("a file");
        let ran = manila(["dialects", "check"]).arg(&file).run();
        assert_eq!(ran.code(), 100, "{}", ran.err());
        let text = ran.out();
        let first = text.lines().find(|line| line.contains(message)).unwrap_or_default();
        let place = first.strip_prefix(&*format!("{}:", file.display())).unwrap_or_default();
        let line: usize = place.split(':').next().unwrap_or_default().parse().expect(&text);
        assert!(line >= 1 && line <= acme_text().lines().count(), "{text}");
        assert!(text.contains(hint), "{text}");
        let error = manila(["dialects", "check", "--json"]).arg(&file).run();
        let error = error.error(100, "DIALECT_HAS_MISTAKES");
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.ends_with("mistake") || message.ends_with("mistakes"), "{message}");
    }
    let missing = manila(["dialects", "check", "--json"]).arg(dir.join("no.toml")).run();
    missing.error(5, "FILE_NOT_FOUND");
}

#[test]
fn a_proposal_reads_the_runs_it_was_made_from() {
    let dir = empty_dir("dialects_infer");
    let runs = dir.join("runs");
    recorded(&runs, "good", r#"{"v":"acme.1","done":true,"payload":[1,2]}"#, 0);
    recorded(
        &runs,
        "gone",
        r#"{"v":"acme.1","done":false,"fault":{"id":"E_MISSING","text":"no order 7"}}"#,
        4,
    );
    let text = manila(["dialects", "infer", "--id", "shop/2"]).arg(&runs).run().out();
    let file = dir.join("shop.toml");
    fs::write(&file, &text).expect("a file");
    let checked = manila(["dialects", "check", "--json"]).arg(&file).run().data();
    assert_eq!(checked["files"][0]["findings"], json!([]), "{text}");
    let opened =
        manila(["open", "--json", "--dialect"]).arg(&file).arg("--run").arg(runs.join("gone"));
    let opened = opened.run().data();
    assert_eq!(opened["dialect"], "shop/2");
    assert_eq!(opened["envelope"]["error"]["code"], "E_MISSING");
    assert_eq!(opened["envelope"]["error"]["message"], "no order 7");
    assert_eq!(opened["envelope"]["exit"], "NOT_FOUND");
    let good = runs.join("good");
    manila(["dialects", "infer", "--json"]).arg(good).run().error(4, "NOTHING_INFERRED");
}

#[test]
fn a_file_that_is_named_is_spoken_by_every_command() {
    let dir = empty_dir("dialects_named");
    let (answer, log) = (dir.join("slow.json"), dir.join("log.jsonl"));
    fs::write(&answer, SLOW).expect("a file");
    fs::write(&log, format!("{OK}\n{SLOW}\n{{\"acme\":\"1\",\"status\":\"ok\"}}\n"))
        .expect("a file");
    let file = acme();
    let with = |command: &str| manila([command, "--json", "--dialect"]).arg(&file);

    let opened = with("open").arg(&answer).run().data();
    assert_eq!((&opened["dialect"], &opened["confidence"]), (&json!("acme/1"), &json!("certain")));
    let decided = with("decide").args(&["--exit-code", "1"]).arg(&answer).run().data();
    assert_eq!(decided["action"]["wait_ms"], 5000);
    let ran = with("run").args(&["--retries", "0", "--", "cat"]).arg(&answer).run().envelope();
    assert_eq!(ran["meta"]["run"]["dialect"], "acme/1");
    assert_eq!((&ran["ok"], &ran["error"]["code"]), (&json!(false), &json!("E_SLOW_DOWN")));
    let stats = with("stats").args(&["--by", "dialect"]).arg(&log).run().data();
    assert_eq!(stats["tables"][0]["rows"][0]["values"], json!(["acme/1"]), "{stats}");
    let scanned = with("scan").arg(&log).run();
    assert_eq!(scanned.code(), 100);
    let detail = scanned.envelope()["error"]["detail"].take();
    assert_eq!(detail, "3 judged, 1 bad, 0 unread: missing-field");
    let scanned = manila(["scan", "--format", "json", "--dialect"]).arg(&file).arg(&log).run();
    let scanned: Value = serde_json::from_str(&scanned.out()).expect("a report");
    assert_eq!(scanned["dialects"][0]["dialect"], "acme/1");
    assert_eq!(scanned["violations"][0]["key"], "result");

    let runs = dir.join("runs");
    recorded(&runs, "good", OK, 0);
    recorded(&runs, "slow", SLOW, 1);
    let checked = with("check").args(&["--format", "json", "--run"]).arg(&runs).run();
    assert!(checked.code() == 0 || checked.code() == 100, "{}", checked.err());

    let schema = manila(["schema"]).arg(&file).run().text();
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let there = with("open").arg("--to").arg("td/1").arg(&answer).run().data();
    assert!(there["converted"]["losses"].as_array().is_some_and(|it| !it.is_empty()), "{there}");
    let failure = dir.join("td.json");
    fs::write(
        &failure,
        r#"{"ok":false,"error":{"code":"not_found","message":"no","suggestion":""}}"#,
    )
    .expect("a file");
    let back = manila(["open", "--exit-code", "1", "--to"]).arg(&file).arg(&failure).run().out();
    let back: Value = serde_json::from_str(&back).expect("JSON");
    assert_eq!((&back["status"], &back["reason"]), (&json!("fail"), &json!("not_found")));
    assert!(validator.is_valid(&back), "{back}");
}

#[test]
fn a_configured_dialect_is_known_without_being_named() {
    let home = empty_dir("dialects_configured");
    let answer = home.join("slow.json");
    fs::write(&answer, SLOW).expect("a file");
    let open = format!("open {} --json", answer.display());
    let unknown = at(&home, &open).run();
    assert_eq!(unknown.code(), 5, "{}", unknown.out());

    let dir = home.join("manila/dialects");
    fs::create_dir_all(&dir).expect("a directory");
    fs::write(dir.join("acme.toml"), acme_text()).expect("a file");
    assert_eq!(at(&home, &open).run().data()["dialect"], "acme/1");
    let listed = at(&home, "dialects --json").run().data();
    let list = listed["dialects"].as_array().expect("a list");
    let own = list.iter().find(|it| it["id"] == "acme/1").expect("it is listed");
    assert!(own["file"].as_str().is_some_and(|file| file.ends_with("acme.toml")), "{own}");
    assert!(at(&home, "explain acme/1").run().text().contains("acme"));

    fs::write(dir.join("acme.toml"), "id = 7\n").expect("a file");
    let error = at(&home, &open).run().error(4, "BAD_DIALECT");
    let message = error["message"].as_str().unwrap_or_default();
    assert!(message.contains("acme.toml:1:"), "{message}");
    fs::remove_file(dir.join("acme.toml")).expect("it was there");

    // The project's file, from a directory below it.
    let below = home.join("project/src");
    fs::create_dir_all(&below).expect("a directory");
    fs::write(home.join("project/acme.toml"), acme_text()).expect("a file");
    let config = "[dialects]\nfiles = ['acme.toml']\n";
    fs::write(home.join("project/manila.toml"), config).expect("a file");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_manila"));
    command.args(["open", "--json"]).arg(&answer).current_dir(&below);
    command.env("XDG_CONFIG_HOME", &home).env("HOME", &home);
    assert_eq!(Call::of(command).run().data()["dialect"], "acme/1");
}

#[test]
fn an_id_that_is_taken_is_refused_with_its_file() {
    let dir = empty_dir("dialects_taken");
    let file = dir.join("mine.toml");
    fs::write(&file, acme_text().replacen("acme/1", "td/1", 1)).expect("a file");
    let call = manila(["open", "--json", "--dialect"]).arg(&file).arg("x.json");
    let error = call.run().error(4, "BAD_DIALECT");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("mine.toml")), "{error}");
}

#[test]
fn a_built_in_dialect_is_shown_as_a_file_that_can_be_loaded() {
    let dir = empty_dir("dialects_show");
    let text = words("dialects show animus/1").run().out();
    let file = dir.join("mine.toml");
    fs::write(&file, text.replace("animus/1", "mine/1")).expect("a file");
    let ran = manila(["dialects", "check", "--format", "json"]).arg(&file).run();
    let report: Value = serde_json::from_str(&ran.out()).expect("a report");
    let messages = report["files"][0]["findings"].as_array().expect("findings");
    assert!(
        messages.iter().all(|it| it["message"].as_str().is_some_and(|it| it.contains("example")))
    );
}

#[test]
fn the_list_fits_eighty_columns() {
    let text = words("dialects").run().text();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn prose_of_explanations_fits_a_terminal_of_80_columns() {
    let names = ["claw/2.0", "claude/2", "sf/13", "coreutils", "rate-limited", "answer-on-stderr"];
    for name in names {
        let page = manila(["explain", name]).env("COLUMNS", "80").run().out();
        let mut is_code = false;
        for line in page.lines() {
            is_code ^= line.starts_with("```");
            let may_be_long = is_code || line.starts_with('|') || !line.trim().contains(' ');
            assert!(may_be_long || line.chars().count() <= 80, "{name}: {line}");
        }
        let whole = manila(["explain", name]).run().out();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&page), words(&whole), "{name}");
    }
}
