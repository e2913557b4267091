//! The terminal is left in another mode.

use crate::observe::probe::{Form, Stdout};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "terminal-left-changed",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "The terminal is left in another mode.",
    fix: "Restore the terminal on every exit path.",
    page: include_str!("terminal_left_changed.md"),
    modes: &[10],
    requirements: &["F-013"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for form in [Form::Json, Form::Text] {
        let on_terminal =
            samples(surface, form).map(|it| it.with_stdout(Stdout::Terminal { columns: 80 }));
        plan.ask_each(on_terminal);
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.usual() {
        if !matches!(seen.run.probe.setting.stdout, Stdout::Terminal { .. }) {
            continue;
        }
        builder.observe();
        if seen.run.is_terminal_changed {
            let message = format!("{} leaves the terminal in another mode", seen.called());
            builder.report_once(Finding::new(seen, message));
        }
    }
    builder.verdict(super::NO_SAMPLE, super::DECLARE_SAMPLE)
}
