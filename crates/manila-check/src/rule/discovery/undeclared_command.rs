//! The manifest leaves out a command that help lists.

use crate::observe::probe::Purpose;
use crate::plan::usual::help;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-command",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "Help lists a command that the manifest leaves out.",
    fix: "Generate the manifest from the table that the argument parser uses.",
    page: include_str!("undeclared_command.md"),
    modes: &[52, 73],
    requirements: &["O-041"],
    plan: no_probes,
    judge,
};

/// What frameworks add to every program, and manifests rightly pass over.
const EVERYWHERE: &[&str] = &["help", "completion", "completions", "man", "version"];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let surface = evidence.surface;
    let is_whole = surface.manifest.as_ref().is_some_and(|manifest| manifest.is_whole);
    for command in surface.commands.iter().filter(|it| is_whole && is_listed(surface, it)) {
        builder.observe();
        if command.known_from.manifest {
            continue;
        }
        // Shown in the help that lists it.
        let Some((word, parent)) = command.path.split_last() else { continue };
        let parent = surface.commands.iter().find(|it| it.path == parent);
        let listed = parent.and_then(|parent| evidence.run_of(&help(parent)));
        let asked = evidence.runs.iter().find(|it| it.run.probe.purpose == Purpose::Manifest);
        let Some(seen) = listed.or(asked) else { continue };
        let message = format!("help lists {}, and the manifest does not name it", command.name());
        let mut finding = Finding::new(seen, message);
        finding.command.clone_from(&command.path);
        if let Some(asked) = asked {
            finding.reproduce = asked.reproduce();
        }
        let stdout = &seen.run.transcript.stdout;
        let entry = format!("\n  {word}");
        let at = stdout.windows(entry.len()).position(|window| window == entry.as_bytes());
        builder.report(match at {
            Some(at) => finding.at(seen, Stream::Stdout, at + 3..at + entry.len()),
            None => finding,
        });
    }
    builder.verdict(
        "the program has no manifest that names every command",
        Some("program.manifest: the words that print it"),
    )
}

/// A command that a manifest should name: of a group it may only name what is below.
fn is_listed(surface: &Surface, command: &Command) -> bool {
    let is_everywhere = command.path.last().is_some_and(|word| EVERYWHERE.contains(&word.as_str()));
    let is_alias = surface.commands.iter().any(|other| {
        let siblings =
            other.path.split_last().map(|it| it.1) == command.path.split_last().map(|it| it.1);
        siblings && command.path.last().is_some_and(|word| other.aliases.contains(word))
    });
    let has_named = surface.commands.iter().any(|other| {
        other.known_from.manifest
            && other.path.len() > command.path.len()
            && other.path.starts_with(&command.path)
    });
    // A caller that reads the manifest has found the command that prints it.
    let is_its_own = surface.manifest.as_ref().is_some_and(|it| it.args.starts_with(&command.path));
    let is_meant = !is_everywhere && !is_its_own && !is_alias && !has_named;
    command.known_from.help && !command.is_root() && is_meant
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::plan::usual::help;
    use crate::surface::model::Manifest;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn what_help_lists_the_manifest_names() {
        let mut surface = surface();
        let args = vec!["manifest".to_owned()];
        surface.manifest = Some(Manifest { args, format: "manila", is_whole: true });
        surface.commands[1].known_from.help = true;
        let run = run_of(help(&surface.commands[0]), "Commands:\n  list  List", 0);
        assert_eq!(judge_with(&RULE, &surface, std::slice::from_ref(&run)).as_str(), "failed");
        let itself = Manifest { args: vec!["list".to_owned()], format: "manila", is_whole: true };
        let mut printing = surface.clone();
        printing.manifest = Some(itself);
        let alone = judge_with(&RULE, &printing, std::slice::from_ref(&run));
        assert_eq!(alone.as_str(), "undecided", "a manifest need not name what prints it");
        surface.commands[1].known_from.manifest = true;
        assert_eq!(judge_with(&RULE, &surface, std::slice::from_ref(&run)).as_str(), "passed");
        surface.manifest = None;
        assert_eq!(judge_with(&RULE, &surface, &[run]).as_str(), "undecided");
    }
}
