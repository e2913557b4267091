//! The language of the environment changes the JSON answer.

use super::judge_by_setting;
use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "locale-dependent",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "The language of the environment changes the JSON answer.",
    fix: "Write numbers, dates and codes the same in every locale; translate only text for people.",
    page: include_str!("locale_dependent.md"),
    modes: &[57],
    requirements: &["F-005"],
    plan,
    judge,
};

/// Languages that write numbers, dates and the letter i in other ways.
const LOCALES: &[&str] = &["de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for locale in LOCALES {
        let with = |it: crate::observe::probe::Probe| {
            it.variable("LC_ALL", locale).variable("LANG", locale)
        };
        plan.ask_each(samples(surface, Form::Json).map(with));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    judge_by_setting(
        evidence,
        |setting| setting.variables.contains_key("LC_ALL"),
        |seen, what| {
            let locale = seen.run.probe.setting.variables.get("LC_ALL").cloned().flatten();
            let locale = locale.unwrap_or_default();
            format!("{} answers otherwise when LC_ALL is {locale}: {what}", seen.called())
        },
    )
}
