//! A browser is opened where nobody looks.

use super::judge_tool;
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::Tool;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "browser-opened",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A browser is opened where nobody looks.",
    fix: "Put the address into the answer instead, unless somebody sits at a terminal.",
    page: include_str!("browser_opened.md"),
    modes: &[45, 64],
    requirements: &["F-057", "C-024"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Browser, "a browser")
}
