//! The first call answers otherwise than the second.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Home, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "first-run-differs",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "The first call answers otherwise than the second.",
    fix: "Do what must be done once in a command of its own, or without a word.",
    page: include_str!("first_run_differs.md"),
    modes: &[26],
    requirements: &["F-076"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(samples(surface, Form::Json).map(|it| it.home(Home::Used)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.home == Home::Used,
        |seen, what| format!("{} answers otherwise the second time: {what}", seen.called()),
    )
}
