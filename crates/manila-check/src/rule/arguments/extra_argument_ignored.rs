//! A surplus argument is ignored.

use super::not_refused;
use crate::observe::probe::Form;
use crate::plan::collection::Plan;
use crate::plan::usual::{extra_argument, sample};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{is_accepted, names};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Json, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "extra-argument-ignored",
    family: Family::Arguments,
    severity: Severity::Note,
    scope: Scope::PLAIN,
    flaw: "A surplus argument is ignored.",
    fix: "Reject surplus arguments with a nonzero exit status.",
    page: include_str!("extra_argument_ignored.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let form = form(surface);
    plan.ask_each(surface.commands.iter().filter_map(|it| extra_argument(surface, it, form)));
}

fn form(surface: &Surface) -> Form {
    if surface.json == Json::Unknown { Form::Text } else { Form::Json }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let surface = evidence.surface;
    let form = form(surface);
    for command in &surface.commands {
        let extra = extra_argument(surface, command, form).and_then(|it| evidence.run_of(&it));
        let usual = sample(surface, command, form).and_then(|it| evidence.run_of(&it));
        let Some((extra, usual)) = extra.zip(usual).filter(|(_, usual)| is_accepted(usual)) else {
            continue;
        };
        if !extra.run.ended_by_itself() {
            continue;
        }
        builder.observe();
        // The answer changes with it, although no help says that it may be given.
        let is_same = match form {
            Form::Json => evidence.difference(usual, extra).is_none(),
            Form::Text => usual.run.transcript.stdout == extra.run.transcript.stdout,
        };
        if is_accepted(extra) && is_same && !names(extra, crate::observe::placeholder::NO_THING) {
            builder.report_once(not_refused(extra, "an argument too many is ignored"));
        }
    }
    builder.verdict(
        "no safe command takes a known number of arguments",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Form;
    use crate::plan::usual::{extra_argument, sample};
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn the_same_answer_means_that_the_argument_was_ignored() {
        let surface = surface();
        let list = &surface.commands[1];
        let verdict = |stdout: &str, status| {
            let usual = sample(&surface, list, Form::Json).expect("a sample");
            let extra = extra_argument(&surface, list, Form::Json).expect("a call");
            assert_eq!(extra.args, ["list", "manila-no-such-thing", "--json"]);
            let runs = [run_of(usual, r#"{"items":[1]}"#, 0), run_of(extra, stdout, status)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict(r#"{"items":[1]}"#, 0), "failed");
        assert_eq!(verdict(r#"{"items":[]}"#, 0), "passed");
        assert_eq!(verdict("unexpected argument", 2), "passed");
    }
}
