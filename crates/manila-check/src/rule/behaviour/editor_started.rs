//! An editor is started without a terminal.

use super::judge_tool;
use crate::observe::run::Tool;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "editor-started",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "An editor is started without a terminal.",
    fix: "Fail with an error that names the flag which takes the text, unless stdin is a terminal.",
    page: include_str!("editor_started.md"),
    modes: &[62],
    requirements: &["F-055", "C-023"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Editor, "an editor")
}
