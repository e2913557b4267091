//! A variable that forces colour puts escapes into the JSON document.

use super::{DECLARE_SAMPLE, NO_SAMPLE};
use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "colour-forced-into-document",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A variable that forces colour puts escapes into the JSON document.",
    fix: "Never colour JSON, whatever the environment says.",
    page: include_str!("colour_forced_into_document.md"),
    modes: &[8],
    requirements: &["F-007"],
    plan,
    judge,
};

/// What people set to force colour.
const FORCED: &[(&str, &str)] = &[("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "3")];

fn plan(surface: &Surface, plan: &mut Plan) {
    for (name, value) in FORCED {
        plan.ask_each(samples(surface, Form::Json).map(|it| it.variable(name, value)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.json() {
        let variables = &seen.run.probe.setting.variables;
        let Some((name, _)) = FORCED.iter().find(|(name, _)| variables.contains_key(*name)) else {
            continue;
        };
        let has_escape = |bytes: &[u8]| bytes.contains(&0x1b);
        // Escapes that are there anyway are about the document, not about the variable.
        if evidence.plain_twin(seen).is_none_or(|it| has_escape(&it.run.transcript.stdout)) {
            continue;
        }
        builder.observe();
        let stdout = &seen.run.transcript.stdout;
        let Some(start) = stdout.iter().position(|byte| *byte == 0x1b) else { continue };
        let end = stdout[start..].iter().position(u8::is_ascii_alphabetic);
        let span = start..end.map_or(stdout.len(), |length| start + length + 1);
        let message = format!("{} colours its JSON when {name} is set", seen.called());
        builder.report_once(Finding::new(seen, message).at(seen, Stream::Stdout, span));
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}
