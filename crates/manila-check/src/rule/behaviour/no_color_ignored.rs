//! `NO_COLOR` or `TERM=dumb` is ignored.

use super::{DECLARE_SAMPLE, NO_SAMPLE, colour, hue};
use crate::observe::probe::{Form, Stdout};
use crate::plan::collection::Plan;
use crate::plan::usual::{help, samples};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "no-color-ignored",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "`NO_COLOR` or `TERM=dumb` is ignored.",
    fix: "Colour nothing when `NO_COLOR` is set and not empty, or `TERM` is `dumb`.",
    page: include_str!("no_color_ignored.md"),
    modes: &[8],
    requirements: &["F-008"],
    plan,
    judge,
};

/// What people set to be spared colour.
const UNCOLOURED: &[(&str, &str)] = &[(NO_COLOR, "1"), ("TERM", "dumb")];
const NO_COLOR: &str = "NO_COLOR";

fn plan(surface: &Surface, plan: &mut Plan) {
    let terminal = Stdout::Terminal { columns: 80 };
    for (name, value) in UNCOLOURED {
        plan.ask_each(
            samples(surface, Form::Text).map(|it| it.with_stdout(terminal).variable(name, value)),
        );
        let root = surface.commands.iter().filter(|command| command.is_root());
        plan.ask_each(root.map(|root| help(root).with_stdout(terminal).variable(name, value)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.usual() {
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
        builder.observe();
        for stream in [Stream::Stdout, Stream::Stderr] {
            let bytes = seen.run.transcript.stream(stream);
            // Bold is not a colour; a dumb terminal knows neither.
            let found = if *name == NO_COLOR { hue(bytes) } else { colour(bytes) };
            if let Some(span) = found {
                let message =
                    format!("{} colours its text although {name} is {value}", seen.called());
                builder.report_once(Finding::new(seen, message).at(seen, stream, span));
                break;
            }
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}
