//! The help of a command fails, is empty, or is that of its parent.

use crate::observe::probe::{Form, Purpose};
use crate::plan::usual::help;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::refusal::{is_refused_as_unknown, is_unknown_command};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "help-fails",
    family: Family::Arguments,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "--help of a command fails, prints nothing, or prints the help of its parent where others have their own.",
    fix: "Answer --help in every command, with its own page and exit status 0.",
    page: include_str!("help_fails.md"),
    modes: &[21],
    requirements: &["F-068"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    // The command `help` is help itself.
    let is_asked = |seen: &&ObservedRun<'_>| {
        let probe = &seen.run.probe;
        probe.is_plain() && probe.command.last().is_none_or(|word| word != "help")
    };
    for seen in evidence.of(Purpose::Help, Form::Text).filter(is_asked) {
        // Commands that only the manifest names, or that are unknown by their names, have other
        // rules, and so has what hangs.
        let is_listed = seen.command.is_none_or(|it| it.is_root() || it.known_from.help);
        let is_whole = seen.run.ended_by_itself();
        if !is_listed || !is_whole || is_refused_as_unknown(evidence, seen) {
            continue;
        }
        builder.observe();
        let transcript = &seen.run.transcript;
        let is_empty = seen.reading.stdout.is_empty && seen.reading.stderr.is_empty;
        let (what, stream) = if is_empty {
            ("prints nothing", None)
        } else if !seen.exited_zero() {
            let stream = if transcript.stderr.is_empty() { Stream::Stdout } else { Stream::Stderr };
            ("fails", Some(stream))
        } else if is_parents(evidence, seen) {
            ("prints the help of the program and not its own", Some(Stream::Stdout))
        } else if is_unknown_command(evidence, seen)
            && !is_own(&transcript.stdout, &seen.run.probe.command)
        {
            ("prints what a command that does not exist gets", Some(Stream::Stdout))
        } else {
            continue;
        };
        let message = format!("{} --help {what}", seen.called());
        let finding = Finding::new(seen, message);
        builder.report(match stream {
            Some(stream) => {
                let bytes = transcript.stream(stream);
                let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
                finding.at(seen, stream, 0..end)
            }
            None => finding,
        });
    }
    builder.verdict("no help was asked for", None)
}

/// Whether a command has the page of its parent, where another one below the same parent has its
/// own. A parent that describes all its subcommands on one page is complete.
fn is_parents(evidence: &Evidence<'_>, seen: &ObservedRun<'_>) -> bool {
    let Some((_, above)) = seen.run.probe.command.split_last() else { return false };
    let parent = evidence.surface.commands.iter().find(|it| it.path == above);
    let Some(parent) = parent.and_then(|parent| evidence.run_of(&help(parent))) else {
        return false;
    };
    let is_same = |one: &ObservedRun<'_>| {
        let (one, two) = (&one.run.transcript, &parent.run.transcript);
        one.stdout == two.stdout && one.stderr == two.stderr
    };
    // cleo and Symfony answer `--help` of the program with the page of their command `list`.
    if is_own(&parent.run.transcript.stdout, &seen.run.probe.command) {
        return false;
    }
    let is_sibling = |other: &&ObservedRun<'_>| {
        let path = &other.run.probe.command;
        path.split_last().is_some_and(|(_, parent)| parent == above) && other.run.probe.is_plain()
    };
    let mut siblings = evidence.of(Purpose::Help, Form::Text).filter(is_sibling);
    is_same(seen) && siblings.any(|other| other.exited_zero() && !is_same(other))
}

/// Whether a page is that of this command: its usage begins with the command's own name.
fn is_own(page: &[u8], path: &[String]) -> bool {
    let text = String::from_utf8_lossy(page);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let heading = lines.find(|line| line.to_lowercase().starts_with("usage"));
    let after = heading.and_then(|line| line.split_once(':')).map(|(_, after)| after.trim());
    let usage = after.filter(|it| !it.is_empty()).or_else(|| lines.next()).unwrap_or_default();
    usage.split_whitespace().next().is_some_and(|first| path.last().is_some_and(|it| it == first))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::plan::usual::help;
    use crate::rule::refusal::help_of_no_command;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn one_page_for_all_is_a_page_for_each() {
        let mut surface = surface();
        surface.commands[1].known_from.help = true;
        let mut other = surface.commands[1].clone();
        other.path = vec!["show".to_owned()];
        surface.commands.push(other);
        let verdict = |pages: [&str; 3]| {
            let runs: Vec<_> = surface
                .commands
                .iter()
                .zip(pages)
                .map(|(command, page)| run_of(help(command), page, 0))
                .collect();
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict(["Usage: notes", "Usage: notes", "Usage: notes"]), "passed");
        assert_eq!(verdict(["Usage: notes", "Usage: notes", "Usage: notes show"]), "failed");
        let list = "Usage:\n  list [options]";
        assert_eq!(verdict([list, list, "Usage:\n  show [options]"]), "passed");
    }

    #[test]
    fn the_page_of_a_command_that_does_not_exist_is_not_its_own() {
        let mut surface = surface();
        surface.commands[1].known_from.help = true;
        let mut other = surface.commands[1].clone();
        other.path = vec!["show".to_owned()];
        surface.commands.push(other);
        let verdict = |list: &str| {
            let to_none = help_of_no_command(&surface).next().unwrap();
            let runs = [
                run_of(help(&surface.commands[0]), "Usage: notes", 0),
                run_of(to_none, "See notes --help", 0),
                run_of(help(&surface.commands[1]), list, 0),
                run_of(help(&surface.commands[2]), "Usage: notes show", 0),
            ];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("See notes --help"), "failed");
        assert_eq!(verdict("Usage: notes list"), "passed");
    }

    #[test]
    fn each_command_has_a_page_of_its_own() {
        let mut surface = surface();
        surface.commands[1].known_from.help = true;
        let verdict = |stdout: &str, status| {
            let root = run_of(help(&surface.commands[0]), "Usage: notes", 0);
            let list = run_of(help(&surface.commands[1]), stdout, status);
            judge_with(&RULE, &surface, &[root, list]).as_str()
        };
        assert_eq!(verdict("Usage: notes list", 0), "passed");
        assert_eq!(verdict("Usage: notes list", 2), "failed");
        assert_eq!(verdict("", 0), "failed");
    }
}
