//! Everything that a handler may state, for a test: as Rust spells it, and as JSON.

use super::identifier;
use crate::language::choices;
use crate::layout::{Given, GivenType, Layout};
use crate::name::pascal;
use crate::types::Body;
use serde_json::{Map, Value, json};

/// A struct with every member set.
pub(super) fn literal(name: &str, given: &[Given]) -> String {
    let lines: String = given
        .iter()
        .map(|one| format!("    {}: Some({}),\n", identifier(one.name), expression(one)))
        .collect();
    format!("{name} {{\n{lines}}}")
}

/// The same as JSON.
pub(super) fn document(given: &[Given]) -> Map<String, Value> {
    given.iter().map(|one| (one.name.to_owned(), value(one))).collect()
}

/// A check of every text that a handler chooses from.
pub(super) fn choice_checks(layout: &Layout) -> Vec<String> {
    let mut all = Vec::new();
    for definition in choices(&layout.error) {
        if let Body::Choice(texts) = &definition.body {
            all.extend(super::payload::choice_checks(&definition.name, texts));
        }
    }
    all
}

fn expression(given: &Given) -> String {
    match &given.of {
        GivenType::Text => "\"text\".to_owned()".to_owned(),
        GivenType::Flag => "true".to_owned(),
        GivenType::Integer => "7".to_owned(),
        GivenType::OneOf(texts) => {
            format!(
                "{}::{}",
                pascal(given.name),
                texts.first().map_or_else(String::new, |it| pascal(it))
            )
        }
        GivenType::Json => "BTreeMap::from([(\"a\".to_owned(), Json::Null)])".to_owned(),
        GivenType::Object(name, members) => {
            let lines: String = members
                .iter()
                .map(|one| {
                    let value = expression(one);
                    let value =
                        if one.default.is_some() { value } else { format!("Some({value})") };
                    format!("        {}: {value},\n", identifier(one.name))
                })
                .collect();
            format!("{} {{\n{lines}    }}", pascal(name))
        }
    }
}

fn value(given: &Given) -> Value {
    match &given.of {
        GivenType::Text => json!("text"),
        GivenType::Flag => json!(true),
        GivenType::Integer => json!(7),
        GivenType::OneOf(texts) => json!(texts.first()),
        GivenType::Json => json!({ "a": null }),
        GivenType::Object(_, members) => Value::Object(document(members)),
    }
}
