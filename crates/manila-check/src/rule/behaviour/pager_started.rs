//! A pager is started without a terminal.

use super::judge_tool;
use crate::observe::probe::{Form, Stdout};
use crate::observe::run::Tool;
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "pager-started",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A pager is started without a terminal.",
    fix: "Start a pager only when stdout is a terminal and JSON is not asked for.",
    page: include_str!("pager_started.md"),
    modes: &[10],
    requirements: &["F-010", "F-046"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(
        samples(surface, Form::Json).map(|it| it.with_stdout(Stdout::Terminal { columns: 80 })),
    );
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Pager, "a pager")
}
