//! An id with something behind it that no id has is taken for the id.

use super::not_refused;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::{missing, sample};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_accepted;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "mangled-id-accepted",
    family: Family::Arguments,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "An id followed by part of a URL is accepted as the id.",
    fix: "Compare the whole argument, and reject ids that contain `?`, `#`, `%` or `..`.",
    page: include_str!("mangled_id_accepted.md"),
    modes: &[35],
    requirements: &["F-045"],
    plan,
    judge,
};

/// What agents put behind an id, because they saw it in an address.
const TAILS: &[&str] = &["?fields=name", "#part", "%2e%2e%2f"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        for tail in TAILS {
            plan.ask_each(mangled(surface, command, tail));
        }
    }
}

/// The sample call with its id mangled, of a command that looks something up: what is not there can be
/// asked for too.
fn mangled(surface: &Surface, command: &Command, tail: &str) -> Option<Probe> {
    missing(surface, command, Form::Json)?;
    sample(surface, command, Form::Json)?;
    let (id, before) = command.sample.as_ref()?.split_last()?;
    let is_id = !id.is_empty() && id.chars().all(|it| it.is_ascii_alphanumeric() || it == '-');
    let value = format!("{id}{tail}");
    (is_id && !id.starts_with('-')).then(|| {
        let args = before.iter().map(String::as_str).chain([value.as_str()]);
        Probe::new(command, Purpose::Mangled, Form::Json, args, &surface.json)
    })
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.of(Purpose::Mangled, Form::Json).filter(|it| it.run.ended_by_itself()) {
        let Some(command) = seen.command else { continue };
        let run_of = |probe: Option<Probe>| evidence.run_of(&probe?);
        let usual = run_of(sample(evidence.surface, command, Form::Json));
        let refused = run_of(missing(evidence.surface, command, Form::Json));
        let (Some(usual), Some(refused)) = (usual, refused) else { continue };
        // A command that accepts anything looks nothing up.
        if !is_accepted(usual) || is_accepted(refused) {
            continue;
        }
        builder.observe();
        if is_accepted(seen) && evidence.difference(usual, seen).is_none() {
            let at = seen.run.probe.args.len() - evidence.surface.json.words().len();
            let word = |at: usize| seen.run.probe.args[at].to_string_lossy().into_owned();
            let said = format!("{:?} is taken for the id in it", word(at.saturating_sub(1)));
            builder.report_once(not_refused(seen, &said));
        }
    }
    builder.verdict(
        "no call is known that looks something up and finds it",
        Some("commands.\"…\".args: the id of something that is there"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge_with, run_of, surface};

    fn verdict(mangled: &str, status: i32) -> &'static str {
        let mut surface = surface();
        surface.commands[1].sample = Some(vec!["7".to_owned()]);
        surface.commands[1].missing = Some(vec!["8".to_owned()]);
        let command = &surface.commands[1];
        let found = r#"{"ok":true,"data":{"id":7}}"#;
        let call = super::mangled(&surface, command, "#part").expect("a call");
        assert_eq!(call.args, ["list", "7#part", "--json"]);
        let runs = [
            run_of(sample(&surface, command, Form::Json).expect("a call"), found, 0),
            run_of(missing(&surface, command, Form::Json).expect("a call"), r#"{"ok":false}"#, 1),
            run_of(call, mangled, status),
        ];
        judge_with(&RULE, &surface, &runs).as_str()
    }

    #[test]
    fn the_same_answer_for_another_id_is_found() {
        assert_eq!(verdict(r#"{"ok":true,"data":{"id":7}}"#, 0), "failed");
        assert_eq!(verdict(r#"{"ok":true,"data":{"id":"7#part"}}"#, 0), "passed");
        assert_eq!(verdict(r#"{"ok":false}"#, 5), "passed");
    }
}
