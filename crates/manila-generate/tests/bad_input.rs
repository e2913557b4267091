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

#[test]
fn schemas_that_refer_to_themselves_without_a_step_are_named() {
    let a = |schema: Value| json!({ "$ref": "#/$defs/A", "$defs": { "A": schema } });
    let again = json!({ "$ref": "#/$defs/A" });
    for schema in [
        json!({ "$ref": "#" }),
        a(again.clone()),
        a(json!({ "anyOf": [again] })),
        a(json!({ "type": "object", "properties": { "a": {} }, "allOf": [again] })),
        a(json!({ "not": again })),
        a(json!({ "if": again, "then": true })),
        a(json!({ "dependentSchemas": { "a": again } })),
        json!({ "items": { "$ref": "#/$defs/A" }, "$defs": {
            "A": { "oneOf": [{ "$ref": "#/$defs/B" }] },
            "B": { "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] }
        } }),
    ] {
        let error = error(&with_schema(schema)).expect("an error");
        assert_eq!(error.kind(), ErrorKind::BadSchema, "{error}");
        assert!(error.to_string().contains("refers to itself without end"), "{error}");
    }
    let list = json!({ "type": "object", "properties": { "all": { "items": { "$ref": "#" } } } });
    assert_eq!(error(&with_schema(list)), None);
}

#[test]
fn a_schema_with_many_ways_down_ends() {
    let child = json!({ "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] });
    let names: Vec<String> = ('a'..='t').map(String::from).collect();
    let children: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), child.clone())).collect();
    let node = json!({ "type": "object", "required": names, "properties": children });
    let schema = json!({ "$ref": "#/$defs/Node", "$defs": { "Node": node } });
    assert_eq!(error(&with_schema(schema)), None);
}

/// Text from a manifest that would end a comment, a text or a template, or turn what people read.
const HOSTILE: &[&str] = &[
    "*/ evil() /*",
    "\"\"\" + evil() + \"\"\"",
    "`; evil(); `${evil()}`",
    "\"##; evil(); r##\"",
    "a\u{2028}evil()\u{2029}\r\nevil()",
    "\u{202e}\u{2066}\u{feff}\u{200b}\u{0}evil()",
    "{{imports}} {{header}}",
    "\\",
    "see fmt.Println and io.EOF",
];

#[test]
fn hostile_text_stays_text() {
    let command = |text: &str| {
        json!({
            "description": text,
            "output_kinds": [text],
            "output_schema": {
                "type": "object",
                "description": text,
                "properties": { "a": { "enum": [text, "b"], "description": text } }
            },
            "exit_codes": { "5": { "name": "NOT_FOUND", "codes": [text] } }
        })
    };
    let commands = HOSTILE.iter().enumerate();
    let commands: serde_json::Map<String, Value> =
        commands.map(|(number, text)| (format!("c{number}"), command(text))).collect();
    let name = HOSTILE.concat();
    let manifest = json!({ "tool": { "name": name, "version": name }, "commands": commands });
    let manifest = Manifest::read(manifest.to_string().as_bytes()).expect("a manifest");
    for language in LANGUAGES {
        for side in [Side::Producer, Side::Caller] {
            for file in generate(language, side, DIALECTS[0], Some(&manifest)).expect("files") {
                let place = format!("{} of {}", file.name, language.name);
                let is_hidden = |it: char| {
                    (it != '\n' && it != '\t' && manila::visible::is_unseen(it))
                        || matches!(it, '\u{2028}' | '\u{2029}')
                };
                assert_eq!(file.text.find(is_hidden), None, "{place}");
                let is_evil = |it: &str| it.trim_start().starts_with("evil");
                assert!(!file.text.lines().any(is_evil), "{place}");
                let header = file.text.lines().next().unwrap_or_default();
                assert!(header.ends_with("see fmt.Println and io.EOF."), "{header}");
            }
        }
    }
}

/// The code of a source, without comments and without what is in texts of several lines.
fn code(text: &str) -> String {
    let mut is_text = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let marks = ["\"\"\"", "`", "r##\"", "\"##"].iter().map(|it| line.matches(it).count());
        let is_turned = marks.max().unwrap_or_default() % 2 == 1;
        let code = line.trim_start();
        let is_comment = ["//", "#", "*", "/*", "\"\"\""].iter().any(|it| code.starts_with(it));
        if !is_text && !is_turned && !is_comment {
            lines.push(line.split(" // ").next().unwrap_or_default());
        }
        is_text ^= is_turned;
    }
    lines.join("\n")
}

