//! The answer depends on where the home and the working folder are.

use super::{DECLARE_SAMPLE, NO_SAMPLE, pairs, what_differs};
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Home, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::talk;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "differs-by-home",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "The answer depends on where the home and the working folder are, or there is none without a home.",
    fix: "Take paths as they are: deep, with blanks, not below anything you expect.",
    page: include_str!("differs_by_home.md"),
    modes: &[29],
    requirements: &["F-027", "F-040"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for home in [Home::Elsewhere, Home::Unset] {
        plan.ask_each(samples(surface, Form::Json).map(|it| it.home(home)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for (usual, other) in pairs(evidence, |setting| setting.home == Home::Elsewhere) {
        judging.look();
        if let Some(what) = what_differs(evidence, usual, other) {
            let called = other.called();
            let message = format!("{called} answers otherwise in another folder: {what}");
            judging.find_once(Finding::new(other, message));
        }
    }
    // Who needs a home may say so and fail; whoever has none still gets an answer.
    for (_, other) in pairs(evidence, |setting| setting.home == Home::Unset) {
        judging.look();
        if other.reading.answer.is_none() || talk::trace_of(other).is_some() {
            let message = format!("{} has no answer when HOME is not set", other.called());
            judging.find_once(Finding::new(other, message));
        }
    }
    judging.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::{Home, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn without_a_home_there_is_an_answer_all_the_same() {
        let verdict = |stdout: &str, status| {
            let mut bare = ran(Purpose::Sample, stdout, status);
            bare.probe.setting.home = Home::Unset;
            judge(&RULE, &[ran(Purpose::Sample, r#"{"ok":true}"#, 0), bare]).word()
        };
        assert_eq!(verdict(r#"{"ok":true}"#, 0), "holds");
        assert_eq!(verdict(r#"{"ok":false,"error":{"code":"NO_HOME","message":"m"}}"#, 1), "holds");
        assert_eq!(verdict("", 2), "violated");
    }
}
