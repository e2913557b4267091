//! What a command answers is not what it declares to answer.

use crate::json_schema::Validator;
use crate::observe::probe::{Form, Purpose};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::place;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder, stable};
use crate::severity::Severity;
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "output-contradicts-schema",
    family: Family::Discovery,
    severity: Severity::Error,
    scope: Scope::MANIFEST,
    flaw: "A command's answer does not satisfy the schema that it declares.",
    fix: "Derive the schema from the type that is written, and write no other.",
    page: include_str!("output_contradicts_schema.md"),
    modes: &[21, 22],
    requirements: &["C-015"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let runs = [Purpose::Sample, Purpose::Empty];
    let runs = runs.into_iter().flat_map(|purpose| evidence.of(purpose, Form::Json));
    for seen in
        runs.filter(|seen| seen.run.probe.is_plain() && seen.exited_zero() && !seen.run.is_folded)
    {
        let Some(schema) = seen.command.and_then(|command| command.output_schema.as_ref()) else {
            continue;
        };
        // An invalid schema, or one that refers to elsewhere, says nothing that could be compared.
        let Some(validator) = Validator::new(schema) else { continue };
        let (Some(whole), data) = (seen.document(), seen.payload()) else { continue };
        // It describes the data, unless it names the keys around them.
        let (below, value) = match (data, payload(whole), aim(schema, whole)) {
            (Some(data), Some(key), Aim::Data) => (vec![key.to_owned()], data),
            (Some(data), Some(_), Aim::Either)
                if validator.mismatch(data).is_ok_and(|it| it.is_none()) =>
            {
                (Vec::new(), data)
            }
            _ => (Vec::new(), whole),
        };
        let Ok(mismatch) = validator.mismatch(value) else { continue };
        builder.observe();
        let Some(mismatch) = mismatch else { continue };
        let path = [below, mismatch.path].concat();
        let name = if path.is_empty() { "the answer".to_owned() } else { path.join(".") };
        let words = short(&mismatch.message);
        let message = format!("{name} contradicts the declared schema: {words}");
        let finding = Finding::new(seen, message).because_of(stable(&path.join(".")));
        builder.report_once(match place(seen, &path) {
            Some((stream, span)) => finding.at(seen, stream, span),
            None => finding,
        });
    }
    builder.verdict("no command that could be run declares a schema of its answer", None)
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
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge_with, ran, surface};
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
            assert_eq!(verdict(r#"{"ok":true,"data":{"items":[]}}"#).as_str(), "passed");
            let Verdict::Failed(findings) = verdict(r#"{"ok":true,"data":{"rows":[]}}"#) else {
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
        assert_eq!(judge_with(&RULE, &surface, &[run]).as_str(), "undecided");
    }
}
