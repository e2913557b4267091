//! Errors of different classes have different shapes.

use super::found;
use crate::observe::probe::Purpose;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::error_object::ErrorObject;
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{ObjectAnswer, object_answers};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "error-shapes-differ",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON.relaxed(Profile::Json, Severity::Note),
    flaw: "Errors of different classes keep their code and message in different places.",
    fix: "Write every error in one shape, whatever went wrong.",
    page: include_str!("error_shapes_differ.md"),
    modes: &[18],
    requirements: &["F-004", "C-013"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    let failures: Vec<(&ObjectAnswer<'_, '_>, ErrorObject)> = answers
        .iter()
        .filter(|it| it.is_failure && it.seen.run.probe.purpose != Purpose::Recorded)
        .filter_map(|answer| ErrorObject::of(answer).map(|error| (answer, error)))
        // What lacks its code or its message has rules of its own, and no shape yet.
        .filter(|(_, error)| error.code.is_some() && error.message.is_some())
        .collect();
    let shape = |(answer, error): &(&ObjectAnswer<'_, '_>, ErrorObject)| {
        let (holder, form, code, message) = error.shape();
        let holder = holder.map(str::to_owned);
        (says(answer), holder, form, code, message)
    };
    let count = |one: &(&ObjectAnswer<'_, '_>, ErrorObject)| {
        failures.iter().filter(|other| shape(other) == shape(one)).count()
    };
    // The first of the most frequent ones, so that one failure of many is the odd one.
    let usual = failures.iter().rev().max_by_key(|one| count(one));
    for one in &failures {
        if failures.len() > 1 {
            builder.observe();
        }
        let Some(usual) = usual.filter(|usual| shape(usual) != shape(one)) else { continue };
        let why = describe(one, usual);
        builder.report_once(found(one.0, &one.1.path, why));
    }
    builder.verdict(
        "fewer than two errors in JSON were seen",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

/// The key that says failure.
fn says(answer: &ObjectAnswer<'_, '_>) -> Option<String> {
    let read = answer.seen.reading.answer.as_ref()?;
    read.ok_by.as_ref().map(|(key, _)| key.clone())
}

fn describe(
    one: &(&ObjectAnswer<'_, '_>, ErrorObject),
    usual: &(&ObjectAnswer<'_, '_>, ErrorObject),
) -> String {
    let place = |path: &Option<Vec<String>>| path.clone().unwrap_or_default().join(".");
    let (this, other) = (&one.1, &usual.1);
    if this.form != other.form {
        format!("the error is {} here, and {} elsewhere", this.form, other.form)
    } else if place(&this.code) != place(&other.code) {
        format!("the code is in {} here, in {} elsewhere", place(&this.code), place(&other.code))
    } else if place(&this.message) != place(&other.message) {
        let [here, elsewhere] = [this, other].map(|it| place(&it.message));
        format!("the message is in {here} here, in {elsewhere} elsewhere")
    } else {
        "other errors say by a key of their own that they are failures".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn three_shapes_of_one_program_are_found() {
        let usual = r#"{"ok":false,"error":{"code":"A","message":"m"}}"#;
        let verdict = |last: &str| {
            let mut runs = [Purpose::UnknownFlag, Purpose::UnknownCommand]
                .map(|purpose| ran(purpose, usual, 2))
                .to_vec();
            runs.push(ran(Purpose::Missing, last, 1));
            judge(&RULE, &runs).as_str()
        };
        assert_eq!(
            verdict(r#"{"ok":false,"error":{"code":"B","message":"n","hint":"h"}}"#),
            "passed"
        );
        assert_eq!(verdict(r#"{"ok":false,"error":"n","code":"B"}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"kind":"b","message":"n"}}"#), "failed");
        assert_eq!(verdict(r#"{"error":{"code":"B","message":"n"}}"#), "failed");
        assert_eq!(verdict(r#"{"ok":false,"error":{"message":"n"}}"#), "passed");
    }
}
