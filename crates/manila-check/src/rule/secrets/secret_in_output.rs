//! A secret from the environment or a file appears in what the program writes.

use super::leak;
use crate::observe::lab::{CANARIES, has_canary};
use crate::observe::probe::{Form, Probe, Purpose};
use crate::observe::run::Run;
use crate::plan::collection::Plan;
use crate::plan::usual::{missing, samples, unknown_flag};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "secret-in-output",
    family: Family::Secrets,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A secret that the program was given appears in what it writes.",
    fix: "Redact secrets before anything is written, in every output format.",
    page: include_str!("secret_in_output.md"),
    modes: &[24],
    requirements: &["F-034"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for form in [Form::Json, Form::Text] {
        plan.ask_each(samples(surface, form).map(Probe::with_canaries));
    }
    for command in &surface.commands {
        let missing = missing(surface, command, Form::Json);
        let refused = unknown_flag(surface, command, Form::Json).filter(|_| command.is_root());
        plan.ask_each(missing.into_iter().chain(refused).map(Probe::with_canaries));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.runs.iter().filter(|seen| is_usual(seen) && !prints_secret(seen)) {
        builder.observe();
        if let Some(finding) = first_leak(seen) {
            builder.report_once(finding);
        }
    }
    builder.verdict(
        "no command could be run with secrets in its surroundings",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

/// A run with canaries that did not ask for more output than usual.
pub(super) fn is_usual(seen: &ObservedRun<'_>) -> bool {
    let probe = &seen.run.probe;
    probe.setting.has_canaries
        && probe.setting.variables.is_empty()
        && probe.purpose != Purpose::Extra
}

/// Whether a command is there to print a secret, by its own name: `gh auth token`. Its plural lists them.
fn prints_secret(seen: &ObservedRun<'_>) -> bool {
    const SECRETS: &[&str] = &["token", "secret", "password", "credential", "apikey", "jwt"];
    let name = seen.run.probe.command.last().map(|name| name.to_lowercase()).unwrap_or_default();
    name.split(['-', '_', ':', '.']).any(|part| SECRETS.contains(&part))
}

/// The first canary that a run wrote.
pub(super) fn first_leak(seen: &ObservedRun<'_>) -> Option<Finding> {
    let Run { transcript, wrote, .. } = seen.run;
    let mut heads = wrote.iter().map(|file| file.head.as_slice());
    if !has_canary(&transcript.stdout) && !has_canary(&transcript.stderr) && !heads.any(has_canary)
    {
        return None;
    }
    CANARIES.iter().find_map(|canary| {
        let whose = format!("the secret in {}", canary.place.replace('*', "…"));
        leak(seen, canary.value, &whose)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::run::{Fate, Place, Written};
    use crate::testing::{judge, ran};

    fn run(stdout: String) -> Run {
        let run = ran(Purpose::Sample, stdout, 0);
        Run { probe: run.probe.clone().with_canaries(), ..run }
    }

    #[test]
    fn a_canary_is_found_with_its_bytes() {
        let stdout = format!(r#"{{"token":"{}"}}"#, CANARIES[0].value);
        let Verdict::Failed(findings) = judge(&RULE, &[run(stdout)]) else { panic!("it holds") };
        assert_eq!(findings[0].excerpt.as_ref().map(|it| it.start), Some(10));
        assert_eq!(judge(&RULE, &[run("{}".to_owned())]).as_str(), "passed");
        assert_eq!(judge(&RULE, &[ran(Purpose::Sample, "{}", 0)]).as_str(), "undecided");
    }

    #[test]
    fn a_command_that_is_there_to_print_a_secret_may() {
        let verdict = |name: &str| {
            let mut run = run(CANARIES[0].value.to_owned());
            run.probe.command = vec!["auth".to_owned(), name.to_owned()];
            judge(&RULE, &[run, self::run("{}".to_owned())]).as_str()
        };
        assert_eq!(verdict("token"), "passed");
        assert_eq!(verdict("print-access-token"), "passed");
        assert_eq!(verdict("tokens"), "failed");
    }

    #[test]
    fn a_file_counts_too() {
        let mut run = run("{}".to_owned());
        let (place, fate) = (Place::Home, Fate::Made);
        let head = CANARIES[1].value.as_bytes().to_vec();
        run.wrote.push(Written { place, path: ".log".to_owned(), fate, head });
        assert_eq!(judge(&RULE, &[run]).as_str(), "failed");
    }
}
