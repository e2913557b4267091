//! The first call answers differently from the second.

use super::judge_by_setting;
use crate::observe::probe::{Form, Home};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "first-run-differs",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The first call answers differently from the second.",
    fix: "Do one-time setup silently, or in a command of its own.",
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
