//! Owns: every command answers, for people and with `--json` for programs, in one valid envelope.

mod support;

use std::process::{Command, Stdio};
use support::{
    COMMANDS, ESC, RATE_LIMITED, Ran, SHELLS, SUCCESS, empty_dir, manila, skipped, words,
};

/// Calls that work: the command, its arguments, its input.
const WORKING: &[(&str, &str, &str)] = &[
    ("open", "", SUCCESS),
    ("open", "--exit-code 11", RATE_LIMITED),
    ("open", "--exit-code 11 --to animus/1", RATE_LIMITED),
    ("decide", "--exit-code 11", RATE_LIMITED),
    ("decide", "--exit-code 1", "it broke"),
    ("dialects", "", ""),
    ("schema", "response-envelope/1.0", ""),
    ("schema", "claw/2.0 --command bootstrap", ""),
    ("explain", "animus/1", ""),
    ("explain", "REDIRECTED", ""),
    ("explain", "5", ""),
    ("explain", "TOKEN_EXPIRED", ""),
    ("explain", "row-15", ""),
    ("explain", "duplicate-key", ""),
    ("manifest", "", ""),
    ("completions", "bash", ""),
    ("completions", "elvish", ""),
    ("completions", "fish", ""),
    ("completions", "powershell", ""),
    ("completions", "zsh", ""),
    ("man", "", ""),
    ("man", "open", ""),
];

/// Calls that fail once their arguments are understood: the command, its arguments, its input,
/// status and code.
const FAILING: &[(&str, &str, &str, i32, &str)] = &[
    ("open", "", "", 5, "EMPTY_INPUT"),
    ("open", "", "prose", 5, "NO_ENVELOPE"),
    ("open", "no/such/file", "", 5, "FILE_NOT_FOUND"),
    ("open", "--exit-code 11 --to animus/1 --strict", RATE_LIMITED, 4, "LOSSY_CONVERSION"),
    ("decide", "--max-bytes 8", RATE_LIMITED, 4, "OVER_LIMIT"),
    ("schema", "claw/2.0 --command nope", "", 3, "INVALID_VALUE"),
    ("explain", "zzzz", "", 5, "UNKNOWN_NAME"),
    ("man", "nope", "", 3, "INVALID_VALUE"),
];

fn run(line: &str, input: &str) -> Ran {
    words(line).input(input)
}

#[test]
fn every_command_is_among_the_calls_of_this_file() {
    for command in COMMANDS {
        assert!(WORKING.iter().any(|(name, ..)| *name == command), "{command}");
    }
    for shell in SHELLS {
        assert!(WORKING.contains(&("completions", shell, "")), "{shell}");
    }
}

