//! Owns: manifests and schemas that no code can be generated from, and what is said about each.
#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::dialects::WRITTEN;
use manila::{DIALECTS, dialect};
use manila_generate::{Error, ErrorKind, LANGUAGES, Manifest, Side, generate};
use serde_json::{Value, json};

/// What generating from a manifest comes to, in every language and for both sides alike.
fn error(manifest: &Value) -> Option<Error> {
    let read = match Manifest::read(manifest.to_string().as_bytes()) {
        Ok(read) => read,
        Err(error) => return Some(error),
    };
    let spoken = read.dialect().unwrap_or(DIALECTS[0]);
    let mut errors = Vec::new();
    for language in LANGUAGES {
        for side in [Side::Producer, Side::Caller] {
            errors.push(generate(language, side, spoken, Some(&read)).err());
        }
    }
    assert!(errors.windows(2).all(|pair| pair[0] == pair[1]), "{errors:?}");
    errors.pop().flatten()
}

fn with_schema(schema: Value) -> Value {
    json!({ "commands": { "list": { "output_schema": schema } } })
}

fn with_exits(exits: Value) -> Value {
    let dialect = "response-envelope/1.0";
    json!({ "dialect": dialect, "commands": { "list": { "exit_codes": exits } } })
}

#[test]
fn contradictions_are_named() {
    let exit = |name: &str, codes: Value| json!({ "name": name, "codes": codes });
    for (manifest, part) in [
        (json!([]), "has no object `commands`"),
        (json!({ "commands": {} }), "no command"),
        (json!({ "commands": { "a": 1 } }), "command \"a\""),
        (json!({ "dialect": "nobody/9", "commands": { "a": {} } }), "\"nobody/9\""),
        (json!({ "commands": { "": { "subcommands": ["b"] }, "a": {} } }), "subcommand \"b\""),
        (json!({ "commands": { "a": { "json": false, "output_schema": {} } } }), "never answers"),
        (with_exits(json!({ "x": exit("NOT_FOUND", json!([])) })), "\"x\" is not an exit code"),
        (with_exits(json!({ "300": exit("NOT_FOUND", json!([])) })), "\"300\" is not an exit code"),
        (with_exits(json!({ "5": exit("SUCCESS", json!([])) })), "5 cannot be SUCCESS"),
        (with_exits(json!({ "0": exit("NOT_FOUND", json!([])) })), "0 cannot be NOT_FOUND"),
        (with_exits(json!({ "0": exit("SUCCESS", json!(["A"])) })), "has the error code \"A\""),
        (with_exits(json!({ "5": exit("CONFLICT", json!([])) })), "but NOT_FOUND in its dialect"),
        (with_exits(json!({ "5": exit("ODD", json!([])) })), "unknown class \"ODD\""),
        (
            with_exits(json!({
                "5": exit("NOT_FOUND", json!(["A"])),
                "6": exit("CONFLICT", json!(["A"]))
            })),
            "two exit codes, 5 and 6",
        ),
        (
            json!({ "commands": {
                "a": { "exit_codes": { "5": exit("NOT_FOUND", json!(["A"])) } },
                "b": { "exit_codes": { "6": exit("CONFLICT", json!(["A"])) } }
            } }),
            "elsewhere 5",
        ),
    ] {
        let error = error(&manifest).expect("an error");
        assert_eq!(error.kind(), ErrorKind::BadManifest, "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert!(!error.suggestion().is_empty());
    }
}

#[test]
fn schemas_that_no_value_satisfies_are_named() {
    let node = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } },
                       "required": ["next"] });
    for (schema, part) in [
        (json!(false), "no value satisfies"),
        (json!(7), "a schema is an object"),
        (json!({ "type": "text" }), "\"text\" is not a type"),
        (json!({ "type": 7 }), "`type` is neither"),
        (json!({ "enum": [] }), "without values"),
        (json!({ "oneOf": [] }), "no schemas"),
        (json!({ "$ref": "#/$defs/Nothing" }), "not a definition"),
        (json!({ "$ref": "https://example.org/schema" }), "not a definition"),
        (json!({ "$ref": "#/$defs/Node", "$defs": { "Node": node } }), "without end"),
    ] {
        let error = error(&with_schema(schema)).expect("an error");
        assert_eq!(error.kind(), ErrorKind::BadSchema, "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert!(error.to_string().contains("\"list\""), "{error}");
    }
    let mut deep = json!({ "type": "string" });
    for _ in 0..100 {
        deep = json!({ "type": "array", "items": deep });
    }
    assert!(error(&with_schema(deep)).expect("an error").to_string().contains("too deeply"));
}

#[test]
fn names_that_become_one_are_named() {
    let commands = json!({ "commands": { "a-b": {}, "a.b": {} } });
    let types = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/my_type" }, "b": { "$ref": "#/$defs/MyType" } },
        "$defs": { "my_type": { "enum": ["a"] }, "MyType": { "enum": ["b"] } }
    });
    for manifest in [commands, with_schema(types)] {
        let error = error(&manifest).expect("an error");
        assert_eq!(error.kind(), ErrorKind::Collision, "{error}");
    }
}

#[test]
fn odd_names_and_recursion_are_no_errors() {
    let tree = json!({
        "$ref": "#/$defs/Schema",
        "$defs": { "Schema": {
            "type": "object",
            "properties": {
                "class": { "type": "string" },
                "日本": { "type": "string" },
                "a-b": { "type": "string" },
                "children": { "type": "array", "items": { "$ref": "#/$defs/Schema" } }
            }
        } }
    });
    let named =
        json!({ "commands": { "日本": { "output_schema": tree }, "class": {}, "2fa": {} } });
    assert_eq!(error(&named), None);
}

#[test]
fn members_that_become_one_are_named_where_they_would() {
    let schema = json!({ "type": "object", "properties": { "a-b": {}, "a_b": {} } });
    let manifest = with_schema(schema).to_string();
    let manifest = Manifest::read(manifest.as_bytes()).expect("a manifest");
    for (name, is_refused) in
        [("go", true), ("rust", true), ("python", false), ("typescript", false)]
    {
        let language = manila_generate::Language::find(name).expect("a language");
        let found = generate(language, Side::Producer, DIALECTS[0], Some(&manifest));
        assert_eq!(found.is_err(), is_refused, "{name}");
    }
}

#[test]
fn dialects_that_are_only_read_are_refused() {
    for foreign in &DIALECTS[WRITTEN.len()..] {
        let refused = generate(LANGUAGES[0], Side::Producer, *foreign, None).expect_err("refused");
        assert_eq!(refused.kind(), ErrorKind::ForeignDialect);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let spoken = dialect("response-envelope/1.0").expect("a dialect");
    let notes = support::manifest();
    for language in LANGUAGES {
        for side in [Side::Producer, Side::Caller] {
            for manifest in [None, Some(&notes)] {
                let files = || generate(language, side, spoken, manifest).expect("files");
                assert_eq!(files(), files());
                for file in files() {
                    assert!(manila_generate::File::is_generated(&file.text), "{}", file.name);
                    let left = file.text.matches("{{").count();
                    assert_eq!(left, 0, "{} of {}: {}", file.name, language.name, file.text);
                    assert!(file.text.ends_with('\n') && !file.text.ends_with("\n\n"));
                }
            }
        }
    }
}
