//! A flag that takes a number or a choice takes anything.

use super::not_refused;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::adversarial::is_harmless;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_accepted;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Flag, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-value-accepted",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A flag that takes a number or one of a few words takes anything.",
    fix: "Check the value of every flag before anything else is done.",
    page: include_str!("invalid_value_accepted.md"),
    modes: &[14],
    requirements: &["C-006"],
    plan,
    judge,
};

/// A value that is neither a number nor one of anyone's words.
const NO_VALUE: &str = "manila-no-such-value";
/// How many flags of one command are tried.
const TRIED: usize = 4;

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let Some(sample) = command.sample.as_ref().filter(|_| command.is_safe()) else { continue };
        for flag in command.flags.iter().filter(|flag| is_tried(surface, flag)).take(TRIED) {
            let args = sample.iter().cloned().chain(flag.with_value(NO_VALUE.to_owned()));
            plan.ask(Probe::new(command, Purpose::InvalidValue, Form::Json, args, &surface.json));
        }
        plan.ask_each(positional(surface, command));
    }
}

/// The flag that asks for JSON is in the same call, and must not be overridden.
fn is_tried(surface: &Surface, flag: &Flag) -> bool {
    let is_closed = flag.is_number || !flag.choices.is_empty();
    let asks = surface.json.words().iter().any(|word| {
        *word == flag.spelling() || flag.short.is_some_and(|short| *word == format!("-{short}"))
    });
    is_closed && !asks && flag.value.is_some() && is_harmless(flag)
}

/// A command whose first argument is one of a few words, with another.
fn positional(surface: &Surface, command: &Command) -> Option<Probe> {
    let first = command.positionals.first().filter(|it| !it.choices.is_empty())?;
    let is_only = command.positionals.iter().filter(|it| it.is_required).count() <= 1;
    (first.is_required && is_only)
        .then(|| Probe::new(command, Purpose::InvalidValue, Form::Json, [NO_VALUE], &surface.json))
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|seen| seen.run.probe.is_plain()) {
        if seen.run.probe.purpose != Purpose::InvalidValue || !seen.run.ended_by_itself() {
            continue;
        }
        builder.observe();
        if is_accepted(seen) {
            let words: Vec<_> =
                seen.run.probe.args.iter().map(|word| word.to_string_lossy()).collect();
            let at = words.iter().rposition(|word| word.ends_with(NO_VALUE)).unwrap_or_default();
            let flag = match words.get(at).and_then(|word| word.split_once('=')) {
                Some((flag, _)) => flag,
                None => at.checked_sub(1).and_then(|at| words.get(at)).map_or("", |word| word),
            };
            builder.report(not_refused(seen, &format!("{flag} takes any value")));
        }
    }
    builder.verdict("no safe command has a flag that takes a number or one of a few words", None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge, ran, surface};

    #[test]
    fn flags_with_few_values_are_tried_and_those_for_json_are_not() {
        let mut surface = surface();
        let flag = |long: &str, is_number| Flag {
            long: Some(long.to_owned()),
            value: Some("V".to_owned()),
            is_number,
            ..Flag::default()
        };
        surface.json =
            crate::surface::model::Json::Arguments(vec!["--format".to_owned(), "json".to_owned()]);
        let format = Flag { choices: vec!["json".to_owned()], ..flag("format", false) };
        surface.commands[1].flags = vec![flag("limit", true), flag("tag", false), format];
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let args: Vec<_> = asked.into_parts().0.into_iter().map(|probe| probe.args).collect();
        assert_eq!(args, [["list", "--limit", NO_VALUE, "--format", "json"]]);
    }

    #[test]
    fn a_success_is_found() {
        let verdict = |status| {
            judge(&RULE, &[ran(Purpose::InvalidValue, r#"{"items":[]}"#, status)]).as_str()
        };
        assert_eq!(verdict(0), "failed");
        assert_eq!(verdict(2), "passed");
    }
}
