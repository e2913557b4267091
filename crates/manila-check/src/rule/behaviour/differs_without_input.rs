//! Without standard input the answer is another.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Inlet, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "differs-without-input",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "Without standard input the answer is another.",
    fix: "Do not count on descriptor 0: open what you need, and check it.",
    page: include_str!("differs_without_input.md"),
    modes: &[50],
    requirements: &["F-009"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(samples(surface, Form::Json).map(|it| it.from(Inlet::Closed)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.inlet == Inlet::Closed,
        |seen, what| format!("{} answers otherwise when stdin is closed: {what}", seen.called()),
    )
}
