//! A call that needs no input waits for it.

use super::{DECLARE_SAMPLE, NO_SAMPLE};
use crate::observe::probe::{Form, Probe, Purpose, Stdin};
use crate::observe::run::Ended;
use crate::plan::collection::Plan;
use crate::plan::usual::{help, samples, unknown_flag};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "waits-for-input",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call that needs no input waits for it.",
    fix: "Read stdin only when the arguments ask for it, such as with `-`.",
    page: include_str!("waits_for_input.md"),
    modes: &[10, 50],
    requirements: &["F-009"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let form = if surface.json.is_known() { Form::Json } else { Form::Text };
    plan.ask_each(samples(surface, form).map(|it| it.with_stdin(Stdin::Silent)));
    for root in surface.commands.iter().filter(|command| command.is_root()) {
        plan.ask(help(root).with_stdin(Stdin::Silent));
        let bare = Probe::new(root, Purpose::Bare, Form::Text, [""; 0], &surface.json);
        plan.ask(bare.with_stdin(Stdin::Silent));
        plan.ask_each(unknown_flag(surface, root, form).map(|it| it.with_stdin(Stdin::Silent)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|it| it.run.probe.setting.stdin == Stdin::Silent) {
        // A program without commands may be a filter, which is called to wait for its input.
        let may_be_filter =
            evidence.surface.commands.len() == 1 && seen.run.probe.purpose != Purpose::Help;
        if may_be_filter {
            continue;
        }
        // One that never ends does not wait for input alone, and one that asks has its own rule.
        let ends_otherwise = evidence.plain_twin(seen).is_some_and(|it| it.run.ended_by_itself());
        if !ends_otherwise || super::prompts::question(seen).is_some() {
            continue;
        }
        builder.observe();
        if matches!(seen.run.ended, Ended::AtLimit(_)) {
            let called = seen.called();
            let message = format!("{called} waits for stdin although nothing is written to it");
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::run::Waiting;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn a_program_with_commands_waits_for_nothing_and_a_filter_may() {
        let all = surface();
        let mut alone = surface();
        alone.commands.truncate(1);
        let bare = Probe::new(&all.commands[0], Purpose::Bare, Form::Text, [""; 0], &all.json);
        let mut waiting = run_of(bare.clone().with_stdin(Stdin::Silent), "", 0);
        waiting.ended = Ended::AtLimit(Waiting::ForInput);
        let runs = [run_of(bare, "", 2), waiting];
        assert_eq!(judge_with(&RULE, &all, &runs).as_str(), "failed");
        assert_eq!(judge_with(&RULE, &alone, &runs).as_str(), "undecided");
    }
}
