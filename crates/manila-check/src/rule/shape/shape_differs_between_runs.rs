//! Two equal calls have answers of different shapes.

use super::{found, has_own_format};
use crate::observe::probe::{Form, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{ObjectAnswer, object_answers, of, type_of};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "shape-differs-between-runs",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The same call answers with other keys or types when it is made again.",
    fix: "Write the same keys each time; what has no value is null, or is always left out.",
    page: include_str!("shape_differs_between_runs.md"),
    modes: &[7, 22],
    requirements: &["F-074"],
    plan,
    judge,
};

/// How often a call is made again.
const ROUNDS: std::ops::RangeInclusive<u8> = 1..=3;

fn plan(surface: &Surface, plan: &mut Plan) {
    for sample in samples(surface, Form::Json) {
        plan.ask_each(ROUNDS.map(|round| sample.clone().round(round)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for answer in object_answers(evidence) {
        let probe = &answer.seen.run.probe;
        // A manifest that changes is reported by `manifest-broken`.
        if probe.purpose == Purpose::Recorded || has_own_format(evidence, &probe.command) {
            continue;
        }
        let again = ROUNDS.filter_map(|round| evidence.run_of(&probe.clone().round(round)));
        for again in again.filter_map(of) {
            builder.observe();
            let mut path = Vec::new();
            // One that fails and one that does not differ in more than their shape.
            if again.is_failure == answer.is_failure
                && let Some(why) = difference(answer.document, again.document, &mut path)
            {
                builder.report(report(&answer, &again, &path, &why));
                break;
            }
        }
    }
    builder.verdict("no call was made twice", Some("program.json: the words that ask for JSON"))
}

fn report(
    answer: &ObjectAnswer<'_, '_>,
    again: &ObjectAnswer<'_, '_>,
    path: &[String],
    why: &str,
) -> crate::rule::verdict::Finding {
    let name = if path.is_empty() { "the answer".to_owned() } else { path.join(".") };
    let why = format!("{name} {why} when the call is made again");
    // Shown where the value is there.
    let pointer: Vec<&str> = path.iter().map(String::as_str).collect();
    let shown = if answer.get(&pointer).is_some() { answer } else { again };
    found(shown, path, why)
}

/// The first place at which keys or types differ. Null and a value may take turns; null and nothing
/// may not.
fn difference(first: &Value, second: &Value, path: &mut Vec<String>) -> Option<String> {
    match (first, second) {
        (Value::Object(one), Value::Object(two)) => {
            let keys = one.keys().chain(two.keys().filter(|key| !one.contains_key(*key)));
            for key in keys {
                path.push(key.clone());
                let why = match (one.get(key), two.get(key)) {
                    (Some(one), Some(two)) => difference(one, two, path),
                    (Some(_), None) => Some("is gone".to_owned()),
                    (None, _) => Some("is new".to_owned()),
                };
                if why.is_some() {
                    return why;
                }
                path.pop();
            }
            None
        }
        (Value::Array(one), Value::Array(two)) => {
            // Lists in another order, or of other things, are not of another shape.
            let (one, two) = (one.first()?, two.first()?);
            let are_alike = one.is_object() == two.is_object();
            path.push("0".to_owned());
            let why = if are_alike { difference(one, two, path) } else { None };
            if why.is_none() {
                path.pop();
            }
            why
        }
        (Value::Null, _) | (_, Value::Null) => None,
        _ if type_of(first) == type_of(second) => None,
        _ => Some(format!("is {} and then {}", type_of(first), type_of(second))),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(first: &str, second: &str) -> &'static str {
        let again = ran(Purpose::Sample, second, 0);
        let again = crate::observe::run::Run { probe: again.probe.clone().round(1), ..again };
        judge(&RULE, &[ran(Purpose::Sample, first, 0), again]).as_str()
    }

    #[test]
    fn keys_and_types_stay() {
        assert_eq!(verdict(r#"{"a":1,"b":[{"c":1}]}"#, r#"{"a":2,"b":[{"c":3}]}"#), "passed");
        assert_eq!(verdict(r#"{"a":1}"#, r#"{"a":"1"}"#), "failed");
        assert_eq!(verdict(r#"{"a":1,"b":null}"#, r#"{"a":1}"#), "failed");
        assert_eq!(verdict(r#"{"b":[{"c":1}]}"#, r#"{"b":[{"c":1,"d":2}]}"#), "failed");
        assert_eq!(verdict(r#"{"a":null}"#, r#"{"a":1}"#), "passed");
    }

    #[test]
    fn one_call_tells_nothing() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "{}", 0)]).as_str(), "undecided");
    }
}
