//! A key of the envelope holds a value of another type than its dialect says.

use super::judge_breaches;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::{Breach, BreachKind, ObjectAnswer};
use crate::rule::verdict::Verdict;
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "wrong-type",
    family: Family::Shape,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A key of the envelope has a value of another type than its dialect requires.",
    fix: "Give every key of the envelope one type, the same in all answers.",
    page: include_str!("wrong_type.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_breaches(evidence, BreachKind::Type, is_left)
}

/// An error that is not an object is another shape of error, which has a rule of its own.
fn is_left(_: &ObjectAnswer<'_, '_>, breach: &Breach) -> bool {
    breach.path == ["error"]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};

    fn verdict(last: &str) -> &'static str {
        let right = r#"{"ok":true,"data":{},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
        let mut runs = [Purpose::Sample, Purpose::Empty].map(|it| ran(it, right, 0)).to_vec();
        runs.push(ran(Purpose::Missing, last, 0));
        judge(&RULE, &runs).as_str()
    }

    #[test]
    fn a_number_in_quotes_is_no_number() {
        let with = |ok: &str, ms: &str| {
            format!(
                r#"{{"ok":{ok},"data":{{}},"error":null,"warnings":[],"meta":{{"duration_ms":{ms}}}}}"#
            )
        };
        assert_eq!(verdict(&with("true", "1")), "passed");
        assert_eq!(verdict(&with("true", "\"1\"")), "failed");
        assert_eq!(verdict(&with("\"true\"", "1")), "failed");
    }

    #[test]
    fn an_inferred_shape_is_enough() {
        let purposes = [Purpose::Sample, Purpose::Empty, Purpose::Extra, Purpose::Slow];
        let purposes = purposes.map(|it| if it == Purpose::Extra { Purpose::Missing } else { it });
        let usual = r#"{"success":true,"result":1,"version":"1"}"#;
        let mut runs = purposes.map(|it| ran(it, usual, 0)).to_vec();
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
        runs.push(ran(Purpose::InvalidValue, r#"{"success":true,"result":[],"version":1}"#, 0));
        assert_eq!(judge(&RULE, &runs).as_str(), "failed");
    }
}
