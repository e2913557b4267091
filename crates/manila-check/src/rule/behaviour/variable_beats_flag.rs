//! A variable that sets the format beats the flag that asks for JSON.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Plan, Probe};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "variable-beats-flag",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "A variable that sets the format beats the flag that asks for JSON.",
    fix: "Let what is asked for on the command line win over the environment.",
    page: include_str!("variable_beats_flag.md"),
    modes: &[28],
    requirements: &["O-042"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let prefix: String = surface.name.chars().map(upper).collect();
    let in_text = |mut it: Probe| {
        for end in ["OUTPUT", "FORMAT", "OUTPUT_FORMAT"] {
            it = it.variable(&format!("{prefix}_{end}"), "text");
        }
        it
    };
    // Without words that ask for JSON there is nothing to beat.
    if !surface.json.words().is_empty() && !prefix.is_empty() {
        plan.ask_each(samples(surface, Form::Json).map(in_text));
    }
}

fn upper(character: char) -> char {
    if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.variables.keys().any(|name| name.ends_with("_OUTPUT_FORMAT")),
        |seen, what| format!("{} follows a variable against its flag: {what}", seen.called()),
    )
}
