//! Snapshots of answers beside a lock: one document per command and envelope version, with visible masks in place of
//! values that differ between equal calls.

use crate::observe::{Observed, Sample};
use crate::shape::{Step, Volatile};
use serde_json::Value;
use std::collections::BTreeMap;

/// The snapshots of a program by their file names.
pub fn snapshots(observed: &Observed) -> BTreeMap<String, String> {
    let mut chosen: BTreeMap<String, (usize, &Sample)> = BTreeMap::new();
    for sample in &observed.samples {
        let name = file_name(sample);
        let rank = rank(&sample.call);
        match chosen.get(&name) {
            Some((known, _)) if *known <= rank => {}
            _ => {
                chosen.insert(name, (rank, sample));
            }
        }
    }
    chosen.into_iter().map(|(name, (_, sample))| (name, text(sample))).collect()
}

/// Which call of a command is shown: a success before a failure.
fn rank(call: &str) -> usize {
    const ORDER: [&str; 3] = ["sample", "case-", "empty"];
    ORDER.iter().position(|it| call.starts_with(it)).unwrap_or(ORDER.len())
}

/// `note-show.claw-2.0.json`: the command and the version of its envelope.
fn file_name(sample: &Sample) -> String {
    let plain = |text: &str| -> String {
        let letter =
            |it: char| if it.is_ascii_alphanumeric() || "._-".contains(it) { it } else { '-' };
        text.chars().map(letter).collect()
    };
    let command = match sample.command.as_slice() {
        [] => "program".to_owned(),
        words => plain(&words.join("-")),
    };
    match &sample.dialect {
        Some(dialect) => format!("{command}.{}.json", plain(dialect)),
        None => format!("{command}.json"),
    }
}

fn text(sample: &Sample) -> String {
    let mut document = sample.document.clone();
    mask(&mut document, &mut Vec::new(), &sample.volatile);
    // Nothing here has a key that is not a string, which is all that could fail.
    serde_json::to_string_pretty(&document).map(|text| text + "\n").unwrap_or_default()
}

fn mask(value: &mut Value, path: &mut Vec<Step>, volatile: &Volatile) {
    if volatile.contains(path) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        *value = Value::String(format!("<volatile {kind}>"));
        return;
    }
    match value {
        Value::String(text) => *text = manila_pack::mask(text, None),
        Value::Array(elements) => {
            path.push(Step::Item);
            elements.iter_mut().for_each(|it| mask(it, path, volatile));
            path.pop();
        }
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                path.push(Step::Field(key.clone()));
                mask(member, path, volatile);
                path.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_masked_and_the_mask_is_visible() {
        let at = vec![Step::Field("data".to_owned()), Step::Item, Step::Field("at".to_owned())];
        let sample = Sample {
            command: vec!["note".to_owned(), "show".to_owned()],
            call: "sample".to_owned(),
            dialect: Some("claw/2.0".to_owned()),
            document: json!({"data": [{"at": 5, "id": 1}]}),
            volatile: Volatile::from([at]),
        };
        assert_eq!(file_name(&sample), "note-show.claw-2.0.json");
        let masked: Value = serde_json::from_str(&text(&sample)).expect("JSON");
        assert_eq!(masked, json!({"data": [{"at": "<volatile number>", "id": 1}]}));
    }
}
