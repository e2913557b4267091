//! What an answer says: its status, its keys, its error, its page.

use crate::program::{CLAIMED, THINGS, answer, app, call, call_in, call_of, document};
use manila::dialects;
use manila_clap::testing::Surroundings;
use manila_clap::{
    App, Code, Declared, Done, Error, Exit, Failure, Migration, Mode, Secret, Spec, Stage,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// A failure of any class.
struct Of(Exit);

impl Failure for Of {
    fn into_error(self) -> Error {
        Error::new(self.0.name(), self.0, "it failed")
    }

    fn declared(list: &mut Vec<Declared>) {
        list.extend(
            Exit::ALL
                .iter()
                .filter(|exit| !exit.is_success())
                .map(|&exit| Declared::new(exit.name(), exit, exit.meaning())),
        );
    }
}

// proves: F-001
#[test]
fn every_class_of_failure_ends_with_a_number_of_its_own_up_to_13() {
    let mut seen = BTreeSet::new();
    for &exit in Exit::ALL.iter().filter(|exit| !exit.is_success()) {
        let bare = App::from_command(clap::Command::new("bare"), dialects::RESPONSE_ENVELOPE_1_6)
            .all_flags()
            .piped(Mode::Json)
            .unified_errors();
        seen.insert(bare.call(["--json"], |_, _| Err::<Done, _>(Of(exit))).status);
    }
    assert_eq!(seen, (1..=13).collect());
    assert_eq!(call("say hello").status, 0);
}

// proves: F-002, C-006
#[test]
fn wrong_arguments_end_with_2_before_the_handler_runs() {
    for words in ["say", "say hello --what", "say hello --times many", "nonsense", "remove"] {
        let ran = std::cell::Cell::new(false);
        let called = app().call(words.split(' '), |_, _| {
            ran.set(true);
            Err::<Done, _>(Of(Exit::General))
        });
        let error = &document(&called)["error"];
        assert_eq!((called.status, &error["phase"]), (2, &json!("validation")), "{words}: {error}");
        assert!(!ran.get(), "{words}");
    }
}

// proves: F-004
#[test]
fn every_answer_has_the_same_five_keys() {
    for words in ["say hello", "list", "fail busy", "say", "--help", "", "manifest", "ask"] {
        let document = answer(words);
        let keys: Vec<&String> = document.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["ok", "data", "error", "warnings", "meta"], "{words}");
    }
}

// proves: F-015, C-006
#[test]
fn all_mistakes_are_reported_at_once_with_argument_and_value() {
    let document = answer("say --times many --every never --what --ever");
    let issues = document["meta"]["issues"].as_array().expect("issues").clone();
    let of = |key: &str| -> Vec<Value> { issues.iter().map(|issue| issue[key].clone()).collect() };
    let about = of("path");
    for argument in ["--times <TIMES>", "--every <EVERY>", "--what", "--ever", "<TEXT>"] {
        assert!(about.contains(&json!(argument)), "{argument} in {about:?}");
    }
    let message = document["error"]["message"].as_str().expect("a message");
    assert!(message.contains("'many'") && message.contains("'never'"), "{message}");
}

// proves: F-015, C-006
#[test]
fn mistakes_in_flags_of_the_boundary_are_reported_with_the_others() {
    let document = answer("say hello --times many --timeout soon --quiet=no --max-bytes few");
    let issues = document["meta"]["issues"].as_array().expect("issues");
    assert_eq!(issues.len(), 4, "{document}");
    let message = document["error"]["message"].as_str().expect("a message");
    for word in ["'many'", "'soon'", "'no'", "'few'"] {
        assert!(message.contains(word), "{word} in {message}");
    }
}

// proves: O-021
#[test]
fn a_flag_that_takes_no_value_refuses_one() {
    for words in ["remove --yes=false", "remove --confirm-destructive=no", "say hi --json=false"] {
        let called = call(words);
        let document = document(&called);
        assert_eq!((called.status, &document["error"]["code"]), (2, &json!("INVALID_VALUE")));
    }
}

// proves: F-018
#[test]
fn a_handler_cannot_overwrite_the_meta_of_the_boundary() {
    let meta = answer("claim")["meta"].take();
    for key in CLAIMED {
        assert_ne!(meta[key], "claimed", "{key} in {meta}");
    }
}

// proves: C-002
#[test]
fn what_is_said_of_a_command_holds_for_those_below_it() {
    assert_eq!(answer("store wipe")["error"]["code"], "CONFIRMATION_REQUIRED");
    assert_eq!(call("store wipe --yes").status, 0);
    if cfg!(debug_assertions) {
        let called = call_of(app().command("store whipe", Spec::new()), "say hello");
        let error = document(&called)["error"].take();
        assert_eq!(error["code"], "PANICKED");
        assert!(error["message"].as_str().is_some_and(|it| it.contains("`store whipe`")));
    }
}

