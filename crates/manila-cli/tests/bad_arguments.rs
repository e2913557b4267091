//! Owns: wrong arguments are refused before anything is done, with the closest right one.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use support::{ESC, RATE_LIMITED, SUCCESS, manila, words};

/// Refused in both faces with status 3 and this code; gives the message and the suggestion.
fn refused(line: &str, code: &str) -> (String, String) {
    refused_with(line, 3, code, "validation")
}

fn refused_with(line: &str, status: i32, code: &str, phase: &str) -> (String, String) {
    let message = words(line).run().refusal(status, code);
    let error = words(&format!("--json {line}")).run().error(status, code);
    assert_eq!(error["phase"], phase, "{line}");
    let text = |key: &str| error[key].as_str().expect("text").to_owned();
    for part in [text("message"), text("suggestion")] {
        assert!(message.contains(&part), "{line} prints it for people too: {part:?} in {message}");
    }
    (text("message"), text("suggestion"))
}

/// As [`refused`], and the message names what was wrong and the suggestion the closest match.
fn suggests(line: &str, code: &str, wrong: &str, closest: &str) {
    let (message, suggestion) = refused(line, code);
    assert!(message.contains(wrong), "{line}: {message}");
    let named = suggestion.split(|it: char| it.is_whitespace() || it == '?' || it == ',');
    assert!(named.into_iter().any(|word| word == closest), "{line}: {suggestion}");
}

#[test]
fn a_misspelled_command_is_redirected_to_the_exact_call() {
    for (line, wrong, call) in [
        ("opne", "opne", "open"),
        ("decid --attempt 3", "decid", "decide --attempt 3"),
        ("dialect", "dialect", "dialects"),
    ] {
        let message = words(line).run().refusal(13, "TYPO_CORRECTED");
        assert!(message.contains(wrong), "{message}");
        assert!(message.contains(&format!("call `manila {call}`")), "{message}");
        let error = words(&format!("--json {line}")).run().error(13, "TYPO_CORRECTED");
        assert_eq!(error["redirect"]["command"], format!("manila --json {call}"), "{error}");
        assert_eq!(
            (&error["redirect"]["permanent"], &error["phase"]),
            (&false.into(), &"validation".into())
        );
    }
}

#[test]
fn a_misspelled_command_with_wrong_arguments_is_refused_with_the_closest_one() {
    suggests("opne --no-such-flag", "UNKNOWN_COMMAND", "opne", "open");
}

