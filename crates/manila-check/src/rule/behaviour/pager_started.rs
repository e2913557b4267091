//! A pager is started where nobody can page.

use super::judge_tool;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Outlet, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::run::Tool;
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "pager-started",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A pager is started where nobody can page.",
    fix: "Start a pager only when standard output is a terminal and no JSON was asked for.",
    page: include_str!("pager_started.md"),
    modes: &[10],
    requirements: &["F-010", "F-046"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(samples(surface, Form::Json).map(|it| it.to(Outlet::Terminal { columns: 80 })));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Pager, "a pager")
}
