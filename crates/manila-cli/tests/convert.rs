//! Owns: `open --to` writes every dialect, reports what it cannot express, and keeps payloads as
//! spelled.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::{DIALECTS, RATE_LIMITED, Ran, manila, seed, seeds, validator, words};

fn convert(run: &Path, to: &str, more: &[&str]) -> Ran {
    manila(["open", "--run"]).arg(run).args(&["--to", to]).args(more).run()
}

fn losses(value: &Value) -> &Vec<Value> {
    value["losses"].as_array().expect("losses")
}

/// Nothing was invented that a clock says.
fn is_timeless(losses: &[Value]) -> bool {
    losses.iter().all(|loss| loss["field"] != "meta.timestamp" || loss["fate"] != "invented")
}

#[test]
fn every_example_converts_to_every_dialect_and_satisfies_its_schema() {
    for to in DIALECTS {
        let validator = validator(to);
        for name in seeds() {
            let data = convert(&seed(&name), to, &["--json"]).data();
            let converted = &data["converted"];
            assert_eq!(converted["dialect"], to);
            let document = converted["document"].as_str().expect("a document");
            assert!(document.ends_with('\n'), "{name} to {to}: {document}");
            let document: Value = serde_json::from_str(document).expect("JSON");
            let errors: Vec<_> =
                validator.iter_errors(&document).map(|it| it.to_string()).collect();
            assert!(errors.is_empty(), "{name} to {to}: {errors:?} in {document}");
        }
    }
}

#[test]
fn every_loss_is_a_warning_and_has_its_bytes_in_the_original() {
    let mut placed = 0;
    for to in DIALECTS {
        for name in seeds() {
            let ran = convert(&seed(&name), to, &["--json"]);
            let envelope = ran.envelope();
            let data = &envelope["data"];
            let losses = losses(&data["converted"]);
            let warnings = envelope["warnings"].as_array().expect("warnings");
            assert_eq!(warnings.len(), losses.len(), "{name} to {to}: {envelope}");
            let stream = data["stream"].as_str().expect("a stream");
            let original = fs::read(seed(&name).join(stream)).expect("a stream");
            for (loss, warning) in losses.iter().zip(warnings) {
                let what = format!("{name} to {to}: {loss}");
                let field = loss["field"].as_str().expect("a field");
                assert!(warning.as_str().is_some_and(|it| it.contains(field)), "{what}: {warning}");
                let invented = loss["fate"] == "invented";
                assert_eq!(loss["value"].is_null(), invented, "{what}");
                assert_eq!(loss["now"].is_null(), loss["fate"] == "dropped", "{what}");
                let Some(span) = loss["span"].as_object() else { continue };
                assert!(!invented, "{what}");
                let at = |end: &str| usize::try_from(span[end].as_u64().unwrap()).unwrap();
                let bytes = &original[at("start")..at("end")];
                if let Some(text) = loss["value"].as_str() {
                    placed += 1;
                    let there: Value = serde_json::from_slice(bytes).expect("a value");
                    assert_eq!(there, text, "{what}");
                }
            }
        }
    }
    assert!(placed > 50, "only {placed} losses of text have a place");
}