#[test]
fn with_json_every_command_answers_one_valid_envelope_that_names_it() {
    for (command, arguments, input) in WORKING {
        let envelope = run(&format!("{command} {arguments} --json"), input).envelope();
        assert_eq!(envelope["ok"], true, "{command} {arguments}: {envelope}");
        assert_eq!(envelope["meta"]["kind"], *command);
        assert_eq!(envelope["meta"]["command"], *command);
        assert_eq!(envelope["meta"]["schema_version"], "1.0");
        assert_eq!(envelope["meta"]["tool_version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn with_json_every_failure_is_one_valid_envelope_too() {
    for (command, arguments, input, status, code) in FAILING {
        let ran = run(&format!("{command} {arguments} --json"), input);
        let error = ran.error(*status, code);
        assert_eq!(ran.envelope()["meta"]["command"], *command);
        let phase = if *status == 3 { "validation" } else { "execution" };
        assert_eq!(error["phase"], phase, "{command} {arguments}");
        assert_eq!(error["retryable"], *status == 3, "{command} {arguments}");
        assert!(error["suggestion"].is_string(), "{command} {arguments}");
    }
}

#[test]
fn json_may_stand_before_the_command_as_well_as_after_it() {
    for (command, arguments, input) in WORKING {
        let before = run(&format!("--json {command} {arguments}"), input).data();
        let after = run(&format!("{command} {arguments} --json"), input).data();
        assert_eq!(before, after, "{command} {arguments}");
    }
}

#[test]
fn json_holds_no_escape_byte_even_when_colour_is_forced() {
    for (command, arguments, input) in WORKING {
        let line = format!("{command} {arguments} --json --color always");
        let ran = words(&line).env("CLICOLOR_FORCE", "1").input(input);
        // That stdout has no ESC byte is part of what an envelope must satisfy.
        assert_eq!(ran.envelope()["ok"], true, "{line}");
    }
    for (command, arguments, input, status, code) in FAILING {
        let line = format!("{command} {arguments} --json --color always");
        words(&line).env("CLICOLOR_FORCE", "1").input(input).error(*status, code);
    }
}

#[test]
fn without_json_every_command_answers_on_stdout() {
    for (command, arguments, input) in WORKING {
        let ran = run(&format!("{command} {arguments} --quiet"), input);
        let text = ran.text();
        assert!(text.ends_with('\n'), "{command} {arguments} ends its last line: {text:?}");
        assert!(!ran.stdout.contains(&ESC), "{command} {arguments} is not coloured in a pipe");
    }
}

#[test]
fn without_json_every_failure_is_reported_on_stderr_alone() {
    for (command, arguments, input, status, code) in FAILING {
        let text = run(&format!("{command} {arguments}"), input).refusal(*status, code);
        let error = run(&format!("{command} {arguments} --json"), input).error(*status, code);
        for part in ["message", "suggestion"] {
            let part = error[part].as_str().expect("text");
            assert!(text.contains(part), "{command} {arguments} says {part:?}: {text}");
        }
        assert!(!text.as_bytes().contains(&ESC), "{command} {arguments} is not coloured");
    }
}

#[test]
fn colour_is_used_when_it_is_asked_for_and_never_when_it_is_refused() {
    let coloured = |line: &str, name: &str, value: &str| {
        words(line).env(name, value).input(SUCCESS).stdout.contains(&ESC)
    };
    assert!(coloured("open --color always", "NO_COLOR", ""));
    assert!(coloured("open", "CLICOLOR_FORCE", "1"));
    assert!(!coloured("open --color never", "CLICOLOR_FORCE", "1"));
    assert!(!coloured("open", "NO_COLOR", "1"));
}

#[test]
fn a_file_a_dash_and_standard_input_are_read_alike() {
    let file = empty_dir("read_alike").join("answer.json");
    std::fs::write(&file, RATE_LIMITED).expect("writes");
    let from_file = manila(["open", "--json"]).arg(&file).run().data();
    assert_eq!(words("open - --json").input(RATE_LIMITED).data(), from_file);
    assert_eq!(words("open --json").input(RATE_LIMITED).data(), from_file);
    assert_eq!(from_file["stream"], "stdout");

    let on_stderr = manila(["open", "--json", "--stderr"]).arg(&file).run().data();
    assert_eq!(on_stderr["stream"], "stderr");
    assert_eq!(on_stderr["envelope"], from_file["envelope"]);
}

#[test]
fn help_and_version_are_answers_on_stdout() {
    for line in ["--help", "-h", "help", "open --help", "decide -h", "help open"] {
        let text = words(line).run().text();
        assert!(text.contains("manila"), "{line}: {text}");
        let json = words(&format!("--json {line}")).run().data();
        assert_eq!(json["text"], text, "--json {line}");
    }
    for line in ["--version", "-V"] {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(words(line).run().text(), format!("manila {version}\n"));
        let json = words(&format!("--json {line}")).run().data();
        assert_eq!(json, serde_json::json!({"name": "manila", "version": version}));
    }
}

#[test]
fn json_may_stand_after_a_call_for_help() {
    for line in ["--help --json", "-V --json", "open --help --json"] {
        words(line).run().data();
    }
}

#[test]
fn json_may_stand_after_the_help_command() {
    words("help --json").run().data();
    words("help open --json").run().data();
}

#[test]
fn a_bare_call_fails_with_the_help_on_stderr() {
    let ran = words("").run();
    assert_eq!((ran.code(), ran.out().as_str()), (2, ""));
    let text = ran.err();
    for command in COMMANDS {
        assert!(text.contains(&format!("\n  {command} ")), "{command} in {text}");
    }
}

#[test]
fn a_bare_call_with_json_is_a_missing_argument() {
    let ran = words("--json").run();
    assert_eq!(ran.code(), 3);
    assert!(ran.out().contains("\"code\":\"MISSING_ARGUMENT\""), "{}", ran.out());
}

#[test]
fn the_help_of_every_command_names_json_and_what_it_takes() {
    for command in COMMANDS {
        let text = words(&format!("{command} --help")).run().text();
        assert!(text.contains("--json") && text.contains("Usage: manila "), "{command}: {text}");
    }
}

#[test]
fn completions_name_every_command_in_every_shell() {
    for shell in SHELLS {
        let script = words(&format!("completions {shell}")).run().text();
        for command in COMMANDS {
            assert!(script.contains(command), "{command} for {shell}");
        }
        let json = words(&format!("completions {shell} --json")).run().data();
        assert_eq!(json["text"], script, "{shell}");
    }
}

#[test]
fn the_completions_for_bash_are_bash() {
    let file = empty_dir("bash_completions").join("manila.bash");
    std::fs::write(&file, words("completions bash").run().stdout).expect("writes");
    let check = Command::new("bash").arg("-n").arg(&file).stderr(Stdio::piped()).output();
    let Ok(check) = check else { return skipped("there is no bash to read the completions") };
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[test]
fn the_manual_is_a_page_for_the_program_and_for_every_command() {
    let whole = words("man").run().text();
    assert!(whole.starts_with(".ie ") || whole.starts_with(".TH "), "{whole}");
    assert!(whole.contains("\n.SH NAME\n"));
    for command in COMMANDS {
        assert!(whole.contains(command), "{command}");
        let page = words(&format!("man {command}")).run().text();
        assert!(page.starts_with(".ie ") || page.starts_with(".TH "), "{page}");
        assert!(page.contains(&format!(".TH manila-{command} 1")), "{page}");
    }
    let page = words("man open").run().text();
    assert!(page.contains("\\-\\-to"), "{page}");
}

#[test]
fn dialects_lists_every_dialect_once_in_both_faces() {
    let text = words("dialects").run().text();
    let ids: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let known: Vec<_> = manila::every_dialect().map(<dyn manila::Dialect>::id).collect();
    assert_eq!(ids, known);
    let data = words("dialects --json").run().data();
    let list = data["dialects"].as_array().expect("a list");
    let ids: Vec<_> = list.iter().filter_map(|dialect| dialect["id"].as_str()).collect();
    assert_eq!(ids, known);
    assert!(list.iter().all(|dialect| dialect["exits"].as_array().is_some_and(|it| it.len() > 1)));
}

#[test]
fn the_schema_that_is_printed_is_the_one_that_manila_itself_satisfies() {
    let text = words("schema response-envelope/1.0").run().text();
    let schema = serde_json::from_str(&text).expect("JSON");
    assert_eq!(words("schema response-envelope/1.0 --json").run().data(), schema);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&words("dialects --json").run().envelope()));
    assert!(!validator.is_valid(&serde_json::json!({"ok": true})));
}

/// What manila answers to these calls opens as its own dialect and is odd in nothing.
fn assert_opens_cleanly(command: &str) {
    let working = WORKING.iter().map(|(name, arguments, input)| (name, arguments, input));
    let failing = FAILING.iter().map(|(name, arguments, input, ..)| (name, arguments, input));
    let calls: Vec<_> = working.chain(failing).filter(|(name, ..)| **name == command).collect();
    assert!(!calls.is_empty(), "no call of {command}");
    for (_, arguments, input) in calls {
        let answer = run(&format!("{command} {arguments} --json"), input);
        let status = answer.code();
        let opened = words(&format!("open --json --exit-code {status}")).input(&answer.stdout);
        let data = opened.data();
        let what = format!("{command} {arguments}: {data}");
        assert_eq!(data["dialect"], "response-envelope/1.0", "{what}");
        assert_eq!(data["confidence"], "certain", "{what}");
        assert_eq!(data["noise"], serde_json::json!([]), "{what}");
        assert_eq!(data["facts"], serde_json::json!([]), "{what}");
        assert_eq!(data["facts_not_listed"], 0, "{what}");
        assert_eq!(data["envelope"]["ok"], status == 0, "{what}");
        assert_eq!(data["envelope"]["status"], status, "{what}");
        assert_eq!(data["envelope"]["meta"]["extra"]["command"], command, "{what}");
        if status == 0 {
            assert_eq!(data["envelope"]["kind"], command, "{what}");
        }
        assert_eq!(data["envelope"]["data"], answer.envelope()["data"], "{what}");
    }
}

#[test]
fn manila_opens_its_own_answers_to_open() {
    assert_opens_cleanly("open");
}

#[test]
fn manila_opens_its_own_answers_to_decide() {
    assert_opens_cleanly("decide");
}

#[test]
fn manila_opens_its_own_answers_to_dialects_and_schema() {
    assert_opens_cleanly("dialects");
    assert_opens_cleanly("schema");
}

#[test]
fn manila_opens_its_own_answers_to_explain() {
    assert_opens_cleanly("explain");
}

#[test]
fn manila_opens_its_own_answers_to_manifest_completions_and_man() {
    assert_opens_cleanly("manifest");
    assert_opens_cleanly("completions");
    assert_opens_cleanly("man");
}
