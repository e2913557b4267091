//! A limit is accepted, and the list is as long as without it.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::sample;
use crate::profile::Scope;
use crate::rule::behaviour::silent_first_page::list;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_accepted;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "limit-ignored",
    family: Family::Arguments,
    severity: Severity::Error,
    scope: Scope::JSON,
    flaw: "A limit is accepted, and the list is as long as without it.",
    fix: "Read every flag that you accept.",
    page: include_str!("limit_ignored.md"),
    modes: &[5],
    requirements: &["F-018"],
    plan,
    judge,
};

/// Flags that say how long a list may be. The size of a page is not among them: a program that
/// fetches all pages heeds it too.
const LIMITS: &[&str] = &["limit", "max-results", "max-items"];

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(surface.commands.iter().filter_map(|it| Some(with_one(surface, it)?.1)));
}

/// The flag, and the sample call of a command that has it, asking for a single element.
fn with_one(surface: &Surface, command: &Command) -> Option<(String, Probe)> {
    let limit =
        LIMITS.iter().find_map(|name| command.flag(name)).filter(|it| it.value.is_some())?;
    sample(surface, command, Form::Json)?;
    let mut args = command.sample.clone()?;
    args.extend([limit.spelling(), "1".to_owned()]);
    let probe = Probe::new(command, Purpose::Extra, Form::Json, args, &surface.json);
    Some((limit.spelling(), probe))
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for command in &evidence.surface.commands {
        let Some((flag, probe)) = with_one(evidence.surface, command) else { continue };
        let usual = sample(evidence.surface, command, Form::Json);
        let usual = usual.and_then(|it| evidence.run_of(&it)).filter(|it| is_accepted(it));
        let limited = evidence.run_of(&probe).filter(|it| is_accepted(it));
        let Some((usual, limited)) = usual.zip(limited) else { continue };
        let Some(((_, all), (_, some))) = list(usual).zip(list(limited)) else { continue };
        // A list of one has nothing to leave out.
        if all < 2 {
            continue;
        }
        builder.observe();
        if some >= all {
            let called = limited.called();
            let message = format!("{called} gives {some} elements with {flag} 1, as without it");
            let finding = Finding::new(limited, message);
            let answer = limited.reading.answer.as_ref();
            builder.report_once(match answer.and_then(|it| Some((it.stream, it.data.clone()?))) {
                Some((stream, span)) => finding.at(limited, stream, span),
                None => finding,
            });
        }
    }
    builder.verdict(
        "no command is known that lists and takes a limit",
        Some("commands.\"…\".lists = true, and its flag for the limit in its help"),
    )
}

#[cfg(test)]
mod tests {
    use super::{RULE, with_one};
    use crate::observe::probe::Form;
    use crate::plan::usual::sample;
    use crate::surface::model::Flag;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn one_is_less_than_all() {
        let mut surface = surface();
        let (long, value) = (Some("limit".to_owned()), Some("N".to_owned()));
        surface.commands[1].flags.push(Flag { long, value, ..Flag::default() });
        let verdict = |all: &str, some: &str| {
            let usual = sample(&surface, &surface.commands[1], Form::Json).expect("a sample");
            let (_, limited) = with_one(&surface, &surface.commands[1]).expect("a call");
            assert_eq!(limited.args, ["list", "--limit", "1", "--json"]);
            let answer = |list: &str| format!(r#"{{"ok":true,"data":{list}}}"#);
            let runs = [run_of(usual, answer(all), 0), run_of(limited, answer(some), 0)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("[1,2]", "[1]"), "passed");
        assert_eq!(verdict("[1,2]", "[1,2]"), "failed");
        assert_eq!(verdict("[1]", "[1]"), "undecided");
    }
}