// proves: C-005
#[test]
fn a_question_that_names_yes_is_answered_by_it() {
    assert_eq!(call("sure").status, 4);
    assert_eq!(answer("sure --yes")["data"]["text"], "true");
}

// proves: F-007, F-072
#[test]
fn a_document_has_no_raw_escape_and_no_return() {
    let odd = "a\u{1b}[31m\u{1b}]0;title\u{7}\r\n\0b";
    let words = ["say", odd, "--json"];
    let called = call_in(Surroundings::default(), words);
    let document: Value = serde_json::from_slice(&called.stdout).expect("JSON");
    assert_eq!(document["data"]["text"], odd);
    let calls = [called, call_in(Surroundings::default(), ["fail", odd]), call("--help")];
    for called in calls.iter().chain([&call_in(Surroundings::default(), ["list", odd])]) {
        for stream in [&called.stdout, &called.stderr] {
            let steers = |byte: &&u8| **byte < b' ' && **byte != b'\n';
            assert_eq!(stream.iter().find(steers), None, "{called:?}");
        }
    }
}

// proves: F-018, F-019, O-003
#[test]
fn a_page_says_how_much_of_how_much_it_is() {
    let first = answer("list");
    let meta = &first["meta"];
    assert_eq!(first["data"].as_array().map(Vec::len), Some(20));
    assert_eq!(
        (&meta["returned"], &meta["total"], &meta["has_more"], &meta["truncated"]),
        (&json!(20), &json!(THINGS), &json!(true), &json!(true)),
    );
    let cursor = meta["cursor"].as_str().expect("a cursor");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
    assert!(cursor.chars().all(is_plain), "{cursor} needs no escaping");
    let last = answer("list --cursor at-40");
    assert_eq!((&last["meta"]["returned"], &last["meta"]["has_more"]), (&json!(5), &json!(false)));
    assert!(last["meta"]["cursor"].is_null(), "{last}");
    let all = answer("list --limit 0");
    assert_eq!(all["data"].as_array().map(Vec::len), Some(THINGS));
    assert_eq!(answer("list --cursor garbage")["error"]["code"], "INVALID_VALUE");
}

// proves: F-019
#[test]
fn the_manifest_lists_limit_cursor_and_time_limit() {
    let manifest = answer("manifest")["data"].take();
    let flags = manifest["commands"]["list"]["flags"].as_array().expect("flags");
    let of = |name: &str| flags.iter().find(|flag| flag["long"] == name).expect("the flag");
    assert_eq!(of("limit")["default"], json!(["20"]));
    assert_eq!(of("cursor")["required"], false);
    let global = manifest["global_flags"].as_array().expect("flags");
    for name in ["timeout", "output", "quiet", "yes", "no-input", "validate-only", "schema"] {
        assert!(global.iter().any(|flag| flag["long"] == name), "{name}");
    }
}

// proves: F-011, C-012
#[test]
fn the_time_limit_is_in_the_meta() {
    let timeout = |called| document(&called)["meta"]["timeout_ms"].clone();
    assert_eq!(timeout(call("say hello")), Value::Null);
    assert_eq!(timeout(call("say hello --timeout 30s")), 30_000);
    let limited = || app().time_limit(Duration::from_secs(60));
    assert_eq!(timeout(call_of(limited(), "say hello")), 60_000);
    assert_eq!(timeout(call_of(limited(), "say hello --timeout 5")), 5_000);
    assert_eq!(timeout(call_of(limited(), "say hello --timeout 0")), Value::Null);
}

