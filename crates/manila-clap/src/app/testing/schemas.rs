//! The checks that hold documents and data against a JSON Schema.

use super::called::meanings;
use super::case::{Case, Group};
use super::finding::{Findings, MOST, about, at};
use super::promise::Kind;
use serde_json::Value;

/// It is valid against the JSON Schema of the dialect.
pub(super) fn envelope_schema(case: &Case<'_>, findings: &mut Findings) {
    let Some(document) = case.document() else { return };
    let schema = case.called.contract.dialect.table().json_schema();
    contradictions(&schema, &document, "envelope", findings);
    if findings.list.is_empty() {
        for fact in case.facts(Group::Shape) {
            findings.add(at(case.stream(), fact), about(fact), "let the boundary write the answer");
        }
    }
}

/// Where a value contradicts a schema.
fn contradictions(schema: &Value, value: &Value, place: &str, findings: &mut Findings) {
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(error) => {
            let what = format!("its schema is none: {error}");
            return findings.add(place, what, "correct the `JsonSchema` of the type");
        }
    };
    for error in validator.iter_errors(value).take(MOST) {
        let place = format!("{place}{}", error.instance_path());
        let what = error.to_string();
        let remedy = if error.instance().is_null() {
            "declare it optional, or see that it is never missing, not a number or infinite"
        } else {
            "make type and schema agree: `Serialize` and `JsonSchema` of the same fields"
        };
        findings.add(place, what, remedy);
    }
}

/// The data of a frame are what its kind declares.
pub(super) fn frame_data(case: &Case<'_>, findings: &mut Findings) {
    if case.called.known.is_legacy {
        return;
    }
    for frame in &case.frames {
        let Some((kind, data)) = frame.kind.as_ref().zip(frame.data.as_ref()) else { continue };
        let kinds = case.called.contract.kinds.iter().flatten();
        // An item need not be a kind of answer by itself.
        if let Some(kind) = kinds.into_iter().find(|known| known.name == *kind) {
            let place = format!("frame {} data", frame.number);
            contradictions(&kind.schema, data, &place, findings);
        }
    }
}

/// The data of a success are what their kind declares.
pub(super) fn data_schema(case: &Case<'_>, findings: &mut Findings) {
    let Some(opened) = case.opened().filter(|opened| opened.envelope.ok()) else { return };
    let (content, known) = (opened.envelope.content(), &case.called.known);
    let Some(data) = &content.data else { return };
    let is_left_out = data.is_empty_container() && known.is_limited;
    if known.is_legacy || is_left_out || content.meta.extra.get("total_bytes").is_some() {
        return;
    }
    let Ok(data) = serde_json::from_str::<Value>(data.as_str()) else { return };
    let declared = case.called.contract.kinds.iter().flatten();
    // A dialect that does not state the kind leaves the choice between all of them.
    let named = case.kind();
    let kinds: Vec<&Kind> =
        declared.filter(|kind| named.is_none_or(|named| kind.name == named)).collect();
    let fits = |kind: &&Kind| meanings(&data).any(|data| jsonschema::is_valid(&kind.schema, &data));
    match kinds.as_slice() {
        [] => {}
        [kind] => {
            let mut first = Findings { check: findings.check, list: Vec::new() };
            contradictions(&kind.schema, &data, "data", &mut first);
            let is_meant = first.list.is_empty() || fits(kind);
            findings.list.extend(first.list.into_iter().filter(|_| !is_meant));
        }
        several if several.iter().any(fits) => {}
        _ => {
            let what = "their kind is not declared";
            findings.add("data", what, "see that `Serialize` and `JsonSchema` agree");
        }
    }
}
