//! The same call answers differently each time.

use super::{DECLARE_SAMPLE, NO_SAMPLE, pairs};
use crate::observe::probe::{Form, LATE_ROUND};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::compare::{self, Volatile};
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "nondeterministic",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The same call answers differently each time.",
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
    // Measured values change in the course of a check; every comparison has to know them.
    plan.ask_last(samples(surface, Form::Json).map(|it| it.round(LATE_ROUND)));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = std::collections::BTreeSet::new();
    for (first, again) in pairs(evidence, |setting| (1..=ROUNDS).contains(&setting.round)) {
        builder.observe();
        let difference =
            compare::difference(first.compared(), again.compared(), &Volatile::default());
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
        builder.report_once(Finding::new(again, message));
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{LATE_ROUND, Purpose};
    use crate::rule::rule;
    use crate::testing::{judge, ran};

    #[test]
    fn what_is_measured_may_change_in_the_course_of_a_check() {
        let again = |load: f64, round, columns: Option<&str>| {
            let mut run =
                ran(Purpose::Sample, format!(r#"{{"ok":true,"data":{{"load":{load}}}}}"#), 0);
            run.probe.setting.round = round;
            if let Some(columns) = columns {
                run.probe = run.probe.variable("COLUMNS", columns);
            }
            run
        };
        let runs = [again(1.5, 0, None), again(1.5, 1, None), again(1.5, LATE_ROUND, None)];
        assert_eq!(judge(&RULE, &runs).as_str(), "passed");
        let narrow = again(1.7, 0, Some("20"));
        let width = rule("width-dependent").expect("a rule");
        let early = [runs[0].clone(), runs[1].clone(), narrow.clone()];
        assert_eq!(judge(width, &early).as_str(), "failed");
        let late = [runs[0].clone(), narrow, again(1.9, LATE_ROUND, None)];
        assert_eq!(judge(width, &late).as_str(), "passed");
        assert_eq!(judge(&RULE, &[again(1.5, 0, None), again(1.6, 1, None)]).as_str(), "failed");
    }
}
