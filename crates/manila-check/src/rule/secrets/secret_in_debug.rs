//! A secret appears when the program is asked to say more.

use super::secret_in_output::{first_leak, is_usual};
use crate::observe::probe::{Form, Probe, Purpose};
use crate::plan::collection::Plan;
use crate::plan::usual::sample;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Flag, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "secret-in-debug",
    family: Family::Secrets,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A secret appears in what the program writes when it is asked to say more.",
    fix: "Redact secrets in logs and traces as everywhere else.",
    page: include_str!("secret_in_debug.md"),
    modes: &[42],
    requirements: &["F-051"],
    plan,
    judge,
};

/// Variables by which programs are asked to say more.
const VARIABLES: &[(&str, &str)] = &[
    ("RUST_LOG", "trace"),
    ("DEBUG", "*"),
    ("LOG_LEVEL", "debug"),
    ("LOGLEVEL", "DEBUG"),
    ("VERBOSE", "1"),
];
const FLAGS: &[&str] = &["debug", "verbose", "trace", "log-level", "verbosity"];
const LEVELS: &[&str] = &["trace", "debug", "verbose"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        let Some(sample) = sample(surface, command, Form::Json)
            .or_else(|| sample(surface, command, Form::Text))
            .map(Probe::with_canaries)
        else {
            continue;
        };
        let loud = VARIABLES
            .iter()
            .fold(sample.clone(), |probe, (name, value)| probe.variable(name, value));
        let own: String = surface
            .name
            .chars()
            .map(|it| if it.is_ascii_alphanumeric() { it.to_ascii_uppercase() } else { '_' })
            .collect();
        plan.ask(
            loud.variable(&format!("{own}_DEBUG"), "1").variable(&format!("{own}_LOG"), "trace"),
        );
        for words in loud_flags(surface, command) {
            let mut probe = sample.clone();
            probe.args.extend(words.into_iter().map(Into::into));
            probe.purpose = Purpose::Extra;
            plan.ask(probe);
        }
    }
}

/// Whether a call asks the program to say more, by a variable or by a flag.
pub(crate) fn asks_for_more(probe: &Probe) -> bool {
    let by_variable = VARIABLES.iter().any(|(name, _)| probe.setting.variables.contains_key(*name));
    let is_flag = |word: &str| {
        let name = word.strip_prefix("--").map(|it| it.split('=').next().unwrap_or(it));
        name.is_some_and(|name| FLAGS.contains(&name))
    };
    by_variable || probe.args.iter().filter_map(|word| word.to_str()).any(is_flag)
}

/// The flags by which a command is asked to say more, as its help or that of the program lists them.
fn loud_flags(surface: &Surface, command: &Command) -> Vec<Vec<String>> {
    let root = surface.commands.iter().filter(|it| it.is_root()).flat_map(|root| &root.flags);
    let mut found: Vec<Vec<String>> = Vec::new();
    for flag in command.flags.iter().chain(root) {
        let is_loud = flag.long.as_deref().is_some_and(|long| FLAGS.contains(&long));
        let Some(words) = is_loud.then(|| words(flag)).flatten() else { continue };
        if !found.contains(&words) {
            found.push(words);
        }
    }
    found
}

fn words(flag: &Flag) -> Option<Vec<String>> {
    if flag.value.is_none() {
        return Some(vec![flag.spelling()]);
    }
    let level = LEVELS
        .iter()
        .find(|level| flag.choices.iter().any(|choice| choice.eq_ignore_ascii_case(level)));
    let level = level.map(|it| (*it).to_owned()).or(flag.is_number.then(|| "3".to_owned()))?;
    Some(vec![flag.spelling(), level])
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in &evidence.runs {
        if !seen.run.probe.setting.has_canaries || is_usual(seen) {
            continue;
        }
        builder.observe();
        // What leaks anyway is reported once, by another rule.
        let leaks_anyway = evidence.runs.iter().any(|usual| {
            is_usual(usual)
                && usual.run.probe.command == seen.run.probe.command
                && first_leak(usual).is_some()
        });
        if let Some(finding) = first_leak(seen).filter(|_| !leaks_anyway) {
            builder.report_once(finding);
        }
    }
    builder.verdict(
        "no command could be asked to say more, with secrets in its surroundings",
        Some("commands.\"…\".effects: which commands only read"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::lab::CANARIES;
    use crate::observe::run::Run;
    use crate::testing::{judge, ran, surface};

    #[test]
    fn a_leak_in_a_trace_is_reported_and_one_that_is_there_anyway_is_not() {
        let secret = format!(r#"{{"token":"{}"}}"#, CANARIES[0].value);
        let run = |probe: Probe, stdout: &str| Run { probe, ..ran(Purpose::Sample, stdout, 0) };
        let usual = ran(Purpose::Sample, "{}", 0).probe.with_canaries();
        let loud = usual.clone().variable("RUST_LOG", "trace");
        let verdict = |first: &str, second: &str| {
            judge(&RULE, &[run(usual.clone(), first), run(loud.clone(), second)]).as_str()
        };
        assert_eq!(verdict("{}", "{}"), "passed");
        assert_eq!(verdict("{}", &secret), "failed");
        assert_eq!(verdict(&secret, &secret), "passed");
    }

    #[test]
    fn every_way_to_ask_for_more_is_tried() {
        let mut surface = surface();
        let verbose = Flag { long: Some("verbose".to_owned()), ..Flag::default() };
        let level = Flag {
            long: Some("log-level".to_owned()),
            value: Some("LEVEL".to_owned()),
            choices: vec!["info".to_owned(), "debug".to_owned()],
            ..Flag::default()
        };
        surface.commands[0].flags = vec![verbose, level];
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let args: Vec<_> = asked.into_parts().0.iter().map(|probe| probe.args.len()).collect();
        assert_eq!(args, [2, 3, 4]);
    }
}
