//! The width of the terminal changes the JSON answer.

use super::judge_by_setting;
use crate::observe::probe::{Form, Probe, Stdout};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "width-dependent",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The width of the terminal changes the JSON answer.",
    fix: "Wrap and truncate only text for people.",
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
        plan.ask_each(
            samples(surface, Form::Json).map(|it| it.with_stdout(Stdout::Terminal { columns })),
        );
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| {
            setting.variables.contains_key("COLUMNS")
                || matches!(setting.stdout, Stdout::Terminal { columns: 20 })
        },
        |seen, what| format!("{} answers otherwise at another width: {what}", seen.called()),
    )
}
