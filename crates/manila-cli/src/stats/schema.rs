//! The JSON Schema of what `manila stats` answers: what is always there, and no more.

use schemars::{Schema, json_schema};
use serde_json::{Value, json};

fn list(item: &Value) -> Value {
    json!({ "type": "array", "items": item })
}

fn object(required: &[&str], properties: &Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn or_null(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn durations() -> Value {
    let number = json!({ "type": "integer" });
    let names = ["count", "mean", "p50", "p90", "p99", "max"];
    let properties: serde_json::Map<_, _> =
        names.iter().map(|name| ((*name).to_owned(), number.clone())).collect();
    object(&names, &Value::Object(properties))
}

fn table() -> Value {
    let (integer, share) = (json!({ "type": "integer" }), json!({ "type": "number" }));
    let time = json!({ "type": ["string", "null"] });
    let row = object(
        &["values", "records", "share", "failures", "failure_rate", "durations", "first", "last"],
        &json!({
            "values": list(&json!({ "type": ["string", "null"] })),
            "records": integer, "share": share, "failures": integer, "failure_rate": share,
            "durations": or_null(&durations()), "first": time, "last": time,
        }),
    );
    object(
        &["by", "rows", "more", "other", "without"],
        &json!({
            "by": list(&json!({ "type": "string" })),
            "rows": list(&row),
            "more": integer, "other": integer, "without": integer,
        }),
    )
}

fn times() -> Value {
    let time = json!({ "type": ["string", "null"] });
    object(
        &["dated", "first", "last", "per_second", "durations", "percentile_error"],
        &json!({
            "dated": { "type": "integer" }, "first": time, "last": time,
            "per_second": { "type": ["number", "null"] },
            "durations": or_null(&durations()),
            "percentile_error": { "type": "number" },
        }),
    )
}

fn storms() -> Value {
    let row = object(
        &[
            "dialect", "program", "command", "code", "failures", "storms", "repeats", "longest",
            "busiest",
        ],
        &json!({
            "failures": { "type": "integer" }, "storms": { "type": "integer" },
            "repeats": { "type": "integer" },
            "longest": object(&["count", "input", "line"], &json!({})),
            "busiest": or_null(&object(&["begin", "failures"], &json!({}))),
        }),
    );
    object(
        &["from", "window_s", "rows", "more", "unwatched"],
        &json!({ "from": { "type": "integer" }, "window_s": { "type": "integer" }, "rows": list(&row) }),
    )
}

fn drift() -> Value {
    let counts = list(&json!({ "type": "integer" }));
    let row = object(
        &["thing", "name", "change", "records", "first_record", "last_record", "counts"],
        &json!({
            "thing": { "enum": ["dialect", "code", "command", "field"] },
            "name": { "type": "string" },
            "change": { "enum": ["appeared", "vanished", "came-and-went"] },
            "counts": counts,
        }),
    );
    object(
        &["along", "begin", "width", "counts", "rows", "more", "is_cut"],
        &json!({ "along": { "enum": ["time", "position"] }, "counts": counts, "rows": list(&row) }),
    )
}

pub(crate) fn stats() -> Schema {
    let integer = json!({ "type": "integer" });
    json_schema!({
        "type": "object",
        "required": ["schema", "inputs", "bytes", "records", "good", "failures", "failure_rate", "unreadable", "unread", "unfinished"],
        "properties": {
            "schema": { "const": "manila-stats/1" },
            "inputs": integer, "bytes": integer, "records": integer, "good": integer,
            "failures": integer, "failure_rate": { "type": "number" }, "unreadable": integer,
            "since": object(&["time", "earlier", "undated"], &json!({})),
            "times": times(),
            "tables": list(&table()),
            "storms": storms(),
            "drift": drift(),
            "parquet": object(&["directory", "rows", "files", "bytes", "unwritten"], &json!({})),
            "unread": list(&object(&["file", "error"], &json!({}))),
            "unfinished": integer,
        },
    })
}