#[test]
fn without_json_the_document_alone_is_on_stdout_and_its_losses_are_on_stderr() {
    let mut compared = 0;
    for name in ["td-not-found", "response-envelope-success", "claw-v2-error", "animus-ack"] {
        for to in DIALECTS {
            let answer = convert(&seed(name), to, &["--json"]).data();
            let converted = &answer["converted"];
            let ran = convert(&seed(name), to, &[]);
            assert_eq!(ran.code(), 0, "{name} to {to}");
            let warnings = ran.err().lines().filter(|it| it.starts_with("warning: ")).count();
            assert_eq!(warnings, losses(converted).len(), "{name} to {to}: {}", ran.err());
            if is_timeless(losses(converted)) {
                assert_eq!(converted["document"], ran.out(), "{name} to {to}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "only {compared} documents were compared");
}

#[test]
fn a_loss_names_field_value_place_and_what_became_of_it() {
    let ran = words("open --exit-code 11 --to animus/1 --json").input(RATE_LIMITED);
    let data = ran.data();
    let wait = losses(&data["converted"]).iter().find(|loss| loss["field"] == "error.wait_ms");
    let start = RATE_LIMITED.find("30}").expect("a wait");
    assert_eq!(
        wait,
        Some(&json!({"field": "error.wait_ms", "fate": "dropped", "value": 30000, "now": null,
            "span": {"start": start, "end": start + 2}}))
    );
    let code = losses(&data["converted"]).iter().find(|loss| loss["field"] == "error.code");
    let code = code.expect("the code is changed");
    assert_eq!((&code["fate"], &code["now"]), (&json!("changed"), &json!("unavailable")));
    assert_eq!(data["converted"]["stream"], "stderr");
    assert_eq!(data["converted"]["status"], 5);

    let answer = words("open --exit-code 11 --to animus/1").input(RATE_LIMITED).err();
    let place = format!("animus/1 cannot say error.wait_ms (bytes {start}..{}): 30000", start + 2);
    assert!(answer.contains(&place), "{answer}");
}

#[test]
fn strict_refuses_every_conversion_that_loses_something_and_no_other() {
    let (mut refused, mut compared, mut written) = (0, 0, 0);
    for name in ["td-not-found", "response-envelope-rate-limited", "claw-v2-error"] {
        for to in DIALECTS {
            let answer = convert(&seed(name), to, &["--json"]).data();
            let losses = losses(&answer["converted"]);
            if losses.is_empty() {
                written += 1;
                let text = convert(&seed(name), to, &["--strict"]).text();
                assert_eq!(answer["converted"]["document"], text, "{name} to {to}");
                continue;
            }
            refused += 1;
            let ran = convert(&seed(name), to, &["--strict", "--json"]);
            let error = ran.error(4, "LOSSY_CONVERSION");
            let listed = &ran.envelope()["meta"]["details"]["losses"];
            if is_timeless(losses) {
                assert_eq!(listed.as_array(), Some(losses), "{name} to {to}");
                compared += 1;
            }
            assert_eq!(listed.as_array().map(Vec::len), Some(losses.len()), "{name} to {to}");
            let text = convert(&seed(name), to, &["--strict"]).refusal(4, "LOSSY_CONVERSION");
            for loss in losses {
                let field = loss["field"].as_str().expect("a field");
                assert!(text.contains(field), "{field} in {text}");
                assert!(error["message"].as_str().is_some_and(|it| it.contains(field)));
            }
        }
    }
    assert!(refused > 5 && written > 3, "{refused} refused, {written} written");
    assert!(compared > 5, "the losses of {compared} were compared");
}

#[test]
fn quiet_silences_the_losses_and_nothing_else() {
    let line = "open --exit-code 11 --to animus/1";
    let loud = words(line).input(RATE_LIMITED);
    assert!(loud.err().contains("warning: "), "{}", loud.err());
    for quiet in ["--quiet", "-q"] {
        let text = words(&format!("{line} {quiet}")).input(RATE_LIMITED).text();
        assert_eq!(text, loud.out());
    }
    let strict = words(&format!("{line} --quiet --strict")).input(RATE_LIMITED);
    strict.refusal(4, "LOSSY_CONVERSION");
    let json = words(&format!("{line} --quiet --json")).input(RATE_LIMITED).data();
    assert!(!losses(&json["converted"]).is_empty());
}

#[test]
fn what_is_written_in_a_dialect_opens_as_that_dialect() {
    for (name, ok) in [("td-task-list", true), ("response-envelope-rate-limited", false)] {
        for to in DIALECTS {
            let answer = convert(&seed(name), to, &["--json"]).data();
            let (document, status) =
                (&answer["converted"]["document"], &answer["converted"]["status"]);
            let document = document.as_str().expect("a document");
            let again = words(&format!("open --json --exit-code {status}")).input(document).data();
            assert_eq!(again["dialect"], to, "{name} to {to}: {document}");
            assert_eq!(again["envelope"]["ok"], ok, "{name} to {to}: {document}");
        }
    }
}

/// Members that a parser which is not careful would change: spelling of numbers and text, order,
/// equal keys.
const ODD: &str = concat!(
    r#""z":1.0,"a":1e2,"M":-0,"big":123456789012345678901234567890,"tiny":1.50E-400,"#,
    r#""dup":1,"dup":{"b":2,"a":1,"b":3},"esc":"\u0041\/\ud83d\ude00","é":"ü\t","#,
    r#""list":[0.10,[],{},null,true]"#,
);

fn odd(data: &str) -> String {
    format!(r#"{{"ok":true,"data":{data},"error":null,"warnings":[],"meta":{{"duration_ms":1}}}}"#)
}

/// The text without the whitespace between its tokens; no string in it has any.
fn compact(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
}

#[test]
fn a_payload_is_shown_as_it_was_spelled() {
    let input = odd(&format!("{{{ODD}}}"));
    let shown = words("open --json").input(&input).out();
    assert!(shown.contains(&format!(r#""data":{{{ODD}}}"#)), "{shown}");
    let spread = input.replace(',', " ,\n ").replace(':', " : ");
    let shown = words("open --json").input(&spread).out();
    assert!(compact(&shown).contains(&format!(r#""data":{{{ODD}}}"#)), "{shown}");
    let for_people = words("open").input(&input).text();
    assert!(compact(&for_people).contains(ODD), "{for_people}");
}

#[test]
fn a_payload_is_written_as_it_was_spelled_in_every_dialect() {
    let input = odd(&format!("{{{ODD}}}"));
    for to in DIALECTS {
        let text = words(&format!("open --quiet --to {to}")).input(&input).text();
        assert!(compact(&text).contains(ODD), "{to}: {text}");
        let answer = words(&format!("open --json --to {to}")).input(&input).data();
        let document = answer["converted"]["document"].as_str().expect("a document");
        assert!(compact(document).contains(ODD), "{to}: {document}");
    }
}

#[test]
fn a_payload_keeps_every_byte_that_json_allows_in_a_string() {
    let allowed = "\"\\uD800|\u{7f}|\u{80}|\u{9b}2J|\u{ad}|\u{2028}|\u{feff}|\u{202e}|\u{10ffff}\"";
    let input = odd(&format!(r#"{{"text":{allowed}}}"#));
    let shown = words("open --json").input(&input).out();
    assert!(shown.contains(allowed), "{shown:?}");
    for to in DIALECTS {
        for colour in ["auto", "never", "always"] {
            let line = format!("open --quiet --color {colour} --to {to}");
            let text = words(&line).input(&input).text();
            assert!(text.contains(allowed), "{line}: {text:?}");
        }
    }
}

#[test]
fn a_payload_survives_a_walk_through_every_dialect() {
    let mut document = odd(&format!(r#"{{"payload":{{{ODD}}}}}"#));
    for to in DIALECTS.iter().chain(&DIALECTS[..1]) {
        let line = format!("open --quiet --exit-code 0 --to {to}");
        document = words(&line).input(&document).text();
        assert!(compact(&document).contains(ODD), "{to}: {document}");
    }
}
