//! The judging held against the `jsonschema` crate, on the schemas of the dialects and on every keyword.

use super::{Kind, Mismatch, Validator};
use jsonschema::error::ValidationErrorKind;
use serde_json::{Value, json};

type Mismatched = (Vec<String>, &'static str, bool, String);

fn ours(mismatch: &Mismatch<'_>) -> Mismatched {
    let kind = match &mismatch.kind {
        Kind::AnyOf(_) => "any",
        Kind::Required(_) => "required",
        Kind::AdditionalProperties(_) => "additional",
        Kind::Type => "type",
        Kind::FalseSchema => "false",
        Kind::Pattern => "pattern",
        Kind::Minimum => "minimum",
        Kind::Other => "other",
    };
    (mismatch.path.clone(), kind, mismatch.is_conditional, mismatch.message.clone())
}

fn theirs(error: &jsonschema::ValidationError<'_>) -> Mismatched {
    let kind = match error.kind() {
        ValidationErrorKind::AnyOf { .. } => "any",
        ValidationErrorKind::Required { .. } => "required",
        ValidationErrorKind::AdditionalProperties { .. } => "additional",
        ValidationErrorKind::Type { .. } => "type",
        ValidationErrorKind::FalseSchema => "false",
        ValidationErrorKind::Pattern { .. } => "pattern",
        ValidationErrorKind::Minimum { .. } => "minimum",
        _ => "other",
    };
    let path = error.instance_path().iter().map(|it| it.to_string()).collect();
    let is_conditional = error.schema_path().as_str().contains("/then/");
    (path, kind, is_conditional, error.masked_with("it").to_string())
}

/// How many mismatches both find.
fn compare(schema: &Value, documents: &[Value], differences: &mut Vec<String>) -> usize {
    let validator = Validator::new(schema).unwrap_or_else(|| panic!("a schema: {schema}"));
    let reference = jsonschema::validator_for(schema).unwrap_or_else(|e| panic!("{e}: {schema}"));
    let mut count = 0;
    for document in documents {
        let mut found: Vec<Mismatched> =
            validator.mismatches(document).expect("little").iter().map(ours).collect();
        let mut expected: Vec<Mismatched> =
            reference.iter_errors(document).map(|it| theirs(&it)).collect();
        found.sort();
        expected.sort();
        if found != expected {
            differences.push(format!("{document}\n  {found:?}\n  {expected:?}\n  {schema}"));
        }
        assert_eq!(validator.mismatch(document).map(|it| it.is_none()), Ok(expected.is_empty()));
        count += expected.len();
    }
    count
}

fn none(differences: &[String]) {
    let shown = differences.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences:\n{shown}", differences.len());
}

/// A document with each of its values left out, and replaced by values of each type.
fn variants(document: &Value) -> Vec<Value> {
    let others =
        [json!(null), json!(true), json!(7), json!(-1.5), json!("x"), json!([]), json!({})];
    let mut all = vec![document.clone()];
    all.extend(others.iter().cloned());
    match document {
        Value::Object(members) => {
            let mut more = document.clone();
            more["unheard-of"] = json!(1);
            all.push(more);
            for (key, member) in members {
                let mut less = members.clone();
                less.remove(key);
                all.push(Value::Object(less));
                for variant in variants(member) {
                    let mut changed = document.clone();
                    changed[key] = variant;
                    all.push(changed);
                }
            }
        }
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                for variant in variants(element) {
                    let mut changed = document.clone();
                    changed[at] = variant;
                    all.push(changed);
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn answers_in_every_dialect_are_judged_as_the_reference_judges_them() {
    let texts = [
        r#"{"ok":true,"data":{"a":1},"error":null,"warnings":["w"],"meta":{"duration_ms":1,"schema_version":"1.0"}}"#,
        r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m","retryable":false,"phase":"execution",
            "suggestion":"s"},"warnings":[],"meta":{"duration_ms":1,"request_id":"r"}}"#,
        r#"{"ok":true,"kind":"k","issues":[{"code":"c","message":"m"}],"meta":{"apiVersion":"1"}}"#,
        r#"{"schema":"animus.cli.v1","ok":false,"error":{"code":"not_found","message":"m","exit_code":3}}"#,
        r#"{"type":"error","error":"e","error_kind":"k","kind":"config","status":"error","hint":"h"}"#,
        r#"{"timestamp":"t","command":"c","exit_code":0,"output_format":"json","schema_version":"1.0","data":{}}"#,
        r#"{"success":false,"error":{"code":1,"message":"m"},"data":[]}"#,
    ];
    let documents: Vec<Value> = texts
        .iter()
        .flat_map(|text| variants(&serde_json::from_str(text).expect("a document")))
        .collect();
    let (mut mismatches, mut differences) = (0, Vec::new());
    for dialect in manila::DIALECTS {
        let Some(schema) = manila::schema(*dialect, None) else { continue };
        mismatches += compare(&schema, &documents, &mut differences);
    }
    none(&differences);
    assert!(mismatches > 1_000, "{mismatches}");
}

#[test]
fn every_keyword_is_judged_as_the_reference_judges_it() {
    let documents = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(1.0),
        json!(2.5),
        json!(0.3),
        json!(-3),
        json!(u64::MAX),
        json!(""),
        json!("a"),
        json!("ab1"),
        json!("äöü"),
        json!([]),
        json!([1]),
        json!([1, 1.0]),
        json!([1, "a", 2]),
        json!([[1], [1]]),
        json!([{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]),
        json!({}),
        json!({"a": 1}),
        json!({"a": "x", "b": 2}),
        json!({"ab": 1, "b": null}),
        json!({"a": {"a": {"a": 1}}}),
        json!({"next": {"next": {}}}),
    ];
    let schemas = [
        json!(true),
        json!(false),
        json!({}),
        json!({"type": "integer"}),
        json!({"type": ["string", "null"]}),
        json!({"enum": [1, "a", null]}),
        json!({"enum": [1, 2, 3, 4, 5]}),
        json!({"enum": ["a"]}),
        json!({"const": {"a": 1}}),
        json!({"const": 1}),
        json!({"minimum": 1}),
        json!({"maximum": 1}),
        json!({"exclusiveMinimum": 1}),
        json!({"exclusiveMaximum": 1}),
        json!({"multipleOf": 0.1}),
        json!({"multipleOf": 2}),
        json!({"minLength": 1}),
        json!({"maxLength": 2}),
        json!({"pattern": "^\\w+\\d$"}),
        json!({"pattern": "^[^\\d]*$"}),
        json!({"minItems": 2}),
        json!({"maxItems": 1}),
        json!({"uniqueItems": true}),
        json!({"items": {"type": "integer"}}),
        json!({"items": false}),
        json!({"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false}),
        json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}),
        json!({"contains": {"type": "string"}}),
        json!({"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}),
        json!({"minProperties": 1}),
        json!({"maxProperties": 1}),
        json!({"required": ["a", "c"]}),
        json!({"properties": {"a": {"type": "integer"}, "b": false}}),
        json!({"properties": {"a": {}}, "additionalProperties": false}),
        json!({"properties": {"a": {}}, "patternProperties": {"^ab$": {"type": "string"}}, "additionalProperties": {"type": "null"}}),
        json!({"additionalProperties": {"type": "integer"}}),
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"dependentRequired": {"a": ["b"]}}),
        json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
        json!({"allOf": [{"type": "object"}, {"required": ["a"]}]}),
        json!({"anyOf": [{"type": "null"}, {"required": ["b"]}]}),
        json!({"oneOf": [{"type": "integer"}, {"minimum": 1}]}),
        json!({"not": {"type": "string"}}),
        json!({"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"type": "array"}}),
        json!({"if": {"required": ["a"]}, "then": {"properties": {"a": {"type": "integer"}}}}),
        json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {"type": "object"}}, "required": ["a"]}),
        json!({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}, "a": {"$ref": "#/$defs/n"}},
            "type": "object"}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a",
            "definitions": {"a": {"type": "object"}}, "required": ["a"]}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}], "additionalItems": false}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"], "ab": {"required": ["c"]}}}),
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}),
        json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{"type": "integer"}],
            "additionalItems": {"type": "string"}}),
        json!({"title": "t", "format": "email", "x-own": [1]}),
    ];
    let mut differences = Vec::new();
    let counts = schemas.iter().map(|schema| compare(schema, &documents, &mut differences));
    let mismatches: usize = counts.sum();
    none(&differences);
    assert!(mismatches > 300, "{mismatches}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for schema in [
        json!({"type": "table"}),
        json!({"type": 1}),
        json!({"required": "a"}),
        json!({"pattern": "("}),
        json!({"$ref": "https://example.com/schema"}),
        json!({"$ref": "#/$defs/missing"}),
        json!({"unevaluatedProperties": false}),
        json!({"$schema": "https://example.com/meta"}),
        json!([]),
        json!({"properties": {"a": 1}}),
    ] {
        assert!(Validator::new(&schema).is_none(), "{schema}");
    }
}

