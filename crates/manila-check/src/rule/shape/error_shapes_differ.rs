//! Errors of different classes have different shapes.

use super::found;
use crate::evidence::Evidence;
use crate::fault::Fault;
use crate::frame::{Framed, framed};
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "error-shapes-differ",
    family: Family::Shape,
    severity: Severity::Warning,
    flaw: "Errors of different classes keep their code and message in different places.",
    fix: "Write every error in one shape, whatever went wrong.",
    page: include_str!("error_shapes_differ.md"),
    modes: &[18],
    requirements: &["F-004", "C-013"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let answers = framed(evidence);
    let failures: Vec<(&Framed<'_, '_>, Fault)> = answers
        .iter()
        .filter(|it| it.is_failure && it.seen.run.probe.purpose != Purpose::Recorded)
        .filter_map(|answer| Fault::of(answer).map(|fault| (answer, fault)))
        // What lacks its code or its message has rules of its own, and no shape yet.
        .filter(|(_, fault)| fault.code.is_some() && fault.message.is_some())
        .collect();
    let shape = |(answer, fault): &(&Framed<'_, '_>, Fault)| {
        let (holder, form, code, message) = fault.shape();
        let holder = holder.map(str::to_owned);
        (says(answer), holder, form, code, message)
    };
    let count = |one: &(&Framed<'_, '_>, Fault)| {
        failures.iter().filter(|other| shape(other) == shape(one)).count()
    };
    // The first of the most frequent ones, so that one failure of many is the odd one.
    let usual = failures.iter().rev().max_by_key(|one| count(one));
    for one in &failures {
        if failures.len() > 1 {
            judging.look();
        }
        let Some(usual) = usual.filter(|usual| shape(usual) != shape(one)) else { continue };
        let why = describe(one, usual);
        judging.find_once(found(one.0, &one.1.path, why));
    }
    judging.verdict(
        "fewer than two errors in JSON were seen",
        Some("commands.\"…\".missing: a call that cannot succeed"),
    )
}

/// The key that says failure.
fn says(answer: &Framed<'_, '_>) -> Option<String> {
    let read = answer.seen.reading.answer.as_ref()?;
    read.ok_by.as_ref().map(|(key, _)| key.clone())
}

fn describe(one: &(&Framed<'_, '_>, Fault), usual: &(&Framed<'_, '_>, Fault)) -> String {
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
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};

    #[test]
    fn three_shapes_of_one_program_are_found() {
        let usual = r#"{"ok":false,"error":{"code":"A","message":"m"}}"#;
        let verdict = |last: &str| {
            let mut runs = [Purpose::UnknownFlag, Purpose::UnknownCommand]
                .map(|purpose| ran(purpose, usual, 2))
                .to_vec();
            runs.push(ran(Purpose::Missing, last, 1));
            judge(&RULE, &runs).word()
        };
        assert_eq!(
            verdict(r#"{"ok":false,"error":{"code":"B","message":"n","hint":"h"}}"#),
            "holds"
        );
        assert_eq!(verdict(r#"{"ok":false,"error":"n","code":"B"}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{"kind":"b","message":"n"}}"#), "violated");
        assert_eq!(verdict(r#"{"error":{"code":"B","message":"n"}}"#), "violated");
        assert_eq!(verdict(r#"{"ok":false,"error":{"message":"n"}}"#), "holds");
    }
}
