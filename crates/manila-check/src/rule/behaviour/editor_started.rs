//! An editor is started where nobody can edit.

use super::judge_tool;
use crate::evidence::Evidence;
use crate::rule::{Family, Rule, Severity, nothing_more};
use crate::run::Tool;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "editor-started",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "An editor is started where nobody can edit.",
    fix: "Fail with a code that names the flag which takes the text, unless standard input is a terminal.",
    page: include_str!("editor_started.md"),
    modes: &[62],
    requirements: &["F-055", "C-023"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Editor, "an editor")
}
