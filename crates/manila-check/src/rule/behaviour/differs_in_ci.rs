//! `CI` in the environment changes the JSON answer.

use super::judge_by_setting;
use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "differs-in-ci",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "`CI` in the environment changes the JSON answer.",
    fix: "Let `CI` change what people see, never the answer.",
    page: include_str!("differs_in_ci.md"),
    modes: &[4],
    requirements: &["F-003"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let in_ci = |it: crate::observe::probe::Probe| {
        it.variable("CI", "true").variable("GITHUB_ACTIONS", "true")
    };
    plan.ask_each(samples(surface, Form::Json).map(in_ci));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.variables.contains_key("CI"),
        |seen, what| format!("{} answers otherwise in CI: {what}", seen.called()),
    )
}
