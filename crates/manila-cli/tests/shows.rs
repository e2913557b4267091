//! Owns: the lines that are shown to people, as a shell runs them at the top of the project.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use support::{Call, Ran, root, validator};

/// What a shell makes of this line, with this build of manila first in its path.
fn shell(line: &str) -> Ran {
    let dir = Path::new(env!("CARGO_BIN_EXE_manila")).parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(root());
    command.env("PATH", format!("{}:{path}", dir.display()));
    Call::of(command).run()
}

#[test]
fn a_rate_limit_is_waited_out() {
    let line = r#"printf '{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"API rate limit reached","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}' | manila decide --exit-code 11"#;
    let text = shell(line).text();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("retry after 30 s"));
    let rest: Vec<_> = lines.collect();
    assert!(rest.iter().any(|it| it.starts_with("why ") && it.contains("30000 ms")), "{text}");
    assert!(
        rest.iter().any(|it| it.starts_with("row ") && it.contains(" 15 wait-stated")),
        "{text}"
    );
}

#[test]
fn a_recorded_failure_of_td_opens_as_what_it_is() {
    let ran = shell("manila open --run crates/manila/tests/recorded/td/not_found --json");
    let data = ran.data();
    assert_eq!((&data["dialect"], &data["confidence"]), (&"td/1".into(), &"certain".into()));
    assert_eq!(data["stream"], "stderr");
    assert_eq!(data["facts"], Value::Array(vec![]));
    assert_eq!(data["envelope"]["ok"], false);
    assert_eq!(data["envelope"]["exit"], "NOT_FOUND");
    assert_eq!(data["envelope"]["error"]["code"], "not_found");
}

#[test]
fn a_recorded_failure_of_i18nprune_is_written_as_animus_would() {
    let run = "crates/manila/tests/recorded/i18nprune/validate_missing_keys";
    let ran = shell(&format!("manila open --run {run} --to animus/1"));
    assert_eq!(ran.code(), 0, "{}", ran.err());
    assert_eq!(ran.out().lines().count(), 1, "{}", ran.out());
    let document: Value = serde_json::from_str(&ran.out()).expect("JSON");
    assert!(validator("animus/1").is_valid(&document), "{document}");
    assert_eq!(document["schema"], "animus.cli.v1");
    assert_eq!(document["ok"], false);
    let warnings = ran.err();
    assert!(
        warnings.lines().all(|it| it.starts_with("warning: ")),
        "a line for each loss: {warnings}"
    );
    for field in ["kind", "data", "error.code", "issues[0]", "meta.cwd"] {
        assert!(warnings.contains(&format!(" {field} ")), "{field} in {warnings}");
    }
}

#[test]
fn the_schema_of_one_command_stands_for_itself() {
    let text = shell("manila schema claw/2.0 --command bootstrap").text();
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let example = support::seed("claw-v2-error").join("stdout");
    let other: Value =
        serde_json::from_slice(&std::fs::read(example).expect("reads")).expect("JSON");
    assert!(!validator.is_valid(&other), "another command's answer");
    assert!(schema["$defs"]["turn"].is_object() && schema["$defs"]["route"].is_null(), "{text}");
}

#[test]
fn an_exit_class_is_explained_with_its_numbers_and_its_row() {
    let text = shell("manila explain REDIRECTED").text();
    assert!(text.starts_with("REDIRECTED"), "{text}");
    assert!(text.contains("13 response-envelope/1.0"), "{text}");
    assert!(text.contains("9 redirected: "), "{text}");
}

#[test]
fn the_configuration_of_a_client_starts_the_server_in_this_directory() {
    let text = shell("manila mcp --print-config claude -- git").text();
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let server = &document["mcpServers"]["git"];
    assert_eq!(server["command"], "manila", "{text}");
    let args: Vec<&str> =
        server["args"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let [first, option, directory, rest @ ..] = args.as_slice() else { panic!("{text}") };
    assert_eq!((*first, *option, rest), ("mcp", "--cwd", &["--", "git"][..]));
    assert!(Path::new(directory).is_absolute(), "{text}");
    let answer = shell("manila mcp --print-config codex --json -- git").data();
    assert_eq!(answer["file"], "~/.codex/config.toml");
}

#[test]
fn the_server_is_the_program_beside_manila() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let ran = shell(&format!("echo '{ping}' | manila mcp -- true"));
    let beside = Path::new(env!("CARGO_BIN_EXE_manila")).with_file_name("manila-mcp");
    if beside.is_file() {
        let answer: Value = serde_json::from_str(&ran.out()).expect("JSON");
        assert_eq!(answer["result"], serde_json::json!({}), "{}", ran.err());
    } else {
        assert!(ran.err().contains("cargo install manila-mcp"), "{}", ran.err());
    }
    let refused = shell("manila mcp --json -- true");
    assert_eq!(refused.code(), 3, "{}", refused.out());
}
