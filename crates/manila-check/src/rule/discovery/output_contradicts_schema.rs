//! What a command answers is not what it declares to answer.

use crate::evidence::Evidence;
use crate::frame::place;
use crate::probe::{Form, Purpose};
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Finding, Judging, Verdict};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "output-contradicts-schema",
    family: Family::Discovery,
    severity: Severity::Error,
    flaw: "A command's answer does not satisfy the schema that it declares.",
    fix: "Derive the schema from the type that is written, and write no other.",
    page: include_str!("output_contradicts_schema.md"),
    modes: &[21, 22],
    requirements: &["C-015"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let runs = [Purpose::Sample, Purpose::Empty];
    let runs = runs.into_iter().flat_map(|purpose| evidence.of(purpose, Form::Json));
    for seen in runs.filter(|seen| seen.run.probe.is_plain() && seen.exited_zero()) {
        let Some(schema) = seen.command.and_then(|command| command.output_schema.as_ref()) else {
            continue;
        };
        // A schema that is none, or that refers to elsewhere, says nothing that could be compared.
        let Ok(validator) = jsonschema::validator_for(schema) else { continue };
        let (Some(whole), data) = (seen.document(), seen.payload()) else { continue };
        judging.look();
        // It is of the data, unless it speaks of the keys around them.
        let (below, value) = match (data, payload(whole), aim(schema, whole)) {
            (Some(data), Some(key), Aim::Data) => (vec![key.to_owned()], data),
            (Some(data), Some(_), Aim::Either) if validator.is_valid(data) => continue,
            _ => (Vec::new(), whole),
        };
        let Some(error) = validator.iter_errors(value).next() else { continue };
        let path: Vec<String> = below
            .into_iter()
            .chain(error.instance_path().iter().map(|it| it.to_string()))
            .collect();
        let name = if path.is_empty() { "the answer".to_owned() } else { path.join(".") };
        let words = short(&error.masked_with("it").to_string());
        let message = format!("{name} contradicts the declared schema: {words}");
        let finding = Finding::new(seen, message);
        judging.find_once(match place(seen, &path) {
            Some((stream, span)) => finding.at(seen, stream, span),
            None => finding,
        });
    }
    judging.verdict("no command that could be run declares a schema of its answer", None)
}

/// The key of the payload.
fn payload(whole: &Value) -> Option<&'static str> {
    ["data", "result", "results", "payload"].into_iter().find(|key| whole.get(*key).is_some())
}

/// What a schema is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Data,
    Whole,
    /// It names a key that both may have.
    Either,
}

fn aim(schema: &Value, whole: &Value) -> Aim {
    let keys = schema.get("properties").and_then(Value::as_object);
    let names = |key: &str| keys.is_some_and(|keys| keys.contains_key(key));
    if names("ok") || names("success") {
        Aim::Whole
    } else if payload(whole).is_some_and(names) {
        Aim::Either
    } else {
        Aim::Data
    }
}

fn short(text: &str) -> String {
    const LONGEST: usize = 120;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};
    use crate::verdict::Verdict;
    use serde_json::json;

    #[test]
    fn the_schema_may_be_of_the_data_or_of_the_whole() {
        let of_data = json!({"type": "object", "required": ["items"]});
        let of_whole = json!({"properties": {"ok": {}, "data": of_data}});
        for schema in [of_data, of_whole] {
            let mut surface = surface();
            surface.commands[1].output_schema = Some(schema);
            let verdict =
                |stdout: &str| judge_with(&RULE, &surface, &[ran(Purpose::Sample, stdout, 0)]);
            assert_eq!(verdict(r#"{"ok":true,"data":{"items":[]}}"#).word(), "holds");
            let Verdict::Violated(findings) = verdict(r#"{"ok":true,"data":{"rows":[]}}"#) else {
                panic!("it holds")
            };
            let excerpt = findings[0].excerpt.clone().expect("a place");
            assert_eq!(excerpt.start..excerpt.end, 18..29, "{findings:?}");
        }
    }

    #[test]
    fn what_is_no_schema_says_nothing() {
        let mut surface = surface();
        surface.commands[1].output_schema = Some(json!({"type": "table"}));
        let run = ran(Purpose::Sample, "{}", 0);
        assert_eq!(judge_with(&RULE, &surface, &[run]).word(), "undecided");
    }
}
