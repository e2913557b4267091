//! The language of the environment changes the JSON answer.

use super::judge_by_setting;
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::Verdict;

pub(crate) static RULE: Rule = Rule {
    id: "locale-dependent",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "The language of the environment changes the JSON answer.",
    fix: "Write numbers, dates and codes in one way; translate only what people read.",
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
        let with = |it: crate::probe::Probe| it.variable("LC_ALL", locale).variable("LANG", locale);
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
