//! The answer depends on where the home and the working directory are.

use super::{DECLARE_SAMPLE, NO_SAMPLE, pairs, what_differs};
use crate::observe::probe::{Form, Home};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "differs-by-home",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The answer depends on the home or working directory, or there is no answer without a home.",
    fix: "Accept any path: deep, with spaces, outside the directories that you expect.",
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
    let mut builder = VerdictBuilder::default();
    for (usual, other) in pairs(evidence, |setting| setting.home == Home::Elsewhere) {
        builder.observe();
        if let Some(what) = what_differs(evidence, usual, other) {
            let called = other.called();
            let message = format!("{called} answers differently in another directory: {what}");
            builder.report_once(Finding::new(other, message));
        }
    }
    // A program that needs a home may say so and fail; without a home there must still be an
    // answer.
    for (usual, other) in pairs(evidence, |setting| setting.home == Home::Unset) {
        builder.observe();
        let crashes = usual.stack_trace().is_none() && other.stack_trace().is_some();
        if other.reading.answer.is_none() || crashes {
            let message = format!("{} has no answer when HOME is not set", other.called());
            builder.report_once(Finding::new(other, message));
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Home, Purpose};
    use crate::testing::{judge, ran};

    #[test]
    fn without_a_home_there_is_an_answer_all_the_same() {
        let verdict = |stdout: &str, status| {
            let mut bare = ran(Purpose::Sample, stdout, status);
            bare.probe.setting.home = Home::Unset;
            judge(&RULE, &[ran(Purpose::Sample, r#"{"ok":true}"#, 0), bare]).as_str()
        };
        assert_eq!(verdict(r#"{"ok":true}"#, 0), "passed");
        assert_eq!(
            verdict(r#"{"ok":false,"error":{"code":"NO_HOME","message":"m"}}"#, 1),
            "passed"
        );
        assert_eq!(verdict("", 2), "failed");
    }

    #[test]
    fn one_that_crashes_with_a_home_too_does_not_need_it() {
        let crashing = |home| {
            let mut run = ran(Purpose::Sample, r#"{"ok":true}"#, 0);
            run.probe.setting.home = home;
            run.transcript.stderr = b"Error: x\n    at /a/b.js:1:2\n    at /a/c.js:3:4\n".to_vec();
            run
        };
        let whole = ran(Purpose::Sample, r#"{"ok":true}"#, 0);
        assert_eq!(judge(&RULE, &[whole, crashing(Home::Unset)]).as_str(), "failed");
        let runs = [crashing(Home::Fresh), crashing(Home::Unset)];
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
    }
}
