//! A command that takes something away is declared to be safe.

use crate::observe::probe::Purpose;
use crate::plan::usual::help;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Command;
use manila::Stream;
use manila_pack::Effect;

pub(crate) static RULE: Rule = Rule {
    id: "danger-undeclared",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "A command whose name says that it destroys something is declared safe.",
    fix: "Declare what a command does: that it writes, or destroys.",
    page: include_str!("danger_undeclared.md"),
    modes: &[23],
    requirements: &["C-002"],
    plan: no_probes,
    judge,
};

/// Names that leave no doubt. What may only look, such as `clean` and `reset`, is not among them.
const DESTROYING: &[&str] = &[
    "delete",
    "del",
    "remove",
    "rm",
    "destroy",
    "purge",
    "drop",
    "erase",
    "wipe",
    "uninstall",
    "rmdir",
    "unlink",
    "revoke",
    "truncate",
];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let declared = evidence.surface.commands.iter().filter(|it| it.known_from.manifest);
    for command in declared.filter(|command| destroys(command)) {
        if command.effects == Effect::Unknown || command.known_from.declaration {
            continue;
        }
        builder.observe();
        if command.effects != Effect::None {
            continue;
        }
        let name = command.name();
        let message = format!("{name} is declared to be safe, and its name says that it is not");
        let manifest = evidence.runs.iter().find(|it| it.run.probe.purpose == Purpose::Manifest);
        let Some(seen) = manifest.or_else(|| evidence.run_of(&help(command))) else { continue };
        let mut finding = Finding::new(seen, message);
        finding.command.clone_from(&command.path);
        // Shown where the manifest names it.
        let stdout = &seen.run.transcript.stdout;
        let places =
            [command.path.join("."), name, command.path.last().cloned().unwrap_or_default()];
        let place = places.iter().find_map(|name| {
            let key = format!("\"{name}\"");
            let at = stdout.windows(key.len()).position(|window| window == key.as_bytes())?;
            Some(at..at + key.len())
        });
        builder.report(match place {
            Some(span) => finding.at(seen, Stream::Stdout, span),
            None => finding,
        });
    }
    builder.verdict("no manifest declares what a command that destroys does", None)
}

fn destroys(command: &Command) -> bool {
    let name = command.path.last().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    let first = name.split(['-', '_']).next().unwrap_or_default();
    !command.is_group && DESTROYING.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::plan::usual::help;
    use crate::testing::{judge_with, run_of, surface};
    use manila_pack::Effect;

    #[test]
    fn a_removal_is_not_safe() {
        let verdict = |name: &str, effects| {
            let mut surface = surface();
            let command = &mut surface.commands[1];
            command.path = vec![name.to_owned()];
            command.effects = effects;
            command.known_from.manifest = true;
            let run = run_of(help(command), "Usage: notes", 0);
            judge_with(&RULE, &surface, &[run]).as_str()
        };
        assert_eq!(verdict("remove", Effect::None), "failed");
        assert_eq!(verdict("delete-all", Effect::None), "failed");
        assert_eq!(verdict("remove", Effect::Destroys), "passed");
        assert_eq!(verdict("remove", Effect::Unknown), "undecided");
        assert_eq!(verdict("list", Effect::None), "undecided");
    }
}
