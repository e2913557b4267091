//! What a description says a command does to the world.

use super::entry::first;
use manila_pack::Effect;
use serde_json::{Map, Value};

/// Keys that hold a word, a list or a flag about effects.
const KEYS: &[&str] = &[
    "danger_level",
    "dangerLevel",
    "danger",
    "effects",
    "effect",
    "side_effects",
    "sideEffects",
    "risk",
    "risk_level",
    "safety",
    "mutability",
    "access",
    "operation",
];
/// Keys whose truth says that nothing is changed.
const READS: &[&str] =
    &["read_only", "readOnly", "readonly", "readOnlyHint", "safe", "is_safe", "is_read_only"];
/// Keys whose truth says that something is.
const WRITES: &[&str] = &["mutating", "mutates", "writes", "is_mutating", "modifies", "write"];
const DESTROYS: &[&str] =
    &["destructive", "destroys", "destructiveHint", "is_destructive", "dangerous", "irreversible"];

const SAFE_WORDS: &[&str] = &[
    "safe",
    "none",
    "read",
    "reads",
    "readonly",
    "read-only",
    "read_only",
    "query",
    "pure",
    "no",
    "inspect",
];
const WRITE_WORDS: &[&str] = &[
    "mutating",
    "mutate",
    "write",
    "writes",
    "read-write",
    "read_write",
    "create",
    "creates",
    "update",
    "updates",
    "modify",
    "modifies",
    "moderate",
    "caution",
    "local",
    "external",
    "additive",
    "idempotent_write",
    "network_write",
];
const DESTROY_WORDS: &[&str] = &[
    "destructive",
    "destroy",
    "destroys",
    "delete",
    "deletes",
    "dangerous",
    "irreversible",
    "critical",
    "remove",
    "removes",
];

/// What it says, and the words that say so.
pub(super) fn of(command: &Map<String, Value>) -> Option<(Effect, String)> {
    let annotations =
        first(command, &["annotations", "x-agent", "meta", "metadata"]).and_then(Value::as_object);
    let objects: Vec<&Map<String, Value>> = std::iter::once(command).chain(annotations).collect();
    let worded = objects.iter().find_map(|object| {
        KEYS.iter().find_map(|key| {
            Some((
                of_value(object.get(*key)?)?,
                format!("the manifest says `{key}`: {}", short(object.get(*key)?)),
            ))
        })
    });
    worded.or_else(|| objects.iter().find_map(|object| of_flags(object)))
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(40).collect()
}

fn of_value(value: &Value) -> Option<Effect> {
    match value {
        Value::String(word) => of_word(word),
        Value::Bool(false) => Some(Effect::None),
        Value::Bool(true) => Some(Effect::Writes),
        Value::Array(list) => {
            let found: Vec<Effect> = list
                .iter()
                .filter_map(Value::as_str)
                .map(|it| of_word(it).unwrap_or(Effect::Writes))
                .collect();
            Some(worst(&found))
        }
        Value::Object(object) => of_flags(object)
            .map(|(effects, _)| effects)
            .or_else(|| first(object, &["level", "kind", "type", "class"]).and_then(of_value)),
        _ => None,
    }
}

fn worst(found: &[Effect]) -> Effect {
    [Effect::Destroys, Effect::Writes]
        .into_iter()
        .find(|it| found.contains(it))
        .unwrap_or(Effect::None)
}

fn of_word(word: &str) -> Option<Effect> {
    let word = word.to_lowercase();
    [(SAFE_WORDS, Effect::None), (WRITE_WORDS, Effect::Writes), (DESTROY_WORDS, Effect::Destroys)]
        .into_iter()
        .find_map(|(words, effects)| words.contains(&word.as_str()).then_some(effects))
}

fn of_flags(object: &Map<String, Value>) -> Option<(Effect, String)> {
    let said = |keys: &[&'static str]| {
        keys.iter().find_map(|key| Some((*key, object.get(*key)?.as_bool()?)))
    };
    let declared = |key: &str, is: bool| format!("the manifest says `{key}`: {is}");
    match (said(DESTROYS), said(WRITES), said(READS)) {
        (Some((key, true)), ..) => Some((Effect::Destroys, declared(key, true))),
        (_, Some((key, true)), _) => Some((Effect::Writes, declared(key, true))),
        (.., Some((key, is))) => {
            Some((if is { Effect::None } else { Effect::Writes }, declared(key, is)))
        }
        (_, Some((key, false)), _) => Some((Effect::None, declared(key, false))),
        // That it destroys nothing does not say that it changes nothing.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_to_say_it() {
        for (value, expected) in [
            (json!({"danger_level": "safe"}), Some(Effect::None)),
            (json!({"danger_level": "mutating"}), Some(Effect::Writes)),
            (json!({"effects": "read"}), Some(Effect::None)),
            (json!({"effects": {"writes": false}}), Some(Effect::None)),
            (json!({"side_effects": []}), Some(Effect::None)),
            (json!({"side_effects": ["writes file", "delete"]}), Some(Effect::Destroys)),
            (json!({"read_only": true}), Some(Effect::None)),
            (json!({"readOnly": false}), Some(Effect::Writes)),
            (json!({"readOnly": false, "destructive": true}), Some(Effect::Destroys)),
            (json!({"destructive": false}), None),
            (json!({"mutating": false, "destructive": false}), Some(Effect::None)),
            (json!({"annotations": {"readOnlyHint": true}}), Some(Effect::None)),
            (json!({"danger_level": "purple"}), None),
            (json!({}), None),
        ] {
            let found = value.as_object().and_then(of).map(|(effects, _)| effects);
            assert_eq!(found, expected, "{value}");
        }
    }
}
