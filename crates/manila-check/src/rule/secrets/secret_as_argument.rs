//! A secret can only be given as an argument.

use super::takes_secret;
use crate::plan::usual::help;
use crate::profile::{Profile, Scope};
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Flag};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "secret-as-argument",
    family: Family::Secrets,
    severity: Severity::Warning,
    scope: Scope::PLAIN.relaxed(Profile::Plain, Severity::Note),
    flaw: "A secret is given as an argument, and no other way is mentioned.",
    fix: "Take secrets from an environment variable, a file or stdin, and say so in the help.",
    page: include_str!("secret_as_argument.md"),
    modes: &[24],
    requirements: &["C-016", "O-022"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let commands = &evidence.surface.commands;
    // A flag of the whole program is on every page and is reported once.
    let mut reported: Vec<&str> = Vec::new();
    for command in commands.iter().filter(|command| !command.flags.is_empty()) {
        builder.observe();
        for flag in command.flags.iter().filter(|flag| takes_secret(flag)) {
            let long = flag.long.as_deref().unwrap_or_default();
            let has_way = commands.iter().any(|it| has_other_way(it, flag))
                || speaks_of_variable(command, flag);
            let seen = evidence.run_of(&help(command));
            let Some(seen) = seen.filter(|_| !has_way && !reported.contains(&long)) else {
                continue;
            };
            reported.push(long);
            let message = format!(
                "{} takes a secret as its value, and help names no other way",
                flag.spelling()
            );
            let finding = Finding::new(seen, message).because_of(flag.spelling());
            let stdout = &seen.run.transcript.stdout;
            let word = flag.spelling();
            let at = stdout.windows(word.len()).position(|window| window == word.as_bytes());
            builder.report(match at {
                Some(at) => finding.at(seen, Stream::Stdout, at..at + word.len()),
                None => finding,
            });
        }
    }
    builder.verdict("no help lists a flag", None)
}

/// Whether a command has a flag beside this one that takes the secret in a better way.
fn has_other_way(command: &Command, secret: &Flag) -> bool {
    let stem = secret.long.as_deref().unwrap_or_default();
    command.flags.iter().filter_map(|flag| flag.long.as_deref()).any(|long| {
        long.strip_prefix(stem).is_some_and(|rest| {
            ["-file", "-env", "-stdin", "-from", "-fd", "-path", "-command"]
                .iter()
                .any(|way| rest.starts_with(way))
        })
    })
}

/// Whether help mentions a variable for it.
fn speaks_of_variable(command: &Command, flag: &Flag) -> bool {
    let name = flag.long.as_deref().unwrap_or_default().to_ascii_uppercase().replace('-', "_");
    let about = flag.about.to_ascii_lowercase();
    let in_about = [
        "env",
        "$",
        "stdin",
        "standard input",
        "variable",
        "keychain",
        "keyring",
        "interactiv",
        "prompt",
        "netrc",
        "property",
    ];
    in_about.iter().any(|mark| about.contains(mark))
        || flag.about.contains(&format!("_{name}"))
        || command.help.contains(&format!("_{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge_with, run_of, surface};

    fn verdict(flags: &[(&str, &str)]) -> &'static str {
        let mut surface = surface();
        surface.commands[1].flags = flags
            .iter()
            .map(|(long, about)| Flag {
                long: Some((*long).to_owned()),
                value: Some("VALUE".to_owned()),
                about: (*about).to_owned(),
                ..Flag::default()
            })
            .collect();
        let run = run_of(help(&surface.commands[1]), "Usage: notes list --token <VALUE>", 0);
        judge_with(&RULE, &surface, &[run]).as_str()
    }

    #[test]
    fn another_way_makes_it_right() {
        assert_eq!(verdict(&[("token", "The token")]), "failed");
        assert_eq!(verdict(&[("api-key", "")]), "failed");
        assert_eq!(verdict(&[("token", "The token [env: NOTES_TOKEN=]")]), "passed");
        assert_eq!(verdict(&[("token", ""), ("token-file", "")]), "passed");
        assert_eq!(verdict(&[("secret-rm", "Remove a secret")]), "passed");
        assert_eq!(verdict(&[("secret", "Specify secrets to expose to the service")]), "passed");
        assert_eq!(verdict(&[("token-limit", ""), ("credential-spec", "")]), "passed");
    }
}