/// The names of a source that a type may have.
fn names_of(code: &str) -> Vec<String> {
    let words = code.split(|it: char| !it.is_alphanumeric() && it != '_');
    let is_type = |word: &&str| {
        // Of two capitals the second becomes small.
        let is_upper = |it: &u8| it.is_ascii_uppercase();
        let has_capitals = word.as_bytes().windows(2).any(|pair| pair.iter().all(is_upper));
        word.starts_with(|it: char| it.is_ascii_uppercase()) && !has_capitals && !word.contains('_')
    };
    let mut names: Vec<String> = words.filter(is_type).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// What a source declares at its top, as often as it does.
fn declared(code: &str) -> Vec<&str> {
    let is_end = |it: char| !it.is_alphanumeric() && it != '_';
    let one = |line: &str| -> Option<usize> {
        let line = line.strip_prefix("export ").or(line.strip_prefix("pub ")).unwrap_or(line);
        let words = [
            "interface",
            "class",
            "struct",
            "enum",
            "type",
            "trait",
            "func",
            "def",
            "const",
            "var",
        ];
        let rest = words.iter().find_map(|word| line.strip_prefix(word)?.strip_prefix(' '));
        let python =
            line.contains(" = ").then_some(line).or(line.contains(": TypeAlias").then_some(line));
        Some(rest.or(python)?.len())
    };
    let name = |line: &'_ str| -> Option<std::ops::Range<usize>> {
        let start = line.len() - one(line)?;
        let length = line[start..].find(is_end).unwrap_or(line.len() - start);
        line[start..].starts_with(|it: char| it.is_ascii_uppercase()).then(|| start..start + length)
    };
    code.lines().filter_map(|line| Some(&line[name(line)?])).collect()
}

#[test]
fn no_type_of_a_manifest_takes_a_name_of_the_generated_code() {
    let mut taken = std::collections::BTreeSet::new();
    for language in LANGUAGES {
        for side in [Side::Producer, Side::Caller] {
            let source = |manifest: &Value| {
                let manifest = Manifest::read(manifest.to_string().as_bytes()).expect("a manifest");
                let files = generate(language, side, DIALECTS[0], Some(&manifest)).expect("files");
                let file = files
                    .into_iter()
                    .find(|it| !it.name.contains("test") && !it.name.ends_with("toml"));
                code(&file.expect("a file").text)
            };
            let bare = source(&json!({ "commands": { "x": {} } }));
            // Constants of Go depend on the codes; a package that has a name twice is refused.
            let is_constant = |it: &String| {
                ["Code", "Exit", "Phase", "Reason", "RetryStrategy"]
                    .iter()
                    .any(|start| it.starts_with(start))
            };
            let names: Vec<String> =
                names_of(&bare).into_iter().filter(|it| !is_constant(it)).collect();
            let of = |name: &String| {
                (name.clone(), json!({ "type": "object", "properties": { "a": {} } }))
            };
            let refer = |name: &String| {
                (name.to_lowercase() + name, json!({ "$ref": format!("#/$defs/{name}") }))
            };
            let properties: serde_json::Map<String, Value> = names.iter().map(refer).collect();
            let definitions: serde_json::Map<String, Value> = names.iter().map(of).collect();
            let schema =
                json!({ "type": "object", "properties": properties, "$defs": definitions });
            let both = source(&with_schema(schema));
            let (own, all) = (declared(&bare), declared(&both));
            for name in &names {
                let count = |all: &[&str]| all.iter().filter(|it| *it == name).count();
                if count(&own) > 0 && count(&all) > count(&own) {
                    taken.insert(name.clone());
                }
            }
        }
    }
    assert!(taken.is_empty(), "RESERVED lacks {taken:?}");
}

#[test]
fn a_name_that_a_package_of_go_has_twice_is_named() {
    let codes = json!({ "5": { "name": "NOT_FOUND", "codes": ["NO_SUCH_NOTE"] } });
    let schema = json!({ "$ref": "#/$defs/CodeNoSuchNote",
        "$defs": { "CodeNoSuchNote": { "type": "object", "properties": { "a": {} } } } });
    let manifest = json!({ "commands": { "a": { "output_schema": schema, "exit_codes": codes } } });
    let members = |key: &str| {
        with_schema(json!({ "type": "object", "properties": { key: { "type": "string" } } }))
    };
    let go = manila_generate::Language::find("go").expect("a language");
    let part = |manifest: &Value| {
        let manifest = Manifest::read(manifest.to_string().as_bytes()).expect("a manifest");
        let made = generate(go, Side::Producer, DIALECTS[0], Some(&manifest));
        made.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(part(&manifest).contains("would be called CodeNoSuchNote"));
    for key in ["a,b", "a`b", "a\"b", "a\\b", "\u{202e}"] {
        assert!(part(&members(key)).contains("has no tag for the member"), "{key}");
    }
    assert_eq!(part(&members("-")), "");
}
