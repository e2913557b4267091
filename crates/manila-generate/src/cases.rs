//! What generated tests expect: documents as manila itself writes them, and changes that break them.

use crate::contract::{CodeRow, Contract};
use crate::example;
use crate::layout::{GivenType, Layout, Part, Slot};
use crate::schema::is_valid;
use manila::json::Raw;
use manila::table::Field;
use manila::{Defaults, Envelope, ErrorObject, Exit, Meta, Redirect, write};
use serde_json::{Map, Value, json};

/// The kind of the answers in tests.
pub(crate) const KIND: &str = "sample";
pub(crate) const MESSAGE: &str = "There is no such thing";
pub(crate) const SUGGESTION: &str = "List all of them first";
pub(crate) const REPLACEMENT: &str = "tool users add --name alice";

/// The payload of the success path.
pub(crate) fn data() -> Value {
    json!({ "id": "deploy-42", "state": "complete" })
}

/// How a member stands in the payload of a document: with the spaces and escapes of the dialect.
pub(crate) fn spelled(contract: &Contract, name: &str) -> String {
    let data = Raw::from_serialize(&json!({ name: 1 })).unwrap_or_else(|_| Raw::null());
    let written = write(&Envelope::success(data), contract.dialect, &Defaults::default());
    let text = String::from_utf8_lossy(&written.document).into_owned();
    let is_name = |at: &usize| {
        [name, "\\u00e9"].iter().any(|it| text[*at + 1..].starts_with(&format!("{it}\"")))
    };
    let start = text.match_indices('"').map(|(at, _)| at).find(is_name).unwrap_or_default();
    let end = text[start..].find('1').map_or(text.len(), |length| start + length + 1);
    let found = &text[text[..start].trim_end().len()..end];
    // manila leaves a payload as it is.
    let is_ascii = contract.table.success.style.ascii;
    if is_ascii { found.replace('é', "\\u00e9") } else { found.to_owned() }
}

/// What the tests of a producer expect.
#[derive(Debug)]
pub(crate) struct Cases {
    /// The documents by path.
    pub expected: Map<String, Value>,
    pub broken: Vec<Value>,
    pub accepted: Vec<Value>,
    /// Members that differ from run to run, and what they are in the documents.
    pub volatile: Vec<(String, Value)>,
    /// A command, a payload that its schema allows, and one that it does not.
    pub samples: Vec<(String, Value, Value)>,
}

impl Cases {
    pub(crate) fn new(contract: &Contract, layout: &Layout) -> Cases {
        let expected = expected(contract, layout);
        let schema = &contract.envelope_schema;
        let mut broken = Vec::new();
        let mut accepted = Vec::new();
        let mut met = Vec::new();
        for (of, document) in &expected {
            let mut paths = Vec::new();
            collect(document, "", &mut paths);
            for path in paths {
                if met.contains(&path) {
                    continue;
                }
                met.push(path.clone());
                let mut add = |edit: Value, document: Value| {
                    let list = if is_valid(schema, &document, schema) {
                        &mut accepted
                    } else {
                        &mut broken
                    };
                    list.push(edit);
                };
                if !path.ends_with("surprise") {
                    add(json!({ "of": of, "path": path }), changed(document, &path, None));
                }
                for value in
                    [json!(-7), json!("surprise"), json!(null), json!(true), json!([7]), json!({})]
                {
                    let edit = json!({ "of": of, "path": path, "value": value });
                    add(edit, changed(document, &path, Some(value)));
                }
            }
        }
        let mut volatile = Vec::new();
        if let Some(document) = expected.get("success") {
            find_volatile(&layout.success, document, "", &mut volatile);
        }
        let samples = contract.commands.iter().filter_map(|command| {
            let schema = command.schema.as_ref()?;
            let root = json!({ "$defs": contract.schemas });
            let good = example::of(schema, &root).filter(|good| !good.is_null())?;
            // What the envelope allows comes first, so that only the schema of the command refuses it.
            let bad = [json!([7]), json!({}), json!(-7), json!("surprise")];
            let bad = bad.into_iter().find(|bad| !is_valid(schema, bad, &root))?;
            Some((command.path.clone(), good, bad))
        });
        let samples = samples.collect();
        Cases { expected, broken, accepted, volatile, samples }
    }
}

/// The documents as manila writes them.
fn expected(contract: &Contract, layout: &Layout) -> Map<String, Value> {
    let mut all = Map::new();
    let raw = |value: &Value| Raw::from_serialize(value).unwrap_or_else(|_| Raw::null());
    let mut add = |name: &str, envelope: Envelope| {
        let meta = Meta { duration_ms: Some(0), ..Meta::default() };
        let kind = layout.kind.map(|_| KIND.to_owned());
        let envelope = envelope.with_kind(kind).with_own_meta(meta);
        let written = write(&envelope, contract.dialect, &Defaults::default());
        let document = serde_json::from_slice(&written.document).unwrap_or_default();
        all.insert(name.to_owned(), document);
    };
    add("success", Envelope::success(raw(&data())));
    let row = contract.any_code();
    let error = ErrorObject {
        retryable: retryable(contract, row),
        suggestion: Some(SUGGESTION.to_owned()),
        ..ErrorObject::new(row.code.clone(), MESSAGE)
    };
    add("failure", Envelope::failure(row.exit, error));
    if layout.meta_name(Field::Truncated).is_some() {
        let items = json!([{ "id": 0 }, { "id": 1 }, { "id": 2 }]);
        add("truncation", Envelope::success(raw(&items)).with_rest(Some("3".to_owned())));
    }
    if layout.meta_name(Field::NotModified).is_some() {
        let meta = Meta { not_modified: true, ..Meta::default() };
        let content = manila::Content { meta, ..manila::Content::default() };
        if let Ok(envelope) = Envelope::new(Exit::Success, content) {
            add("cache_hit", envelope);
        }
    }
    if let Some(row) = redirect(contract, layout) {
        let redirect = Redirect {
            command: REPLACEMENT.to_owned(),
            permanent: true,
            reason: Some("renamed".to_owned()),
            ..Redirect::default()
        };
        let error = ErrorObject {
            retryable: retryable(contract, row),
            redirect: Some(redirect),
            ..ErrorObject::new(row.code.clone(), "It was renamed")
        };
        add("redirect", Envelope::failure(Exit::Redirected, error));
    }
    all
}

