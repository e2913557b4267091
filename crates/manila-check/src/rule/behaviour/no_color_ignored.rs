//! `NO_COLOR` or a terminal without colour is not heeded.

use super::{DECLARE_SAMPLE, NO_SAMPLE, colour};
use crate::evidence::Evidence;
use crate::plan::{help, samples};
use crate::probe::{Form, Outlet, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "no-color-ignored",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "`NO_COLOR` or a terminal without colour is not heeded.",
    fix: "Colour nothing when `NO_COLOR` is set and not empty, or `TERM` is `dumb`.",
    page: include_str!("no_color_ignored.md"),
    modes: &[8],
    requirements: &["F-008"],
    plan,
    judge,
};

/// What people set to be spared colour.
const UNCOLOURED: &[(&str, &str)] = &[("NO_COLOR", "1"), ("TERM", "dumb")];

fn plan(surface: &Surface, plan: &mut Plan) {
    let terminal = Outlet::Terminal { columns: 80 };
    for (name, value) in UNCOLOURED {
        plan.ask_each(samples(surface, Form::Text).map(|it| it.to(terminal).variable(name, value)));
        let root = surface.commands.iter().filter(|command| command.is_root());
        plan.ask_each(root.map(|root| help(root).to(terminal).variable(name, value)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in &evidence.runs {
        let setting = &seen.run.probe.setting;
        let set = UNCOLOURED.iter().find(|(name, _)| setting.variables.contains_key(*name));
        let Some((name, value)) = set else { continue };
        // What is coloured even on a pipe has a rule of its own.
        let is_always = evidence.plain_twin(seen).is_some_and(|twin| {
            let transcript = &twin.run.transcript;
            colour(&transcript.stdout).or_else(|| colour(&transcript.stderr)).is_some()
        });
        if is_always {
            continue;
        }
        judging.look();
        for stream in [Stream::Stdout, Stream::Stderr] {
            if let Some(span) = colour(seen.run.transcript.stream(stream)) {
                let message =
                    format!("{} colours its text although {name} is {value}", seen.called());
                judging.find_once(Finding::new(seen, message).at(seen, stream, span));
                break;
            }
        }
    }
    judging.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}
