//! The width of the terminal changes the JSON answer.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Outlet, Plan, Probe};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "width-dependent",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "The width of the terminal changes the JSON answer.",
    fix: "Wrap and cut only what people read.",
    page: include_str!("width_dependent.md"),
    modes: &[63],
    requirements: &["F-056"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for columns in [20, 400] {
        let narrow = |it: Probe| it.variable("COLUMNS", &columns.to_string());
        plan.ask_each(samples(surface, Form::Json).map(narrow));
    }
    for columns in [80, 20] {
        plan.ask_each(samples(surface, Form::Json).map(|it| it.to(Outlet::Terminal { columns })));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| {
            setting.variables.contains_key("COLUMNS")
                || matches!(setting.outlet, Outlet::Terminal { columns: 20 })
        },
        |seen, what| format!("{} answers otherwise at another width: {what}", seen.called()),
    )
}