#[test]
fn references_that_lead_nowhere_end() {
    let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}});
    let validator = Validator::new(&schema).expect("a schema");
    assert!(validator.mismatch(&json!(1)).is_ok_and(|it| it.is_none()));
}

/// A text with another one around it, so many times.
fn nested(begin: &str, inner: &str, end: &str, depth: usize) -> String {
    format!("{}{inner}{}", begin.repeat(depth), end.repeat(depth))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn schemas_and_documents_of_any_depth_are_judged_or_refused() {
    const MANY: usize = 100_000;
    for text in [
        nested("[", "", "]", MANY),
        nested(r#"{"not":"#, "true", "}", MANY),
        nested(r#"{"properties":{"a":"#, "true", "}}", MANY),
    ] {
        assert!(serde_json::from_str::<Value>(&text).is_err(), "a tree is never so deep");
    }
    // As deep as a tree can be, in the schema and in the document, with references in between.
    let document = parsed(&nested("[", "1", "]", 120));
    let schema = nested(r#"{"allOf":["#, r##"{"$ref":"#/$defs/b"}"##, "]}", 40);
    let schema =
        format!(r##"{{"$ref":"#/$defs/a","$defs":{{"a":{schema},"b":{{"$ref":"#/$defs/a"}}}}}}"##);
    let validator = Validator::new(&parsed(&schema)).expect("a schema");
    assert!(validator.mismatch(&document).is_err(), "references lead to references");
    let items = json!({"items": {"$ref": "#"}, "not": {"type": "string"}});
    let validator = Validator::new(&items).expect("a schema");
    assert!(validator.mismatch(&document).is_ok_and(|it| it.is_none()));
}

#[test]
fn work_that_doubles_with_each_step_ends() {
    let twice = json!([{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {keyword: twice}}});
        let validator = Validator::new(&schema).expect("a schema");
        assert!(validator.mismatch(&json!(1)).is_err(), "{keyword}");
        assert!(validator.mismatches(&json!(1)).is_err(), "{keyword}");
    }
    let below = json!({"anyOf": [{"items": {"$ref": "#"}, "type": "null"}, {"items": {"$ref": "#"}, "type": "null"}]});
    let validator = Validator::new(&below).expect("a schema");
    assert!(validator.mismatches(&parsed(&nested("[", "1", "]", 120))).is_err());
    let options: Vec<u32> = (0..100_000).collect();
    let validator = Validator::new(&json!({"items": {"enum": options}})).expect("a schema");
    let others: Vec<u32> = (200_000..300_000).collect();
    assert!(validator.mismatches(&json!(others)).is_err());
    // A chain of references that ends is followed.
    let mut definitions = serde_json::Map::new();
    for at in 0..60 {
        definitions.insert(at.to_string(), json!({"$ref": format!("#/$defs/{}", at + 1)}));
    }
    definitions.insert("60".to_owned(), json!({"type": "string"}));
    let chain = json!({"$ref": "#/$defs/0", "$defs": definitions});
    let validator = Validator::new(&chain).expect("a schema");
    assert!(validator.mismatch(&json!(1)).is_ok_and(|it| it.is_some()));
}

#[test]
fn huge_patterns_are_refused_and_values_compared_without_growing() {
    for pattern in
        ["(?:a{1000}){1000}".to_owned(), nested("(", "a", ")", 100_000), "a".repeat(1 << 20)]
    {
        assert!(Validator::new(&json!({"pattern": pattern})).is_none());
    }
    let many: serde_json::Map<String, Value> =
        (0..2_000).map(|at| (format!("^a{at}$"), json!(true))).collect();
    assert!(Validator::new(&json!({"patternProperties": many})).is_none());
    let validator = Validator::new(&json!({"uniqueItems": true})).expect("a schema");
    let deep = nested(r#"{"a\"":"#, "1", "}", 120);
    let (same, other) =
        (format!("[{deep},{deep}]"), format!("[{deep},{}]", deep.replace('1', "2")));
    assert!(validator.mismatch(&parsed(&same)).is_ok_and(|it| it.is_some()));
    assert!(validator.mismatch(&parsed(&other)).is_ok_and(|it| it.is_none()));
}
