//! The JSON Schemas of what the library serialises by hand: what is always there, and no more.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

fn span() -> Value {
    json!({
        "type": "object",
        "required": ["start", "end"],
        "properties": { "start": { "type": "integer" }, "end": { "type": "integer" } },
    })
}

fn stream() -> Value {
    json!({ "enum": ["stdout", "stderr"] })
}

/// An envelope in its normal form, how it was found and, if it was, what it was converted to.
pub(crate) fn opened() -> Schema {
    json_schema!({
        "type": "object",
        "required": [
            "dialect", "shape", "confidence", "others", "stream", "span", "noise", "facts",
            "facts_not_listed", "envelope",
        ],
        "properties": {
            "dialect": { "type": "string" },
            "shape": { "type": "string" },
            "confidence": { "enum": ["certain", "likely", "possible"] },
            "others": { "type": "array", "items": {
                "type": "object", "required": ["dialect", "confidence"],
            } },
            "stream": stream(),
            "span": span(),
            "noise": { "type": "array", "items": {
                "type": "object",
                "required": ["stream", "kind", "span"],
                "properties": { "stream": stream(), "span": span() },
            } },
            "facts": { "type": "array", "items": {
                "type": "object",
                "required": ["fact", "span", "subject"],
                "properties": { "fact": { "type": "string" }, "span": span() },
            } },
            "facts_not_listed": { "type": "integer" },
            "envelope": envelope(),
            "converted": {
                "type": "object",
                "required": ["dialect", "stream", "status", "document", "losses"],
                "properties": {
                    "dialect": { "type": "string" },
                    "stream": stream(),
                    "status": { "type": "integer" },
                    "document": { "type": "string" },
                    "losses": { "type": "array", "items": {
                        "type": "object",
                        "required": ["field", "fate", "value", "now", "span"],
                        "properties": {
                            "field": { "type": "string" },
                            "fate": { "enum": ["dropped", "changed", "invented"] },
                            "span": { "anyOf": [span(), { "type": "null" }] },
                        },
                    } },
                },
            },
        },
    })
}

fn envelope() -> Value {
    json!({
        "type": "object",
        "required": [
            "ok", "exit", "status", "kind", "data", "error", "issues", "warnings", "found", "name",
            "meta", "extra",
        ],
        "properties": {
            "ok": { "type": "boolean" },
            "exit": { "type": "string" },
            "status": { "type": ["integer", "null"] },
            "kind": { "type": ["string", "null"] },
            "error": {
                "type": ["object", "null"],
                "required": ["code", "message"],
                "properties": { "code": { "type": "string" }, "message": { "type": "string" } },
            },
            "issues": { "type": "array" },
            "warnings": { "type": "array" },
            "meta": { "type": "object" },
            "extra": { "type": "object" },
        },
    })
}

/// What to do, and what belongs to it.
pub(crate) fn action(_: &mut SchemaGenerator) -> Schema {
    let text = || json!({ "type": "string" });
    let argv = || json!({ "type": "array", "items": { "type": "string" } });
    json_schema!({
        "type": "object",
        "required": ["do"],
        "properties": {
            "do": { "enum": [
                "accept", "use-cache", "next-page", "retry", "correct-arguments",
                "refresh-credentials", "acquire-credentials", "redirect", "apply-fix",
                "inspect-state", "give-up", "escalate",
            ] },
            "cursor": text(),
            "wait_ms": { "type": "integer" },
            "change": { "enum": ["without-etag", null] },
            "command": text(),
            "argv": argv(),
            "remember": { "type": "boolean" },
        },
    })
}