/// The code of a command that has moved, where the dialect has a place for its replacement.
pub(crate) fn redirect<'c>(contract: &'c Contract, layout: &Layout) -> Option<&'c CodeRow> {
    let has_place =
        layout.error.iter().any(|given| matches!(given.of, GivenType::Object("redirect", _)));
    contract.code_of(Exit::Redirected).filter(|_| has_place)
}

/// What `fail()` says about calling again unless a handler knows better.
fn retryable(contract: &Contract, row: &CodeRow) -> Option<bool> {
    Some(is_retryable(contract, row.status))
}

/// Whether the same call may be made again after this number.
pub(crate) fn is_retryable(contract: &Contract, status: i32) -> bool {
    let row = contract.table.exits.row(status);
    row.is_some_and(|row| row.retry == manila::exit::Retry::Yes)
}

fn collect(value: &Value, path: &str, paths: &mut Vec<String>) {
    let Value::Object(members) = value else { return };
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, member) in members {
        paths.push(below(name));
        // The content of a payload is up to the program.
        if name != "data" {
            collect(member, &below(name), paths);
        }
    }
    paths.push(below("surprise"));
}

fn changed(document: &Value, path: &str, value: Option<Value>) -> Value {
    let mut document = document.clone();
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut place = Some(&mut document);
    for name in parents.split('.').filter(|name| !name.is_empty()) {
        place = place.and_then(|it| it.get_mut(name));
    }
    if let Some(Value::Object(members)) = place {
        match value {
            Some(value) => members.insert(last.to_owned(), value),
            None => members.remove(last),
        };
    }
    document
}

fn find_volatile(slots: &[Slot], document: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    for slot in slots {
        let path = format!("{path}{}", slot.name);
        match &slot.part {
            Part::DurationMs | Part::Timestamp | Part::Cwd => {
                found.push((path, document.get(slot.name).cloned().unwrap_or_default()));
            }
            Part::Meta(inner) => {
                let below = document.get(slot.name).unwrap_or(&Value::Null);
                find_volatile(inner, below, &format!("{path}."), found);
            }
            _ => {}
        }
    }
}

/// A case for each keyword that generated code checks: a schema, a value, and whether it fits.
pub(crate) fn keywords() -> Vec<Value> {
    // It is part of the source, and a test reads it.
    serde_json::from_str(include_str!("../templates/keywords.json")).unwrap_or_default()
}

/// A schema, a value, and the places of the value that break it.
pub(crate) fn places() -> Vec<Value> {
    serde_json::from_str(include_str!("../templates/places.json")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::dialects::WRITTEN;

    fn all() -> impl Iterator<Item = (Contract, Layout)> {
        WRITTEN.iter().map(|dialect| {
            let contract = Contract::new(*dialect, None).expect("a contract");
            let layout = Layout::new(contract.table);
            (contract, layout)
        })
    }

    #[test]
    fn what_manila_writes_satisfies_the_reduced_schemas() {
        for (contract, layout) in all() {
            for (name, document) in Cases::new(&contract, &layout).expected {
                let schema = &contract.envelope_schema;
                assert!(
                    is_valid(schema, &document, schema),
                    "{} {name}: {document}",
                    contract.table.id
                );
            }
        }
    }

    #[test]
    fn broken_documents_break_the_whole_schema_too() {
        for (contract, layout) in all() {
            let validator =
                jsonschema::validator_for(&contract.table.json_schema()).expect("a schema");
            let cases = Cases::new(&contract, &layout);
            for edit in &cases.broken {
                let document = &cases.expected[edit["of"].as_str().expect("a name")];
                let path = edit["path"].as_str().expect("a path");
                let document = changed(document, path, edit.get("value").cloned());
                let is_revision = contract.table.revision.is_some_and(|it| it.path == path);
                assert!(
                    is_revision || !validator.is_valid(&document),
                    "{} {edit}",
                    contract.table.id
                );
            }
        }
    }

    #[test]
    fn keywords_mean_what_they_mean_elsewhere() {
        let defs = json!({ "text": { "type": "string" } });
        assert!(keywords().len() > 60 && places().len() > 5);
        for case in keywords() {
            let root = json!({ "$defs": defs });
            let fits = case[2].as_bool().expect("a flag");
            assert_eq!(is_valid(&case[0], &case[1], &root), fits, "{case}");
            let mut whole = case[0].clone();
            let has_own = ["nothing"].iter().any(|odd| case[0].to_string().contains(odd));
            if let (Value::Object(members), false) = (&mut whole, has_own) {
                members.insert("$defs".to_owned(), defs.clone());
                assert_eq!(jsonschema::is_valid(&whole, &case[1]), fits, "{case}");
            }
        }
    }
}
