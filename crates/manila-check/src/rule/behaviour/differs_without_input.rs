//! The answer changes without stdin.

use super::judge_by_setting;
use crate::observe::probe::{Form, Stdin};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "differs-without-input",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The answer changes without stdin.",
    fix: "Do not assume that descriptor 0 is open: open what you need, and check it.",
    page: include_str!("differs_without_input.md"),
    modes: &[50],
    requirements: &["F-009"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(samples(surface, Form::Json).map(|it| it.with_stdin(Stdin::Closed)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.stdin == Stdin::Closed,
        |seen, what| format!("{} answers otherwise when stdin is closed: {what}", seen.called()),
    )
}
