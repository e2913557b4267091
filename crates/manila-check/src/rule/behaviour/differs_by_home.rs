//! The answer depends on where the home and the working folder are.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Home, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "differs-by-home",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "The answer depends on where the home and the working folder are.",
    fix: "Take paths as they are: deep, with blanks, not below anything you expect.",
    page: include_str!("differs_by_home.md"),
    modes: &[29],
    requirements: &["F-027", "F-040"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(samples(surface, Form::Json).map(|it| it.home(Home::Elsewhere)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.home == Home::Elsewhere,
        |seen, what| format!("{} answers otherwise in another folder: {what}", seen.called()),
    )
}
