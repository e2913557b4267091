//! The schemas of the dialects, whole or for one command.

use crate::dialect::Dialect;
use serde_json::{Map, Value, json};

/// The commands that a dialect's schema describes one by one.
pub fn commands(dialect: &dyn Dialect) -> Vec<String> {
    let schema = dialect.table().json_schema();
    let definitions = schema.get("$defs").and_then(Value::as_object);
    definitions
        .into_iter()
        .flatten()
        .filter(|(_, definition)| names_command(definition))
        .map(|(name, _)| name.clone())
        .collect()
}

/// The schema of a dialect, or of one command or object that it names; `None` if it names no such.
pub fn schema(dialect: &dyn Dialect, command: Option<&str>) -> Option<Value> {
    let whole = dialect.table().json_schema();
    let Some(command) = command else { return Some(whole) };
    let definitions = whole.get("$defs")?.as_object()?;
    definitions.get(command)?;
    let mut needed = Map::new();
    collect(command, definitions, &mut needed);
    Some(json!({
        "$schema": whole.get("$schema"),
        "$id": format!("{}/{command}", whole.get("$id").and_then(Value::as_str).unwrap_or_default()),
        "title": format!("{} {command}", dialect.id()),
        "$ref": format!("#/$defs/{command}"),
        "$defs": needed,
    }))
}

/// A command's definition is the choice between its outcomes.
fn names_command(definition: &Value) -> bool {
    definition.get("oneOf").is_some() && definition.get("title").is_some()
}

/// Takes over a definition and all that it refers to.
fn collect(name: &str, from: &Map<String, Value>, into: &mut Map<String, Value>) {
    if into.contains_key(name) {
        return;
    }
    let Some(definition) = from.get(name) else { return };
    into.insert(name.to_owned(), definition.clone());
    let mut pending = vec![definition];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str);
                if let Some(name) = target.and_then(|target| target.strip_prefix("#/$defs/")) {
                    collect(name, from, into);
                }
                pending.extend(members.values());
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;
    use crate::known::dialect;

    #[test]
    fn every_schema_is_json_and_names_itself() {
        for dialect in DIALECTS {
            let id = format!("manila:schema/{}", dialect.id());
            assert_eq!(schema(*dialect, None).expect("a schema")["$id"], id);
        }
    }

    #[test]
    fn the_thirteen_commands_of_claw_and_turn_loop_have_their_own() {
        let claw = dialect("claw/2.0").expect("a dialect");
        assert_eq!(commands(claw).len(), 14);
        let bootstrap = schema(claw, Some("bootstrap")).expect("a schema");
        assert_eq!(bootstrap["$ref"], "#/$defs/bootstrap");
        assert!(bootstrap["$defs"].get("turn").is_some());
        assert!(bootstrap["$defs"].get("route").is_none());
        assert!(schema(claw, Some("turn")).is_some());
        assert!(schema(claw, Some("nope")).is_none());
    }
}
