//! The same call answers otherwise each time.

use super::{DECLARE_SAMPLE, NO_SAMPLE, pairs};
use crate::compare::{self, Volatile};
use crate::evidence::Evidence;
use crate::plan::samples;
use crate::probe::{Form, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "nondeterministic",
    family: Family::Behaviour,
    severity: Severity::Warning,
    flaw: "The same call answers otherwise each time.",
    fix: "Sort what has no order of its own, and keep what changes out of the data.",
    page: include_str!("nondeterministic.md"),
    modes: &[7],
    requirements: &["F-020", "F-021"],
    plan,
    judge,
};

/// So many runs beside the first: a list of three in random order is the same in all of them once in
/// two hundred times.
const ROUNDS: u8 = 3;

fn plan(surface: &Surface, plan: &mut Plan) {
    for round in 1..=ROUNDS {
        plan.ask_each(samples(surface, Form::Json).map(|it| it.round(round)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = std::collections::BTreeSet::new();
    for (first, again) in pairs(evidence, |setting| setting.round > 0) {
        judging.look();
        let difference = compare::difference(first, again, &Volatile::default());
        // Keys that come and go are about the shape, and one finding for each command is enough.
        let Some(difference) =
            difference.filter(|it| it.usual != "nothing" && it.other != "nothing")
        else {
            continue;
        };
        if !found.insert(&again.run.probe.command) {
            continue;
        }
        let (path, called) = (&difference.path, again.called());
        let message = match (path.is_empty(), difference.is_order) {
            (true, _) => format!("{called} answers in JSON on one call and not on the next"),
            (false, true) => format!("{called}: {path} is in another order on each call"),
            (false, false) => format!(
                "{called}: {path} is {} on one call and {} on the next",
                difference.usual, difference.other
            ),
        };
        judging.find_once(Finding::new(again, message));
    }
    judging.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}
