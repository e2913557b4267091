//! A browser is opened without a terminal.

use super::judge_tool;
use crate::observe::run::Tool;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;

pub(crate) static RULE: Rule = Rule {
    id: "browser-opened",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A browser is opened without a terminal.",
    fix: "Put the URL into the answer instead, unless stdin and stdout are a terminal.",
    page: include_str!("browser_opened.md"),
    modes: &[45, 64],
    requirements: &["F-057", "C-024"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_tool(evidence, Tool::Browser, "a browser")
}
