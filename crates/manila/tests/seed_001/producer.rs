//! "Coding agent notes" and "Implementation notes": rules for programs that write the envelope.

use crate::support::*;
use manila::json::{FactKind, Raw};
use manila::{
    Action, Content, DIALECTS, Defaults, Envelope, ErrorKind, ErrorObject, Exit, Fate, Meta,
    Redirect, convert, write,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const KEYS: [&str; 5] = ["ok", "data", "error", "warnings", "meta"];

fn keys(document: &Value) -> Vec<&str> {
    document.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn refused(exit: Exit, content: Content) -> Option<ErrorKind> {
    Envelope::new(exit, content).err().map(|error| error.kind())
}

fn with_meta(meta: Meta) -> Envelope {
    let data = Some(Raw::parse("[1,2,3]").expect("JSON"));
    Envelope::new(Exit::Success, Content { data, meta, ..Content::default() }).expect("a success")
}

// ---- Type representation ----

/// What a command declares as its output.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Deployment {
    id: String,
    status: String,
}

fn deployment() -> Deployment {
    Deployment { id: "deploy-42".to_owned(), status: "complete".to_owned() }
}

fn deployed() -> Envelope {
    let data = Some(Raw::from_serialize(&deployment()).expect("JSON"));
    Envelope::new(Exit::Success, Content { data, ..Content::default() }).expect("a success")
}

// Seed: "Generate ResponseEnvelope<T> as a generic type where T is the command's declared output
// schema — do not use any or object for data"
#[test]
fn data_of_a_declared_type_comes_back_as_that_type() {
    let data = written(&deployed())["data"].clone();
    assert_eq!(serde_json::from_value::<Deployment>(data).expect("a deployment"), deployment());
}

// Seed: "ok must be a derived/computed field, not a settable field — generate it as a property that
// reads the exit code, not as a constructor parameter"
#[test]
fn ok_is_a_property_that_reads_the_exit_code() {
    for &exit in Exit::ALL {
        // `Content`, all that a caller can set, has no `ok`; the class alone decides.
        let envelope = least(exit);
        assert_eq!(envelope.ok(), exit.is_success());
        let (class, content) = envelope.into_parts();
        assert_eq!(class, exit);
        let other = if exit.is_success() { Exit::General } else { Exit::Success };
        assert_eq!(refused(other, content), Some(ErrorKind::ContradictoryOutcome), "{exit:?}");
    }
}

// ---- Construction ----

// Seed: "Generate a single respond() / envelope() factory function that the framework calls after
// the command handler returns — command handlers must never construct the envelope directly"
#[test]
fn one_factory_makes_every_envelope_and_a_status_cannot_change_its_outcome() {
    for &exit in Exit::ALL {
        for status in [None, Some(0), Some(1), Some(255)] {
            // The number a process ended with is kept beside the class and never replaces it.
            let envelope = least(exit).with_status(status);
            assert_eq!((envelope.ok(), envelope.exit()), (exit.is_success(), exit));
            assert_eq!(written(&envelope), written(&least(exit)));
        }
    }
}

// Seed: "The factory derives ok from the exit code, sets meta.duration_ms from a start timer, and
// validates that error is non-null whenever exit code is non-zero"
#[test]
fn the_factory_derives_ok_states_the_duration_and_refuses_a_failure_without_an_error() {
    for exit in failures() {
        let data = least(Exit::Success).into_parts().1;
        for content in [Content::default(), data] {
            assert_eq!(refused(exit, content), Some(ErrorKind::ContradictoryOutcome), "{exit:?}");
        }
    }
    // The timer is the caller's, because the crate has no clock; the key is there without one too.
    let timed = with_meta(Meta { duration_ms: Some(340), ..Meta::default() });
    assert_eq!(written(&timed)["meta"]["duration_ms"], 340);
    assert_eq!(written(&with_meta(Meta::default()))["meta"]["duration_ms"], 0);
}

// ---- Validation to generate ----

// Seed: "A schema validator that runs on every envelope in test mode and asserts all five required
// fields are present and non-absent"
#[test]
fn the_schema_validator_asserts_all_five_required_fields_on_every_envelope() {
    for &exit in Exit::ALL {
        let document = written(&least(exit));
        for key in KEYS {
            let mut lacking = document.clone();
            lacking.as_object_mut().expect("an object").remove(key).expect("the key");
            assert!(!is_valid(&lacking), "{exit:?} without {key}");
        }
    }
}

// Seed: the same, for the documents that the seed shows itself.
#[test]
fn the_examples_satisfy_the_schema_and_are_written_again_without_loss() {
    let examples =
        [(SUCCESS, 0), (ARG_ERROR, 3), (TOKEN_EXPIRED, 8), (REDIRECTED, 13), (RATE_LIMITED, 11)];
    for (example, status) in examples {
        let mut document: Value = serde_json::from_str(example).expect("JSON");
        assert!(is_valid(&document), "{example}");
        let opened = call(example, status).opened();
        assert!(opened.facts.is_empty(), "{:?}", opened.facts);
        let conversion = opened.convert(seed(), &Defaults::default()).expect("converts");
        assert_eq!(conversion.losses, []);
        assert_eq!(conversion.written.status, status);
        // Only the revision, which the examples leave unsaid, is added.
        document["meta"]["schema_version"] = json!("1.0");
        assert_eq!(written(&opened.envelope), document);
    }
}

// Seed: "An assertion that ok == (exit_code == 0) — any divergence is a framework bug"
#[test]
fn ok_equals_exit_code_zero_for_every_class_in_every_dialect() {
    for &exit in Exit::ALL {
        for dialect in DIALECTS {
            let envelope = least(exit);
            let status = write(&envelope, *dialect, &Defaults::default()).status;
            assert_eq!(envelope.ok(), status == 0, "{exit:?} in {dialect:?}");
        }
        assert_eq!(written(&least(exit))["ok"], status_of(exit) == 0);
    }
}

// Seed: "An assertion that data and error are not both null simultaneously (unless
// meta.not_modified: true)"
#[test]
fn data_and_error_are_not_both_null_unless_not_modified() {
    assert_eq!(refused(Exit::Success, Content::default()), Some(ErrorKind::NothingToSay));
    let meta = Meta { not_modified: true, ..Meta::default() };
    assert_eq!(refused(Exit::Success, Content { meta, ..Content::default() }), None);

    let silent = |meta: &str| serde_json::from_str(&document(true, "null", "null", meta));
    assert!(!is_valid(&silent("").expect("JSON")));
    assert!(!is_valid(&silent(r#","not_modified":false"#).expect("JSON")));
    assert!(is_valid(&silent(r#","not_modified":true"#).expect("JSON")));
}

// Seed: as above. `data` is an object, an array or null; a payload that is neither must not turn
// into a document that its own reader calls malformed.
#[test]
fn data_that_the_shape_cannot_hold_does_not_leave_data_and_error_both_null() {
    let held =
        [("42", json!({ "value": 42 })), ("\"x\"", json!({ "value": "x" })), ("null", json!({}))];
    for (payload, data) in held {
        let payload = Some(Raw::parse(payload).expect("JSON"));
        let content = Content { data: payload, ..Content::default() };
        let envelope = Envelope::new(Exit::Success, content).expect("a success");
        assert_eq!(written(&envelope)["data"], data);
    }
}

// ---- Tests to generate ----

// Seed: "Success path: ok: true, data matches declared output schema, error: null"
#[test]
fn success_path() {
    let declared = json!({
        "type": "object",
        "properties": { "id": { "type": "string" }, "status": { "enum": ["complete", "failed"] } },
        "required": ["id", "status"],
        "additionalProperties": false,
    });
    let document = written(&deployed());
    assert_eq!((&document["ok"], &document["error"]), (&json!(true), &Value::Null));
    assert!(jsonschema::validator_for(&declared).expect("a schema").is_valid(&document["data"]));
    assert_eq!(document["data"], json!({ "id": "deploy-42", "status": "complete" }));
}

// Seed: "Failure path: ok: false, data: null, error has code and message"
#[test]
fn failure_path() {
    for exit in failures() {
        let mut content = least(exit).into_parts().1;
        content.data = Some(Raw::parse(r#"{"half":1}"#).expect("JSON"));
        for envelope in [least(exit), Envelope::new(exit, content).expect("a failure")] {
            let document = written(&envelope);
            assert_eq!((&document["ok"], &document["data"]), (&json!(false), &Value::Null));
            assert_eq!(document["error"], json!({ "code": "CODE", "message": "message" }));
        }
    }
}

// Seed: "Truncation path: meta.truncated: true present when output exceeds size limit"
#[test]
fn truncation_path() {
    let cursor = Some("page-2".to_owned());
    let cut = with_meta(Meta { truncated: true, cursor, ..Meta::default() });
    let document = written(&cut);
    assert_eq!(document["meta"]["truncated"], true);
    assert_eq!(document["meta"]["cursor"], "page-2");
    let next = Action::NextPage { cursor: "page-2".to_owned() };
    call(document.to_string(), 0).does(8, next);
    assert_eq!(written(&with_meta(Meta::default()))["meta"].get("truncated"), None);
}

// Seed: "Cache hit path: meta.not_modified: true, data: null, error: null, exit code 0"
#[test]
fn cache_hit_path() {
    let meta = Meta { not_modified: true, ..Meta::default() };
    let content = Content { meta, ..Content::default() };
    let envelope = Envelope::new(Exit::Success, content).expect("a success");
    let document = written(&envelope);
    assert_eq!(document["meta"]["not_modified"], true);
    assert_eq!((&document["data"], &document["error"]), (&Value::Null, &Value::Null));
    assert_eq!(write(&envelope, seed(), &Defaults::default()).status, 0);
    assert_eq!(document["ok"], true);
}

fn redirected(exit: Exit) -> Envelope {
    let command = "tool users add".to_owned();
    let redirect = Some(Redirect { command, ..Redirect::default() });
    let error = Some(ErrorObject { redirect, ..ErrorObject::new("COMMAND_RENAMED", "it moved") });
    Envelope::new(exit, Content { error, ..Content::default() }).expect("a failure")
}

// Seed: "For REDIRECTED (13): error.redirect is present with both command and permanent"
#[test]
fn redirected_carries_a_redirect_with_both_command_and_permanent() {
    let document = written(&redirected(Exit::Redirected));
    let expected = json!({ "command": "tool users add", "permanent": false });
    assert_eq!(document["error"]["redirect"], expected);
    assert_eq!(status_of(Exit::Redirected), 13);
    for key in ["command", "permanent"] {
        let mut lacking = document.clone();
        lacking["error"]["redirect"].as_object_mut().expect("an object").remove(key);
        assert!(!is_valid(&lacking), "a redirect without {key}");
        let opened = call(lacking.to_string(), 13).opened();
        // Without a command it is not a redirect at all; it stays, as an extra.
        let expected = match key {
            "command" => (FactKind::UnexpectedValue, Some("redirect")),
            key => (FactKind::MissingField, Some(key)),
        };
        assert!(opened.facts.iter().any(|fact| (fact.kind, fact.subject.as_deref()) == expected));
    }
}

// ---- Anti-patterns ----

// Seed: "Do not let command handlers set ok directly — it must be derived"
#[test]
fn a_handler_cannot_set_ok_directly() {
    // The only ways in are the free members, and what they call `ok` stays out of the document.
    for &exit in Exit::ALL {
        let mut content = least(exit).into_parts().1;
        let lie = Raw::from_serialize(&!exit.is_success()).expect("JSON");
        content.extra.push("ok", lie.clone());
        content.meta.extra.push("ok", lie);
        let envelope = Envelope::new(exit, content).expect("an envelope");
        let text = write(&envelope, seed(), &Defaults::default()).document;
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(text.starts_with(&format!("{{\"ok\":{},", exit.is_success())), "{text}");
        assert_eq!(written(&envelope)["ok"], exit.is_success());
        assert_eq!(call(text, status_of(exit)).opened().envelope.ok(), exit.is_success());
    }
}

// Seed: "Do not omit data on failure or error on success — both keys must always be present"
#[test]
fn data_is_not_omitted_on_failure_nor_error_on_success() {
    for &exit in Exit::ALL {
        let document = written(&least(exit));
        let absent_side = if exit.is_success() { "error" } else { "data" };
        assert_eq!(document.get(absent_side), Some(&Value::Null), "{exit:?}");
    }
}

// Seed: "Do not generate separate envelope shapes for success and failure — the shape is invariant"
#[test]
fn the_shape_is_invariant_across_success_and_failure() {
    let warned = |exit| {
        let (class, mut content) = least(exit).into_parts();
        content.warnings.push(manila::Warning::Text("careful".to_owned()));
        content.kind = Some("deploy".to_owned());
        content.extra.push("more", Raw::null());
        Envelope::new(class, content).expect("an envelope")
    };
    for &exit in Exit::ALL {
        for envelope in [least(exit), warned(exit)] {
            assert_eq!(keys(&written(&envelope)), KEYS, "{exit:?}");
        }
    }
}

// ---- Implementation notes ----

// Seed: "ok must be derived from the process exit code, not set by command logic. Prevents a
// command exiting non-zero with ok: true"
#[test]
fn no_command_exits_nonzero_with_ok_true() {
    for &exit in Exit::ALL {
        let written = write(&least(exit), seed(), &Defaults::default());
        let document: Value = serde_json::from_slice(&written.document).expect("JSON");
        assert_eq!(document["ok"], written.status == 0, "{exit:?}");
    }
}

// Seed: "data must always be present as a key — use null rather than omitting it"
#[test]
fn data_is_always_present_as_a_key() {
    for &exit in Exit::ALL {
        let data = written(&least(exit)).get("data").cloned();
        assert_eq!(data, Some(if exit.is_success() { json!({ "id": 1 }) } else { Value::Null }));
    }
}

// Seed: "error must always be present as a key — use null rather than omitting it"
#[test]
fn error_is_always_present_as_a_key() {
    for &exit in Exit::ALL {
        let error = written(&least(exit)).get("error").cloned().expect("the key");
        assert_eq!(error.is_null(), exit.is_success(), "{exit:?}");
    }
}

// Seed: "ResponseMeta uses additionalProperties: true to allow framework extensions without
// breaking existing parsers"
#[test]
fn extensions_of_meta_break_no_parser_and_survive() {
    let extended = document(true, "{}", "null", r#","trace":{"span":7},"region":"eu""#);
    assert!(is_valid(&serde_json::from_str(&extended).expect("JSON")));
    let opened = call(extended, 0).opened();
    assert!(opened.facts.is_empty(), "{:?}", opened.facts);
    let document = written(&opened.envelope);
    assert_eq!(document["meta"]["trace"], json!({ "span": 7 }));
    assert_eq!(document["meta"]["region"], "eu");
    // Nowhere else: the top level is closed.
    let mut wider = document;
    wider["region"] = json!("eu");
    assert!(!is_valid(&wider));
    assert!(call(wider.to_string(), 0).opened().facts.has(FactKind::UnknownKey));
}

// Seed: "error.redirect is only meaningful when the exit code is REDIRECTED (13). Parsers should
// ignore it at other exit codes"
#[test]
fn a_redirect_is_ignored_at_every_exit_code_but_redirected() {
    let with = r#","retryable":true,"redirect":{"command":"tool b","permanent":true}"#;
    for status in (0..=255).filter(|&status| status != 13) {
        let call = call(failed("X", with), status);
        let plain = crate::support::call(failed("X", r#","retryable":true"#), status);
        assert_eq!(call.action(), plain.action(), "status {status}");
        if status != 0 {
            call.notes("a redirect at any class but REDIRECTED is ignored");
        }
    }
    for exit in failures().filter(|&exit| exit != Exit::Redirected) {
        let envelope = redirected(exit);
        assert_eq!(written(&envelope)["error"].get("redirect"), None);
        let conversion = convert(&envelope, seed(), &Defaults::default()).expect("converts");
        let lost: Vec<_> = conversion.losses.iter().map(|l| (l.field.as_str(), &l.fate)).collect();
        // That no duration was known is the only other difference.
        assert!(lost.contains(&("error.redirect", &Fate::Dropped)), "{exit:?}: {lost:?}");
    }
}

// Seed: "error.code is the stable identifier agents act on. error.message is for humans and may
// change between versions"
#[test]
fn the_code_is_acted_on_and_the_message_never_is() {
    let messages = ["m", "", "TOKEN_EXPIRED", "please retry in 5 s", "deprecated"];
    for code in ["X", "TOKEN_EXPIRED", "TOKEN_MISSING", "RATE_LIMITED"] {
        for status in 1..=13 {
            let one = failed(code, r#","retryable":true"#);
            let decisions = messages.map(|message| {
                let other = one.replace(r#""message":"m""#, &format!("\"message\":\"{message}\""));
                let decision = call(other, status).decision();
                (decision.action, decision.row.number, decision.notes)
            });
            assert!(decisions.iter().all(|it| *it == decisions[0]), "{code} at {status}");
        }
    }
    call(failed("X", ""), 8).does(14, Action::AcquireCredentials);
    call(failed("TOKEN_EXPIRED", ""), 8).does(13, Action::RefreshCredentials);
}