// proves: F-052, F-064
#[test]
fn what_is_cut_or_left_out_is_announced() {
    let cut = answer("list --max-bytes 100");
    let returned = cut["data"].as_array().map(Vec::len).expect("a list");
    assert!(0 < returned && returned < 20, "{cut}");
    assert_eq!(cut["meta"]["truncated"], true);
    assert_eq!(cut["meta"]["cursor"], format!("at-{returned}"));
    let document = document(&call_of(app().page_bytes(100), "list"));
    assert_eq!((&document["meta"]["truncated"], &document["data"]), (&json!(true), &cut["data"]));
    let left_out = answer("say hello --max-bytes 3");
    assert_eq!((&left_out["data"], &left_out["meta"]["truncated"]), (&json!({}), &json!(true)));
    assert_eq!(left_out["meta"]["total_bytes"], r#"{"text":"hello"}"#.len());
    assert_eq!(left_out["warnings"].as_array().map(Vec::len), Some(1));
}

// proves: F-064
#[test]
fn a_page_that_cannot_be_cut_is_whole_and_warns() {
    let whole = answer("list --limit 1 --max-bytes 3");
    assert_eq!(whole["data"], json!(["thing 0"]));
    assert_eq!(whole["warnings"].as_array().map(Vec::len), Some(1), "{whole}");
}

// proves: F-047, F-048
#[test]
fn a_question_for_help_is_answered_on_stdout_and_a_bare_call_fails() {
    let bare = call("");
    assert_ne!(bare.status, 0);
    assert_eq!(document(&bare)["error"]["code"], "MISSING_ARGUMENT");
    for words in ["--help", "help", "say --help"] {
        let called = call(words);
        let document = document(&called);
        assert_eq!((called.status, called.stderr.len()), (0, 0), "{words}");
        let text = document["data"]["text"].as_str().expect("a text");
        assert!(text.contains("Usage: "), "{text}");
    }
}

// proves: F-023, F-068
#[test]
fn the_version_is_one_line_and_what_every_answer_says() {
    let version = call("--version --output plain");
    assert_eq!((version.status, version.stdout.as_slice()), (0, &b"keep 1.2.3\n"[..]));
    assert_eq!(answer("--version")["data"]["version"], "1.2.3");
    for words in ["say hello", "fail busy", "nonsense", "--help"] {
        assert_eq!(answer(words)["meta"]["tool_version"], "1.2.3", "{words}");
    }
}

// proves: F-022, F-024, F-027, F-039
#[test]
fn every_answer_says_what_it_is_about() {
    let (first, second) = (answer("say hello"), answer("say hello"));
    let meta = &first["meta"];
    assert_eq!((&meta["schema_version"], &meta["command"]), (&json!("1.6"), &json!("say")));
    assert!(meta["duration_ms"].is_u64(), "{meta}");
    assert_ne!(meta["request_id"], second["meta"]["request_id"]);
    let cwd = meta["cwd"].as_str().expect("a directory");
    assert!(std::path::Path::new(cwd).is_absolute(), "{cwd}");
    for words in ["fail busy", "nonsense", "--help", "list"] {
        let meta = answer(words)["meta"].take();
        assert!(meta["duration_ms"].is_u64() && meta["schema_version"].is_string(), "{meta}");
    }
}

// proves: F-021
#[test]
fn the_same_call_has_the_same_data() {
    for words in ["say hello", "list", "--help", "manifest", "schema", "--version"] {
        assert_eq!(answer(words)["data"], answer(words)["data"], "{words}");
    }
}

// proves: C-003
#[test]
fn what_was_done_to_the_thing_is_said() {
    assert_eq!(answer("add")["meta"]["effect"], "created");
    assert_eq!(answer("remove --yes")["meta"]["effect"], "deleted");
}

// proves: C-005, O-021
#[test]
fn what_cannot_be_undone_needs_one_of_two_flags() {
    let refused = call("remove");
    assert_eq!(refused.status, 2);
    let error = document(&refused)["error"].take();
    assert_eq!(
        (&error["code"], &error["suggestion"]),
        (&json!("CONFIRMATION_REQUIRED"), &json!("pass --yes"),)
    );
    for flag in ["--yes", "--confirm-destructive"] {
        assert_eq!(call(&format!("remove {flag}")).status, 0, "{flag}");
    }
}

// proves: C-013
#[test]
fn every_code_of_the_boundary_is_in_capitals() {
    for code in Code::ALL {
        let name = code.name();
        let is_right = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        assert!(name.starts_with(|it: char| it.is_ascii_uppercase()), "{name}");
        assert!(name.chars().all(is_right), "{name}");
    }
}

// proves: C-014, C-030
#[test]
fn every_error_says_whether_to_call_again_and_what_to_do_first() {
    let error = |words: &str| answer(words)["error"].take();
    for words in ["fail missing", "nonsense", "say", "ask", "remove"] {
        assert_eq!(error(words)["retryable"], false, "{words}");
    }
    let busy = error("fail busy");
    assert_eq!((&busy["retryable"], &busy["retry_after_ms"]), (&json!(true), &json!(1500)));
    let login = error("fail login");
    assert_eq!(login["fix_required"], "a user is logged in");
    assert_eq!(login["fix_command"], "keep login");
    for words in ["ask", "remove", "nonsense", "say", "say hello --timeout soon"] {
        assert!(error(words)["fix_required"].is_string(), "{words}");
    }
}

// proves: F-034, F-051
#[test]
fn a_secret_is_in_no_answer_and_in_no_debug_output() {
    let called = call("login --token open-sesame");
    let text = String::from_utf8(called.stdout).expect("UTF-8");
    assert!(!text.contains("sesame"), "{text}");
    assert_eq!(text.matches("[REDACTED]").count(), 3, "{text}");
    assert_eq!(format!("{:?}", Secret::new("open-sesame")), "[REDACTED]");
}

// proves: C-016, O-022
#[test]
fn a_secret_by_reference_comes_from_a_file_or_a_variable_and_never_from_the_arguments() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("a-key");
    std::fs::write(&file, "from-a-file\n").expect("a file");
    assert_eq!(call(&format!("login --key file:{}", file.display())).status, 0);
    assert_eq!(call("login --key env:PATH").status, 0);
    for refused in ["a-literal-key", "env:NO_SUCH_VARIABLE", "file:/no/such/file"] {
        assert_eq!(call(&format!("login --key {refused}")).status, 2, "{refused}");
    }
}

