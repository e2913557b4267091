//! The terminal is left in another mode.

use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Outlet, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "terminal-left-changed",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "The terminal is left in another mode.",
    fix: "Restore the terminal on every way out.",
    page: include_str!("terminal_left_changed.md"),
    modes: &[10],
    requirements: &["F-013"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for form in [Form::Json, Form::Text] {
        let on_terminal = samples(surface, form).map(|it| it.to(Outlet::Terminal { columns: 80 }));
        plan.ask_each(on_terminal);
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in &evidence.runs {
        if !matches!(seen.run.probe.setting.outlet, Outlet::Terminal { .. }) {
            continue;
        }
        judging.look();
        if seen.run.is_terminal_changed {
            let message = format!("{} leaves the terminal in another mode", seen.called());
            judging.find_once(Finding::new(seen, message));
        }
    }
    judging.verdict(super::NO_SAMPLE, super::DECLARE_SAMPLE)
}
