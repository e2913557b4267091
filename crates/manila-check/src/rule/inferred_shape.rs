//! The shape that a program without a known dialect uses: what most of its own answers have in
//! common, and which answers differ.

use crate::observe::probe::Purpose;
use crate::rule::object_answer::{Breach, BreachKind, ENVELOPE_KEYS, ObjectAnswer, type_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Keys of an envelope, of its `meta` and of its error, whose type never depends on the command.
const TYPED: &[&str] = &[
    "ok",
    "success",
    "status",
    "warnings",
    "meta",
    "command",
    "schema",
    "schema_version",
    "version",
    "issues",
    "code",
    "message",
    "exit_code",
    "retryable",
    "retry_after",
    "retry_after_ms",
    "duration_ms",
    "timestamp",
    "request_id",
    "hint",
    "suggestion",
];

/// How many answers an inferred shape needs.
const ENOUGH: usize = 4;

/// What most answers of a program have in common.
pub(crate) struct InferredShape {
    /// For success and for failure: how often a key is there, null or not at all.
    keys: [BTreeMap<String, Presence>; 2],
    /// How many answers of each there are.
    answers: [usize; 2],
    /// The types of values that have one in all commands, and how often each is met.
    types: BTreeMap<Vec<String>, BTreeMap<&'static str, usize>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Presence {
    null: usize,
    value: usize,
}

impl InferredShape {
    pub(crate) fn of(answers: &[ObjectAnswer<'_, '_>]) -> Option<InferredShape> {
        let own = answers.iter().filter(|it| it.seen.run.probe.purpose != Purpose::Recorded);
        let mut inferred =
            InferredShape { keys: Default::default(), answers: [0; 2], types: BTreeMap::default() };
        let mut met = BTreeSet::new();
        for answer in own {
            // One class of answer counts once, whatever else was varied.
            if !met.insert(answer.class()) {
                continue;
            }
            let group = usize::from(answer.is_failure);
            inferred.answers[group] += 1;
            for key in ENVELOPE_KEYS {
                let presence = inferred.keys[group].entry((*key).to_owned()).or_default();
                match answer.document.get(key) {
                    Some(Value::Null) => presence.null += 1,
                    Some(_) => presence.value += 1,
                    None => {}
                }
            }
            for (path, value) in typed(answer.document) {
                *inferred.types.entry(path).or_default().entry(type_of(value)).or_default() += 1;
            }
        }
        // Bare data has no envelope: what some of it has in common may be chance.
        let total: usize = inferred.answers.iter().sum();
        let claims = |key: &str| -> usize {
            inferred.keys.iter().filter_map(|group| group.get(key)).map(|it| it.value).sum()
        };
        let claimed = ["ok", "success", "status"].iter().map(|key| claims(key)).max();
        (claimed.is_some_and(|claimed| claimed * 4 >= total * 3) && total >= ENOUGH)
            .then_some(inferred)
    }

    pub(crate) fn breaches(&self, answer: &ObjectAnswer<'_, '_>) -> Vec<Breach> {
        let group = usize::from(answer.is_failure);
        let total = self.answers[group];
        let mut breaches = Vec::new();
        if total >= ENOUGH {
            for (key, presence) in &self.keys[group] {
                let there = presence.null + presence.value;
                let is_rare = |count: usize| count * 4 <= total;
                let (kind, why) = match answer.document.get(key) {
                    None if is_rare(total - there) && presence.null * 2 > there => {
                        (BreachKind::Null, format!("{key} is absent where other answers say null"))
                    }
                    None if is_rare(total - there) => {
                        let why =
                            format!("{key} is missing, which {there} of {total} answers have");
                        (BreachKind::Missing, why)
                    }
                    Some(Value::Null) if is_rare(there) && presence.value == 0 => {
                        let why = format!("{key} is null where other answers leave it out");
                        (BreachKind::Null, why)
                    }
                    _ => continue,
                };
                breaches.push(Breach { path: vec![key.clone()], kind, why });
            }
        }
        for (path, value) in typed(answer.document) {
            let Some(met) = self.types.get(&path) else { continue };
            let is = type_of(value);
            let Some((usual, count)) = met.iter().max_by_key(|(_, count)| **count) else {
                continue;
            };
            let here = met.get(is).copied().unwrap_or_default();
            if is != *usual && *count >= ENOUGH && here * 4 <= *count {
                let why = format!("{} is {is}, and {usual} elsewhere", path.join("."));
                breaches.push(Breach { path, kind: BreachKind::Type, why });
            }
        }
        breaches
    }
}

/// The values of a document whose type is the same in every answer, none of them null.
fn typed(document: &Value) -> Vec<(Vec<String>, &Value)> {
    let mut found = Vec::new();
    let tops = [None, Some("meta"), Some("error")];
    for top in tops {
        let object = top.map_or(Some(document), |top| document.get(top));
        let members = object.and_then(Value::as_object).into_iter().flatten();
        for (key, value) in members {
            if TYPED.contains(&key.as_str()) && !value.is_null() {
                let path = top.into_iter().chain([key.as_str()]).map(str::to_owned).collect();
                found.push((path, value));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::envelope_shape::EnvelopeShape;
    use crate::rule::evidence::Evidence;
    use crate::rule::object_answer::object_answers;
    use crate::subject::Subject;
    use crate::testing::{ran, surface};

    fn breaches(last: &str) -> Vec<(BreachKind, String)> {
        let subject = Subject {
            argv: vec!["notes".into()],
            shown: vec!["notes".to_owned()],
            variables: Vec::new(),
            fixture: None,
        };
        let surface = surface();
        let purposes = [Purpose::Sample, Purpose::Empty, Purpose::Slow, Purpose::Moved];
        let usual = r#"{"ok":true,"result":{},"command":"c","error":null}"#;
        let mut runs = purposes.map(|purpose| ran(purpose, usual, 0)).to_vec();
        runs.push(ran(Purpose::Missing, last, 0));
        let evidence = Evidence::new(&subject, &surface, &runs);
        let answers = object_answers(&evidence);
        let shape = EnvelopeShape::of(&answers).expect("a shape");
        let breaches = shape.breaches(&answers[4]);
        breaches.into_iter().map(|it| (it.kind, it.path.join("."))).collect()
    }

    #[test]
    fn what_all_others_have_is_missed() {
        assert_eq!(breaches(r#"{"ok":true,"result":[],"command":"c","error":null}"#), []);
        let without = breaches(r#"{"ok":true,"result":{},"error":null}"#);
        assert_eq!(without, [(BreachKind::Missing, "command".to_owned())]);
        let absent = breaches(r#"{"ok":true,"result":{},"command":"c"}"#);
        assert_eq!(absent, [(BreachKind::Null, "error".to_owned())]);
        let number = breaches(r#"{"ok":true,"result":{},"command":7,"error":null}"#);
        assert_eq!(number, [(BreachKind::Type, "command".to_owned())]);
    }
}