// proves: O-009
#[test]
fn arguments_can_be_checked_without_doing_anything() {
    let valid = answer("remove --validate-only");
    assert_eq!((&valid["ok"], &valid["data"]), (&json!(true), &json!({})));
    assert_eq!(valid["meta"]["validation_only"], true);
    assert!(valid["meta"]["effect"].is_null());
    assert_eq!(call("say hello --times many --validate-only").status, 2);
}

// proves: F-067
#[test]
fn flags_of_the_boundary_are_taken_in_any_place() {
    for words in
        ["--output plain say hello", "say --output plain hello", "say hello --output plain"]
    {
        assert_eq!(call(words).stdout, call("say hello --output=plain").stdout, "{words}");
    }
}

// proves: O-001
#[test]
fn every_way_to_answer_has_a_word() {
    for (word, begins) in [("json", "{\"ok\""), ("jsonl", "{\"ok\""), ("tsv", "text\t")] {
        let called = call(&format!("say hello --output {word}"));
        let text = String::from_utf8(called.stdout).expect("UTF-8");
        assert!(text.starts_with(begins), "{word}: {text}");
    }
    assert_eq!(call("list --output tsv").stdout, call("list --output plain").stdout);
    assert_eq!(call("say hello --format json").status, 2);
    assert_eq!(call("say hello --output yaml").status, 2);
}

// proves: O-013
#[test]
fn the_whole_contract_is_printed_under_either_name() {
    let schema = answer("--schema");
    assert_eq!(schema["data"], answer("--print-schema")["data"]);
    assert!(schema["data"]["types"].as_array().is_some_and(|types| types.len() > 3));
}

// proves: O-008
#[test]
fn quiet_removes_warnings_from_stderr() {
    assert_eq!(call("warn --output plain").stderr, b"warning: careful\n");
    assert_eq!(call("warn --output plain --quiet").stderr, b"");
    assert_eq!(answer("warn --quiet")["warnings"], json!(["careful"]));
}

// proves: O-008
#[test]
fn quiet_keeps_only_issues_that_are_errors() {
    let stderr = |words| String::from_utf8(call(words).stderr).expect("UTF-8");
    assert!(stderr("find --output plain").contains("HARMLESS"));
    let quiet = stderr("find --output plain --quiet");
    assert!(quiet.contains("BAD") && !quiet.contains("HARMLESS"), "{quiet}");
}

// proves: O-014
#[test]
fn an_older_envelope_can_be_asked_for_while_it_lasts() {
    let old = ("1", dialects::RESPONSE_ENVELOPE_1_0 as &dyn manila::DialectWriter);
    let new = ("2", dialects::RESPONSE_ENVELOPE_1_6 as &dyn manila::DialectWriter);
    let at = |stage| app().migrate(Migration::new(old, new, stage));
    let version =
        |stage, words| document(&call_of(at(stage), words))["meta"]["schema_version"].clone();
    assert_eq!(version(Stage::OptIn, "say hello"), "1.0");
    assert_eq!(version(Stage::OptIn, "say hello --envelope-version 2"), "1.6");
    assert_eq!(version(Stage::Default, "say hello"), "1.6");
    assert_eq!(version(Stage::Deprecated, "say hello --legacy-envelope"), "1.0");
    let warned = document(&call_of(at(Stage::Deprecated), "say hello --legacy-envelope"));
    assert_eq!(warned["warnings"].as_array().map(Vec::len), Some(1), "{warned}");
    assert_eq!(call_of(at(Stage::Removed), "say hello --legacy-envelope").status, 2);
}
