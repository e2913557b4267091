//! An argument more than the command takes is ignored.

use super::not_refused;
use crate::evidence::Evidence;
use crate::plan::{extra_argument, sample};
use crate::probe::{Form, Plan};
use crate::refusal::{is_accepted, names};
use crate::rule::{Family, Rule, Severity};
use crate::surface::{Json, Surface};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "extra-argument-ignored",
    family: Family::Arguments,
    severity: Severity::Note,
    flaw: "An argument more than the command takes is ignored.",
    fix: "Refuse arguments that you do not take, with a status other than 0.",
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
    let mut judging = Judging::default();
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
        judging.look();
        // Another answer is made of it, although nobody wrote that it may be given.
        let is_same = match form {
            Form::Json => evidence.difference(usual, extra).is_none(),
            Form::Text => usual.run.transcript.stdout == extra.run.transcript.stdout,
        };
        if is_accepted(extra) && is_same && !names(extra, crate::discover::NO_THING) {
            judging.find_once(not_refused(extra, "an argument too many is ignored"));
        }
    }
    judging.verdict(
        "of no safe command is it known how many arguments it takes",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::plan::{extra_argument, sample};
    use crate::probe::Form;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn the_same_answer_means_that_nobody_looked() {
        let surface = surface();
        let list = &surface.commands[1];
        let verdict = |stdout: &str, status| {
            let usual = sample(&surface, list, Form::Json).expect("a sample");
            let extra = extra_argument(&surface, list, Form::Json).expect("a call");
            assert_eq!(extra.args, ["list", "manila-no-such-thing", "--json"]);
            let runs = [run_of(usual, r#"{"items":[1]}"#, 0), run_of(extra, stdout, status)];
            judge_with(&RULE, &surface, &runs).word()
        };
        assert_eq!(verdict(r#"{"items":[1]}"#, 0), "violated");
        assert_eq!(verdict(r#"{"items":[]}"#, 0), "holds");
        assert_eq!(verdict("unexpected argument", 2), "holds");
    }
}
