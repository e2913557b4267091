//! A secret that is given as an argument is printed.

use super::{leak, takes_secret};
use crate::observe::placeholder::NO_FLAG;
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "secret-echoed",
    family: Family::Secrets,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A secret that is given as an argument appears in what the program writes.",
    fix: "Leave the value of such a flag out of answers, errors and logs.",
    page: include_str!("secret_echoed.md"),
    modes: &[24],
    requirements: &["F-034"],
    plan,
    judge,
};

/// Looks like a secret and is none.
const SECRET: &str = "Vq8hR2wZn5yKc7tXb0LmJd4Gs9PfUa1EiOo6Xk3P";

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let Some(sample) = command.sample.as_ref().filter(|_| command.is_safe()) else { continue };
        let root = surface.commands.iter().filter(|it| it.is_root()).flat_map(|it| &it.flags);
        for flag in command.flags.iter().chain(root).filter(|flag| takes_secret(flag)) {
            let args = sample.iter().cloned().chain([flag.spelling(), SECRET.to_owned()]);
            let ask = |purpose, args: Vec<String>| {
                Probe::new(command, purpose, Form::Json, args, &surface.json)
            };
            let args: Vec<String> = args.collect();
            plan.ask(ask(Purpose::Extra, args.clone()));
            // A call that is refused is quoted in many a message.
            let refused = args.into_iter().chain([NO_FLAG.to_owned()]).collect();
            plan.ask(ask(Purpose::UnknownFlag, refused));
        }
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in &evidence.runs {
        if !seen.run.probe.args.iter().any(|word| word == SECRET) {
            continue;
        }
        builder.observe();
        if let Some(finding) = leak(seen, SECRET, "the secret that it was given") {
            builder.report_once(finding);
        }
    }
    builder.verdict("no safe command takes a secret as an argument", None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::model::Flag;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn a_quoted_secret_is_found() {
        let mut surface = surface();
        let token = Flag {
            long: Some("token".to_owned()),
            value: Some("TOKEN".to_owned()),
            ..Flag::default()
        };
        surface.commands[1].flags = vec![token];
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let probes = asked.into_parts().0;
        assert_eq!(probes.len(), 2);
        let verdict = |stdout: &str| {
            judge_with(&RULE, &surface, &[run_of(probes[1].clone(), stdout, 2)]).as_str()
        };
        assert_eq!(verdict(&format!("cannot run list --token {SECRET}")), "failed");
        assert_eq!(verdict("unknown flag"), "passed");
    }
}