#[test]
fn a_misspelled_rule_is_refused_without_the_list_of_all() {
    let message = words("check --select prose-on-stdot").run().refusal(3, "INVALID_VALUE");
    assert!(message.contains("did you mean prose-on-stdout?"), "{message}");
    assert!(message.contains("--list") && message.len() < 300, "{message}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let line = "decide --attemp 3 --jitter 7 --redirects nevr";
    let (message, suggestion) = refused(line, "UNKNOWN_ARGUMENT");
    for wrong in ["--attemp", "--jitter", "nevr"] {
        assert!(message.contains(wrong), "{wrong} in {message}");
    }
    assert!(suggestion.contains("--attempt") && suggestion.contains("never"), "{suggestion}");
    let envelope = words(&format!("--json {line}")).run().envelope();
    assert_eq!(envelope["meta"]["issues"].as_array().map(Vec::len), Some(3), "{envelope}");
}

#[test]
fn a_command_like_no_other_is_refused_with_the_way_to_the_list() {
    let (message, suggestion) = refused("frobnicate", "UNKNOWN_COMMAND");
    assert!(message.contains("frobnicate"), "{message}");
    assert!(suggestion.contains("manila --help"), "{suggestion}");
}

#[test]
fn an_unknown_flag_is_refused_with_the_closest_one() {
    suggests("open --exit-cod 3", "UNKNOWN_ARGUMENT", "--exit-cod", "--exit-code");
    suggests("decide --attemp 3", "UNKNOWN_ARGUMENT", "--attemp", "--attempt");
}

#[test]
fn an_unknown_flag_that_is_like_one_of_every_command_is_refused_with_it() {
    suggests("dialects --jsno", "UNKNOWN_ARGUMENT", "--jsno", "--json");
    suggests("dialects --quite", "UNKNOWN_ARGUMENT", "--quite", "--quiet");
}

#[test]
fn an_argument_too_many_is_refused() {
    let (message, _) = refused("explain REDIRECTED NOT_FOUND", "UNKNOWN_ARGUMENT");
    assert!(message.contains("NOT_FOUND"), "{message}");
    refused("schema td/1 extra", "UNKNOWN_ARGUMENT");
}

#[test]
fn a_missing_argument_is_refused_with_its_name() {
    for (line, name) in [
        ("explain", "<NAME>"),
        ("schema", "<DIALECT>"),
        ("completions", "<SHELL>"),
        ("open --strict", "--to"),
    ] {
        let (message, _) = refused(line, "MISSING_ARGUMENT");
        assert!(message.contains(name), "{line}: {message}");
    }
}

#[test]
fn a_value_that_is_missing_or_wrong_is_refused() {
    for (line, flag) in [
        ("open --exit-code abc", "--exit-code"),
        ("open --exit-code 4294967296", "--exit-code"),
        ("open --exit-code 1.5", "--exit-code"),
        ("open --max-bytes lots", "--max-bytes"),
        ("open --max-depth=-1", "--max-depth"),
        ("decide --attempt 0", "--attempt"),
        ("decide --attempt 65536", "--attempt"),
        ("decide --remaining-ms soon", "--remaining-ms"),
        ("decide --jitter much", "--jitter"),
        ("open --run", "--run"),
    ] {
        let (message, _) = refused(line, "INVALID_VALUE");
        assert!(message.contains(flag), "{line}: {message}");
    }
}

#[test]
fn a_value_from_a_closed_list_is_refused_with_the_closest_one() {
    suggests("completions bsh", "INVALID_VALUE", "bsh", "bash");
    suggests("decide --redirects nevr", "INVALID_VALUE", "nevr", "never");
    suggests("dialects --color alwys", "INVALID_VALUE", "alwys", "always");
}

#[test]
fn a_flag_of_every_command_that_lacks_its_value_is_refused_with_the_list() {
    let (_, suggestion) = refused("dialects --color", "INVALID_VALUE");
    assert_eq!(suggestion, "one of: auto, always, never");
}

#[test]
fn jitter_outside_its_range_is_refused() {
    for jitter in ["7", "-0.5", "NaN", "inf"] {
        let (message, _) = refused(&format!("decide --jitter={jitter}"), "INVALID_VALUE");
        assert!(message.contains("--jitter"), "{message}");
    }
}

#[test]
fn an_unknown_dialect_is_refused_with_the_closest_one_wherever_one_is_named() {
    for line in ["schema td/2", "open --dialect td/2", "open --to td/2", "decide --dialect td/2"] {
        suggests(line, "INVALID_VALUE", "td/2", "td/1");
    }
    suggests("schema claw/3.0", "INVALID_VALUE", "claw/3.0", "claw/2.0");
}

#[test]
fn a_command_that_a_dialect_does_not_have_is_refused_with_those_that_it_has() {
    suggests("schema claw/2.0 --command bootstrp", "INVALID_VALUE", "bootstrp", "bootstrap");
    let (_, suggestion) = refused("schema td/1 --command ls", "INVALID_VALUE");
    assert!(suggestion.contains("--command"), "{suggestion}");
}

#[test]
fn the_manual_of_an_unknown_command_is_refused_with_the_closest_one() {
    suggests("man opne", "INVALID_VALUE", "opne", "open");
}

#[test]
fn a_name_that_nothing_explains_is_not_found_and_the_closest_is_named() {
    for (name, closest) in [
        ("RATE_LIMITTED", "RATE_LIMITED"),
        ("animus/2", "animus/1"),
        ("duplicate-keys", "duplicate-key"),
        ("FILE_NOT_FUOND", "FILE_NOT_FOUND"),
    ] {
        let line = format!("explain {name}");
        let (message, suggestion) = refused_with(&line, 5, "UNKNOWN_NAME", "execution");
        assert!(message.contains(name), "{message}");
        assert!(suggestion.to_lowercase().contains(&closest.to_lowercase()), "{suggestion}");
    }
}

#[test]
fn an_error_code_that_explain_knows_is_suggested_too() {
    let error = words("explain TOKEN_EXPIRD --json").run().error(5, "UNKNOWN_NAME");
    assert_eq!(error["suggestion"], "did you mean TOKEN_EXPIRED?");
}

#[test]
fn words_of_the_tables_prose_are_no_names() {
    for name in ["the", "is", "error", "status", "retry"] {
        refused_with(&format!("explain {name}"), 5, "UNKNOWN_NAME", "execution");
    }
}

#[test]
fn no_name_at_all_is_no_name() {
    let ran = manila(["explain", "", "--json"]).run();
    assert!([3, 5].contains(&ran.code()), "{}", ran.out());
}

#[test]
fn flags_that_exclude_each_other_are_refused_with_both_names() {
    for (line, one, other) in [
        ("open answer.json --run directory", "[FILE]", "--run"),
        ("open --run directory --stderr file", "--run", "--stderr"),
        ("decide answer.json --run directory", "[FILE]", "--run"),
    ] {
        let (message, _) = refused(line, "CONFLICTING_ARGUMENTS");
        assert!(message.contains(one) && message.contains(other), "{line}: {message}");
    }
}

#[test]
fn a_flag_given_twice_counts_as_it_was_given_last() {
    let last = manila(["decide", "--exit-code", "1", "--exit-code", "77", "--json", "--json"]);
    assert!(last.run().out().contains("exit status 77"));
}

#[test]
fn an_argument_that_is_not_utf_8_is_refused_where_text_is_needed() {
    let odd = OsStr::from_bytes(b"REDIR\xff");
    let text = manila([OsStr::new("explain"), odd]).run().refusal(3, "INVALID_VALUE");
    assert!(text.contains("UTF-8"), "{text}");
    let ran = manila([OsStr::new("--json"), OsStr::new("explain"), odd]).run();
    assert_eq!(ran.error(3, "INVALID_VALUE")["phase"], "validation");

    manila([odd]).arg("--json").run().error(3, "UNKNOWN_COMMAND");
    let flag = OsStr::from_bytes(b"--\xff");
    manila([OsStr::new("dialects"), flag]).arg("--json").run().error(3, "UNKNOWN_ARGUMENT");
}

#[test]
fn a_file_whose_name_is_not_utf_8_is_a_file_like_any_other() {
    let dir = support::empty_dir("not_utf_8");
    let file = dir.join(OsStr::from_bytes(b"answer\xff.json"));
    if std::fs::write(&file, SUCCESS).is_err() {
        return support::skipped("this file system takes only UTF-8 names");
    }
    let data = manila(["open", "--json"]).arg(&file).run().data();
    assert_eq!(data["dialect"], "response-envelope/1.0");
    std::fs::remove_file(&file).expect("goes");
    manila(["open", "--json"]).arg(&file).run().error(5, "FILE_NOT_FOUND");
}

#[test]
fn json_after_two_dashes_is_a_name_and_not_a_wish() {
    let text = manila(["explain", "--", "--json"]).run().refusal(5, "UNKNOWN_NAME");
    assert!(text.contains("--json"), "{text}");
    let text = manila(["opne", "--", "--json"]).run().refusal(13, "TYPO_CORRECTED");
    assert!(text.contains("`manila open -- --json`"), "{text}");
}

#[test]
fn any_status_that_fits_its_flag_is_taken_without_a_panic() {
    for status in ["0", "256", "2147483647", "-1", "-9", "-64"] {
        for command in ["open", "decide"] {
            let ran = manila([command, "--json", "--exit-code", status]).input(RATE_LIMITED);
            assert_eq!(ran.envelope()["ok"], true, "{command} {status}");
        }
    }
}

#[test]
fn a_signal_that_no_number_can_hold_is_refused_without_a_panic() {
    for status in ["-2147483648", "-2147483647"] {
        for command in ["open", "decide"] {
            let ran = manila([command, "--json", "--exit-code", status]).input(RATE_LIMITED);
            let envelope = ran.envelope();
            assert_ne!(envelope["error"]["code"], "INTERNAL_ERROR", "{command}: {envelope}");
        }
    }
}

#[test]
fn a_refusal_is_coloured_only_as_it_was_asked_for() {
    let coloured = |line: &str| words(line).env("CLICOLOR_FORCE", "1").run().stderr.contains(&ESC);
    assert!(coloured("explain zzzz"));
    assert!(!coloured("explain zzzz --color never"));
    assert!(!coloured("--color never opne"), "wrong arguments hear --color too");
    assert!(!coloured("--color=never opne"), "wrong arguments hear --color too");
}

#[test]
fn what_stands_in_a_wrong_argument_cannot_steer_the_terminal() {
    let ran = manila(["\u{1b}[2J\u{1b}]0;x\u{7}", "--color", "always"]).run();
    assert_eq!(support::strange_escapes(&ran.stderr), [""; 0], "{}", ran.err());
    assert!(!ran.stderr.contains(&7));
}
