//! The manifest fails, describes nothing, or is another one each time.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::compare::{self, Volatile};
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "manifest-broken",
    family: Family::Discovery,
    severity: Severity::Error,
    scope: Scope::MANIFEST,
    flaw: "The manifest fails, describes no command, or changes from call to call.",
    fix: "Print the whole manifest as one document, the same each time.",
    page: include_str!("manifest_broken.md"),
    modes: &[52],
    requirements: &["O-013", "O-041"],
    plan,
    judge,
};

const ROUNDS: std::ops::RangeInclusive<u8> = 1..=2;

fn plan(surface: &Surface, plan: &mut Plan) {
    let Some(manifest) = &surface.manifest else { return };
    for root in surface.commands.iter().filter(|command| command.is_root()) {
        let probe = Probe::new(root, Purpose::Manifest, Form::Text, &manifest.args, &surface.json);
        plan.ask_each(ROUNDS.map(|round| probe.clone().round(round)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let asked: Vec<&ObservedRun<'_>> =
        evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Manifest).collect();
    let first = asked.iter().find(|seen| seen.run.probe.is_plain());
    for seen in asked.iter().filter(|seen| seen.run.ended_by_itself()) {
        builder.observe();
        if !seen.exited_zero() {
            let message = format!("the manifest fails with exit status {}", shown(seen));
            builder.report_once(Finding::new(seen, message));
        } else if let Some(first) = first
            && let Some(difference) =
                compare::difference(first.compared(), seen.compared(), &Volatile::default())
        {
            let path = if difference.path.is_empty() { "it" } else { &difference.path };
            let (usual, other) = (&difference.usual, &difference.other);
            let message =
                format!("the manifest is another one each time: {path} is {usual}, then {other}");
            builder.report_once(Finding::new(seen, message));
        }
    }
    // One that is promised and could not be read as such is found among the usual calls.
    let is_lost = evidence.surface.manifest.is_none();
    for seen in evidence.of(Purpose::Sample, Form::Json).filter(|seen| is_lost && is_promised(seen))
    {
        // What is not JSON has rules of its own.
        if !seen.run.probe.is_plain() || !seen.run.ended_by_itself() || !seen.exited_zero() {
            continue;
        }
        let Some(answer) = &seen.reading.answer else { continue };
        builder.observe();
        let message = "the manifest describes no command";
        builder.report_once(Finding::new(seen, message).at(
            seen,
            answer.stream,
            answer.span.clone(),
        ));
    }
    builder
        .verdict("the program has no manifest", Some("program.manifest: the words that print it"))
}

fn shown(seen: &ObservedRun<'_>) -> String {
    seen.status().map_or_else(|| "unknown".to_owned(), |status| status.to_string())
}

/// Whether a command's own help says that it describes the others.
fn is_promised(seen: &ObservedRun<'_>) -> bool {
    let Some(command) = seen.command else { return false };
    let about = command.about.to_ascii_lowercase();
    let is_named =
        matches!(command.path[..], [ref word] if word == "manifest" || word == "introspect");
    is_named && about.contains("command")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::model::Manifest;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn the_same_manifest_each_time() {
        let mut surface = surface();
        let args = vec!["manifest".to_owned()];
        surface.manifest = Some(Manifest { args, format: "manila", is_whole: true });
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let again = asked.into_parts().0.remove(0);
        let first = Probe { setting: crate::observe::probe::Setting::default(), ..again.clone() };
        let verdict = |second: &str, status| {
            let stdout = r#"{"commands":{"list":{}}}"#;
            let runs = [run_of(first.clone(), stdout, 0), run_of(again.clone(), second, status)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict(r#"{"commands":{"list":{}}}"#, 0), "passed");
        assert_eq!(verdict(r#"{"commands":{"show":{}}}"#, 0), "failed");
        assert_eq!(verdict("", 1), "failed");
    }
}
