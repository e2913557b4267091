//! The answer says that it is another command's.

use super::found;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::object_answer::object_answers;
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use serde_json::Value;

pub(crate) static RULE: Rule = Rule {
    id: "names-another-command",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The answer names another command than the one that was called.",
    fix: "Set the name where the command is dispatched, not in each command.",
    page: include_str!("names_another_command.md"),
    modes: &[2],
    requirements: &["F-004"],
    plan: no_probes,
    judge,
};

/// Where answers name their command.
const PLACES: &[&[&str]] = &[&["command"], &["meta", "command"]];

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let surface = evidence.surface;
    for answer in object_answers(evidence) {
        let purpose = answer.seen.run.probe.purpose;
        // What is not understood has no command.
        if matches!(purpose, Purpose::Recorded | Purpose::UnknownCommand | Purpose::Manifest) {
            continue;
        }
        let Some(called) = answer.seen.command.filter(|command| !command.is_root()) else {
            continue;
        };
        for place in PLACES {
            let Some(named) = answer.get(place).and_then(|value| command(surface, value)) else {
                continue;
            };
            builder.observe();
            if !is_same(called, named) {
                let (is, says) = (called.name(), named.name());
                let message = format!("the answer of {is} says that it is of {says}");
                builder.report_once(found(&answer, place, message));
            }
        }
    }
    builder.verdict("no answer names its command", None)
}

/// The command that a value names: the known one of the most words.
fn command<'s>(surface: &'s Surface, value: &Value) -> Option<&'s Command> {
    let text = value.as_str()?;
    let words: Vec<&str> =
        text.split([' ', '.', ':', '/']).take_while(|word| !word.starts_with('-')).collect();
    let named = |words: &[&str]| {
        surface
            .commands
            .iter()
            .filter(|it| !it.is_root() && begins(words, &it.path))
            .max_by_key(|it| it.path.len())
    };
    let is_program = words.first().is_some_and(|word| *word == surface.name);
    named(&words).or_else(|| named(words.get(1..).filter(|_| is_program)?))
}

fn begins(words: &[&str], path: &[String]) -> bool {
    words.len() >= path.len() && words.iter().zip(path).all(|(word, own)| word == own)
}

/// Whether both are one, by another name or as a part of the other.
fn is_same(called: &Command, named: &Command) -> bool {
    let is_alias = |of: &Command, other: &Command| {
        other.path.last().is_some_and(|word| of.aliases.contains(word))
    };
    called.path.starts_with(&named.path)
        || named.path.starts_with(&called.path)
        || is_alias(called, named)
        || is_alias(named, called)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge_with, ran, surface};

    #[test]
    fn the_name_is_that_of_the_call() {
        let mut surface = surface();
        let mut show = surface.commands[1].clone();
        show.path = vec!["show".to_owned()];
        show.aliases = vec!["view".to_owned()];
        let mut view = show.clone();
        view.path = vec!["view".to_owned()];
        surface.commands.extend([show, view]);
        let verdict = |stdout: &str, command: &str| {
            let mut run = ran(Purpose::Sample, stdout, 0);
            run.probe.command = vec![command.to_owned()];
            judge_with(&RULE, &surface, &[run]).as_str()
        };
        assert_eq!(verdict(r#"{"ok":true,"command":"list"}"#, "list"), "passed");
        assert_eq!(verdict(r#"{"ok":true,"command":"notes list --json"}"#, "list"), "passed");
        assert_eq!(verdict(r#"{"ok":true,"command":"show"}"#, "list"), "failed");
        assert_eq!(verdict(r#"{"ok":true,"meta":{"command":"notes.show"}}"#, "list"), "failed");
        assert_eq!(verdict(r#"{"ok":true,"command":"show"}"#, "view"), "passed");
        assert_eq!(verdict(r#"{"ok":true,"command":"ListNotes"}"#, "list"), "undecided");
        assert_eq!(verdict(r#"{"ok":true,"data":{"command":"show"}}"#, "list"), "undecided");
    }
}
