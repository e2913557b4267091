//! `CI` in the environment changes the JSON answer.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "differs-in-ci",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "`CI` in the environment changes the JSON answer.",
    fix: "Let `CI` change what people see, never the answer.",
    page: include_str!("differs_in_ci.md"),
    modes: &[4],
    requirements: &["F-003"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let in_ci =
        |it: crate::probe::Probe| it.variable("CI", "true").variable("GITHUB_ACTIONS", "true");
    plan.ask_each(samples(surface, Form::Json).map(in_ci));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.variables.contains_key("CI"),
        |seen, what| format!("{} answers otherwise in CI: {what}", seen.called()),
    )
}
