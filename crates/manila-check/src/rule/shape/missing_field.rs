//! A key that the program's dialect requires is not there.

use super::judge_breaches;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{Breach, BreachKind, ObjectAnswer};
use crate::rule::verdict::Verdict;
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "missing-field",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A key that the program's dialect requires is absent.",
    fix: "Write every required key in every answer, of success and of failure.",
    page: include_str!("missing_field.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_breaches(evidence, BreachKind::Missing, is_left)
}

/// An error without its parts, or a failure without its error, has rules of its own, and so has the
/// advice to retry.
fn is_left(answer: &ObjectAnswer<'_, '_>, breach: &Breach) -> bool {
    match breach.path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["error"] => answer.is_failure,
        ["error", key] => matches!(key, "code" | "kind" | "message" | "retryable"),
        ["issues", _, "code"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::rule::verdict::Verdict;
    use crate::testing::{judge, ran};

    const RIGHT: &str =
        r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
    const WITHOUT: &str = r#"{"ok":true,"data":{},"error":null,"meta":{"duration_ms":1}}"#;

    #[test]
    fn a_key_that_others_have_is_missed() {
        let right = [Purpose::Sample, Purpose::Empty].map(|purpose| ran(purpose, RIGHT, 0));
        assert_eq!(judge(&RULE, &right).as_str(), "passed");
        let mut runs = right.to_vec();
        runs.push(ran(Purpose::Missing, WITHOUT, 0));
        let Verdict::Failed(findings) = judge(&RULE, &runs) else { panic!("it holds") };
        assert!(findings[0].message.starts_with("warnings is missing"), "{findings:?}");
    }

    #[test]
    fn one_answer_that_may_be_of_another_dialect_tells_nothing() {
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, WITHOUT, 0)]).as_str(), "undecided");
        let bare = ran(Purpose::Sample, r#"{"items":[]}"#, 0);
        assert_eq!(judge(&RULE, &[bare]).as_str(), "undecided");
    }

    #[test]
    fn a_dialect_with_data_in_every_failure_misses_it_there() {
        let answer = |ok: bool, data: &str| {
            format!(
                r#"{{"ok":{ok},"kind":"list",{data}"issues":[],"meta":{{"apiVersion":"1","cwd":"/"}}}}"#
            )
        };
        let failing = [Purpose::UnknownFlag, Purpose::UnknownCommand, Purpose::InvalidValue];
        let message = |data: &str| {
            let mut runs = vec![ran(Purpose::Sample, answer(true, r#""data":{},"#), 0)];
            runs.extend(failing.map(|purpose| ran(purpose, answer(false, data), 1)));
            match judge(&RULE, &runs) {
                Verdict::Failed(findings) => findings[0].message.clone(),
                verdict => verdict.as_str().to_owned(),
            }
        };
        assert_eq!(message(r#""data":{},"#), "passed");
        assert_eq!(message(""), "data is missing, which i18nprune/1 requires");
    }

    #[test]
    fn a_program_that_seldom_has_all_keys_speaks_another_dialect() {
        let seldom = [Purpose::Sample, Purpose::Missing];
        let usually = [Purpose::Empty, Purpose::Slow, Purpose::Moved, Purpose::InvalidValue];
        let mut runs = usually.map(|it| ran(it, WITHOUT, 0)).to_vec();
        runs.extend(seldom.map(|it| ran(it, RIGHT, 0)));
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
    }
}
